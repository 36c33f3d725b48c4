"""The shape that the log lines of all filed games share: version 2, seats by number, amounts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from games.log.field_types import FormError
from games.log.schema import (
    LATEST,
    RESULTS,
    SEAT,
    SEAT_SINCE_VERSION_2,
    SEATS,
    VERSION,
    VOID,
    WAGERS,
    Field,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.definition import Definition
    from games.log.form import LineObject
    from games.log.round import Seat

SeatType = TypeVar("SeatType", bound="Seat")


class AmountFields(Protocol):
    """The amounts of a seat, as a definition names them."""

    @property
    def wagers(self) -> tuple[Field, ...]:
        """Return a field for each wager."""

    @property
    def results(self) -> tuple[Field, ...]:
        """Return a field for each result."""


def read_version(definition: Definition, line: LineObject) -> dict[str, Any]:
    """Check the version, and note whether the round is void: it decides how the rest is checked."""
    values: dict[str, Any] = {}
    line.read((VERSION, VOID), values)
    if values.pop("v") != LATEST:
        reason = f'rounds of {definition.slug} are of version {LATEST}: write "v": {LATEST}'
        raise FormError("v", reason)
    line.void = values.get("void") is not None
    return values


def read_seats(
    line: LineObject, read: Callable[[LineObject], SeatType], *, or_none: bool = False
) -> tuple[SeatType, ...]:
    """Read all seats, each with a number of its own."""
    seats = tuple(read(each) for each in line.items(SEATS, or_none=or_none))
    for place, seat in enumerate(seats):
        if seat.seat in line.seats:
            reason = f"seat {seat.seat} appears twice in this round: give each hand its own seat"
            raise FormError(f"seats[{place}].seat", reason)
        line.seats.add(seat.seat)
    return seats


def read_seat(
    seat: LineObject, fields: Sequence[Field], read_more: Callable[[dict[str, Any]], object]
) -> dict[str, Any]:
    """Read one seat; an error in it names the seat."""
    values: dict[str, Any] = {}
    seat.read(SEAT[:1], values)
    try:
        seat.read((*SEAT[1:], *SEAT_SINCE_VERSION_2, *fields), values)
        read_more(values)
        seat.close()
    except FormError as error:
        raise FormError(error.field, f"seat {values['seat']}: {error.reason}") from None
    return values


def read_amounts(form: AmountFields, seat: LineObject) -> dict[str, Any]:
    """Read what a seat wagered and won."""
    return {
        field.key: read_object(seat.object(field), amounts)
        for field, amounts in ((WAGERS, form.wagers), (RESULTS, form.results))
    }


def read_object(given: LineObject, fields: Sequence[Field]) -> dict[str, Any]:
    """Read an object that has these fields and no others."""
    values: dict[str, Any] = {}
    given.read(fields, values)
    given.close()
    return values
