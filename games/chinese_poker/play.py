"""Settle a logged round of Chinese Poker with the kernels: standings, and what each pair owes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.cards import has_joker
from games.chinese_poker.naturals import makes_natural
from games.chinese_poker.reasons import (
    BONUS_PAID,
    BONUS_WON,
    BONUSES,
    CROWDED,
    EQUAL,
    LOST,
    MIRRORED,
    NATURALS,
    REASONS,
    WON,
)
from games.chinese_poker.settle import (
    BY_THE_HAND,
    HAND_BY_HAND,
    NOT_APPROVED,
    ONE_SIX,
    OTHER,
    SURRENDERED,
    TWO_FOUR,
    bonus_units,
    bonuses_owed,
    meeting,
    settle_table,
    take_seat,
)
from games.findings import Finding, cites
from games.settlement.outcomes import Meeting, Outcome, Settlement, balance, miscount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.round import Round, Seat
    from games.setup import Setup

__all__ = ["REASONS", "settle"]

GAME: Final = "chinese-poker"
SURRENDER: Final = "surrender"
CROWD: Final = 40
"""Seats up to which every pair of players is reported; one line can contain thousands."""
SIZES: Final = (3, 5, 5)
BY_CLAUSE: Final = {"CP-6": BY_THE_HAND, "CP-8": TWO_FOUR, "CP-9": ONE_SIX}
"""The scorings that the rules spell out, for the reasons; the controls may document others (CP-14).
"""

Terms = tuple[int, ...]


def settle(played: Round, setup: Setup) -> Settlement:
    """Settle a round that was played: every two players against each other."""
    findings = [found for seat in played.seats for found in _miscounts(seat)]
    barred = _bars(played, setup, findings)
    findings += _declared(played, setup)
    if barred:
        return Settlement(findings=tuple(findings), irregular=barred[0], irregular_cites=barred[1:])
    findings += balance(played, "total", "CP-7")
    terms = terms_of(played.scoring, setup)
    table = [0] * (4 * len(played.seats))
    for place, seat in enumerate(played.seats):
        _take_seat(table, 4 * place, seat, terms)
    if len(played.seats) > CROWD:
        return Settlement(tuple(_crowd(played, table, terms)), tuple(findings))
    meetings = [
        _meet(played, table, i, j, terms)
        for i in range(len(played.seats))
        for j in range(i + 1, len(played.seats))
    ]
    return Settlement(
        seats=tuple(_outcome(seat, meetings) for seat in played.seats),
        findings=tuple(findings),
        meetings=tuple(meetings),
    )


def terms_of(scoring: str | None, setup: Setup) -> Terms:
    """Return the log's scoring and the approved controls, in the order `settle` defines."""
    chinese = setup.chinese
    bonuses = ("straight_flush", "four_of_a_kind", "full_house_middle", "trips_front")
    scored = setup.rules(GAME).scorings[scoring or "unit"]
    return (
        BY_CLAUSE.get(scored.clause, OTHER),
        scored.two_hands,
        scored.all_three,
        *(chinese.bonuses.get(name, 0) for name in bonuses),
        int(setup.reading("CP-I6") == "winning_hand_only"),
        int(setup.reading("CP-I1") == "equal_allowed"),
        chinese.surrender or 0,
        *(chinese.naturals.get(name, NOT_APPROVED) for name in NATURALS),
        scored.each_hand,
    )


def _miscounts(seat: Seat) -> Iterator[Finding]:
    """Yield `deal.count` without thirteen cards, `setting.cards` if not set three, five, five."""
    if seat.play == SURRENDER:
        yield from miscount(seat.cards, 13, seat.seat, "CP-2")
        return
    sizes = tuple(len(hand) for hand in seat.hands)
    wrong = list(miscount(b"".join(seat.hands), 13, seat.seat, "CP-2"))
    if not wrong and sizes != SIZES:
        wrong.append(
            Finding(
                "setting.cards",
                seat.seat,
                logged=" ".join(str(size) for size in sizes),
                expected="3 5 5",
                cites=cites("CP-4"),
            )
        )
    yield from wrong


