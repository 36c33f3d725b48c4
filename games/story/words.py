"""Cards, hands and money as people say them."""

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
ONES: Final = (
    "deuce", "three", "four", "five", "six", "seven", "eight",
    "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
"""Ranks in words, the deuce first."""

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


def result_in_words(cents: int) -> str:
    """What a wager won or lost: +$5.00, −$5.00; 0 is a push."""
    return f"+{in_dollars(cents)}" if cents > 0 else in_dollars(cents)


def time_in_words(microseconds: int, zone: tzinfo) -> str:
    """An instant, as clocks of a zone show it; in UTC where the zone has no date for it."""
    moment = EPOCH + timedelta(seconds=microseconds // 1_000_000)
    with suppress(OverflowError):
        moment = moment.astimezone(zone)
    return f"{moment:%Y-%m-%d %H:%M:%S %Z}"


def rank_names(ranks: Iterable[int]) -> str:
    """Ranks by their letters, K-7."""
    return "-".join(RANKS[rank] for rank in ranks)


def strength_in_words(strength: int, names: Sequence[str] = FIVE_CARD_NAMES) -> str:
    """A strength's name and its ranks in order of weight: one pair, Q-Q-9; straight to Q."""
    name = names[name_of(strength)]
    ranks = [strength >> shift & 15 for shift in range(NAME_SHIFT - 4, -1, -4)]
    told = rank_names(rank - 1 for rank in ranks if rank)
    return f"{name} to {told}" if "straight" in name and len(told) == 1 else f"{name}, {told}"


def standing(mine: int, theirs: int) -> str:
    """How one hand stands to another."""
    return "higher" if mine > theirs else "lower" if mine < theirs else "equal"


def cards(hand: bytes | None) -> str:
    """Cards as logged, or that there are none."""
    return show(hand) if hand else "no cards logged"
