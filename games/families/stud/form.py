"""The form of the family's log lines, completed by a definition: version 2 only.

Wagers, results, decisions and choices are the definition's; everything else is every game's
(`games.log.schema`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from games.families.bonuses import bonuses_of
from games.families.form import read_amounts, read_object, read_seat, read_seats, read_version
from games.families.stud.round import StudRound, StudSeat
from games.log.field_types import Choice, DealtCards, FormError, Object
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
    from collections.abc import Mapping

    from games.definition import Definition
    from games.log.form import LineObject

CHOICES: Final = Field(
    "choices",
    Object(),
    "what the player chose, by decision; a decision that no longer came up is left out",
    void_may_omit=True,
    is_stored=False,
)


@dataclass(frozen=True)
class StudForm:
    """The fields of a game's lines."""

    definition: Definition
    round: tuple[Field, ...]
    house: tuple[Field, ...]
    seat: tuple[Field, ...]
    choices: tuple[Field, ...]
    wagers: tuple[Field, ...]
    results: tuple[Field, ...]


def form_of_definition(definition: Definition) -> StudForm:
    """Return the form of a definition's lines."""
    deal = definition.deal
    community = sum(deal.community)
    most_player = deal.player + max((each.player for each in deal.after), default=0)
    most_dealer = deal.dealer + max((each.dealer for each in deal.after), default=0)
    return StudForm(
        definition=definition,
        round=(
            Field("game", Choice((definition.slug,)), "game played", is_stored=False),
            *(field for field in ROUND if field.key not in {"v", "game", "void"}),
            *SINCE_VERSION_2,
            *_cards("community", community, community, "the community cards, in order"),
        ),
        house=_cards("cards", deal.dealer, most_dealer, "the dealer's cards"),
        seat=_cards("cards", deal.player, most_player, "the hand's cards"),
        choices=tuple(
            Field(
                each.id,
                Choice(tuple(choice.id for choice in each.choices)),
                each.says,
                "the decision did not come up",
                optional=True,
            )
            for each in definition.decisions
        ),
        wagers=tuple(Field(key, AMOUNT, each.says) for key, each in definition.wagers.items()),
        results=tuple(
            Field(key, RESULT, f"result of `{key}`") for key in definition.results
        ),
    )  # fmt: skip


def _cards(key: str, least: int, most: int, says: str) -> tuple[Field, ...]:
    if most == 0:
        return ()
    return (Field(key, DealtCards(least, most), says, void_may_omit=True),)


def read_round(form: StudForm, line: LineObject) -> StudRound:
    """Check a whole line, first of all what decides how the rest is checked."""
    values = read_version(form.definition, line)
    seats = read_seats(line, partial(_read_seat, form))
    has_dealer = not line.void and not all(_has_folded(form, seat) for seat in seats)
    fields = form.round if has_dealer else [_optional(field) for field in form.round]
    line.read(fields, values)
    if form.house and (has_dealer or line.has(HOUSE)):
        house = line.object(HOUSE)
        cards: dict[str, Any] = {}
        house.read(form.house if has_dealer else [_optional(f) for f in form.house], cards)
        house.close()
        values["house"] = House(**cards)
    line.close()
    if not line.void:
        _check_meters(form, values.get("meters") or {})
    return StudRound(seats=seats, **values)


def _check_meters(form: StudForm, meters: Mapping[str, int]) -> None:
    for jackpot in bonuses_of(form.definition).jackpots:
        if jackpot.meter not in meters:
            field = f"meters.{jackpot.meter}"
            reason = f"`{jackpot.meter}` is missing: what the meter showed before the round"
            raise FormError(field, reason)


def _optional(field: Field) -> Field:
    """Return a field of cards that need not be dealt, because every hand was folded."""
    if not field.void_may_omit:
        return field
    return Field(field.key, field.type, field.says, "every hand was folded", optional=True)


def _has_folded(form: StudForm, seat: StudSeat) -> bool:
    return any(
        choice.folds and seat.choices.get(decision.id) == choice.id
        for decision in form.definition.decisions
        for choice in decision.choices
    )


def _read_seat(form: StudForm, seat: LineObject) -> StudSeat:
    def read_more(values: dict[str, Any]) -> None:
        values |= read_amounts(form, seat)
        if form.choices and (not seat.void or seat.has(CHOICES)):
            values["choices"] = _read_choices(form, seat.object(CHOICES))

    return StudSeat(**read_seat(seat, form.seat, read_more))


def _read_choices(form: StudForm, given: LineObject) -> dict[str, str]:
    """Check the choices; one that must be there is missing, unless the decision may not come up."""
    choices = read_object(given, form.choices)
    if given.void:
        return choices
    for decision in form.definition.decisions:
        chosen = choices.get(decision.id)
        if chosen is None and decision.when.is_always:
            raise FormError(given.path(decision.id), f"`{decision.id}` is missing")
        if any(choice.ends and choice.id == chosen for choice in decision.choices):
            break
    return choices
