"""People: who is who in the notes of a patient, their names, and what is said about them."""
