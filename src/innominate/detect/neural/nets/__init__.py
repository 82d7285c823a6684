"""The networks, in torch. Nothing outside training imports this."""
