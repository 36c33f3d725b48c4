"""What an operator's approvals say: SETUP.json of the filter, or what the system has on file."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Final

from games.rule_set import rule_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.rule_set import RuleSet

LETTERS: Final = {
    "PP": "pyramid-poker",
    "CP": "chinese-poker",
    "P2": "pick-2-poker",
    "SD": "showdown",
    "CV": "casino-version",
}
"""Which game an interpretation's id belongs to; `X` is every game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chinese:
    """Chinese Poker as the operator plays it (CP-3, CP-8 to CP-12)."""

    scoring: frozenset[str] | None = None
    """Those approved; None, any."""
    bonuses: Mapping[str, int] = field(default_factory=dict)
    naturals: Mapping[str, int] = field(default_factory=dict)
    surrender: int | None = None
    """Units to each live player; None, surrender is not approved."""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The approved terms under which rounds are judged. Everything may be left out."""

    interpretations: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    """By table, then wager: minimum and maximum in cents."""
    cap: int | None = None
    """The legal maximum of a single wager, for house-banked games."""
    players: int | None = None
    """How many players Pyramid Poker and Pick 2 may seat; None, not judged."""
    max_per_hand: int | None = None
    """Maximum aggregate payout of one hand (PP-I8 `odds_only`, `all_wagers`)."""
    max_per_deal: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Maximum aggregate payout of one wager over all hands of a deal, by game."""
    banker_min: Mapping[str, int] = field(default_factory=dict)
    chinese: Chinese = field(default_factory=Chinese)
    void_reasons: frozenset[str] = frozenset()
    pay_tables: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    """By game and table: lines that replace those of the rules."""
    rule_sets: Mapping[str, RuleSet] = field(default_factory=dict)
    """Rule sets that stand in for the engine's own (an older version, say)."""

    def rules(self, game: str) -> RuleSet:
        """The rule set of a game."""
        return self.rule_sets.get(game) or rule_set(game)

    def reading(self, id_: str) -> str:
        """The reading of an interpretation that applies: the one chosen, else the default."""
        chosen = self.interpretations.get(id_)
        if chosen is not None:
            return chosen
        return self.rules(LETTERS[id_.partition("-")[0]]).interpretations[id_].default

    def pays(self, game: str, table: str) -> tuple[int, ...]:
        """A pay table, N to 1, in the order of the game's own `PAY_LINES`."""
        key = (game, table)
        if key not in self._pays:
            self._pays[key] = self._read_pays(game, table)
        return self._pays[key]

    @cached_property
    def _pays(self) -> dict[tuple[str, str], tuple[int, ...]]:
        return {}

    def _read_pays(self, game: str, table: str) -> tuple[int, ...]:
        known = import_module(f"games.{game.replace('-', '_')}.reasons").PAY_LINES[table]
        lines = {
            **self.rules(game).pay_tables[table].lines,
            **self.pay_tables.get(game, {}).get(table, {}),
        }
        return tuple(lines[line] for line in known)
