"""The form of the family's log lines, completed by a definition: version 2 only.

Wagers, results, decisions and choices are the definition's; everything else is every game's
(`games.log.schema`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from games.families.bonuses import bonuses_of
from games.families.stud.round import StudRound, StudSeat
from games.log.field_types import Choice, DealtCards, FormError, Object
from games.log.round import House
from games.log.schema import (
    AMOUNT,
    HOUSE,
    LATEST,
    RESULT,
    RESULTS,
    ROUND,
    SEAT,
    SEAT_SINCE_VERSION_2,
    SEATS,
    SINCE_VERSION_2,
    VERSION,
    VOID,
    WAGERS,
    Field,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    values: dict[str, Any] = {}
    line.read((VERSION, VOID), values)
    if values.pop("v") != LATEST:
        reason = f'rounds of {form.definition.slug} are of version {LATEST}: write "v": {LATEST}'
        raise FormError("v", reason)
    line.void = values.get("void") is not None
    seats = tuple(_read_seat(form, each) for each in line.items(SEATS))
    _check_numbers(seats)
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


def _check_numbers(seats: Sequence[StudSeat]) -> None:
    known: set[int] = set()
    for place, seat in enumerate(seats):
        if seat.seat in known:
            reason = f"seat {seat.seat} appears twice in this round: give each hand its own seat"
            raise FormError(f"seats[{place}].seat", reason)
        known.add(seat.seat)


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
    values: dict[str, Any] = {}
    seat.read(SEAT[:1], values)
    try:
        seat.read((*SEAT[1:], *SEAT_SINCE_VERSION_2, *form.seat), values)
        for field, amounts in ((WAGERS, form.wagers), (RESULTS, form.results)):
            values[field.key] = _read_object(seat.object(field), amounts)
        if form.choices and (not seat.void or seat.has(CHOICES)):
            values["choices"] = _read_choices(form, seat.object(CHOICES))
        seat.close()
    except FormError as error:
        raise FormError(error.field, f"seat {values['seat']}: {error.reason}") from None
    return StudSeat(**values)


def _read_object(given: LineObject, fields: Sequence[Field]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    given.read(fields, values)
    given.close()
    return values


def _read_choices(form: StudForm, given: LineObject) -> dict[str, str]:
    """Check the choices; one that must be there is missing, unless the decision may not come up."""
    choices = _read_object(given, form.choices)
    if given.void:
        return choices
    for decision in form.definition.decisions:
        chosen = choices.get(decision.id)
        if chosen is None and decision.when.is_always:
            raise FormError(given.path(decision.id), f"`{decision.id}` is missing")
        if any(choice.ends and choice.id == chosen for choice in decision.choices):
            break
    return choices
