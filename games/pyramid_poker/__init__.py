"""Pyramid Poker (PP): a low card and a high hand of two, banked by the house or by a player."""
