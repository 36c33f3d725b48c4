"""The form of the family's log lines, completed by a definition: version 2 only.

Wagers and results are the definition's; everything else is every game's (`games.log.schema`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from games.families.baccarat.model import baccarat_of
from games.families.baccarat.round import BaccaratRound, BaccaratSeat, Carried, Hands
from games.families.form import read_amounts, read_object, read_seat, read_seats, read_version
from games.log.field_types import Choice, DealtCards, FormError, Id, Object
from games.log.schema import (
    AMOUNT,
    RESULT,
    ROUND,
    SINCE_VERSION_2,
    VALUE,
    Field,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.definition import Definition
    from games.log.form import LineObject

HANDS: Final = Field("hands", Object(), "the two common hands", void_may_omit=True, is_stored=False)
HAND_FIELDS: Final = tuple(
    Field(key, DealtCards(2, 3), f"the cards of the {key} hand, in order", void_may_omit=True)
    for key in ("player", "banker")
)
CARRIED: Final = Field(
    "carried",
    Object(),
    "wagers that run over several rounds, from the round in which they were placed to the one that"
    " decides them; until then the result is 0",
    "none runs",
    optional=True,
    is_stored=False,
)


@dataclass(frozen=True)
class BaccaratForm:
    """The fields of a game's lines."""

    definition: Definition
    round: tuple[Field, ...]
    wagers: tuple[Field, ...]
    results: tuple[Field, ...]
    carried: Mapping[str, tuple[Field, ...]]
    """By wager that runs over several rounds: the fields of its object."""


def form_of_definition(definition: Definition) -> BaccaratForm:
    """Return the form of a definition's lines."""
    runs = baccarat_of(definition).runs
    return BaccaratForm(
        definition=definition,
        round=(
            Field("game", Choice((definition.slug,)), "game played", is_stored=False),
            *(field for field in ROUND if field.key not in {"v", "game", "void"}),
            *SINCE_VERSION_2,
        ),
        wagers=tuple(Field(key, AMOUNT, each.says) for key, each in definition.wagers.items()),
        results=tuple(Field(key, RESULT, f"result of `{key}`") for key in definition.results),
        carried={
            key: (
                Field("since", Id(64), "the round in which it was placed"),
                Field("choice", Choice(tuple(run.choices)), "what the player chose"),
                Field("amount", VALUE, "its amount"),
            )
            for key, run in runs.items()
        },
    )


def read_round(form: BaccaratForm, line: LineObject) -> BaccaratRound:
    """Check a whole line, first of all what decides how the rest is checked."""
    values = read_version(form.definition, line)
    seats = read_seats(line, partial(_read_seat, form), or_none=True)
    line.read(form.round, values)
    if not line.void or line.has(HANDS):
        values["hands"] = Hands(**read_object(line.object(HANDS), HAND_FIELDS))
    line.close()
    return BaccaratRound(seats=seats, **values)


def _read_seat(form: BaccaratForm, seat: LineObject) -> BaccaratSeat:
    def read_more(values: dict[str, Any]) -> None:
        values |= read_amounts(form, seat)
        values["carried"] = _read_carried(form, seat)
        for key in form.carried:
            if values["wagers"][key] and key not in values["carried"] and not seat.void:
                reason = f"`{key}` runs over several rounds: say since which one, and its choice"
                raise FormError(f"{seat.path(CARRIED.key)}.{key}", reason)

    return BaccaratSeat(**read_seat(seat, (), read_more))


def _read_carried(form: BaccaratForm, seat: LineObject) -> dict[str, Carried]:
    """Check the wagers that run over several rounds."""
    if not seat.has(CARRIED):
        return {}
    given = seat.object(CARRIED)
    carried = {}
    for key, fields in form.carried.items():
        field = Field(key, Object(), "a running wager", optional=True)
        if given.has(field):
            carried[key] = Carried(**read_object(given.object(field), fields))
    given.close()
    return carried
