"""Chinese Poker told: every set, then every two players hand by hand."""

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
from games.story.accounts import amount, reason, reasons, seat_title
from games.story.meetings import from_each, moved
from games.story.story import Account, Section, Sentence
from games.story.words import cards, strength_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.judge.settlement import Meeting, Outcome, Settlement
    from games.round_log.round import Round, Seat
    from games.setup import Setup

PLACES: Final = ("front", "middle", "back")
SCORED_BY: Final = {"unit": "CP-6", "2-4": "CP-8", "1-6": "CP-9"}
COMPARED: Final = {WON: "higher", EQUAL: "equal", LOST: "lower"}


def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
    """Each seat's set, each meeting, and what it all comes to for each seat."""
    says = f"Played for units of {in_dollars(played.unit)}, scoring `{played.scoring}`."
    yield Section("Table", (Sentence(says, ("CP-3", SCORED_BY[played.scoring or "unit"])),))
    strengths: dict[int, list[str]] = {}
    for seat in played.seats:
        said = [Sentence(f"{place.capitalize()}: {cards(hand)}.") for place, hand in _hands(seat)]
        if settlement.seats and seat.hands:
            strengths[seat.seat], standing = _judged(played, seat, setup)
            said = [
                Sentence(f"{place.capitalize()}: {cards(hand)}, {strength}.", ("CP-4", "CP-5"))
                for (place, hand), strength in zip(_hands(seat), strengths[seat.seat], strict=True)
            ]
            said += standing
        if seat.play == "surrender":
            said.append(Sentence(f"Surrenders, {cards(seat.cards)}.", ("CP-12",)))
        yield Section(_title(seat), tuple(said))
    terms = terms_of(played.scoring, setup)
    for meeting in settlement.meetings:
        yield _meeting(played, meeting, strengths, terms)
    for place, seat in enumerate(played.seats):
        outcome = settlement.seats[place] if settlement.seats else None
        yield _total(seat, outcome, settlement)


def _title(seat: Seat) -> str:
    return seat_title(seat) + (f", declares {seat.natural}" if seat.natural else "")


def _hands(seat: Seat) -> list[tuple[str, bytes]]:
    return list(zip(PLACES, seat.hands, strict=False))


def _judged(played: Round, seat: Seat, setup: Setup) -> tuple[list[str], list[Sentence]]:
    """A set's three strengths in words, and how the set stands."""
    terms = terms_of(played.scoring, setup)
    table = [0, 0, 0, 0]
    natural = NATURALS.index(seat.natural) if seat.natural else -1
    take_seat(table, 0, b"".join(seat.hands), 0, natural, terms)
    said = []
    if table[3] == FOULED:
        says = "A foul: the back is not higher than the middle."
        if table[1] < table[0]:
            says = "A foul: the middle is lower than the front."
        said.append(Sentence(says, ("CP-5", "CP-I1", "CP-I2")))
    if table[3] >= NATURAL:
        said.append(Sentence(f"The natural {seat.natural} stands.", ("CP-11", "CP-I7")))
    return [strength_in_words(strength) for strength in table[:3]], said


def _meeting(
    played: Round, meeting: Meeting, strengths: dict[int, list[str]], terms: Terms
) -> Section:
    said = [
        _compared(code, meeting, strengths) or _bonus(code, terms) or reason(REASONS[code])
        for code in meeting.reasons
    ]
    said.append(Sentence(moved(meeting, played.unit, "unit")))
    return Section(f"Seat {meeting.seat} against seat {meeting.other}", tuple(said))


def _bonus(code: int, terms: Terms) -> Sentence | None:
    """A code that says that a bonus is due, told with its units; None for any other code."""
    for first, sign in ((BONUS_WON, 1), (BONUS_PAID, -1)):
        if 0 <= code - first < len(BONUSES):
            units = sign * bonus_units(1 << (code - first), terms)
            told = reason(REASONS[code])
            return Sentence(f"{told.says.removesuffix('.')}, {units:+} units.", told.cites)
    return None


def _compared(code: int, meeting: Meeting, strengths: dict[int, list[str]]) -> Sentence | None:
    """A code that says how a hand stood, told with both hands; None for any other code."""
    for first, word in COMPARED.items():
        hand = code - first
        if 0 <= hand < len(PLACES):
            mine, theirs = strengths[meeting.seat][hand], strengths[meeting.other][hand]
            says = f"{PLACES[hand].capitalize()}: {mine} against {theirs}, {word}."
            return Sentence(says, REASONS[code].cites)
    return None


def _total(seat: Seat, outcome: Outcome | None, settlement: Settlement) -> Section:
    said = reasons(outcome, "total", REASONS)  # of a crowd, of whom no two are told by themselves
    each = from_each(seat, "total", settlement)
    if each:
        said = (Sentence(each, ("CP-6", "CP-7")),)
    account = Account("total", None, said, seat.result["total"], amount(outcome, "total"))
    return Section(f"Seat {seat.seat} in all", (), (account,), seat.seat)
