"""The form of the family's log lines, completed by a definition: version 2 only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from games.definition.betting_model import betting_of
from games.families.form import read_object, read_seat, read_seats, read_version
from games.families.versus.fields import Actions, CardsOrNull, FeeAmounts, Pots
from games.families.versus.round import VersusRound, VersusSeat
from games.log.field_types import Choice, DealtCards, FormError, Object
from games.log.schema import (
    AMOUNT,
    RESULT,
    RESULTS,
    ROUND,
    SEAT_NUMBER,
    SINCE_VERSION_2,
    Field,
)

if TYPE_CHECKING:
    from games.definition import Definition
    from games.log.form import LineObject

NO_WAGERS: Final = Field(
    "wagers", Object(), "empty: what was wagered is in `actions`", "nothing", optional=True
)


@dataclass(frozen=True)
class VersusForm:
    """The fields of a game's lines."""

    definition: Definition
    round: tuple[Field, ...]
    seat: tuple[Field, ...]
    results: tuple[Field, ...]


def form_of_definition(definition: Definition) -> VersusForm:
    """Return the form of a definition's lines."""
    betting = betting_of(definition)
    own, community = definition.deal.player, sum(definition.deal.community)
    streets = tuple(street.id for street in betting.streets)
    return VersusForm(
        definition=definition,
        round=(
            Field("game", Choice((definition.slug,)), "game played", is_stored=False),
            *(field for field in ROUND if field.key not in {"v", "game", "void"}),
            *SINCE_VERSION_2,
            _of_play("button", SEAT_NUMBER, "the seat with the button"),
            _of_play("community", DealtCards(0, community), "the community cards, in order"),
            _of_play(
                "actions",
                Actions(streets),
                "what the players did, in order; `to` is the player's total on the street, and an"
                " ante counts by itself",
            ),
            _of_play(
                "pots",
                Pots(),
                "the pots, main pot first: `amount` before fees and without wagers that were"
                " returned because nobody called them, the `seats` that can win it, and what each"
                " seat `won`",
            ),
            _of_play("fees", FeeAmounts(), "what the house took from the pots"),
        ),
        seat=(
            _of_play("stack", AMOUNT, "what the player could wager, before the round"),
            _of_play("cards", CardsOrNull(own, own), "the player's cards; null if never shown"),
        ),
        results=tuple(
            Field(key, RESULT, "what the player won from the pots, less what the player put in")
            for key in definition.results
        ),
    )


def _of_play(key: str, type_: Any, says: str) -> Field:
    return Field(key, type_, says, void_may_omit=True)


def read_round(form: VersusForm, line: LineObject) -> VersusRound:
    """Check a whole line, first of all what decides how the rest is checked."""
    values = read_version(form.definition, line)
    seats = read_seats(line, partial(_read_seat, form))
    line.read(form.round, values)
    line.close()
    played = VersusRound(seats=seats, **values)
    _check_seats(played, line.seats)
    return played


def _check_seats(played: VersusRound, known: set[int]) -> None:
    """Reject an action or a pot of a seat that the round doesn't have."""
    named = [(f"actions[{place}].seat", each.seat) for place, each in enumerate(played.actions)]
    for place, pot in enumerate(played.pots):
        named += [(f"pots[{place}].seats", seat) for seat in pot.seats]
        named += [(f"pots[{place}].won", seat) for seat in pot.won]
    for path, seat in named:
        if seat not in known:
            raise FormError(path, f"seat {seat} is not one of the seats of this round")


def _read_seat(form: VersusForm, seat: LineObject) -> VersusSeat:
    def read_more(values: dict[str, Any]) -> None:
        if seat.has(NO_WAGERS):
            seat.object(NO_WAGERS).close()
        values["result"] = read_object(seat.object(RESULTS), form.results)

    return VersusSeat(wagers={}, **read_seat(seat, form.seat, read_more))
