"""The memory of a run over logs: what came before at each table.

The round before is the last line of the same table and game that wasn't rejected. For the bank it
is the last that wasn't void either (PP-I16). After a rejected line of the table nobody knows what
that line contained, so the next round's bank and deck aren't checked against anything earlier.
Entries not used lately are moved to disk.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from games.checks.deal_alternation import ALTERNATING
from games.days import washington_day
from games.log.round import FiledRound
from games.terms import MOST_EARLIER, NOTHING, Before, Played

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.days import DayOf
    from games.log.round import Round
    from games.terms import Earlier


Value = TypeVar("Value")


class Kept(Generic[Value]):
    """A mapping that never shrinks. Values whose total weight exceeds `most` move to disk.

    An empty SQLite path is a temporary file, deleted when it is closed.
    """

    def __init__(
        self,
        most: int,
        weigh: Callable[[Value], int],
        write: Callable[[Value], str],
        read: Callable[[str], Value],
    ) -> None:
        self._most = most
        self._weigh = weigh
        self._write = write
        self._read = read
        self._held: dict[str, Value] = {}
        self._weight = 0
        self._disk: sqlite3.Connection | None = None

    def get(self, name: str) -> Value | None:
        """Return the last value stored under a name, if any."""
        found = self._held.get(name)
        if found is not None or self._disk is None:
            return found
        row = self._disk.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
        return None if row is None else self._read(row[0])

    def put(self, name: str, value: Value) -> None:
        """Store a value under a name."""
        before = self._held.pop(name, None)  # a stored value moves to the end and stays longest
        if before is not None:
            self._weight -= self._weigh(before)
        self._held[name] = value
        self._weight += self._weigh(value)
        while self._weight > self._most and len(self._held) > 1:
            self._set_down(next(iter(self._held)))

    def close(self) -> None:
        """Delete the temporary file."""
        if self._disk is not None:
            self._disk.close()

    def _set_down(self, name: str) -> None:
        value = self._held.pop(name)
        self._weight -= self._weigh(value)
        if self._disk is None:
            self._disk = sqlite3.connect("", isolation_level=None)
            self._disk.execute("PRAGMA journal_mode = OFF")
            self._disk.execute("PRAGMA synchronous = OFF")
            self._disk.execute(
                "CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"
            )
            self._disk.execute("BEGIN")
        self._disk.execute("REPLACE INTO kept VALUES (?, ?)", (name, self._write(value)))


ANY_GAME: Final = ""
"""Represents every game that hasn't appeared at a table yet."""

NAMES_IN_MEMORY: Final = 100_000
"""The number of names of tables, players and decks to keep in memory, some 50 MB."""

_Table = tuple[int, dict[str, Before]]
"""The log in which a table last appeared, and what came before there by game."""


class Tables:
    """The memory of a run over logs: what came before at each table and game.

    However many tables a log names, memory is bounded: those not used lately move to disk.
    """

    def __init__(self, in_memory: int = NAMES_IN_MEMORY, day_of: DayOf = washington_day) -> None:
        """Set up the memory; `day_of` says to which day of play an instant belongs."""
        self._tables: Kept[_Table] = Kept(in_memory, _weight, _written, _read)
        self._day_of = day_of
        self._log = 0

    def before(self, round_: Round) -> Before:
        """Return what came before a round at its table."""
        before = self.at(round_.table, round_.game)
        if not before.hand_decks:
            return before
        today = self._day_of(round_.at)
        decks = tuple(deck for deck in before.hand_decks if deck[0] == today)
        return replace(before, hand_decks=decks)

    def at(self, table: str, game: str) -> Before:
        """Return what the next round of a table and game finds."""
        log, games = self._tables.get(table) or (self._log, {})
        before = games.get(game) or games.get(ANY_GAME, NOTHING)
        return before if log == self._log else replace(before, decks=())

    def note(self, round_: Round) -> None:
        """Record a settled round as the one before the next."""
        now = after(self.at(round_.table, round_.game), round_)
        self.put_after(round_.table, round_.game, now, by_hand=not round_.shuffler)

    def put_after(self, table: str, game: str, now: Before, *, by_hand: bool) -> None:
        """Store what the next round finds after a round with the deck and time of `now` (P2-1)."""
        if game == ALTERNATING and by_hand and now.deck is not None and now.at is not None:
            deck = (self._day_of(now.at), now.deck)
            now = replace(now, hand_decks=_with_last(now.hand_decks, deck))
        self.put(table, game, now)

    def put(self, table: str, game: str, before: Before) -> None:
        """Store what the next round of a table and game finds."""
        self._tables.put(table, (self._log, {**self._games(table), game: before}))

    def note_rejection(self, table: str | None) -> None:
        """Record a rejected line; `table` is known if it could be read."""
        if table is None:
            return
        games = {ANY_GAME: NOTHING} | self._games(table)
        after_it = {game: replace(games[game], after_rejection=True) for game in games}
        self._tables.put(table, (self._log, after_it))

    def new_log(self) -> None:
        """Start another log: each log decides for itself which decks are in use (P2-I8)."""
        self._log += 1

    def close(self) -> None:
        """Release what is on disk."""
        self._tables.close()

    def _games(self, table: str) -> dict[str, Before]:
        _, games = self._tables.get(table) or (self._log, {})
        return {game: self.at(table, game) for game in games}


