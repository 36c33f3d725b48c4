"""Settle a logged round of Showdown with the kernels: who stayed how long, who owes whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from games.cards import show, unnamed
from games.findings import Finding, cites
from games.ranking.long_hand import LONGEST, compare_strengths
from games.ranking.names import NAMES, name_of
from games.settlement.outcomes import Meeting, Outcome, Settlement, balance
from games.showdown.reasons import (
    BY_SUIT,
    CROWDED,
    DRAW,
    KINDS,
    LOST,
    MULTIPLES,
    NAMED,
    NO_POT,
    NO_POT_FOULED,
    NO_SHOWDOWN,
    NO_SURRENDER,
    ONLY_ONE_LEFT,
    PAID_AFTER_20,
    PAID_AFTER_23,
    REASONS,
    RUNS,
    SPLIT_POT,
    TOOK_POT,
    WON,
)
from games.showdown.settle import (
    FOULED_AT,
    HAND,
    HAND_BY_HAND,
    HANDS,
    PLAYED,
    SEAT,
    SIZE_AT,
    SURRENDERED_20,
    SURRENDERED_23,
    hand_points,
    meeting,
    put_in,
    settle_table,
    surrender_chips,
    take_seat,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.round import Round, Seat
    from games.rule_set import RuleSet
    from games.setup import Setup

__all__ = ["REASONS", "settle"]

GAME: Final = "showdown"
CROWD: Final = 40
"""Seats up to which every pair of players is reported; one line can contain thousands."""
DEALT: Final = {
    "surrender-20": (20,),
    "surrender-23": (23,),
    "showdown": (25,),
    "last": (20, 23, 25),
}
PLAYED_TO: Final = {
    "surrender-20": SURRENDERED_20,
    "surrender-23": SURRENDERED_23,
    "showdown": PLAYED,
    "last": PLAYED,
}
FEWEST_SET: Final = 20


@dataclass(slots=True)
class _Table:
    """A round in the kernels' format, and their results, in chips."""

    cards: bytes
    hands: list[int]
    played: list[int]
    values: tuple[int, ...]
    showdown: list[int]
    surrender: list[int]
    pot: list[int]


def settle(played: Round, setup: Setup) -> Settlement:
    """Settle a round that was played: surrenders, every two players, the pot."""
    findings = [found for seat in played.seats for found in _wrong_cards(seat)]
    barred = _bars(played, findings)
    if not barred:
        table = _table(played, setup)
        barred = _all_foul(table)
    if barred:
        return Settlement(findings=tuple(findings), irregular=barred[0], irregular_cites=barred[1:])
    findings += [
        *balance(played, "showdown", "SD-15"),
        *balance(played, "surrender", "SD-4"),
        *balance(played, "pot", "SD-16"),
    ]
    dealer = next(i for i, seat in enumerate(played.seats) if seat.seat == played.dealer)
    crowd = len(played.seats) > CROWD
    if crowd:
        _settle_crowd(table, len(played.seats), dealer)
    else:
        settle_table(
            table.cards, table.hands, table.played, len(played.seats), dealer, table.values,
            table.showdown, table.surrender, table.pot,
        )  # fmt: skip
    meetings = () if crowd else tuple(_meetings(played, table))
    pot = _pot_reasons(table)
    return Settlement(
        seats=tuple(_outcome(played, table, i, meetings, pot[i]) for i in range(len(pot))),
        findings=tuple(findings),
        meetings=meetings,
    )


def values_of(rules: RuleSet, reading: str) -> tuple[int, ...]:
    """Return the score of each name in each place (SD-17), by interpretation of SD-I1."""
    values = [1] * (HANDS * NAMES)
    sixth = rules.points["hand_6"].lines
    for place, points in rules.points.items():
        hand = int(place.removeprefix("hand_")) - 1
        for line, chart in points.lines.items():
            multiple = reading == "multiples" and place in MULTIPLES and line in {**KINDS, **RUNS}
            value = MULTIPLES[place] * sixth.get(line, 1) if multiple else chart
            values[hand * NAMES + NAMED[line]] = value
    return tuple(values)


def _wrong_cards(seat: Seat) -> Iterator[Finding]:
    """Yield `deal.count`, or `setting.cards` for a set with foreign, too few or too many cards.

    A joker may name a card that is already present (SD-I12): it is counted as a joker.
    """
    wanted = DEALT[str(seat.play)]
    if len(seat.cards) not in wanted:
        yield Finding(
            "deal.count",
            seat.seat,
            logged=f"{len(seat.cards)} cards",
            expected=f"{' or '.join(map(str, wanted))} cards",
            cites=cites("SD-3", "SD-4", "SD-5"),
        )
    if seat.play != "showdown":
        return
    laid = unnamed(b"".join(seat.hands))
    if len(laid) < FEWEST_SET or Counter(laid) - Counter(seat.cards):
        yield Finding(
            "setting.cards",
            seat.seat,
            logged=" / ".join(show(hand[:LONGEST]) for hand in seat.hands),
            expected="20 to 25 of the cards dealt",
            cites=cites("SD-6"),
        )


def _bars(played: Round, wrong: list[Finding]) -> tuple[str, ...]:
    """Return why nobody can be settled, and the clauses; empty if everyone can be."""
    if len(played.seats) < 2:
        return ("one player alone has nobody to play against", "SD-1")
    if wrong:
        return ("a seat's cards cannot be settled", *wrong[0].cites)
    left = [seat for seat in played.seats if PLAYED_TO[str(seat.play)] == PLAYED]
    if not left:
        return ("everyone surrendered", "SD-4", "SD-5", "SD-I8")
    if len(left) > 1 and any(seat.play == "last" for seat in left):
        return ("one seat is logged as the only one left, and others played on", "SD-I7")
    return ()


