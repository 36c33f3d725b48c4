"""Chinese Poker explained: every set, then every two players hand by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.chinese_poker.play import Terms, terms_of
from games.chinese_poker.reasons import (
    BONUS_PAID,
    BONUS_WON,
    BONUSES,
    EQUAL,
    LOST,
    NATURALS,
    REASONS,
    WON,
)
from games.chinese_poker.settle import FOULED, NATURAL, bonus_units, take_seat
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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.round import Round, Seat
    from games.settlement.outcomes import Meeting, Outcome, Settlement
    from games.setup import Setup


PLACES: Final = ("front", "middle", "back")
NO_SCORING: Final = "none that the rules have."
COMPARED: Final = {WON: "higher", EQUAL: "equal", LOST: "lower"}


def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
    """Explain each seat's set, each pair of players, and each seat's total."""
    scoring = setup.rules(played.game).scorings.get(played.scoring or "unit")
    says, clause = (scoring.says, scoring.clause) if scoring else (NO_SCORING, "CP-14")
    table = f"A unit is {in_dollars(played.unit)}. Scoring: {says}"
    yield Section("Table", (Step(table, ("CP-3", clause)),))
    strengths: dict[int, list[str]] = {}
    for seat in played.seats:
        steps = [Step(f"{place.capitalize()}: {show_cards(hand)}.") for place, hand in _hands(seat)]
        if settlement.seats and seat.hands:
            strengths[seat.seat], remarks = _rank_set(played, seat, setup)
            steps = [
                Step(f"{place.capitalize()}: {show_cards(hand)}, {strength}.", ("CP-4", "CP-5"))
                for (place, hand), strength in zip(_hands(seat), strengths[seat.seat], strict=True)
            ]
            steps += remarks
        if seat.play == "surrender":
            steps.append(Step(f"Surrenders, {show_cards(seat.cards)}.", ("CP-12",)))
        yield Section(_title(seat), tuple(steps))
    if scoring is None:
        return
    terms = terms_of(played.scoring, setup)
    for meeting in settlement.meetings:
        yield _meeting(played, meeting, strengths, terms)
    for place, seat in enumerate(played.seats):
        outcome = settlement.seats[place] if settlement.seats else None
        yield _total(seat, outcome, settlement)


def _title(seat: Seat) -> str:
    return seat_title(seat) + (f", {CHOICES[seat.natural]}" if seat.natural else "")


def _hands(seat: Seat) -> list[tuple[str, bytes]]:
    return list(zip(PLACES, seat.hands, strict=False))


def _rank_set(played: Round, seat: Seat, setup: Setup) -> tuple[list[str], list[Step]]:
    """Return a set's three strengths in words, and whether it fouls or is a natural."""
    terms = terms_of(played.scoring, setup)
    table = [0, 0, 0, 0]
    natural = NATURALS.index(seat.natural) if seat.natural else -1
    take_seat(table, 0, b"".join(seat.hands), 0, natural, terms)
    steps = []
    if table[3] == FOULED:
        says = "Foul: the back is not higher than the middle."
        if table[1] < table[0]:
            says = "Foul: the middle is lower than the front."
        steps.append(Step(says, ("CP-5", "CP-I1", "CP-I2")))
    if table[3] >= NATURAL:
        steps.append(Step("The declared natural is valid.", ("CP-11", "CP-I7")))
    return [strength_in_words(strength) for strength in table[:3]], steps


def _meeting(
    played: Round, meeting: Meeting, strengths: dict[int, list[str]], terms: Terms
) -> Section:
    steps = [
        _compared(code, meeting, strengths) or _bonus(code, terms) or explain_reason(REASONS[code])
        for code in meeting.reasons
    ]
    steps.append(Step(explain_meeting(meeting, played.unit, "unit")))
    return Section(f"Seat {meeting.seat} against seat {meeting.other}", tuple(steps))


def _bonus(code: int, terms: Terms) -> Step | None:
    """Explain a code for a bonus owed, with its units; None for any other code."""
    for first, sign in ((BONUS_WON, 1), (BONUS_PAID, -1)):
        if 0 <= code - first < len(BONUSES):
            units = sign * bonus_units(1 << (code - first), terms)
            reason = explain_reason(REASONS[code])
            return Step(f"{reason.says.removesuffix('.')}, {units:+} units.", reason.cites)
    return None


def _compared(code: int, meeting: Meeting, strengths: dict[int, list[str]]) -> Step | None:
    """Explain a code for a compared hand, with both hands; None for any other code."""
    for first, word in COMPARED.items():
        hand = code - first
        if 0 <= hand < len(PLACES):
            mine, theirs = strengths[meeting.seat][hand], strengths[meeting.other][hand]
            says = f"{PLACES[hand].capitalize()}: {mine} against {theirs}, {word}."
            return Step(says, REASONS[code].cites)
    return None


def _total(seat: Seat, outcome: Outcome | None, settlement: Settlement) -> Section:
    steps = explain_reasons(
        outcome, "total", REASONS
    )  # in a crowd, pairs aren't explained one by one
    each = explain_opponents(seat, "total", settlement)
    if each:
        steps = (Step(each, ("CP-6", "CP-7")),)
    total = explain_result(seat, "total", outcome, steps)
    return Section(f"Seat {seat.seat}, total", (), (total,), seat.seat)
