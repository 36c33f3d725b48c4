"""Blackjack and its relatives: hands against the dealer, played card by card."""
