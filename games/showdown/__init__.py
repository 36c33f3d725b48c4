"""Pyramid Poker, Showdown Version (SD): six hands against each other player's, and a pot."""
