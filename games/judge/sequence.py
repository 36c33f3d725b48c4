"""What came before at a table: order in time, ids, turns of the bank and of the decks.

The round before is the last line of the same table and game that was not rejected. For the bank it
is the last that was not void either (PP-I16). After a rejected line of the table nobody knows what
stood there, and the next round's bank and deck are not judged against what came earlier.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from games.judge.finding import Finding, cites
from games.round_log.kept import Kept

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.round_log.round import Round


ALTERNATING: Final = "pick-2-poker"
"""The game in which two decks take turns (P2-1)."""


@dataclass(frozen=True, slots=True)
class Played:
    """What the bank's rules ask of the round before (PP-22, PP-25)."""

    banked: bool
    main_by_player: Mapping[str, int]
    """What each player wagered on main, all hands together."""


@dataclass(frozen=True, slots=True)
class Before:
    """What is known of a table and game when a round of it comes."""

    at: int | None = None
    deck: str | None = None
    played: Played | None = None
    after_rejection: bool = False
    decks: tuple[str, ...] = ()
    """Names of the decks used with a shuffling machine in this log so far, in order (P2-I8)."""


NOTHING = Before()

ANY_GAME: Final = ""
"""Stands for every game that has not been met at a table yet."""

HELD: Final = 100_000
"""So many names of tables, players and decks stay in memory, some 50 MB."""

_Table = tuple[int, dict[str, Before]]
"""In which log a table was met last, and what came before there by game."""


class Tables:
    """The memory of a run over logs: what came before at each table and game.

    However many tables a log names, memory is bounded: those not met lately go to disk.
    """

    def __init__(self, held: int = HELD) -> None:
        self._tables: Kept[_Table] = Kept(held, _weight, _written, _read)
        self._log = 0

    def before(self, round_: Round) -> Before:
        """What came before a round at its table."""
        return self.at(round_.table, round_.game)

    def at(self, table: str, game: str) -> Before:
        """What the next round of a table and game finds."""
        log, games = self._tables.get(table) or (self._log, {})
        before = games.get(game) or games.get(ANY_GAME, NOTHING)
        return before if log == self._log else replace(before, decks=())

    def note(self, round_: Round) -> None:
        """A round was judged: it is the one before the next."""
        self.put(round_.table, round_.game, after(self.before(round_), round_))

    def put(self, table: str, game: str, before: Before) -> None:
        """Let the next round of a table and game find this."""
        self._tables.put(table, (self._log, {**self._games(table), game: before}))

    def note_rejection(self, table: str | None) -> None:
        """A line was rejected; `table` where it could be read."""
        if table is None:
            return
        games = {ANY_GAME: NOTHING} | self._games(table)
        after_it = {game: replace(games[game], after_rejection=True) for game in games}
        self._tables.put(table, (self._log, after_it))

    def new_log(self) -> None:
        """Another log begins: which decks are in use is a matter of each log (P2-I8)."""
        self._log += 1

    def close(self) -> None:
        """Let go of what lies on disk."""
        self._tables.close()

    def _games(self, table: str) -> dict[str, Before]:
        _, games = self._tables.get(table) or (self._log, {})
        return {game: self.at(table, game) for game in games}


def _weight(table: _Table) -> int:
    """About how many names are held for a table."""
    _, games = table
    players = sum(len(before.played.main_by_player) for before in games.values() if before.played)
    decks = sum(
        len(name) for before in games.values() for name in (before.deck or "", *before.decks)
    )
    return 1 + players + decks // 64


def _written(table: _Table) -> str:
    log, games = table
    rows = {
        game: [
            before.at,
            before.deck,
            before.played and [before.played.banked, dict(before.played.main_by_player)],
            before.after_rejection,
            before.decks,
        ]
        for game, before in games.items()
    }
    return json.dumps([log, rows])


def _read(text: str) -> _Table:
    log, rows = json.loads(text)
    return log, {
        game: Before(at, deck, played and Played(*played), after_rejection, tuple(decks))
        for game, (at, deck, played, after_rejection, decks) in rows.items()
    }


def after(before: Before, round_: Round) -> Before:
    """What the round after this one finds."""
    decks = before.decks
    if round_.shuffler and round_.deck is not None and round_.deck not in decks:
        decks = (*decks, round_.deck)[:3]
    return Before(
        at=round_.at,
        deck=round_.deck,
        played=_played(round_) if round_.played else before.played,
        after_rejection=False,
        decks=decks,
    )


def _played(round_: Round) -> Played:
    mains: dict[str, int] = {}
    for seat in round_.seats:
        if seat.player is not None and "main" in seat.wagers:
            mains[seat.player] = mains.get(seat.player, 0) + seat.wagers["main"]
    return Played(round_.banker is not None, mains)


def order(round_: Round, before: Before, *, taken: bool) -> Iterator[Finding]:
    """`log.sequence`: backwards in time (equal is not backwards), or an id that is taken."""
    backwards = before.at is not None and round_.at < before.at
    if taken or backwards:
        why = "this id stands on an earlier line" if taken else "earlier than the round before"
        yield Finding("log.sequence", logged=why)


@dataclass(frozen=True, slots=True)
class Alternation:
    """`deal.alternation` of a round: found already, or only if two decks turn out to be in use."""

    finding: Finding
    certain: bool


@dataclass(frozen=True, slots=True)
class Decks:
    """What whoever read a round's log to its end knows of the decks at its table (P2-I8)."""

    two: bool
    """Whether two decks are in use."""
    third: bool
    """Whether the round's is none of the first two."""


def alternation(round_: Round, before: Before, decks: Decks | None = None) -> Alternation | None:
    """The same deck twice running, or a third deck, where two are in use (P2-1, P2-I8).

    With one deck name so far the same deck twice running is wrong only if a second name comes
    later in the log: whoever reads to its end knows, and may tell (`decks`).
    """
    deck = round_.deck
    if round_.game != ALTERNATING or not round_.shuffler or deck is None:
        return None
    if before.after_rejection:
        return None
    if decks is not None:
        wrong = decks.two and (decks.third or before.deck == deck)
        return Alternation(_alternation(deck, third=decks.third), certain=True) if wrong else None
    names = before.decks if deck in before.decks else (*before.decks, deck)
    if deck in names[2:]:
        return Alternation(_alternation(deck, third=True), certain=True)
    if before.deck != deck:
        return None
    return Alternation(_alternation(deck, third=False), certain=len(names) > 1)


def _alternation(deck: str, *, third: bool) -> Finding:
    expected = "one of the table's two decks" if third else "the other deck"
    return Finding(
        "deal.alternation", logged=deck[:64], expected=expected, cites=cites("P2-1", "P2-I8")
    )
