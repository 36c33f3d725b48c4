"""The sufficient statistics of a segment: small, and they add up over segments.

They contain counts only, so that a year of them is read in seconds, and a correction replaces those
of its segment.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, fields
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import orjson
import zstandard

from games.statistics.cards import Again, Dealt, Draw, Shoe
from games.statistics.decisions import DealersHands, Decision, Decisions
from games.statistics.evidence import TILTS
from games.statistics.raises import Raises
from games.statistics.ranks import HandRanks, Place
from games.statistics.records import Amount, Records
from games.statistics.results import PlayerResults, TableResults, Weighted
from games.statistics.shoes import Through

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION: Final = 6
"""Statistics of another version are gathered again."""

TABLE, SHOE, SHIFT, DEALER = "table", "shoe", "shift", "dealer"
SEAT, PLAYER, PAIR, OPERATOR = "seat", "player", "dealer and player", "operator"
FIRST, VOIDED = "first rounds of shoes", "voided rounds"
"""Whose cards and results they are. A pair's name is the dealer's, a comma and the player's."""
ALL, PLAYERS, HOUSE = "all cards", "players' cards", "dealer's cards"
"""Which of the cards."""


COUNTERS: Final = (
    ("results", "rounds"),
    ("players", "wagers"),
    ("decisions", "made"),
    ("hands", "rounds"),
    ("ranks", "rounds"),
)
"""Statistics that are one counter for each key."""
SUMS: Final = ("through", "raises", "records")
"""Statistics that add up by themselves."""
DRAWN: Final = ("again", "order")
"""Statistics of cards that come again."""
RECORDED: Final = tuple(each.name for each in fields(Records))


class Subject(NamedTuple):
    """Who or what is watched, by scope and name."""

    scope: str
    name: str


