"""Cards, one byte each.

A card is `rank * 4 + suit`: rank 0 is the deuce and 12 the ace; suit 0 is clubs, 1 diamonds, 2
hearts and 3 spades, so spades are the highest (SD-19). A joker is 52. A joker whose holder has
named it is `64 + card`, and `card & 63` is the card it represents.
"""

from __future__ import annotations

from typing import Final

from games.kernel import kernel

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

SIX: Final = 4
SEVEN: Final = 5
EIGHT: Final = 6
NINE: Final = 7
TEN: Final = 8
JACK: Final = 9
QUEEN: Final = 10
KING: Final = 11
ACE: Final = 12

JOKER: Final = 52
NAMED: Final = 64

CARD: Final[dict[str, int]] = {
    f"{rank}{suit}": 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)
}
"""Every natural card by its spelling, `As` to `2c`."""

SPELLING: Final[dict[int, str]] = {
    **{card: text for text, card in CARD.items()},
    JOKER: "Jo",
    **{NAMED + card: f"Jo={text}" for text, card in CARD.items()},
}
"""The spelling of every byte that is a card."""

_DEALT: Final[dict[str, int]] = {**CARD, "Jo": JOKER}
_SET: Final[dict[str, int]] = {
    **CARD,
    **{f"Jo={text}": NAMED + card for text, card in CARD.items()},
}

Cards = bytes
"""Cards in the order written, one byte each."""


class CardError(ValueError):
    """A misspelled card; the message is the sentence to show the author of the line."""


@kernel
def rank(card: int) -> int:
    """Return the rank of a natural card or a named joker, 0 (deuce) to 12 (ace)."""
    return (card & 63) >> 2


@kernel
def suit(card: int) -> int:
    """Return the suit of a natural card or a named joker, 0 (clubs) to 3 (spades)."""
    return card & 3


def dealt(text: str) -> Cards:
    """Parse cards as dealt, `As Td Jo`, with jokers unnamed; empty text means no cards."""
    return _read(text, _DEALT)


def as_set(text: str) -> Cards:
    """Parse cards as set, `As Td Jo=Kh`: every joker names its card; empty text means no cards."""
    return _read(text, _SET)


def show(cards: Cards) -> str:
    """Return the spelling of cards, as in a round log."""
    return " ".join(SPELLING[card] for card in cards)


def has_joker(cards: Cards) -> bool:
    """Return whether a joker is among the cards, named or not."""
    return any(card >= JOKER for card in cards)


def unnamed(cards: Cards) -> Cards:
    """Return the same cards with every named joker as a plain joker again, as it was dealt."""
    return bytes(JOKER if card >= NAMED else card for card in cards)


def _read(text: str, known: dict[str, int]) -> Cards:
    if not text:
        return b""
    try:
        return bytes([known[word] for word in text.split(" ")])
    except KeyError:
        pass
    raise CardError(_complaint(text, known))


def _complaint(text: str, known: dict[str, int]) -> str:
    word = next(word for word in text.split(" ") if word not in known)
    if not word:
        return (
            "cards are written as `As Td 2c` with one space between two cards and none around them"
        )
    if word == "Jo":
        return "a joker in a set hand names the card it represents: write `Jo=As`, not `Jo`"
    if word.startswith("Jo=") and word[3:] in CARD:
        return f"a joker among the cards dealt is written `Jo`, not `{word}`"
    return (
        f"`{word[:12]}` is not a card: write a rank (A K Q J T 9 8 7 6 5 4 3 2) and a suit"
        " (s h d c), as in `Td`"
    )
