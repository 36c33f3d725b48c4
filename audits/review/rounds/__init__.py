"""Single rounds: search, explanation and display."""
