"""The sufficient statistics of a segment: small, and they add up over segments.

They contain counts only, so that a year of them is read in seconds, and a correction replaces those
of its segment.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import orjson
import zstandard

from games.statistics.cards import Again, Dealt, Draw, Shoe
from games.statistics.results import PlayerResults, Seats, TableResults, Weighted

VERSION: Final = 1
"""Statistics of another version are gathered again."""

TABLE, SHOE, DEALER, PLAYER, OPERATOR = "table", "shoe", "dealer", "player", "operator"
"""Whose cards and results they are."""
ALL, PLAYERS, HOUSE = "all cards", "players' cards", "dealer's cards"
"""Which of the cards."""


class Subject(NamedTuple):
    """Who or what is watched, by scope and name."""

    scope: str
    name: str


class Cards(NamedTuple):
    """Cards that are watched."""

    subject: Subject
    role: str


class Wager(NamedTuple):
    """A wager that is watched, dealt from so many decks."""

    subject: Subject
    wager: str
    decks: int


class Measure(NamedTuple):
    """A player's wager, and by what it is weighted."""

    wager: Wager
    statistic: str


@dataclass(slots=True)
class Statistics:
    """What a segment, or a sum of segments of one game, contributes to every stream."""

    rounds: int = 0
    cards: dict[Cards, Dealt] = field(default_factory=lambda: defaultdict(Dealt))
    again: dict[Subject, Again] = field(default_factory=lambda: defaultdict(Again))
    results: dict[Wager, TableResults] = field(default_factory=lambda: defaultdict(TableResults))
    players: dict[Measure, PlayerResults] = field(
        default_factory=lambda: defaultdict(PlayerResults)
    )

    def add(self, other: Statistics) -> None:
        """Add those of another segment of the game."""
        self.rounds += other.rounds
        for cards, dealt in other.cards.items():
            self.cards[cards].add(dealt)
        for subject, again in other.again.items():
            self.again[subject].add(again)
        for wager, results in other.results.items():
            self.results[wager].add(results)
        for measure, wagers in other.players.items():
            self.players[measure].add(wagers)

    def packed(self) -> bytes:
        """Return them as stored in the database."""
        return zstandard.compress(orjson.dumps(self._rows()))

    def _rows(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "cards": [
                [*key.subject, key.role, dealt.counts.tolist(), _counted(dealt.shoes)]
                for key, dealt in self.cards.items()
            ],
            "again": [
                [*subject, again.seen, _counted(again.draws)]
                for subject, again in self.again.items()
            ],
            "results": [
                [*key.subject, key.wager, key.decks, _counted(results.rounds)]
                for key, results in self.results.items()
            ],
            "players": [
                [*key.wager.subject, key.wager.wager, key.wager.decks, key.statistic,
                 _counted(wagers.wagers)]
                for key, wagers in self.players.items()
            ],
        }  # fmt: skip

    @classmethod
    def unpack(cls, packed: bytes) -> Statistics:
        """Load what `packed` returned."""
        kept = orjson.loads(zstandard.decompress(packed))
        found = cls(kept["rounds"])
        for scope, name, role, counts, shoes in kept["cards"]:
            key = Cards(Subject(scope, name), role)
            found.cards[key] = Dealt(np.array(counts, np.int64), _counter(Shoe, shoes))
        for scope, name, seen, draws in kept["again"]:
            found.again[Subject(scope, name)] = Again(seen, _counter(Draw, draws))
        for scope, name, wager, decks, rounds in kept["results"]:
            where = Wager(Subject(scope, name), wager, decks)
            found.results[where] = TableResults(_counter(Seats, rounds))
        for scope, name, wager, decks, statistic, wagers in kept["players"]:
            measure = Measure(Wager(Subject(scope, name), wager, decks), statistic)
            found.players[measure] = PlayerResults(_counter(Weighted, wagers))
        return found


def _counted(counter: Counter[Any]) -> list[list[int]]:
    return [[*key, count] for key, count in counter.items()]


def _counter(of: Any, rows: list[list[int]]) -> Counter[Any]:
    return Counter({of(*key): count for *key, count in rows})
