"""Whose wagers have odds that can be counted."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.odds.wager_odds import WagerOdds
    from games.setup import Setup

COUNTED: Final = ("pyramid-poker", "pick-2-poker")

WITHOUT: Final = {
    "chinese-poker": "Chinese Poker has no wager that pays by a table: the players play each "
    "other for units, and what one wins another loses.",
    "showdown": "Showdown has no wager that pays by a table: the players play each other for "
    "points and a pot, and what one wins another loses.",
    "casino-version": "The Casino Version has no wager that pays by a table: ante and buy-in "
    "depend on how player and dealer set nine cards, and no way of setting is written.",
}
"""Why the other games have none."""


def odds(game: str, setup: Setup, decks: int) -> Iterator[WagerOdds]:
    """The odds of every wager of a counted game, one by one as they are counted."""
    counted = import_module(f"games.odds.{game.replace('-', '_')}")
    yield from counted.odds(setup, decks)