def _bars(played: Round, setup: Setup, miscounts: list[Finding]) -> tuple[str, ...]:
    """Return why nobody can be settled, and the clauses; empty if everyone can be.

    The controls decide how the table continues after such an irregularity (CP-13).
    """
    if len(played.seats) < 2:
        return ("one player alone has nobody to play against", "CP-1")
    if (played.scoring or "unit") not in setup.rules(GAME).scorings:
        return (f"the rules have no scoring `{played.scoring}`", "CP-14")
    if miscounts:
        return ("a seat's cards cannot be settled", *miscounts[0].cites)
    if any(has_joker(seat.cards + b"".join(seat.hands)) for seat in played.seats):
        return ("a joker was dealt in a game without jokers", "CP-1", "CP-5")
    surrender = any(seat.play == SURRENDER for seat in played.seats)
    if surrender and setup.chinese.surrender is None:
        return ("no amount is approved for a surrender", "CP-12", "CP-I15")
    return ()


def _settleable(seat: Seat) -> bool:
    """Return whether a seat is set three, five and five, without jokers."""
    sizes = tuple(len(hand) for hand in seat.hands)
    return seat.play != SURRENDER and sizes == SIZES and not has_joker(b"".join(seat.hands))


def _natural(seat: Seat) -> int:
    """Return the place of the natural that a seat declared, or -1."""
    return -1 if seat.natural is None else NATURALS.index(seat.natural)


def _declared(played: Round, setup: Setup) -> Iterator[Finding]:
    """Yield `setting.natural` or `approval.controls` for a false or unapproved declaration."""
    unapproved: list[str] = []
    for seat in filter(_settleable, played.seats):
        if seat.natural is None:
            continue
        if not makes_natural(_natural(seat), b"".join(seat.hands), 0):
            yield Finding(
                "setting.natural", seat.seat, logged=seat.natural, cites=cites("CP-11", "CP-I14")
            )
        elif seat.natural not in setup.chinese.naturals:
            unapproved.append(f"natural {seat.natural}")
    if unapproved:
        yield Finding(
            "approval.controls",
            logged=", ".join(dict.fromkeys(unapproved)),
            cites=cites("CP-11", "CP-I14"),
        )


def _take_seat(table: list[int], place: int, seat: Seat, terms: Terms) -> None:
    if seat.play == SURRENDER:
        table[place + 3] = SURRENDERED
    else:
        take_seat(table, place, b"".join(seat.hands), 0, _natural(seat), terms)


def _meet(played: Round, table: list[int], i: int, j: int, terms: Terms) -> Meeting:
    """Return what two seats owe each other, in cents, with each comparison and bonus."""
    units, why = meeting(table, 4 * i, 4 * j, terms)
    won = bonuses_owed(table, 4 * i, 4 * j, terms)
    paid = bonuses_owed(table, 4 * j, 4 * i, terms)
    units += bonus_units(won, terms) - bonus_units(paid, terms)
    reasons = [why]
    if why >= HAND_BY_HAND:
        reasons += [_compared(table[4 * i + hand], table[4 * j + hand], hand) for hand in range(3)]
    reasons += [BONUS_WON + bit for bit in _due(won, terms)]
    reasons += [BONUS_PAID + bit for bit in _due(paid, terms)]
    return Meeting(
        "total", played.seats[i].seat, played.seats[j].seat, units * played.unit, tuple(reasons)
    )


def _crowd(played: Round, table: list[int], terms: Terms) -> Iterator[Outcome]:
    """Settle more seats than any table has (a line can have thousands), without pairs."""
    import numpy as np  # Like Numba, needed only for such a line

    from games.kernel import compiled

    seats = len(played.seats)
    units = np.zeros(seats, np.int64)
    settle_all: Any = compiled(settle_table)
    settle_all(np.array(table, np.int64), seats, terms, units)
    for won in units.tolist():
        yield Outcome({"total": won * played.unit}, {"total": (CROWDED,)})


def _compared(mine: int, theirs: int, hand: int) -> int:
    if mine == theirs:
        return EQUAL + hand
    return (WON if mine > theirs else LOST) + hand


def _due(hands: int, terms: Terms) -> list[int]:
    """Return the bits of the bonus hands for which the controls pay anything."""
    return [
        bit for bit in range(len(BONUSES)) if hands & (1 << bit) and bonus_units(1 << bit, terms)
    ]


def _outcome(seat: Seat, meetings: list[Meeting]) -> Outcome:
    total = 0
    reasons: list[int] = []
    for met in meetings:
        if met.seat == seat.seat:
            total += met.amount
            reasons += met.reasons
        elif met.other == seat.seat:
            total -= met.amount
            reasons += [MIRRORED.get(code, code) for code in met.reasons]
    return Outcome({"total": total}, {"total": tuple(dict.fromkeys(reasons))})
