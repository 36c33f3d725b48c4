"""What each round should have won, and what is wrong with the log: the findings."""
