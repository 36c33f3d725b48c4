"""Showdown explained: every set, surrenders, every two players hand by hand, and the pot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.explanation.model import Section, Step
from games.explanation.sections import (
    explain_meeting,
    explain_opponents,
    explain_reason,
    explain_reasons,
    explain_result,
    seat_title,
)
from games.explanation.words import CHOICES, show_cards, strength_in_words
from games.ranking.names import NAMES, name_of
from games.showdown.play import PLAYED_TO, values_of
from games.showdown.reasons import LOST, REASONS, SAYS, WON
from games.showdown.settle import (
    FOUL,
    FOULED_AT,
    HAND,
    HANDS,
    SEAT,
    SIZE_AT,
    compare,
    may_be,
    put_in,
    take_seat,
    worth,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.explanation.model import WagerExplanation
    from games.log.round import Round, Seat
    from games.settlement.outcomes import Meeting, Outcome, Settlement
    from games.setup import Setup


GAME: Final = "showdown"
CITES: Final = {
    "surrender-20": ("SD-4",),
    "surrender-23": ("SD-5",),
    "showdown": ("SD-5", "SD-6"),
    "last": ("SD-I7",),
}
KEYS: Final = ("showdown", "surrender", "pot")


def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
    """Explain each seat's hands, each pair of players, and each seat's total."""
    chip = Step(f"A chip is {in_dollars(played.chip)}; seat {played.dealer} deals.", ("SD-2",))
    yield Section("Table", (chip,))
    for seat in played.seats:
        yield Section(seat_title(seat), tuple(_set(seat)))
    values = values_of(setup.rules(GAME), setup.reading("SD-I1"))
    for meeting in settlement.meetings:
        yield _meeting(played, meeting, values)
    if settlement.seats:
        yield _pot(played)
    for place, seat in enumerate(played.seats):
        outcome = settlement.seats[place] if settlement.seats else None
        results = tuple(_result(seat, key, outcome, settlement) for key in KEYS)
        yield Section(f"Seat {seat.seat}, total", (), results, seat.seat)


def _set(seat: Seat) -> Iterator[Step]:
    """Explain what a seat was dealt, how long it played, how it set its hands, and any foul."""
    choice = CHOICES[seat.play] if seat.play else "no decision logged"
    yield Step(f"Cards {show_cards(seat.cards)}; {choice}.", CITES.get(seat.play or "", ()))
    if not seat.hands:
        return
    cards, table = _read_set(seat)
    for place, hand in enumerate(seat.hands):
        strength = table[HAND * place]
        name = f", {strength_in_words(strength)}" if strength > 0 else ""
        yield Step(f"Hand {place + 1}: {show_cards(hand)}{name}.", ("SD-6", "SD-8", "SD-9"))
    if table[FOULED_AT]:
        yield from _why_foul(cards, table)


def _read_set(seat: Seat) -> tuple[bytes, list[int]]:
    """Return a set's cards in a row, and the kernels' numbers for it."""
    cards, table = b"".join(seat.hands), [0] * SEAT
    take_seat(table, 0, cards, 0, [len(hand) for hand in seat.hands], 0)
    return cards, table


def _why_foul(cards: bytes, table: list[int]) -> Iterator[Step]:
    """Explain which rule a set breaks: a hand not allowed in its place, or the order."""
    fourth = table[3 * HAND + SIZE_AT]
    for hand in range(HANDS):
        at = HAND * hand
        if not may_be(hand, table[at + SIZE_AT], table[at], fourth):
            says = f"Foul: hand {hand + 1} may not be these {table[at + SIZE_AT]} cards."
            yield Step(says, ("SD-6", "SD-10", "SD-11", "SD-12", "SD-13", "SD-I10"))
        elif hand and compare(cards, table, at, at - HAND) <= 0:
            says = f"Foul: hand {hand + 1} is not stronger than hand {hand}."
            yield Step(says, ("SD-7", "SD-I2", "SD-I4", "SD-I15"))


def _meeting(played: Round, meeting: Meeting, values: tuple[int, ...]) -> Section:
    steps = [_hand_won(code, values) or explain_reason(REASONS[code]) for code in meeting.reasons]
    if meeting.reasons == (FOUL,):
        steps += _whole_set(played, meeting, values)
    steps.append(Step(explain_meeting(meeting, played.chip, "chip"), ("SD-15",)))
    title = f"Seat {meeting.seat} against seat {meeting.other}, {meeting.key}"
    return Section(title, tuple(steps))


def _whole_set(played: Round, meeting: Meeting, values: tuple[int, ...]) -> Iterator[Step]:
    """Explain what each hand of the proper set scores against the fouled one."""
    for seat in played.seats:
        if seat.seat not in {meeting.seat, meeting.other}:
            continue
        _, table = _read_set(seat)
        if table[FOULED_AT]:
            continue
        for hand in range(HANDS):
            strength = table[HAND * hand]
            points = worth(hand, strength, values)
            says = f"Hand {hand + 1} of seat {seat.seat}: {SAYS[name_of(strength)]}, {points:+}."
            yield Step(says, ("SD-17", "SD-I5"))


def _hand_won(code: int, values: tuple[int, ...]) -> Step | None:
    """Explain a code for a hand that was won, with its points; None for any other code."""
    for first, word, sign in ((LOST, "lost to", -1), (WON, "won with", 1)):
        if code >= first:
            hand, name = divmod(code - first, NAMES)
            points = sign * values[code - first]
            says = f"Hand {hand + 1}: {word} {SAYS[name]}, {points:+}."
            return Step(says, REASONS[code].cites)
    return None


def _pot(played: Round) -> Section:
    """Explain what each seat put into the pot, as long as it played."""
    chips = [put_in(PLAYED_TO[seat.play or ""]) for seat in played.seats]
    parts = [f"seat {seat.seat} {number}" for seat, number in zip(played.seats, chips, strict=True)]
    says = f"Chips put into the pot: {', '.join(parts)}; {sum(chips)} in total."
    return Section("Pot", (Step(says, ("SD-3", "SD-4", "SD-5")),))


def _result(
    seat: Seat, key: str, outcome: Outcome | None, settlement: Settlement
) -> WagerExplanation:
    each = explain_opponents(seat, key, settlement)
    steps: tuple[Step, ...] = (Step(each),) if each else ()
    if not each and key != "surrender":
        steps = explain_reasons(outcome, key, REASONS)
    return explain_result(seat, key, outcome, steps)
