"""The five games. A game is loaded when the first of its rounds comes: a filter must start fast."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from games.rule_set import SLUGS

if TYPE_CHECKING:
    from games.judge.settlement import Game

__all__ = ["SLUGS", "game"]


@cache
def game(slug: str) -> Game:
    """The game's own part of the judgement, `games/<game>/play.py`."""
    return cast("Game", import_module(f"games.{slug.replace('-', '_')}.play"))
