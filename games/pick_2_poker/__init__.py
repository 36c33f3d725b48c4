"""Pick 2 Poker (P2): five cards, played as three or as five against the dealer."""
