"""The search: rank the causes that fit, limit each to where it holds, and withhold the rest."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from games.diagnosis.amounts import formulas
from games.diagnosis.concentration import concentrations, value_of
from games.diagnosis.recognition import mistakes
from games.diagnosis.resettled import resettled
from games.diagnosis.results import results_of
from games.diagnosis.swaps import swaps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.diagnosis.concentration import Concentration
    from games.diagnosis.hypotheses import Hypothesis
    from games.diagnosis.resettled import Alternative
    from games.diagnosis.results import Dealt, Result
    from games.rule_set import RuleSet


FEWEST_ROUNDS: Final = 4
FEWEST_BITS: Final = 16
"""How unlikely a coincidence must be. An amount that is one stake off is what a slip of the hand
makes, and proves little (1); another exact amount, or a mark in the round itself, proves more (4).
"""
STRAY: Final = 10
"""One in so many results may contradict a cause: the stray round among 45."""
STRAY_OF_FITTED: Final = 20
AS_MANY: Final = 50
"""Causes within one in so many results of the best one explain as much as it does."""
SAMPLED: Final = 600
OF_A_CELL: Final = 8
FEWEST_FITTED: Final = 6
FEWEST_OF_ONE_STAKE: Final = 14
FEWEST_TOGETHER: Final = 12
TOGETHER: Final = -7.0
"""Log10 of the chance from which on a concentration is a cause of its own."""


class Scope(NamedTuple):
    """Whose or at which seat a cause holds; everywhere if empty."""

    attribute: str = ""
    value: str = ""

    def covers(self, result: Result) -> bool:
        """Return whether a result is in scope."""
        return not self.attribute or value_of(result, self.attribute) == self.value


EVERYWHERE: Final = Scope()


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """A cause, the wrong results that it explains, and those that contradict it."""

    kind: str
    key: str
    headline: str
    explained: tuple[Result, ...]
    exceptions: tuple[Result, ...]
    scope: Scope = EVERYWHERE
    concentrations: tuple[Concentration, ...] = ()

    @property
    def delta(self) -> int:
        """Return the cents overpaid, less those underpaid."""
        return sum(each.delta for each in self.explained)

    @property
    def begin(self) -> int:
        """Return when it started."""
        return min(each.at for each in self.explained)

    @property
    def end(self) -> int:
        """Return when it was last seen."""
        return max(each.at for each in self.explained)

    @property
    def coverage(self) -> tuple[int, int]:
        """Return the rounds explained, and the rounds including exceptions."""
        explained = {id(each.dealt) for each in self.explained}
        strays = {id(each.dealt) for each in self.exceptions}
        return len(explained - strays), len(explained | strays)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The causes of a group's wrong results, the most rounds first, and what none explains."""

    explanations: tuple[Explanation, ...]
    unexplained: tuple[Result, ...]


def diagnose(rounds: Sequence[Dealt], alternatives: Sequence[Alternative] = ()) -> Diagnosis:
    """Infer the causes of the wrong results in rounds of one operator and game."""
    results = [results_of(each) for each in rounds]
    left = [each for of_round in results for each in of_round if each.wrong]
    if not left:
        return Diagnosis((), ())
    slug = rounds[0].round.game
    rules = rounds[0].setup.rules(slug)
    on_record = [*resettled(slug, rules, alternatives), *mistakes(slug)]
    search = _Search(results, on_record, rules)
    found: list[Explanation] = []
    while explanation := search.best(left) or _together(left, search.right):
        found.append(explanation)
        gone = {id(each) for each in (*explanation.explained, *explanation.exceptions)}
        left = [each for each in left if id(each) not in gone]
    found.sort(key=lambda each: -len(each.explained))
    return Diagnosis(tuple(_concentrated(each, search.right) for each in found), tuple(left))


def _concentrated(explanation: Explanation, right: Sequence[Result]) -> Explanation:
    return replace(
        explanation,
        concentrations=tuple(
            each
            for each in concentrations(explanation.explained, (*right, *explanation.explained))
            if each.attribute != explanation.scope.attribute
        ),
    )


