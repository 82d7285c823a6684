"""What a campaign is asked to be: its file, its people, its notes cut into chunks, and who does which."""
