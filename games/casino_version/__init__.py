"""Pyramid Poker, Casino Version (CV): nine cards in three hands against the dealer's three."""