class _Search:
    """The search for the next cause; large groups are searched by samples."""

    def __init__(
        self,
        results: Sequence[Sequence[Result]],
        on_record: Sequence[Hypothesis],
        rules: RuleSet,
    ) -> None:
        self._rules = rules
        self._on_record = on_record
        self._withheld: set[str] = set()
        """Causes that explain the same results as others that mean something else."""
        self._ordinary: list[Result] = []
        self._beside: dict[int, list[Result]] = {}
        """The right results of each round that has wrong ones."""
        for of_round in results:
            right = [each for each in of_round if not each.wrong]
            if len(right) == len(of_round):
                self._ordinary += right
            else:
                self._beside[id(of_round[0].dealt)] = right

    @property
    def right(self) -> list[Result]:
        """Return every right result."""
        return [*self._ordinary, *chain.from_iterable(self._beside.values())]

    def best(self, left: Sequence[Result]) -> Explanation | None:
        """Return the cause that explains most of what is left, unless none does beyond doubt."""
        if not left:
            return None
        sample, weights = _sample(left)
        rounds = dict.fromkeys(id(each.dealt) for each in sample)
        right = [*self._ordinary, *chain.from_iterable(map(self._beside.__getitem__, rounds))]
        while fitting := list(self._fitting(sample, weights, right)):
            chosen = _decided(fitting)
            if chosen is None:
                self._withheld |= {each.hypothesis.key for each in fitting}
                continue
            if len(sample) == len(left):
                return chosen.explanation
            explained = [each for each in left if chosen.hypothesis.explains(each)]
            against = _against(chosen.hypothesis, [*left, *right])
            whole = _in_scope(chosen.hypothesis, chosen.explanation.scope, explained, against)
            if whole is not None:
                return whole
            self._withheld.add(chosen.hypothesis.key)  # it holds in the sample only
        return None

    def _fitting(
        self, sample: Sequence[Result], weights: Sequence[float], right: Sequence[Result]
    ) -> Iterator[_Candidate]:
        """Yield the causes that hold, as long as they may explain as much as the best."""
        weighed = []
        for each in chain(self._on_record, formulas(self._rules, sample), swaps(sample)):
            hits = [n for n, result in enumerate(sample) if each.explains(result)]
            if hits and each.key not in self._withheld:
                weighed.append((sum(weights[n] for n in hits), each))
        weighed.sort(key=lambda each: (-each[0], each[1].rank))
        known = {id(each): weight for each, weight in zip(sample, weights, strict=True)}
        most = 0.0
        for weight, each in weighed:
            if weight < most - most / AS_MANY:
                return
            found = _limited(each, sample, right)
            if found is not None:
                count = sum(known[id(result)] for result in found.explained)
                most = max(most, count)
                yield _Candidate(each, found, count)


class _Candidate(NamedTuple):
    """A cause that holds, and how many results it explains in all."""

    hypothesis: Hypothesis
    explanation: Explanation
    weight: float


def _decided(fitting: Sequence[_Candidate]) -> _Candidate | None:
    """Return the one that explains most; of equal ones, the one that says most.

    If two of those explain the same results and mean different things, none is stated.
    """
    most = max((each.weight for each in fitting), default=0)
    level = [each for each in fitting if each.weight >= most - most / AS_MANY]
    for rank in sorted({each.hypothesis.rank for each in level}):
        by_key: dict[str, _Candidate] = {}
        for each in level:
            key = each.explanation.key
            if each.hypothesis.rank == rank and (
                key not in by_key or each.weight > by_key[key].weight
            ):
                by_key[key] = each
        for each in by_key.values():
            mine = {id(one) for one in each.explanation.explained}
            if not any(
                mine & {id(one) for one in other.explanation.explained}
                for other in by_key.values()
                if other is not each
            ):
                return each
    return None


