"""Cards, hands, names, times and amounts in words; cards also as they are read aloud."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from games.cards import RANKS, show
from games.cents import in_dollars
from games.ranking.names import NAME_SHIFT, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import tzinfo


EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
RANK_WORDS: Final = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip
SUIT_WORDS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}

FIVE_CARD_NAMES: Final = (
    "high card", "one pair", "two pairs", "three of a kind", "straight", "flush", "full house",
    "four of a kind", "straight flush", "five of a kind", "six-card straight flush",
    "six of a kind", "seven-card straight flush", "eight-card straight flush", "seven of a kind",
    "nine-card straight flush", "eight of a kind", "ten-card straight flush", "nine of a kind",
    "ten of a kind",
)  # fmt: skip
"""Names of `games.ranking.names`, in their order."""

THREE_CARD_NAMES: Final = (
    "high card", "one pair", "flush", "straight", "three of a kind", "straight flush",
    "ace-king-queen suited",
)  # fmt: skip
"""Names of `games.ranking.three_card`, in their order."""

WAGER_NAMES: Final = {
    "bonus_3_5": "3-5 bonus",
    "bonus_3_5_five": "3-5 bonus on five cards",
    "bonus_3_5_three": "3-5 bonus on three cards",
    "bonus_5": "5-card bonus",
    "buy_in": "buy-in",
}
"""Wagers and pay tables whose key is not their name."""

CHOICES: Final = {
    "fold": "folds",
    "play": "plays",
    "three": "plays three cards",
    "five": "plays five cards",
    "surrender": "surrenders",
    "surrender-20": "surrenders after 20 cards",
    "surrender-23": "surrenders after 23 cards",
    "showdown": "plays to the showdown",
    "last": "is the only player left",
    "three-straights": "declares three straights",
    "three-flushes": "declares three flushes",
    "six-pairs": "declares six pairs",
    "dragon": "declares a dragon",
}
"""A player's decision or declared natural, by its word in the log."""


def name_in_words(name: str) -> str:
    """Return the name of a game, wager or pay table line; a line may join two, as `a+b`."""
    known = WAGER_NAMES.get(name)
    return known or name.replace("_", " ").replace("-", " ").replace("+", " and ")


def describe_name(name: str) -> str:
    """Return the same with a capital, for a label."""
    words = name_in_words(name)
    return words[:1].upper() + words[1:]


def card_in_words(card: str) -> str:
    """Return a card as read aloud: `Td` is the ten of diamonds, `Jo=Kd` a joker as that king."""
    if card == "Jo":
        return "joker"
    if card.startswith("Jo="):
        return f"joker as {card_in_words(card[3:])}"
    return f"{RANK_WORDS[card[0]]} of {SUIT_WORDS[card[1]]}"


def cards_in_words(cards: Iterable[str]) -> str:
    """Return cards as they are read aloud, in their order."""
    return ", ".join(map(card_in_words, cards)) or "no cards"


def show_cards(hand: bytes | None) -> str:
    """Format cards as logged, or say that there are none."""
    return show(hand) if hand else "no cards logged"


def result_in_words(cents: int) -> str:
    """Format what a wager won or lost: +$5.00, −$5.00; 0 is a push."""
    return f"+{in_dollars(cents)}" if cents > 0 else in_dollars(cents)


def difference_in_words(cents: int) -> str:
    """Describe the amount overpaid or underpaid; an en dash if there is none."""
    if not cents:
        return "–"
    return f"{in_dollars(abs(cents))} {'overpaid' if cents > 0 else 'underpaid'}"


def time_in_words(microseconds: int, zone: tzinfo) -> str:
    """Format an instant in a zone's local time, or in UTC if the zone has no date for it."""
    moment = EPOCH + timedelta(seconds=microseconds // 1_000_000)
    with suppress(OverflowError):
        moment = moment.astimezone(zone)
    half = "a.m." if moment.hour < 12 else "p.m."
    return f"{moment:%B} {moment.day}, {moment.year:04}, {moment:%-I:%M:%S} {half} {moment:%Z}"


def ranks_in_words(ranks: Iterable[int]) -> str:
    """Format ranks by their letters, K-7."""
    return "-".join(RANKS[rank] for rank in ranks)


def strength_in_words(strength: int, names: Sequence[str] = FIVE_CARD_NAMES) -> str:
    """Format a strength's name and ranks by importance: one pair, Q-Q-9; straight to Q."""
    name = names[name_of(strength)]
    ranks = [strength >> shift & 15 for shift in range(NAME_SHIFT - 4, -1, -4)]
    letters = ranks_in_words(rank - 1 for rank in ranks if rank)
    to_rank = "straight" in name and len(letters) == 1
    return f"{name} to {letters}" if to_rank else f"{name}, {letters}"


def compare_in_words(mine: int, theirs: int) -> str:
    """Return how one hand compares to another."""
    return "higher" if mine > theirs else "lower" if mine < theirs else "equal"
