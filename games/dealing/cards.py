"""Cards of a deal spelled for the log, fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cards import SPELLING

if TYPE_CHECKING:
    from collections.abc import Iterable

_SPELLED = [SPELLING.get(card, "") for card in range(256)]


def spelled(cards: Iterable[int]) -> str:
    """Cards with one space between two."""
    return " ".join([_SPELLED[card] for card in cards])
