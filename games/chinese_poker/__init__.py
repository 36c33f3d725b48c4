"""Chinese Poker (CP): thirteen cards set as front, middle and back, every two players compared."""