def name_seat(table: str, seat: int) -> Subject:
    """Return a seat of a table as a subject."""
    return Subject(SEAT, f"{seat} at table {table}")


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
    order: dict[Subject, Again] = field(default_factory=lambda: defaultdict(Again))
    """Tables, by the hands that follow a hand dealt before."""
    results: dict[Wager, TableResults] = field(default_factory=lambda: defaultdict(TableResults))
    players: dict[Measure, PlayerResults] = field(
        default_factory=lambda: defaultdict(PlayerResults)
    )
    through: dict[Subject, Through] = field(default_factory=lambda: defaultdict(Through))
    """Tables whose rounds name their shoes."""
    raises: dict[Subject, Raises] = field(default_factory=lambda: defaultdict(Raises))
    """Players and seats at tables whose rounds name their shoes."""
    decisions: dict[Subject, Decisions] = field(default_factory=lambda: defaultdict(Decisions))
    hands: dict[Subject, DealersHands] = field(default_factory=lambda: defaultdict(DealersHands))
    """Tables and dealers, by the rank of the dealer's hand."""
    ranks: dict[Subject, HandRanks] = field(default_factory=lambda: defaultdict(HandRanks))
    """Seats, players, and players with dealers, by how strong a hand is beside the others."""
    records: dict[str, Records] = field(default_factory=lambda: defaultdict(Records))
    """By table. They are for hints, and no streams."""

    def add(self, other: Statistics, *, sign: int = 1) -> None:
        """Add those of another segment of the game; with a sign of -1, take them away again."""
        self.rounds += sign * other.rounds
        for cards, dealt in other.cards.items():
            own = self.cards[cards]
            own.counts = own.counts + sign * dealt.counts
            _add(own.shoes, dealt.shoes, sign)
        for name in DRAWN:
            mine, theirs = getattr(self, name), getattr(other, name)
            for subject, again in theirs.items():
                mine[subject].seen += sign * again.seen
                _add(mine[subject].draws, again.draws, sign)
        for name, counter in COUNTERS:
            mine, theirs = getattr(self, name), getattr(other, name)
            for key, each in theirs.items():
                _add(getattr(mine[key], counter), getattr(each, counter), sign)
        for name in SUMS:
            mine, theirs = getattr(self, name), getattr(other, name)
            for key, each in theirs.items():
                mine[key].add(each, sign)
        if sign < 0:
            self._forget_empty()

    def _forget_empty(self) -> None:
        self.cards = _filled(Dealt, self.cards, lambda each: each.shoes)
        self.again = _filled(Again, self.again, lambda each: each.draws)
        self.order = _filled(Again, self.order, lambda each: each.draws)
        self.results = _filled(TableResults, self.results, lambda each: each.rounds)
        self.players = _filled(PlayerResults, self.players, lambda each: each.wagers)
        self.through = _filled(Through, self.through, lambda each: each.sums.any())
        self.raises = _filled(Raises, self.raises, lambda each: each.sums.any())
        self.decisions = _filled(Decisions, self.decisions, lambda each: each.made)
        self.hands = _filled(DealersHands, self.hands, lambda each: each.rounds)
        self.ranks = _filled(HandRanks, self.ranks, lambda each: each.rounds)
        self.records = _filled(Records, self.records, lambda each: each.rounds)

    def packed(self) -> bytes:
        """Return them as stored in the database: the same counts, the same bytes."""
        return zstandard.compress(orjson.dumps(self._rows()))

    def _rows(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "cards": [
                [*key.subject, key.role, dealt.counts.tolist(), _counted(dealt.shoes)]
                for key, dealt in sorted(self.cards.items(), key=_first)
            ],
            **{
                name: [
                    [*subject, again.seen, _counted(again.draws)]
                    for subject, again in sorted(getattr(self, name).items(), key=_first)
                ]
                for name in DRAWN
            },
            "results": [
                [*key.subject, key.wager, key.decks, _counted(results.rounds)]
                for key, results in sorted(self.results.items(), key=_first)
            ],
            "players": [
                [*key.wager.subject, key.wager.wager, key.wager.decks, key.statistic,
                 _counted(wagers.wagers)]
                for key, wagers in sorted(self.players.items(), key=_first)
            ],
            "through": [
                [*subject, each.seen.tolist(), each.sums.ravel().tolist()]
                for subject, each in sorted(self.through.items(), key=_first)
            ],
            "raises": [
                [*subject, each.away, each.sums.tolist()]
                for subject, each in sorted(self.raises.items(), key=_first)
            ],
            "decisions": [
                [*subject, _counted(each.made)]
                for subject, each in sorted(self.decisions.items(), key=_first)
            ],
            "hands": [
                [*subject, sorted(each.rounds.items())]
                for subject, each in sorted(self.hands.items(), key=_first)
            ],
            "ranks": [
                [*subject, _counted(each.rounds)]
                for subject, each in sorted(self.ranks.items(), key=_first)
            ],
            "records": [
                [table, *(_plain(getattr(each, name)) for name in RECORDED)]
                for table, each in sorted(self.records.items(), key=_first)
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
        for of in DRAWN:
            for scope, name, seen, draws in kept[of]:
                getattr(found, of)[Subject(scope, name)] = Again(seen, _counter(Draw, draws))
        for scope, name, wager, decks, rounds in kept["results"]:
            where = Wager(Subject(scope, name), wager, decks)
            found.results[where] = TableResults(
                Counter({tuple(key): count for *key, count in rounds})
            )
        for scope, name, wager, decks, statistic, wagers in kept["players"]:
            measure = Measure(Wager(Subject(scope, name), wager, decks), statistic)
            found.players[measure] = PlayerResults(_counter(Weighted, wagers))
        _unpack_hands(found, kept)
        for table, *values in kept["records"]:
            records = Records(**dict(zip(RECORDED, values, strict=True)))
            for name in ("ends", "steps", "deals"):
                setattr(records, name, Counter(dict(getattr(records, name))))
            records.amounts = _counter(Amount, values[RECORDED.index("amounts")])
            found.records[table] = records
        return found


def _unpack_hands(found: Statistics, kept: Any) -> None:
    """Load what shoes, wagers and dealers' hands add up to."""
    for scope, name, seen, sums in kept["through"]:
        rows = np.array(sums, np.int64).reshape(len(seen), 2 + len(TILTS))
        found.through[Subject(scope, name)] = Through(np.array(seen, np.int64), rows)
    for scope, name, away, sums in kept["raises"]:
        found.raises[Subject(scope, name)] = Raises(away, np.array(sums, np.int64))
    for scope, name, made in kept["decisions"]:
        found.decisions[Subject(scope, name)] = Decisions(_counter(Decision, made))
    for scope, name, ranks in kept["hands"]:
        found.hands[Subject(scope, name)] = DealersHands(Counter(dict(ranks)))
    for scope, name, rounds in kept["ranks"]:
        found.ranks[Subject(scope, name)] = HandRanks(_counter(Place, rounds))


_first = itemgetter(0)


def _plain(value: int | Counter[Any]) -> Any:
    """Return a number, or a counter's rows."""
    if not isinstance(value, Counter):
        return value
    return [[*key, n] if isinstance(key, tuple) else [key, n] for key, n in sorted(value.items())]


def _add(to: Counter[Any], other: Counter[Any], sign: int) -> None:
    for key, count in other.items():
        to[key] += sign * count
        if not to[key]:
            del to[key]


def _filled(of: Any, rows: dict[Any, Any], counts: Callable[[Any], Any]) -> Any:
    """Return the rows that count something."""
    return defaultdict(of, {key: each for key, each in rows.items() if counts(each)})


def _counted(counter: Counter[Any]) -> list[list[int]]:
    return [[*key, count] for key, count in sorted(counter.items())]


def _counter(of: Any, rows: list[list[int]]) -> Counter[Any]:
    return Counter({of(*key): count for *key, count in rows})
