"""Reports for annotators, as text and by mail, and what they answer to them."""
