"""Hands taken for other hands: a line that was not recognized, or seen where there is none.

Each mistake changes which lines of the pay table a hand fits; it is then paid its best line, or
loses. The lines come from the kernels that settle the game, so that only the mistake differs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from games.cards import ACE, KING, RANKS, SEVEN, SIX, rank, suit
from games.diagnosis.hypotheses import (
    MISTAKEN,
    NOT_AT_ALL,
    Hypothesis,
    describe_line,
    describe_wager,
)
from games.pick_2_poker.reasons import PAY_LINES as PICK_2_LINES
from games.pick_2_poker.settle import (
    five_card_lines,
    lines_among_five,
    settle_bonus_3_5,
    settle_bonus_5,
    three_card_lines,
)
from games.pyramid_poker.reasons import PAY_LINES as PYRAMID_LINES
from games.ranking.six_card import best_line, runs_of_five, six_card_lines
from games.ranking.three_card import three_card
from games.ranking.three_card import three_card_lines as pyramid_three_lines
from games.rounding import payout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.cards import Cards
    from games.diagnosis.results import Result
    from games.log.round import Seat

PYRAMID, PICK_2 = "pyramid-poker", "pick-2-poker"


@dataclass(frozen=True, slots=True)
class Mistake:
    """What was taken for something else on a wager."""

    wager: str
    headline: str
    applies: Callable[[Cards], bool]
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    table: str = ""
    """The pay table, where it is not named like its wager."""


def mistakes(slug: str) -> Iterator[Hypothesis]:
    """Yield every mistake in recognizing a hand that a dealer of the game is known to make."""
    for each in _known(slug):
        yield Hypothesis(
            "misrecognized",
            f"misrecognized {each.wager} {each.headline}"[:120],
            NOT_AT_ALL if each.applies is _any else MISTAKEN,
            f"{each.headline} on the {describe_wager(each.wager)}",
            lambda result, each=each: _predict(slug, result, each),  # type: ignore[misc]
        )


@cache
def _known(slug: str) -> tuple[Mistake, ...]:
    lines = {PYRAMID: PYRAMID_LINES, PICK_2: PICK_2_LINES}.get(slug, {})
    wagers = {"bonus_3_5_five": "bonus_3_5", "bonus_3_5_three": "bonus_3_5"}
    whole = (
        Mistake(
            wagers.get(table, table), f"{describe_line(line)} not recognized", _any, (line,),
            table=table,
        )
        for table, names in lines.items()
        for line in names
    )  # fmt: skip
    return (*_OF_GAME.get(slug, ()), *whole)


def _predict(slug: str, result: Result, mistake: Mistake) -> int | None:
    if result.wager != mistake.wager or result.seat is None or not result.wagered:
        return None
    round_ = result.dealt.round
    seat = next((each for each in round_.seats if each.seat == result.seat), None)
    if seat is None:
        return None
    settle = _pyramid if slug == PYRAMID else _pick_2
    return settle(result, seat, mistake)


def _pyramid(result: Result, seat: Seat, mistake: Mistake) -> int | None:
    house = result.dealt.round.house.cards
    cards = seat.cards if result.wager == "three_card" else seat.cards + house
    if len(cards) != (3 if result.wager == "three_card" else 6) or not mistake.applies(cards):
        return None
    fits = pyramid_three_lines(*cards) if len(cards) == 3 else six_card_lines(*cards)
    pays = result.dealt.setup.pays(PYRAMID, result.wager)
    line = best_line(_changed(fits, PYRAMID_LINES[result.wager], mistake), pays.lines)
    if line >= 0:
        return payout(result.wagered, pays.lines[line], pays)
    pushes = len(cards) == 3 and max(map(rank, cards)) <= SEVEN
    return 0 if pushes else -result.wagered


def _pick_2(result: Result, seat: Seat, mistake: Mistake) -> int | None:
    setup = result.dealt.setup
    folded = seat.play == "fold" and setup.reading("P2-I5") == "bonus_lost"
    if len(seat.cards) != 5 or folded or not mistake.applies(seat.cards):
        return None
    fits = five_card_lines(*seat.cards)
    if mistake.wager == "bonus_5":
        lines = _changed(fits, PICK_2_LINES["bonus_5"], mistake)
        return settle_bonus_5(lines, result.wagered, setup.pays(PICK_2, "bonus_5"))[0]
    five, any_suits = fits, setup.reading("P2-I9") == "any_suits"
    if seat.play == "three" and setup.reading("P2-I4") == "set_three":
        three = three_card_lines(three_card(*seat.three), any_suits=any_suits)
    else:
        three = lines_among_five(*seat.cards, any_suits=any_suits)
    if mistake.table == "bonus_3_5_five":
        five = _changed(five, PICK_2_LINES[mistake.table], mistake)
    else:
        three = _changed(three, PICK_2_LINES[mistake.table], mistake)
    pays = setup.pays(PICK_2, "bonus_3_5_five"), setup.pays(PICK_2, "bonus_3_5_three")
    return settle_bonus_3_5(five, three, result.wagered, *pays)[0]


def _changed(fits: int, names: tuple[str, ...], mistake: Mistake) -> int:
    for line in mistake.removed:
        fits &= ~(1 << names.index(line))
    for line in mistake.added:
        fits |= 1 << names.index(line)
    return fits


def _any(_cards: Cards) -> bool:
    return True


def _ranks(cards: Cards) -> int:
    bits = 0
    for card in cards:
        bits |= 1 << rank(card)
    return bits


def _are(*ranks: int) -> Callable[[Cards], bool]:
    wanted = sum(1 << each for each in ranks)
    return lambda cards: _ranks(cards) == wanted


def _has_run(*ranks: int) -> Callable[[Cards], bool]:
    wanted = sum(1 << each for each in ranks)
    return lambda cards: _ranks(cards) & wanted == wanted


def _only_low_run(cards: Cards) -> bool:
    """Return whether the only five in sequence are A-2-3-4-5."""
    return runs_of_five(_ranks(cards)) == 1


def _five_suited(cards: Cards) -> bool:
    """Return whether five of six cards, but not all of them, are of one suit."""
    return max(Counter(map(suit, cards)).values()) == 5


def _no_run_of_six(cards: Cards) -> bool:
    runs = runs_of_five(_ranks(cards))
    return runs & (runs >> 1) == 0


def _times(*times: int) -> Callable[[Cards], bool]:
    return lambda cards: sorted(Counter(map(rank, cards)).values()) == sorted(times)


def _paired_flush(cards: Cards) -> bool:
    return len(set(map(rank, cards))) < len(cards)


def _best_pair_below(bound: int) -> Callable[[Cards], bool]:
    def applies(cards: Cards) -> bool:
        pairs = [each for each, times in Counter(map(rank, cards)).items() if times >= 2]
        return len(pairs) == 1 and SIX <= pairs[0] < bound

    return applies


def _low_pair(cards: Cards) -> bool:
    pairs = [each for each, times in Counter(map(rank, cards)).items() if times >= 2]
    return len(pairs) == 1 and pairs[0] < SIX


_TWO, _THREE, _FOUR, _FIVE, _QUEEN = 0, 1, 2, 3, KING - 1
_RUN: Final = ("straight", "straight_flush")
_OF_GAME: Final = {
    PYRAMID: (
        Mistake("three_card", "A-2-3 not counted as a straight", _are(ACE, _TWO, _THREE), _RUN),
        Mistake("three_card", "K-A-2 counted as a straight", _are(KING, ACE, _TWO),
                added=("straight",)),
        Mistake("three_card", "flush with a pair not counted as a flush", _paired_flush,
                ("flush",)),
        Mistake("six_card", "flush of five cards not counted, only of six", _five_suited,
                ("flush",)),
        Mistake("six_card", "straight of five cards not counted, only of six", _no_run_of_six,
                ("straight",)),
        Mistake("six_card", "A-2-3-4-5 not counted as a straight", _only_low_run, _RUN),
        Mistake("six_card", "Q-K-A-2-3 counted as a straight",
                _has_run(_QUEEN, KING, ACE, _TWO, _THREE), added=("straight",)),
        Mistake("six_card", "two threes of a kind not counted as a full house", _times(3, 3),
                ("full_house",)),
        Mistake("six_card", "three pairs not counted as two pairs", _times(2, 2, 2),
                ("two_pairs",)),
        Mistake("six_card", "three pairs counted as a full house", _times(2, 2, 2),
                added=("full_house",)),
        Mistake("six_card", "four of a kind with a pair counted as a full house", _times(4, 2),
                ("four_of_a_kind",)),
    ),
    PICK_2: (
        Mistake("bonus_5", "A-2-3-4-5 not counted as a straight", _only_low_run, _RUN),
        Mistake("bonus_3_5", "A-2-3-4-5 not counted as a straight", _only_low_run, _RUN,
                table="bonus_3_5_five"),
        *(
            Mistake("bonus_5", f"pairs below {RANKS[bound]} not paid", _best_pair_below(bound),
                    ("pair_of_sixes_or_better",))
            for bound in range(SIX + 1, ACE + 1)
        ),
        Mistake("bonus_5", "pairs of fives or lower paid", _low_pair,
                added=("pair_of_sixes_or_better",)),
    ),
}  # fmt: skip
