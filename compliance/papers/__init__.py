"""What is handed in on paper: which files are taken, and their text. No database here."""
