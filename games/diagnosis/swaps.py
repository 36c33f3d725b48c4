"""Causes in which a right amount went to the wrong place: another seat or another wager."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from games.diagnosis.hypotheses import MISTAKEN, Hypothesis
from games.explanation.words import name_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.diagnosis.results import Dealt, Result
    from games.log.round import Seat


def swaps(wrong: Sequence[Result]) -> Iterator[Hypothesis]:
    """Yield seats and wagers that may have received each other's results."""
    yield Hypothesis(
        "swapped_seats",
        "swapped seats",
        MISTAKEN,
        "two seats given each other's results",
        _of_other_seat,
        is_marked=True,
    )
    wagers = sorted({each.wager for each in wrong if each.wager and each.seat is not None})
    for pair in combinations(wagers, 2):
        one, other = map(name_in_words, pair)
        yield Hypothesis(
            "swapped_wagers",
            f"swapped wagers {' '.join(pair)}",
            MISTAKEN,
            f"results of the {one} and {other} wagers given to each other",
            lambda result, pair=pair: _of_other_wager(result, pair),  # type: ignore[misc]
        )


def _of_other_seat(result: Result) -> int | None:
    """Return the amount due to the seat that was given this one's, if both are wrong."""
    expected = _expected(result.dealt)
    if result.seat is None or result.seat not in expected or not result.wrong:
        return None
    mine = _seat(result.dealt, result.seat)
    for other in result.dealt.round.seats:
        if other.seat != result.seat and _exchanged(mine, other, expected):
            return expected[other.seat].get(result.wager)
    return None


def _exchanged(mine: Seat, other: Seat, expected: Mapping[int | None, Mapping[str, int]]) -> bool:
    theirs = expected.get(other.seat)
    return (
        theirs is not None
        and dict(mine.result) == dict(theirs)
        and dict(other.result) == dict(expected[mine.seat])
        and dict(theirs) != dict(expected[mine.seat])
    )


def _of_other_wager(result: Result, pair: tuple[str, str]) -> int | None:
    expected = _expected(result.dealt)
    if result.wager not in pair or result.seat not in expected:
        return None
    other = pair[result.wager == pair[0]]
    return expected[result.seat].get(other)


def _expected(dealt: Dealt) -> dict[int | None, Mapping[str, int]]:
    return {seat: amounts for seat, amounts in dealt.verdict.seats if amounts is not None}


def _seat(dealt: Dealt, number: int) -> Seat:
    return next(seat for seat in dealt.round.seats if seat.seat == number)
