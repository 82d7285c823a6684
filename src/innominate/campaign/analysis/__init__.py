"""The analysis of a campaign, from raw answers to a reference of known quality and a scoreboard."""
