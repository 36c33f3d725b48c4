"""The round log, version 1: what a card room submits, strictly parsed, and rounds as columns."""
