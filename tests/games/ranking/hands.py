"""Hands as a person writes them."""

from games.cards import CARD, NAMED


def cards(text):
    """Return the cards of `As Td Jo=9h`, one byte each."""
    return [NAMED + CARD[w[3:]] if w.startswith("Jo=") else CARD[w] for w in text.split()]