def _sample(left: Sequence[Result]) -> tuple[Sequence[Result], Sequence[float]]:
    """Return some results of every table, wager and line, and how many each stands for."""
    if len(left) <= SAMPLED:
        return left, [1.0] * len(left)
    cells: defaultdict[tuple[str, str, str, str], list[Result]] = defaultdict(list)
    for each in left:
        cells[each.table, each.code, each.wager, each.line].append(each)
    kept = max(OF_A_CELL, SAMPLED // len(cells))
    sample: list[Result] = []
    weights: list[float] = []
    for cell in cells.values():
        some = cell if len(cell) <= kept else [cell[n * len(cell) // kept] for n in range(kept)]
        sample += some
        weights += [len(cell) / len(some)] * len(some)
    return sample, weights


def _limited(
    hypothesis: Hypothesis, left: Sequence[Result], right: Sequence[Result]
) -> Explanation | None:
    """Return the explanation where the hypothesis holds: everywhere, or in the best scope."""
    explained = [each for each in left if hypothesis.explains(each)]
    if not _is_enough(hypothesis, explained):
        return None
    against = _against(hypothesis, [*left, *right])
    return max(
        (
            found
            for scope in _scopes(explained)
            if (found := _in_scope(hypothesis, scope, explained, against)) is not None
        ),
        key=lambda each: (len(each.explained), not each.scope.attribute),
        default=None,
    )


def _against(hypothesis: Hypothesis, results: Sequence[Result]) -> list[Result]:
    """Return the results that would be otherwise if this were the cause."""
    return [
        each
        for each in results
        if hypothesis.predicts_change(each) and not hypothesis.explains(each)
    ]


def _scopes(explained: Sequence[Result]) -> Iterator[Scope]:
    yield Scope()
    for attribute in ("table", "player", "seat", "dealer"):
        counts = Counter(value_of(each, attribute) for each in explained)
        counts.pop("", None)
        if counts:
            yield Scope(attribute, counts.most_common(1)[0][0])


def _in_scope(
    hypothesis: Hypothesis, scope: Scope, explained: Sequence[Result], against: Sequence[Result]
) -> Explanation | None:
    """Return the explanation within a scope, from its first to its last result at each table."""
    covered = [each for each in explained if scope.covers(each)]
    spans = _spans(covered, [each for each in against if scope.covers(each) and not each.wrong])
    inside = [each for each in covered if _within(each, spans)]
    elsewhere = len(explained) - len(inside)
    is_of_one = scope.attribute in {"player", "seat", "dealer"}
    if hypothesis.is_fitted and is_of_one and not _has_two_stakes(inside):
        return None  # someone who always bets the same may as well have been paid an amount
    if not _is_enough(hypothesis, inside) or elsewhere * _ELSEWHERE[scope.attribute] > len(inside):
        return None
    stray = [each for each in against if scope.covers(each) and _is_stray(each, spans)]
    bound = STRAY_OF_FITTED if hypothesis.is_fitted else STRAY
    if len(stray) * bound > len(inside) or (hypothesis.is_fitted and _by_stake(inside, stray)):
        return None
    exceptions = tuple(each for each in stray if each.wrong)
    key, headline = hypothesis.key, hypothesis.headline
    if is_of_one:
        key = f"{key} {scope.attribute} {scope.value}"
        headline = f"{headline}, for {scope.attribute} {scope.value} only"
    return Explanation(hypothesis.kind, key, headline, tuple(inside), exceptions, scope)


_ELSEWHERE: Final = {"": STRAY, "table": 3, "player": STRAY, "seat": STRAY, "dealer": STRAY}
"""One in so many results may be elsewhere; isolated errors at other tables may look the same."""


def _is_stray(result: Result, spans: dict[str, tuple[int, int]]) -> bool:
    """Return whether a result contradicts: a right one only while the cause was at work."""
    return result.table in spans if result.wrong else _within(result, spans)


def _within(result: Result, spans: dict[str, tuple[int, int]]) -> bool:
    begin, end = spans.get(result.table, (1, 0))
    return begin <= result.at <= end


def _spans(explained: Sequence[Result], against: Sequence[Result]) -> dict[str, tuple[int, int]]:
    """Return when a cause was at work at each table: most of what it explains, hardly else.

    An isolated error hours before may look the same, so a span is the one in which results that
    the cause explains most outnumber right ones that it would have changed.
    """
    of_table: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for each in explained:
        of_table[each.table].append((each.at, 1))
    for each in against:
        if each.table in of_table:
            of_table[each.table].append((each.at, -STRAY))
    return {table: _best_span(sorted(worth)) for table, worth in of_table.items()}


def _best_span(worth: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the first and last instant of the stretch that is worth most."""
    best, span, total, begin = 0, (1, 0), 0, 0
    for at, value in worth:
        if total <= 0:
            total, begin = 0, at
        total += value
        if total > best:
            best, span = total, (begin, at)
    return span


def _is_enough(hypothesis: Hypothesis, explained: Sequence[Result]) -> bool:
    """Return whether this many results are no coincidence."""
    if len({id(each.dealt) for each in explained}) < FEWEST_ROUNDS:
        return False
    if len({(each.wager, each.line) for each in explained}) < hypothesis.lines:
        return False
    if hypothesis.is_fitted and not _is_varied(explained):
        return False
    bits = sum(4 if hypothesis.is_marked or not _is_one_stake(each) else 1 for each in explained)
    return bits >= FEWEST_BITS


def _is_varied(explained: Sequence[Result]) -> bool:
    """Return whether odds hold for two stakes, each more than once, or for one very often.

    Whole odds prove more than others, such as 1 to 2, which a misplaced digit makes too.
    """
    whole = all(each.logged % each.wagered == 0 for each in explained)
    if len(explained) < (FEWEST_FITTED if whole else FEWEST_OF_ONE_STAKE):
        return False
    often = max(Counter(each.wagered for each in explained).values())
    return often >= FEWEST_OF_ONE_STAKE or _has_two_stakes(explained)


def _has_two_stakes(explained: Sequence[Result]) -> bool:
    """Return whether odds hold for two stakes, each more than once."""
    stakes = Counter(each.wagered for each in explained).most_common(2)
    return len(stakes) == 2 and stakes[1][1] >= 2


def _by_stake(inside: Sequence[Result], stray: Sequence[Result]) -> bool:
    """Return whether what contradicts the odds are just the bigger or the smaller stakes."""
    if len(stray) < 2:
        return False
    stakes, others = [each.wagered for each in inside], [each.wagered for each in stray]
    return min(others) > max(stakes) or max(others) < min(stakes)


def _is_one_stake(result: Result) -> bool:
    """Return whether it is off by one stake or simply not settled, as by a slip of the hand."""
    return abs(result.delta) == result.wagered or result.logged == 0


def _together(left: Sequence[Result], right: Sequence[Result]) -> Explanation | None:
    """Return the errors of one dealer, player or seat, if chance cannot bring them together."""
    if not left:
        return None
    for each in concentrations(left, (*_comparable(left, right), *left)):
        if each.attribute in {"table", "hour"} or each.chance > TOGETHER:
            continue
        if each.rounds < FEWEST_TOGETHER or each.rounds * 2 < each.of:
            continue
        theirs = tuple(one for one in left if value_of(one, each.attribute) == each.value)
        return Explanation(
            "concentration",
            f"errors {each.attribute} {each.value}",
            f"payout errors {_PLACES[each.attribute]} {each.value}",
            theirs,
            (),
            Scope(each.attribute, each.value),
        )
    return None


def _comparable(left: Sequence[Result], right: Sequence[Result]) -> list[Result]:
    """Return the right results on which the same mistakes could have been made."""
    cells: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for each in left:
        cells[each.wager, each.line].append(each.expected)
    return [
        each
        for each in right
        if (due := cells.get((each.wager, each.line))) and min(due) <= each.expected <= max(due)
    ]


_PLACES: Final = {"dealer": "by dealer", "player": "for player", "seat": "at seat"}
