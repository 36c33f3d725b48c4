"""Rounds gathered one by one into columns, those that fit: the inverse of `Columns.round`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from games.cards import JOKER
from games.round_log.columns import ABSENT, Columns, Level, round_of
from games.round_log.columns_layout import LAYOUTS, Field, Kind, Part
from games.round_log.columns_program import card_columns, names_of
from games.round_log.columns_scan import NO_CARD
from games.round_log.columns_texts import Texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.round_log.round import Round, Seat

END_OF_TIME = 253_402_300_800_000_000
"""The year 10000, which no calendar of Python's knows."""

_HANDS = ("front", "middle", "back")


class _MisfitError(ValueError):
    """The value does not fit its columns."""


class Gatherer:
    """Takes the regular rounds of one game and turns the others away."""

    def __init__(self, game: str) -> None:
        names = names_of(game)
        self.game = game
        self._rounds = _empty(names.round_numbers, names.round_cards, names.round_texts)
        self._seats = _empty(names.seat_numbers, names.seat_cards, names.seat_texts)
        self._first_seat = [0]
        self._lines: list[int] = []

    def add(self, played: Round, line: int = 0) -> bool:
        """Take a round, or say that it is not regular and change nothing.

        Regular is what comes out of the columns as it went in.
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
        """The rounds taken so far."""
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
        parts = LAYOUTS[self.game].parts
        if played.game != self.game or not played.seats or not played.played:
            return False
        try:
            outer = {key: getattr(played, key, None) for key in _keys(parts[Part.ROUND])}
            _put(parts[Part.ROUND], {**outer, "from": played.since}, self._rounds)
            house = {key: getattr(played.house, key, None) for key in _keys(parts.get(Part.HOUSE))}
            _put(parts.get(Part.HOUSE, ()), house, self._rounds)
            for seat in played.seats:
                _put(parts[Part.SEAT], _seat_values(seat, _keys(parts[Part.SEAT])), self._seats)
                _put(parts.get(Part.WAGERS, ()), seat.wagers, self._seats)
                _put(parts[Part.RESULT], seat.result, self._seats)
        except _MisfitError:
            return False
        return True


def columns_of(game: str, rounds: Sequence[Round]) -> Columns:
    """The columns of regular rounds.

    Raises:
        ValueError: a round does not fit.
    """
    gatherer = Gatherer(game)
    for played in rounds:
        if not gatherer.add(played):
            message = f"Round {played.round} does not fit the columns of {game}."
            raise ValueError(message)
    return gatherer.columns()


def blanks(game: str, rounds: Sequence[Round]) -> Columns:
    """Rows for rounds that fit no columns: their ids and times, no seats and nothing else."""
    names = names_of(game)
    attributes = {"from": "since"}
    values: dict[str, list[Any]] = {
        name: [getattr(played, attributes.get(name, name)) for played in rounds]
        for name in ("round", "table", "deck", "at", "from")
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
    """Columns to be gathered: lists, until they are frozen."""
    lists: list[Any] = [{name: [] for name in names} for names in (numbers, cards, texts)]
    return Level(*lists)


def _frozen(level: Level) -> Level:
    return Level(
        {name: np.array(column, np.int64) for name, column in level.numbers.items()},
        {name: np.array(column, np.uint8) for name, column in level.cards.items()},
        {name: Texts.of(cast("Any", column)) for name, column in level.texts.items()},
    )


def _keys(fields: Sequence[Field] | None) -> list[str]:
    return [field.key for field in fields or ()]


def _seat_values(seat: Seat, keys: Sequence[str]) -> dict[str, object]:
    values = {key: getattr(seat, key, None) for key in keys}
    if "front" in values and seat.hands is not None and len(seat.hands) == len(_HANDS):
        values.update(zip(_HANDS, seat.hands, strict=True))
    return values


def _put(fields: Sequence[Field], values: Mapping[str, object], level: Level) -> None:
    """Appends one row; several fields may share columns, of which one has the value."""
    rows: Any = level
    filled: dict[str, int] = {}
    for field in fields:
        value = values.get(field.key)
        if field.kind in (Kind.IDENTIFIER, Kind.TEXT):
            rows.texts[field.column].append(value)
        elif field.kind in (Kind.CARDS, Kind.HANDS):
            filled.update(_card_row(field, value, filled))
        elif field.column:
            rows.numbers[field.column].append(_number(field, value))
    for name, card in filled.items():
        rows.cards[name].append(card)


def _card_row(field: Field, value: object, filled: Mapping[str, int]) -> dict[str, int]:
    names = card_columns(field)
    if not value:
        return {name: NO_CARD if place < field.most else 0
                for place, name in enumerate(names) if name not in filled}  # fmt: skip
    if field.kind is Kind.HANDS:
        return dict(zip(names, _hands_row(field, value), strict=True))
    cards = bytes(value)  # type: ignore[call-overload]
    wild = any(card >= JOKER for card in cards)
    if not field.least <= len(cards) <= field.most or (wild and not field.jokers):
        raise _MisfitError
    return dict(zip(names, cards.ljust(field.most, bytes([NO_CARD])), strict=True))


def _hands_row(field: Field, value: object) -> list[int]:
    hands: tuple[bytes, ...] = value  # type: ignore[assignment]
    cards = b"".join(hands)
    sizes = tuple(map(len, hands))
    if len(hands) != field.least or len(cards) > field.most:
        raise _MisfitError
    if field.sizes:
        if sizes != field.sizes:
            raise _MisfitError
        sizes = ()
    return [*cards.ljust(field.most, bytes([NO_CARD])), *sizes]


def _number(field: Field, value: object) -> int:
    if field.kind is Kind.TIME:
        return _time(value)
    if not value:
        return 0
    if field.kind is Kind.CHOICE:
        if value not in field.choices:
            raise _MisfitError
        return field.choices.index(str(value)) + 1
    number: int = int(value)  # type: ignore[call-overload]
    if field.kind is Kind.INTEGER and not field.least <= number <= field.most:
        raise _MisfitError
    return number


def _time(value: Any) -> int:
    if value is not None and not 0 <= value < END_OF_TIME:
        raise _MisfitError
    return ABSENT if value is None else int(value)
