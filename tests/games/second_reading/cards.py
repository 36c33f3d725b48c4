"""Cards as the round log writes them: dealt cards contain `Jo`, set hands `Jo=As`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

RANKS = {sign: rank for rank, sign in enumerate("23456789TJQKA", start=2)}
SUITS = "shdc"
ACE, KING, QUEEN, JACK = 14, 13, 12, 11


class Card(NamedTuple):
    """A card by rank (2 to 14) and suit; a joker its holder named is that card, and a joker."""

    rank: int
    suit: str
    joker: bool = False


JOKER = Card(0, "", joker=True)


class SpellingError(ValueError):
    """A text that names no card in its place."""


def plain_card(text: str) -> Card:
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise SpellingError(f"{text!r} is no card")
    return Card(RANKS[text[0]], text[1])


def dealt_card(text: str) -> Card:
    return JOKER if text == "Jo" else plain_card(text)


def set_card(text: str) -> Card:
    if text.startswith("Jo="):
        return plain_card(text[3:])._replace(joker=True)
    return plain_card(text)


def dealt(text: str) -> list[Card]:
    """Return the cards of a `cards` field; empty text means no cards."""
    return [dealt_card(word) for word in text.split(" ")] if text else []


def as_set(text: str) -> list[Card]:
    """Return the cards of a set hand (`low`, `three`, `front`, `hands`, ...)."""
    return [set_card(word) for word in text.split(" ")] if text else []


def as_dealt(cards: Iterable[Card]) -> Counter[Card]:
    """Return how often each card was dealt: a named joker was dealt as a joker."""
    return Counter(JOKER if card.joker else card for card in cards)


def is_part_of(part: Iterable[Card], whole: Iterable[Card]) -> bool:
    return as_dealt(part) <= as_dealt(whole)
