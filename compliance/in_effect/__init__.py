"""What is in effect for an operator, a game and a table at an instant, and who approved it."""
