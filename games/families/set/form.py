"""The form of the family's log lines, completed by a definition: version 2 only.

Parts, wagers and results are the definition's; everything else is every game's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from games.definition.set_check import sets_of
from games.families.form import read_amounts, read_object, read_seat, read_seats, read_version
from games.families.set.round import SetHouse, SetRound, SetSeat
from games.log.field_types import Choice, DealtCards, FieldType, SetParts
from games.log.schema import (
    AMOUNT,
    HOUSE,
    RESULT,
    ROUND,
    SEAT_NUMBER,
    SINCE_VERSION_2,
    Field,
)

if TYPE_CHECKING:
    from games.definition import Definition
    from games.log.form import LineObject


@dataclass(frozen=True)
class SetForm:
    """The fields of a game's lines."""

    definition: Definition
    round: tuple[Field, ...]
    banked: tuple[Field, ...]
    """Fields of a round in which a player may bank."""
    house: tuple[Field, ...]
    banked_house: tuple[Field, ...]
    """Fields of the house that a player-banked round, and no other, has."""
    seat: tuple[Field, ...]
    wagers: tuple[Field, ...]
    results: tuple[Field, ...]


def form_of_definition(definition: Definition) -> SetForm:
    """Return the form of a definition's lines."""
    sets = sets_of(definition)
    size = definition.deal.player
    sizes = tuple(part.ranking.cards for part in sets.parts)
    names = ", ".join(f"{part.id} ({part.ranking.cards} cards)" for part in sets.parts)
    hand = (
        _cards("cards", DealtCards(size, size, jokers=True), f"{size} cards"),
        _cards("parts", SetParts(len(sizes), size, sizes), f"the parts as set: {names}"),
    )
    return SetForm(
        definition=definition,
        round=(
            Field("game", Choice((definition.slug,)), "game played", is_stored=False),
            *(field for field in ROUND if field.key not in {"v", "game", "void"}),
            *SINCE_VERSION_2,
        ),
        banked=_banked() if sets.bank is not None else (),
        house=hand,
        banked_house=(
            Field("wager", AMOUNT, "the house's own wager against the bank"),
            Field("result", RESULT, "what the house won from the bank"),
        ),
        seat=hand,
        wagers=tuple(Field(key, AMOUNT, each.says) for key, each in definition.wagers.items()),
        results=tuple(
            Field(key, RESULT, f"result of `{key}`") for key in definition.results
        ),
    )  # fmt: skip


def _cards(key: str, type_: FieldType, says: str) -> Field:
    return Field(key, type_, says, void_may_omit=True)


def _banked() -> tuple[Field, ...]:
    return (
        Field(
            "banker",
            SEAT_NUMBER,
            "seat of the player who banks; its `wagers.main` is 0 and its `result.main` is what"
            " the bank won or lost",
            "the house banks",
            optional=True,
            decides=True,
            names_seat=True,
        ),
        Field("bank", AMOUNT, "the bank", case="banker", elsewhere="without a `banker`"),
    )


def read_round(form: SetForm, line: LineObject) -> SetRound:
    """Check a whole line, first of all what decides how the rest is checked."""
    values = read_version(form.definition, line)
    seats = read_seats(line, partial(_read_seat, form))
    line.read((*form.round, *form.banked), values)
    if not line.void or line.has(HOUSE):
        house = line.object(HOUSE)
        values["house"] = SetHouse(
            **read_object(house, (*form.house, *(form.banked_house if line.case else ())))
        )
    line.close()
    return SetRound(seats=seats, **values)


def _read_seat(form: SetForm, seat: LineObject) -> SetSeat:
    def read_more(values: dict[str, Any]) -> None:
        values |= read_amounts(form, seat)

    return SetSeat(**read_seat(seat, form.seat, read_more))
