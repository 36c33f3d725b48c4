"""Gathers rounds one by one into columns, if they fit: the inverse of `Columns.round`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from games.cards import JOKER
from games.log.columns import Columns, Level, Texts, round_of
from games.log.field_types import ABSENT, Code, MisfitError, SetHands
from games.log.layout import (
    LATER_TEXTS,
    ON_CARDS,
    ON_TEXTS,
    Part,
    bounds_of,
    card_columns,
    names_of,
    parts_of,
)
from games.log.scan import NO_CARD
from games.log.schema import ROUND

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.log.round import House, Round, Seat
    from games.log.schema import Field


class Gatherer:
    """Collects the regular rounds of one game and rejects the others."""

    def __init__(self, game: str) -> None:
        names = names_of(game)
        self.game = game
        texts = names.round_texts + LATER_TEXTS
        self._rounds = _empty(names.round_numbers, names.round_cards, texts)
        self._seats = _empty(names.seat_numbers, names.seat_cards, names.seat_texts)
        self._first_seat = [0]
        self._lines: list[int] = []

    def add(self, played: Round, line: int = 0) -> bool:
        """Add a round, or return False and change nothing if it isn't regular.

        A round is regular if it comes out of the columns as it went in.
        """
        row, seat = len(self._lines), self._first_seat[-1]
        end = seat + len(played.seats)
        if self._fits(played) and self._same(played, row, range(seat, end)):
            self._first_seat.append(end)
            self._lines.append(line)
            return True
        for level, keep in ((self._rounds, row), (self._seats, seat)):
            for columns in (level.numbers, level.cards, level.texts):
                for column in cast("Mapping[str, list[Any]]", columns).values():
                    del column[keep:]
        return False

    def columns(self) -> Columns:
        """Return the rounds added so far."""
        return Columns(
            self.game,
            _frozen(self._rounds),
            _frozen(self._seats),
            np.array(self._first_seat, np.int64),
            np.array(self._lines, np.int64),
        )

    def _same(self, played: Round, row: int, seats: range) -> bool:
        return round_of(self.game, self._rounds, row, self._seats, seats) == played

    def _fits(self, played: Round) -> bool:
        if played.game != self.game or not played.seats or not played.played:
            return False
        parts = parts_of(self.game)
        try:
            _put(parts[Part.ROUND], played, self._rounds)
            _put(parts[Part.HOUSE], played.house, self._rounds)
            for seat in played.seats:
                _put(parts[Part.SEAT], seat, self._seats)
                _put_amounts(parts[Part.WAGERS], seat.wagers, self._seats)
                _put_amounts(parts[Part.RESULT], seat.result, self._seats)
        except MisfitError:
            return False
        return True


def columns_of(game: str, rounds: Sequence[Round]) -> Columns:
    """Build the columns of regular rounds.

    Raises:
        ValueError: a round doesn't fit.
    """
    gatherer = Gatherer(game)
    for played in rounds:
        if not gatherer.add(played):
            message = f"Round {played.round} does not fit the columns of {game}."
            raise ValueError(message)
    return gatherer.columns()


def blanks(game: str, rounds: Sequence[Round]) -> Columns:
    """Return rows for rounds that fit no columns: only their ids and times, and no seats."""
    names = names_of(game)
    values: dict[str, list[Any]] = {
        field.column: [field.of(played) for played in rounds]
        for field in ROUND
        if field.type.code in (*ON_TEXTS, Code.TIME)
    }
    values["from"] = [ABSENT if since is None else since for since in values["from"]]
    nothing, no_cards = [0] * len(rounds), [NO_CARD] * len(rounds)
    columns: list[Any] = [
        {name: values.get(name, nothing) for name in names.round_numbers},
        dict.fromkeys(names.round_cards, no_cards),
        {name: values[name] for name in names.round_texts},
    ]
    inner = _frozen(_empty(names.seat_numbers, names.seat_cards, names.seat_texts))
    none = np.zeros(len(rounds) + 1, np.int64)
    return Columns(game, _frozen(Level(*columns)), inner, none, none[:-1])


def _empty(numbers: Sequence[str], cards: Sequence[str], texts: Sequence[str]) -> Level:
    """Return columns to append to: lists, until they are frozen."""
    lists: list[Any] = [{name: [] for name in names} for names in (numbers, cards, texts)]
    return Level(*lists)


def _frozen(level: Level) -> Level:
    return Level(
        {name: np.array(column, np.int64) for name, column in level.numbers.items()},
        {name: np.array(column, np.uint8) for name, column in level.cards.items()},
        {
            name: Texts.of(cast("Any", column))
            for name, column in level.texts.items()
            if name not in LATER_TEXTS or any(cast("Any", column))
        },
    )


def _put(fields: Sequence[Field], thing: Round | House | Seat, level: Level) -> None:
    """Append one row; several fields may share columns, of which one has the value."""
    rows: Any = level
    filled: dict[str, int] = {}
    for field in fields:
        value = field.of(thing)
        if field.type.code in ON_TEXTS:
            rows.texts[field.column].append(value)
        elif field.type.code in ON_CARDS:
            filled.update(_card_row(field, value, filled))
        elif field.is_stored:
            rows.numbers[field.column].append(field.type.to_number(value))
    for name, card in filled.items():
        rows.cards[name].append(card)


def _put_amounts(fields: Sequence[Field], amounts: Mapping[str, int], level: Level) -> None:
    rows: Any = level
    for field in fields:
        rows.numbers[field.column].append(field.type.to_number(amounts.get(field.key)))


def _card_row(field: Field, value: Any, filled: Mapping[str, int]) -> dict[str, int]:
    names = card_columns(field)
    least, most = bounds_of(field)
    if not value:
        return {name: NO_CARD if place < most else 0
                for place, name in enumerate(names) if name not in filled}  # fmt: skip
    if isinstance(field.type, SetHands):
        return dict(zip(names, _hands_row(field.type, value), strict=True))
    wild = any(card >= JOKER for card in value)
    if not least <= len(value) <= most or (wild and not getattr(field.type, "jokers", False)):
        raise MisfitError
    return dict(zip(names, value.ljust(most, bytes([NO_CARD])), strict=True))


def _hands_row(type_: SetHands, hands: tuple[bytes, ...]) -> list[int]:
    cards = b"".join(hands)
    sizes = tuple(map(len, hands))
    fits = sizes == type_.sizes if type_.sizes else len(hands) == type_.least
    if not fits or len(cards) > type_.most:
        raise MisfitError
    padded = cards.ljust(type_.most, bytes([NO_CARD]))
    return [*padded, *(() if type_.sizes else sizes)]
