"""The rounds of named shoes, in the order dealt: what shoes have left, and what they can't deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow.parquet as pq

from audits.intake.days.hands import (
    CARDS,
    SEAT_CARDS,
    count_shown,
    hands_of,
    rounds_of_seats,
)
from audits.intake.segments.segment_file import read_segment
from games.cards import show
from games.rule_set import rule_set
from games.statistics.shoes import Through, deal_through

if TYPE_CHECKING:
    from pathlib import Path

    from audits.intake.days.hands import Numbers
    from games.log.columns import Columns

ALTERNATES: Final = frozenset({"pick-2-poker"})
"""Games in which two decks take turns (P2-1): without their names, two shoes may as well."""


class Broken(NamedTuple):
    """A shoe that can't be one loading of cards: where, and what is wrong from when on."""

    table: str
    at: int
    says: str
    awaited: str


@dataclass(slots=True)
class _Dealt:
    """A round of a named shoe."""

    row: int
    at: int
    deck: str | None
    decks: int
    shown: Numbers
    dealt: int
    id: str


class ShoeGathering:
    """The named shoes of one segment, in progress."""

    def __init__(self, game: str, jokers: int) -> None:
        self._game = game
        self._jokers = jokers
        self._rounds: dict[tuple[str, str], list[_Dealt]] = {}

    def add(self, columns: Columns, decks: Numbers, shown: Numbers, dealt: Numbers) -> None:
        """Add rounds, with the decks of their shoes and what they dealt."""
        shoes, texts = columns.rounds.text("shoe"), columns.rounds.texts
        at = columns.rounds.numbers["at"]
        for row in np.flatnonzero(shoes.start >= 0).tolist():
            one = _Dealt(
                int(columns.lines[row]), int(at[row]), texts["deck"][row], int(decks[row]),
                shown[row], int(dealt[row]), str(texts["round"][row]),
            )  # fmt: skip
            self._rounds.setdefault((str(texts["table"][row]), str(shoes[row])), []).append(one)

    def finish(self) -> tuple[dict[str, Through], list[Broken]]:
        """Return what the shoes of each table dealt, and those that can't be as logged."""
        found: dict[str, Through] = {}
        broken = self._out_of_order()
        for (table, shoe), rounds in self._rounds.items():
            rounds.sort(key=lambda each: each.row)
            decks = np.array([each.decks for each in rounds])
            through, surplus = deal_through(
                np.stack([each.shown for each in rounds]),
                np.array([each.dealt for each in rounds]),
                decks,
                decks * CARDS + self._jokers,
            )
            found.setdefault(table, Through()).add(through)
            if surplus is not None:
                last = rounds[surplus.row]
                card = show(bytes([surplus.card]))
                says = f"shoe {shoe}: {card} dealt {surplus.dealt} times by round {last.id}"
                awaited = f"{card} at most {last.decks} times from {last.decks} decks"
                broken.append(Broken(table, last.at, says, awaited))
        return found, sorted(broken)

    def _out_of_order(self) -> list[Broken]:
        """Return shoes that go on after another shoe of the same table and deck."""
        by_deck: dict[tuple[str, str | None], list[tuple[int, int, str, str]]] = {}
        for (table, shoe), rounds in self._rounds.items():
            for each in rounds:
                if each.deck is not None or self._game not in ALTERNATES:
                    row = (each.row, each.at, shoe, each.id)
                    by_deck.setdefault((table, each.deck), []).append(row)
        broken = []
        for (table, _), dealt in by_deck.items():
            ended: set[str] = set()
            named: set[str] = set()
            before = ""
            for _, at, shoe, id_ in sorted(dealt):
                if shoe != before:
                    if shoe in ended and shoe not in named:
                        says = f"shoe {shoe} goes on with round {id_}, after shoe {before}"
                        broken.append(Broken(table, at, says, "all rounds of a shoe in a row"))
                        named.add(shoe)
                    ended.add(before)
                    before = shoe
        return broken


def broken_shoes(path: Path, game: str) -> list[Broken]:
    """Return the shoes of a segment's file that can't be as logged.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    if game not in SEAT_CARDS or "shoe" not in pq.read_schema(path).names:
        return []
    rules = rule_set(game).decks
    gathering = ShoeGathering(game, rules.jokers)
    for group in read_segment(path):
        columns = group.columns
        hands = [each for each in hands_of(columns, rounds_of_seats(columns)) if each is not None]
        logged = columns.rounds.numbers["decks"]
        decks = np.where(logged > 0, logged, rules.number)
        gathering.add(columns, decks, *count_shown(len(columns), hands))
    return gathering.finish()[1]
