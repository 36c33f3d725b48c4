"""Causes that are formulas: odds of a line, "for", commission, rounding, losses not collected."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.diagnosis.hypotheses import (
    BARE,
    FORMULA,
    MISTAKEN,
    Hypothesis,
    describe_line,
    describe_odds,
    describe_wager,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from games.diagnosis.results import Result
    from games.rule_set import RuleSet


FEWEST_OF_A_LINE: Final = 4
DENOMINATORS: Final = (1, 2, 5)
"""Of odds that a dealer would pay: 3 to 1, 3 to 2, 6 to 5."""
CHIPS: Final = (5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000)
PERCENTS: Final = tuple(Fraction(n, 200) for n in range(1, 51))
"""From half a percent to 25 percent in steps of half a percent."""
FOLDED: Final = "folded"


def formulas(rules: RuleSet, wrong: Sequence[Result]) -> Iterator[Hypothesis]:
    """Yield the formulas that some of the wrong results suggest."""
    lines = _pay_lines(rules)
    if lines:
        for wagers in _sets_of({wager for wager, _ in lines}):
            yield _for_not_to(lines, wagers)
        yield from _swapped_lines(lines, wrong)
    yield from _odds(wrong)
    yield from _commissions(wrong)
    yield from _roundings(wrong)
    for wagers in _wager_sets(wrong):
        yield _not_collected(wagers)
    bonuses = {key for key, wager in rules.wagers.items() if wager.odds_based}
    yield Hypothesis(
        "returned_on_fold",
        "returned on fold",
        MISTAKEN,
        "bonus wagers returned to players who folded",
        lambda result: (
            0 if result.line == FOLDED and result.wager in bonuses and result.expected < 0 else None
        ),
    )


def _pay_lines(rules: RuleSet) -> frozenset[tuple[str, str]]:
    """Return the lines of every pay table with its wager."""
    return frozenset(
        (table.wager, line) for table in rules.pay_tables.values() for line in table.lines
    )


def _for_not_to(lines: frozenset[tuple[str, str]], wagers: frozenset[str]) -> Hypothesis:
    def predict(result: Result) -> int | None:
        parts = result.line.split("+")
        if (
            result.wager not in wagers
            or result.expected <= 0
            or not all(_is_pay_line(result.wager, p, lines) for p in parts)
        ):
            return None
        return result.expected - result.wagered * len(parts)

    headline = f"odds{_on_wager(wagers)} paid N for 1 instead of N to 1"
    return Hypothesis("for_one", "for one", FORMULA, headline, predict, lines=2)


def _is_pay_line(wager: str, part: str, lines: frozenset[tuple[str, str]]) -> bool:
    name = part.removesuffix("_in_five_cards").removesuffix("_in_three_cards")
    return (wager, name) in lines


def _odds(wrong: Sequence[Result]) -> Iterator[Hypothesis]:
    """Yield the odds that most wrong results of a line were paid."""
    cells: defaultdict[tuple[str, str], Counter[tuple[Fraction, Fraction]]] = defaultdict(Counter)
    for each in wrong:
        if each.wagered and each.line and each.seat is not None:
            paid = Fraction(each.logged, each.wagered), Fraction(each.expected, each.wagered)
            cells[each.wager, each.line][paid] += 1
    for (wager, line), counted in sorted(cells.items()):
        (odds, due), count = counted.most_common(1)[0]
        if count >= FEWEST_OF_A_LINE and odds.denominator in DENOMINATORS:
            yield _odds_of(wager, line, odds, due)


def _odds_of(wager: str, line: str, odds: Fraction, due: Fraction) -> Hypothesis:
    def predict(result: Result) -> int | None:
        if (result.wager, result.line) != (wager, line):
            return None
        amount = odds * result.wagered
        return int(amount) if amount.denominator == 1 else None

    verb = "settled as" if {odds, due} & {Fraction(0), Fraction(-1)} else "paid"
    headline = (
        f"{describe_line(line)} on the {describe_wager(wager)} {verb} {describe_odds(odds)} "
        f"instead of {describe_odds(due)}"
    )
    key = f"odds {wager} {line} {odds}"
    return Hypothesis("odds", key, BARE, headline, predict, is_fitted=True)


def _swapped_lines(
    lines: frozenset[tuple[str, str]], wrong: Sequence[Result]
) -> Iterator[Hypothesis]:
    """Yield pairs of lines of one pay table that may have been mistaken for each other."""
    seen = {(each.wager, each.line): Fraction(each.expected, each.wagered)
            for each in wrong if each.wagered and each.expected > 0}  # fmt: skip
    pays = {cell: due for cell, due in sorted(seen.items()) if _is_pay_line(*cell, lines)}
    for (one, one_due), (other, other_due) in combinations(pays.items(), 2):
        if one[0] == other[0] and one_due != other_due:
            swapped = {one: other_due, other: one_due}
            names = f"{describe_line(one[1])} and {describe_line(other[1])}"
            yield Hypothesis(
                "swapped_lines",
                f"swapped lines {one[0]} {one[1]} {other[1]}",
                MISTAKEN,
                f"{names} on the {describe_wager(one[0])} paid at each other's odds",
                lambda result, odds=swapped: _at_odds(result, odds),  # type: ignore[misc]
                lines=2,
            )


def _at_odds(result: Result, odds: dict[tuple[str, str], Fraction]) -> int | None:
    paid = odds.get((result.wager, result.line))
    return None if paid is None else int(paid * result.wagered)


def _wager_sets(wrong: Sequence[Result]) -> list[frozenset[str]]:
    """Return each wager with wrong results, and all of them together."""
    return _sets_of({each.wager for each in wrong if each.wager})


def _sets_of(wagers: Collection[str]) -> list[frozenset[str]]:
    """Return all wagers together, then each alone: of equal explanations, the first is stated."""
    together = [frozenset(wagers)] if len(wagers) > 1 else []
    return [*together, *(frozenset((wager,)) for wager in sorted(wagers))]


def _on_wager(wagers: Collection[str]) -> str:
    """Name the wager if a cause is about a single one."""
    return f" on the {describe_wager(*wagers)}" if len(wagers) == 1 else ""


def _not_collected(wagers: frozenset[str]) -> Hypothesis:
    return Hypothesis(
        "not_collected",
        "not collected",
        FORMULA,
        "losing wagers not collected",
        lambda result: 0 if result.wager in wagers and result.expected < 0 else None,
    )


def _commissions(wrong: Sequence[Result]) -> Iterator[Hypothesis]:
    """Yield percentages that several different payouts were short of."""
    short = [each for each in wrong if 0 < each.logged < each.expected]
    fits = Counter(
        (percent, unit, way)
        for percent in PERCENTS
        for unit in (1, 25, 50, 100)
        for way in ("down", "up", "nearest")
        for each in short
        if each.logged == _less(each.expected, percent, unit, way)
    )
    if not fits:
        return
    most = max(fits.values())
    best = [each for each, count in fits.items() if count == most]
    percent, unit, way = min(best, key=lambda each: (each[1], each[2] != "nearest"))
    if most < FEWEST_OF_A_LINE or len({each[0] for each in best}) > 1:
        return
    matching = [each for each in short if each.logged == _less(each.expected, percent, unit, way)]
    if len({each.expected for each in matching}) < 2:
        return
    # On a single line it is the same as lower odds, unless the line pays even money.
    even = all(each.expected == each.wagered for each in matching)
    number = f"{float(percent * 100):g}"
    for wagers in _wager_sets(matching):
        yield Hypothesis(
            "commission",
            f"commission {number}%",
            FORMULA,
            f"{number}% taken from winnings",
            lambda result, wagers=wagers: (
                _less(result.expected, percent, unit, way)  # type: ignore[misc]
                if result.wager in wagers and result.expected > 0
                else None
            ),
            lines=1 if even else 2,
        )


def _less(amount: int, percent: Fraction, unit: int, way: str) -> int:
    return amount - rounded_to(amount * percent, unit, way)


def rounded_to(amount: Fraction | int, unit: int, way: str) -> int:
    """Round an amount to whole units: down, up, or to the nearest, a half up."""
    whole, rest = divmod(Fraction(amount), unit)
    if way == "down" or not rest:
        return int(whole) * unit
    if way == "up":
        return int(whole + 1) * unit
    return int(whole + (2 * rest >= unit)) * unit


def _roundings(wrong: Sequence[Result]) -> Iterator[Hypothesis]:
    """Yield chips to which payouts that are not whole chips were rounded."""
    wins = [each for each in wrong if each.expected > 0]
    for chip in CHIPS:
        uneven = [each for each in wins if each.expected % chip and each.logged % chip == 0]
        for way in ("down", "up", "nearest"):
            fitting = [e for e in uneven if e.logged == rounded_to(e.expected, chip, way)]
            # Winnings that were not paid at all are also "rounded down" to nothing.
            if (
                sum(each.logged > 0 for each in fitting) < FEWEST_OF_A_LINE
                or len({each.delta for each in fitting}) < 2
            ):
                continue
            if way == "nearest" and len({each.delta > 0 for each in fitting}) < 2:
                continue
            for wagers in _wager_sets(fitting):
                yield Hypothesis(
                    "rounding",
                    f"rounding {chip} {way}",
                    FORMULA,
                    f"payouts rounded {_WAYS[way]} {in_dollars(chip)}",
                    lambda result, chip=chip, way=way, wagers=wagers: (  # type: ignore[misc]
                        rounded_to(result.expected, chip, way)
                        if result.wager in wagers and result.expected > 0
                        else None
                    ),
                )


_WAYS: Final = {
    "down": "down to a multiple of",
    "up": "up to a multiple of",
    "nearest": "to the nearest",
}
