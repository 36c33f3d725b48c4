"""The form of the family's log lines, completed by a definition: version 2 only.

Wagers and results are the definition's; everything else is every game's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from games.families.blackjack.round import ACTIONS, BlackjackRound, BlackjackSeat, PlayedHand
from games.families.form import read_amounts, read_object, read_seat, read_seats, read_version
from games.log.field_types import Choice, Code, DealtCards, FieldType, FormError, Object, shown
from games.log.round import House
from games.log.schema import (
    AMOUNT,
    HOUSE,
    RESULT,
    ROUND,
    SINCE_VERSION_2,
    Field,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.definition import Definition
    from games.log.form import LineObject

MOST_HANDS: Final = 40
MOST_ACTIONS: Final = 40


class EarlierHand(FieldType):
    """The place of an earlier hand of the seat, from 0, or null."""

    code = Code.NOTHING

    def check(self, value: Any) -> int | None:
        """Accept a place or null."""
        if value is None or (type(value) is int and 0 <= value < MOST_HANDS):
            return value
        reason = f"expected null, or the place of an earlier hand from 0; this line has {value!r}"
        raise FormError(None, reason[:140])


class ActionList(FieldType):
    """The actions of a hand, in order."""

    code = Code.NOTHING

    def check(self, value: Any) -> tuple[str, ...]:
        """Accept a list of actions."""
        if not isinstance(value, list) or len(value) > MOST_ACTIONS:
            reason = f"expected a list of at most {MOST_ACTIONS} actions; this line has"
            raise FormError(None, f"{reason} {shown(value)}")
        action = Choice(ACTIONS)
        found = []
        for place, each in enumerate(value):
            try:
                found.append(action.check(each))
            except FormError as error:
                raise FormError(f"[{place}]", error.reason) from None
        return tuple(found)


HANDS: Final = Field(
    "hands",
    Object(),
    "the seat's hands as they were created: the first, then those made by splitting",
    void_may_omit=True,
    is_stored=False,
)
HAND: Final = (
    Field("cards", DealtCards(0, 22), "the hand's cards in order; of a split hand, the card kept"
          " is first"),
    Field("wager", AMOUNT, "the hand's wager as it was in the end"),
    Field("split_from", EarlierHand(), "the place of the hand it was split from, from 0",
          "no hand", optional=True),
    Field("actions", ActionList(), f"what was done, in order: {', '.join(ACTIONS)}"),
)  # fmt: skip


@dataclass(frozen=True)
class BlackjackForm:
    """The fields of a game's lines."""

    definition: Definition
    round: tuple[Field, ...]
    house: tuple[Field, ...]
    wagers: tuple[Field, ...]
    results: tuple[Field, ...]


def form_of_definition(definition: Definition) -> BlackjackForm:
    """Return the form of a definition's lines."""
    return BlackjackForm(
        definition=definition,
        round=(
            Field("game", Choice((definition.slug,)), "game played", is_stored=False),
            *(field for field in ROUND if field.key not in {"v", "game", "void"}),
            *SINCE_VERSION_2,
        ),
        house=(
            Field(
                "cards",
                DealtCards(2, 22),
                "the dealer's cards in order, the upcard first",
                void_may_omit=True,
            ),
        ),
        wagers=tuple(Field(key, AMOUNT, each.says) for key, each in definition.wagers.items()),
        results=tuple(Field(key, RESULT, f"result of `{key}`") for key in definition.results),
    )


def read_round(form: BlackjackForm, line: LineObject) -> BlackjackRound:
    """Check a whole line, first of all what decides how the rest is checked."""
    values = read_version(form.definition, line)
    seats = read_seats(line, partial(_read_seat, form))
    line.read(form.round, values)
    if not line.void or line.has(HOUSE):
        values["house"] = House(**read_object(line.object(HOUSE), form.house))
    line.close()
    return BlackjackRound(seats=seats, **values)


def _read_seat(form: BlackjackForm, seat: LineObject) -> BlackjackSeat:
    def read_more(values: dict[str, Any]) -> None:
        values |= read_amounts(form, seat)
        if not seat.void or seat.has(HANDS):
            values["played"] = tuple(_read_hands(seat.items(HANDS)))

    return BlackjackSeat(**read_seat(seat, (), read_more))


def _read_hands(given: Sequence[LineObject]) -> list[PlayedHand]:
    hands: list[PlayedHand] = []
    if len(given) > MOST_HANDS:
        path = given[MOST_HANDS].path("cards")
        raise FormError(path, f"a seat has at most {MOST_HANDS} hands; this one has {len(given)}")
    for place, each in enumerate(given):
        values = {"split_from": None, **read_object(each, HAND)}
        origin = values["split_from"]
        if (origin is None) != (place == 0) or (origin is not None and origin >= place):
            wanted = "null for the first hand" if place == 0 else f"a place from 0 to {place - 1}"
            raise FormError(each.path("split_from"), f"expected {wanted}, where the hand came from")
        hands.append(PlayedHand(**values))
    return hands