def _all_foul(table: _Table) -> tuple[str, ...]:
    """Return the reason and clauses if a showdown of two or more has no proper set (SD-I14)."""
    left = [i for i, played in enumerate(table.played) if played == PLAYED]
    if len(left) > 1 and all(table.hands[SEAT * i + FOULED_AT] for i in left):
        return ("every set at the showdown is fouled", "SD-7", "SD-I14")
    return ()


def _table(played: Round, setup: Setup) -> _Table:
    seats = len(played.seats)
    cards = b"".join(b"".join(seat.hands) for seat in played.seats)
    hands = [0] * (SEAT * seats)
    first = 0
    for i, seat in enumerate(played.seats):
        if seat.play == "showdown":
            sizes = [len(hand) for hand in seat.hands]
            take_seat(hands, SEAT * i, cards, first, sizes, 0)
            first += sum(sizes)
    return _Table(
        cards,
        hands,
        [PLAYED_TO[str(seat.play)] for seat in played.seats],
        values_of(setup.rules(GAME), setup.reading("SD-I1")),
        [0] * seats,
        [0] * seats,
        [0] * seats,
    )


def _settle_crowd(table: _Table, seats: int, dealer: int) -> None:
    """Settle more seats than any table has, without reporting pairs."""
    import numpy as np  # Like Numba, needed only for such a line

    from games.kernel import compiled

    sums = np.zeros((3, seats), np.int64)
    settle_all: Any = compiled(settle_table)
    settle_all(
        np.frombuffer(table.cards, np.uint8), np.array(table.hands), np.array(table.played),
        seats, dealer, np.array(table.values), sums[0], sums[1], sums[2],
    )  # fmt: skip
    table.showdown, table.surrender, table.pot = sums.tolist()


def _meetings(played: Round, table: _Table) -> Iterator[Meeting]:
    """Yield what every two seats owe each other, in cents, hand by hand."""
    for i, seat in enumerate(played.seats):
        for j in range(i + 1, len(played.seats)):
            other = played.seats[j].seat
            chips = surrender_chips(table.played[i], table.played[j])
            if chips:
                first = min(table.played[i], table.played[j]) == SURRENDERED_20
                why = PAID_AFTER_20 if first else PAID_AFTER_23
                yield Meeting("surrender", seat.seat, other, chips * played.chip, (why,))
            if table.played[i] == table.played[j] == PLAYED:
                yield _shown(played, table, i, j)


def _shown(played: Round, table: _Table, i: int, j: int) -> Meeting:
    mine, theirs = SEAT * i, SEAT * j
    points, why = meeting(table.cards, table.hands, mine, theirs, table.values)
    reasons = [why]
    if why == HAND_BY_HAND:
        for hand in range(HANDS):
            reasons += _compared(table, hand, mine, theirs)
    return Meeting(
        "showdown", played.seats[i].seat, played.seats[j].seat, points * played.chip, tuple(reasons)
    )


def _compared(table: _Table, hand: int, mine: int, theirs: int) -> list[int]:
    """Return who won a hand, with what, and whether the suit had to decide."""
    points = hand_points(table.cards, table.hands, hand, mine, theirs, table.values)
    if points == 0:
        return [DRAW + hand]
    at, other = mine + HAND * hand, theirs + HAND * hand
    winner = table.hands[at if points > 0 else other]
    code = (WON if points > 0 else LOST) + hand * NAMES + name_of(winner)
    level = compare_strengths(
        table.hands[at], table.hands[at + SIZE_AT], table.hands[other], table.hands[other + SIZE_AT]
    )
    return [code] if level else [code, BY_SUIT + hand]


def _outcome(
    played: Round, table: _Table, i: int, meetings: tuple[Meeting, ...], pot: int
) -> Outcome:
    seat, chip = played.seats[i].seat, played.chip
    otherwise = CROWDED if len(played.seats) > CROWD else 0
    return Outcome(
        {
            "showdown": table.showdown[i] * chip,
            "surrender": table.surrender[i] * chip,
            "pot": table.pot[i] * chip,
        },
        {
            "showdown": _reasons(seat, "showdown", meetings) or (otherwise or NO_SHOWDOWN,),
            "surrender": _reasons(seat, "surrender", meetings) or (otherwise or NO_SURRENDER,),
            "pot": (pot,),
        },
    )


def _reasons(seat: int, key: str, meetings: tuple[Meeting, ...]) -> tuple[int, ...]:
    codes: list[int] = []
    for met in meetings:
        if met.key == key and met.seat == seat:
            codes += met.reasons
        elif met.key == key and met.other == seat:
            codes += [_mirrored(code) for code in met.reasons]
    return tuple(dict.fromkeys(codes))


def _mirrored(code: int) -> int:
    """Return the code from the other player's side."""
    if code >= LOST:
        return code - LOST + WON
    return code - WON + LOST if code >= WON else code


def _pot_reasons(table: _Table) -> list[int]:
    """Return why each seat won the pot, or did not."""
    won = [net > -put_in(played) for net, played in zip(table.pot, table.played, strict=True)]
    winners = TOOK_POT if sum(won) == 1 else SPLIT_POT
    if sum(played == PLAYED for played in table.played) == 1:
        winners = ONLY_ONE_LEFT
    return [
        winners if took else NO_POT_FOULED if _is_fouled(table, i) else NO_POT
        for i, took in enumerate(won)
    ]


def _is_fouled(table: _Table, i: int) -> bool:
    return table.played[i] == PLAYED and bool(table.hands[SEAT * i + FOULED_AT])