def _weight(table: _Table) -> int:
    """Return roughly how many names are stored for a table."""
    _, games = table
    players = sum(len(before.played.main_by_player) for before in games.values() if before.played)
    decks = sum(
        len(name)
        for before in games.values()
        for name in (before.deck or "", *before.decks, *(deck for _, deck in before.hand_decks))
    )
    rounds = sum(len(before.earlier) for before in games.values())
    return 1 + players + decks // 64 + rounds


def _written(table: _Table) -> str:
    log, games = table
    rows = {
        game: [
            before.at,
            before.deck,
            before.played and [before.played.banked, dict(before.played.main_by_player)],
            before.after_rejection,
            before.decks,
            before.hand_decks,
            before.earlier,
        ]
        for game, before in games.items()
    }
    return json.dumps([log, rows])


def _read(text: str) -> _Table:
    log, rows = json.loads(text)
    return log, {
        game: Before(
            at,
            deck,
            played and Played(*played),
            rejected,
            tuple(decks),
            tuple((day, name) for day, name in by_hand),
            tuple((round_, player, banker) for round_, player, banker in earlier),
        )
        for game, (at, deck, played, rejected, decks, by_hand, earlier) in rows.items()
    }


def after(before: Before, round_: Round) -> Before:
    """Return what the round after this one finds."""
    decks = before.decks
    if round_.shuffler and round_.deck is not None and round_.deck not in decks:
        decks = (*decks, round_.deck)[:3]
    return Before(
        at=round_.at,
        deck=round_.deck,
        played=_played(round_) if round_.played else before.played,
        after_rejection=False,
        decks=decks,
        hand_decks=before.hand_decks,
        earlier=_with_hands(before.earlier, round_),
    )


def _with_hands(earlier: tuple[Earlier, ...], round_: Round) -> tuple[Earlier, ...]:
    hands = round_.common_hands
    if hands is None:
        return earlier
    player, banker = hands if round_.played else ("", "")
    return (*earlier, (round_.round, player, banker))[-MOST_EARLIER:]


MOST_HAND_DECKS: Final = 1_000
"""The decks of a table to remember; no room has that many, but a hostile log may."""


def _with_last(
    decks: tuple[tuple[int, str], ...], deck: tuple[int, str]
) -> tuple[tuple[int, str], ...]:
    """Return the decks with one of them moved, or added, to the end."""
    if decks and decks[-1] == deck:
        return decks
    return (*(each for each in decks if each != deck), deck)[-MOST_HAND_DECKS:]


def _played(round_: Round) -> Played:
    mains: dict[str, int] = {}
    for seat in round_.seats:
        if seat.player is not None and "main" in seat.wagers:
            mains[seat.player] = mains.get(seat.player, 0) + seat.wagers["main"]
    kept = round_.line.get("banker") if isinstance(round_, FiledRound) else None
    return Played(round_.banker is not None or kept is not None, mains)
