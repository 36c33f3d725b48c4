"""Showdown told: every set, who surrendered to whom, every two players hand by hand, the pot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
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
from games.story.accounts import amount, reason, reasons, seat_title
from games.story.meetings import from_each, moved
from games.story.story import Account, Section, Sentence
from games.story.words import cards, strength_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.judge.settlement import Meeting, Outcome, Settlement
    from games.round_log.round import Round, Seat
    from games.setup import Setup

GAME: Final = "showdown"
PLAYS: Final = {
    "surrender-20": ("surrenders after 20 cards", ("SD-4",)),
    "surrender-23": ("surrenders after 23 cards", ("SD-5",)),
    "showdown": ("plays to the showdown", ("SD-5", "SD-6")),
    "last": ("is the only player left", ("SD-I7",)),
}
KEYS: Final = ("showdown", "surrender", "pot")


def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
    """Each seat's hands, each meeting, and what it all comes to for each seat."""
    chip = Sentence(f"A chip is {in_dollars(played.chip)}; seat {played.dealer} deals.", ("SD-2",))
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
        accounts = tuple(_account(seat, key, outcome, settlement) for key in KEYS)
        yield Section(f"Seat {seat.seat} in all", (), accounts, seat.seat)


def _set(seat: Seat) -> Iterator[Sentence]:
    """What a seat was dealt, how long it played, how it set its hands, and whether they foul."""
    says, cites = PLAYS.get(seat.play or "", ("no decision logged", ()))
    yield Sentence(f"Cards {cards(seat.cards)}; {says}.", cites)
    if not seat.hands:
        return
    laid, table = _laid(seat)
    for hand, held in enumerate(seat.hands):
        named = f", {strength_in_words(table[HAND * hand])}" if table[HAND * hand] > 0 else ""
        yield Sentence(f"Hand {hand + 1}: {cards(held)}{named}.", ("SD-6", "SD-8", "SD-9"))
    if table[FOULED_AT]:
        yield from _why_foul(laid, table)


def _laid(seat: Seat) -> tuple[bytes, list[int]]:
    """A set's cards in a row, and what the kernels make of them."""
    laid, table = b"".join(seat.hands), [0] * SEAT
    take_seat(table, 0, laid, 0, [len(hand) for hand in seat.hands], 0)
    return laid, table


def _why_foul(laid: bytes, table: list[int]) -> Iterator[Sentence]:
    """What breaks the rules of a set: a hand that its place may not hold, or the order."""
    fourth = table[3 * HAND + SIZE_AT]
    for hand in range(HANDS):
        at = HAND * hand
        if not may_be(hand, table[at + SIZE_AT], table[at], fourth):
            says = f"A foul: hand {hand + 1} may not be these {table[at + SIZE_AT]} cards."
            yield Sentence(says, ("SD-6", "SD-10", "SD-11", "SD-12", "SD-13", "SD-I10"))
        elif hand and compare(laid, table, at, at - HAND) <= 0:
            says = f"A foul: hand {hand + 1} is not stronger than hand {hand}."
            yield Sentence(says, ("SD-7", "SD-I2", "SD-I4", "SD-I15"))


def _meeting(played: Round, meeting: Meeting, values: tuple[int, ...]) -> Section:
    said = [_hand_won(code, values) or reason(REASONS[code]) for code in meeting.reasons]
    if meeting.reasons == (FOUL,):
        said += _whole_set(played, meeting, values)
    said.append(Sentence(moved(meeting, played.chip, "chip"), ("SD-15",)))
    title = f"Seat {meeting.seat} against seat {meeting.other}, {meeting.key}"
    return Section(title, tuple(said))


def _whole_set(played: Round, meeting: Meeting, values: tuple[int, ...]) -> Iterator[Sentence]:
    """What each hand of the proper set scores against the fouled one."""
    for seat in played.seats:
        if seat.seat not in {meeting.seat, meeting.other}:
            continue
        _, table = _laid(seat)
        if table[FOULED_AT]:
            continue
        for hand in range(HANDS):
            strength = table[HAND * hand]
            points = worth(hand, strength, values)
            says = f"Hand {hand + 1} of seat {seat.seat}: {SAYS[name_of(strength)]}, {points:+}."
            yield Sentence(says, ("SD-17", "SD-I5"))


def _hand_won(code: int, values: tuple[int, ...]) -> Sentence | None:
    """A code that says who won a hand and with what, told with its points; else None."""
    for first, word, sign in ((LOST, "lost to", -1), (WON, "won with", 1)):
        if code >= first:
            hand, name = divmod(code - first, NAMES)
            points = sign * values[code - first]
            says = f"Hand {hand + 1}: {word} {SAYS[name]}, {points:+}."
            return Sentence(says, REASONS[code].cites)
    return None


def _pot(played: Round) -> Section:
    """What each seat put into the pot, as long as it played."""
    chips = [put_in(PLAYED_TO[seat.play or ""]) for seat in played.seats]
    parts = [f"seat {seat.seat} {number}" for seat, number in zip(played.seats, chips, strict=True)]
    says = f"Chips put in: {', '.join(parts)}; {sum(chips)} in all."
    return Section("Pot", (Sentence(says, ("SD-3", "SD-4", "SD-5")),))


def _account(seat: Seat, key: str, outcome: Outcome | None, settlement: Settlement) -> Account:
    each = from_each(seat, key, settlement)
    said: tuple[Sentence, ...] = (Sentence(each),) if each else ()
    if not each and key != "surrender":
        said = reasons(outcome, key, REASONS)
    return Account(key, None, said, seat.result[key], amount(outcome, key))
