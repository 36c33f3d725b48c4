"""The odds of one wager: its outcomes, how likely each is, and what the house keeps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.odds.estimated import EstimatedOdds
    from games.rounding import Odds, Pays
    from games.setup import Setup


@dataclass(frozen=True, slots=True)
class Outcome:
    """A possible outcome: `to` is won for each unit staked, 0 pushes, -1 loses."""

    name: str
    to: Odds
    probability: Fraction


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """All outcomes of one wager, and the terms they were counted under.

    `terms` are sentences: which pay table, which interpretations, how the hand is played.
    """

    wager: str
    terms: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    strategy: str = "none"
    """How the hand is played: `none` if no decision matters, `optimal`, or a name."""
    per: str = "wager"
    """What `to` is counted in: the wager itself, or the ante of several wagers together."""

    def __post_init__(self) -> None:
        total = sum((outcome.probability for outcome in self.outcomes), Fraction())
        if total != 1:
            message = f"The outcomes of {self.wager} are {total} of all deals, not all of them."
            raise ValueError(message)

    @property
    def house_edge(self) -> Fraction:
        """Return what the house keeps of `per` in the long run; below 0 the player gains."""
        return -sum((outcome.to * outcome.probability for outcome in self.outcomes), Fraction())


def unrounded(pays: Pays) -> tuple[Pays, int]:
    """Return a pay table without rounding, and a stake on which every payout is whole cents."""
    return pays._replace(step=1), pays.over


def as_printed(setup: Setup, game: str) -> Setup:
    """Return the same terms with the pay tables printed on the layout drawing."""
    printed = {
        layout.table: {**setup.pay_tables.get(game, {}).get(layout.table, {}), **layout.lines}
        for layout in setup.rules(game).layouts.values()
    }
    tables = {**setup.pay_tables.get(game, {}), **printed}
    return replace(setup, pay_tables={**setup.pay_tables, game: tables})


def which_table(setup: Setup, game: str, *names: str) -> str:
    """Return a sentence with the pay tables used, and every line that differs from the rules."""
    rules = setup.rules(game)
    tables = [rules.pay_tables[name] for name in names]
    clauses = " and ".join(sorted({table.clause for table in tables}))
    changed = [
        f"{line} {to}, not {table.lines.get(line, 'a line')}"
        f"{_printed(setup, game, table.name, line, to)}"
        for table in tables
        for line, to in setup.pay_tables.get(game, {}).get(table.name, {}).items()
        if to != table.lines.get(line)
    ]
    return f"Paid by {clauses}" + (f", but {'; '.join(changed)}." if changed else ".")


def _printed(setup: Setup, game: str, table: str, line: str, to: Odds) -> str:
    layouts = [layout for layout in setup.rules(game).layouts.values() if layout.table == table]
    prints = any(layout.lines.get(line) == to for layout in layouts)
    return f" (as the layout drawing prints, {layouts[0].clause}, not approved)" if prints else ""


COUNTED: Final = {
    "pyramid-poker": "games.odds.pyramid_poker",
    "pick-2-poker": "games.odds.pick_2_poker",
    "casino-version": "games.simulator.casino_odds",
    "chinese-poker": "games.simulator.chinese_odds",
}
"""What counts each game; the last two deal at random, as the simulator does."""

WITHOUT: Final = {
    "showdown": "Showdown has no wager that pays by a table: the players play each other for "
    "points and a pot, and what one wins another loses.",
}
"""Why the other game has none."""


def odds(game: str, setup: Setup, decks: int) -> Iterator[WagerOdds | EstimatedOdds]:
    """Yield the odds of every wager of a supported game, one by one as they are counted."""
    counted = import_module(COUNTED[game])
    yield from counted.odds(setup, decks)
