"""The cause of each finding of a segment: inferred for payouts, by kind of rule for all others.

What is frequent is an issue of its own. What is rare goes with its kind, and payout errors that no
cause explains are isolated.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from audits.replay.auditing.cause_keys import FAMILIES, ISOLATED
from audits.replay.auditing.terms import odds_of
from games.checks import describe_code
from games.diagnosis import Alternative, Dealt, diagnose
from games.findings import BALANCE
from games.log.form import line_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from audits.replay.auditing.terms import Terms
    from games.diagnosis import Explanation
    from games.findings import Finding
    from games.log.round import Round
    from games.settlement.verdict import Verdict
    from games.setup import Setup

    Place = tuple[str, int | None, str | None]
    """A finding's code, seat and wager, which are unique within a round."""


APPROVAL: Final = "approval."
SETTLEMENT: Final = "settlement."
VOID_MISSING: Final = "void.missing"
MOST_DIAGNOSED: Final = 10_000
"""Rounds with wrong results that are diagnosed; later ones go where those of their line went."""
MOST_ORDINARY: Final = 400
"""Rounds settled right that are held against the causes, taken next to those with wrong results."""
FEWEST_ROUNDS: Final = 4
FREQUENT: Final = 20
PER_THOUSAND: Final = 5
"""A code with so many findings, and in so many of 1,000 rounds, is an issue of its own."""
MOST_OF_A_CELL: Final = 0.95
LONGEST_KEY, LONGEST_HEADLINE = 160, 200

HEADLINES: Final = {
    ISOLATED: "isolated payout errors",
    "dealing": "cards, hands or rounds not handled as the rules require",
    "wagers": "wagers not as the rules, limits or bank require",
}
ALONE: Final = ("limit.unverified",)


@dataclass(frozen=True, slots=True)
class Cause:
    """What findings have in common, in words."""

    key: str
    headline: str
    concentrations: tuple[Mapping[str, Any], ...] = ()


class Causes:
    """Rounds of one segment, collected while it is audited, and the causes of its findings."""

    def __init__(self, terms: Terms) -> None:
        self._alternatives = [
            Alternative(
                kind="version" if each.rules else "layout",
                name=each.says,
                pay_tables=odds_of(each.pay_tables),
                interpretations=each.interpretations,
            )
            for each in terms.readings
        ]
        self._dealt: list[Dealt] = []
        self._ids: dict[int, dict[Place, str]] = {}
        self._counts: Counter[str] = Counter()
        self._known: dict[str, Cause] = {}
        self._of_finding: dict[str, str] = {}
        self._of_cell: dict[tuple[str, ...], str] = {}
        self._exceptions: set[str] = set()
        self._diagnosed: set[str] = set()
        self.shown: dict[str, bytes] = {}
        """Rounds to show as examples, as logged, by the id of a finding."""
        self.typical: set[str] = set()
        """Findings of those that stand for all that a cause explains, by id."""
        self._shown_cells: set[tuple[str, str]] = set()
        self._ordinary = 0
        self._rounds = 0

    @property
    def wants_ordinary(self) -> int:
        """Return how many more rounds that were settled right are of use."""
        return MOST_ORDINARY - self._ordinary if len(self._ids) >= FEWEST_ROUNDS else 0

    def add(
        self,
        round_: Round,
        setup: Setup,
        verdict: Verdict | None,
        findings: Sequence[Finding],
        ids: Sequence[str],
        whole: Callable[[], Round],
    ) -> None:
        """Count a round's findings, and keep it if any of its results is wrong.

        `whole` returns the round with its cards.
        """
        self._counts.update(each.code for each in findings)
        for each, id_ in zip(findings, ids, strict=True):
            if (cell := (round_.table, each.code)) not in self._shown_cells:
                self._shown_cells.add(cell)
                self.shown[id_] = line_of(whole())
        codes = {each.code for each in findings}
        paid = any(code.startswith(SETTLEMENT) for code in codes) and VOID_MISSING not in codes
        if verdict is None or not paid or len(self._ids) >= MOST_DIAGNOSED:
            return
        dealt = Dealt(round_, setup, verdict)
        self._dealt.append(dealt)
        places = ((each.code, each.seat, each.wager) for each in findings)
        self._ids[id(dealt)] = dict(zip(places, ids, strict=True))

    def add_ordinary(self, round_: Round, setup: Setup, verdict: Verdict) -> None:
        """Keep a round that was settled right."""
        self._ordinary += 1
        self._dealt.append(Dealt(round_, setup, verdict))

    def infer(self, rounds: int) -> None:
        """Infer the causes of the wrong results, once all `rounds` of the segment are audited."""
        self._rounds = rounds
        if len(self._ids) >= FEWEST_ROUNDS:
            for each in diagnose(self._dealt, self._alternatives).explanations:
                self._explain(each)
            self._show_isolated()
            self._learn_cells()
        self._diagnosed = {id_ for ids in self._ids.values() for id_ in ids.values()}
        self._dealt.clear()
        self._ids.clear()

    def _explain(self, found: Explanation) -> None:
        key = found.key[:LONGEST_KEY]
        facts = tuple(asdict(each) for each in found.concentrations)
        self._known.setdefault(key, Cause(key, found.headline[:LONGEST_HEADLINE], facts))
        strays = tuple(each for each in found.exceptions if found.begin <= each.at <= found.end)
        if len(strays) * 20 > len(strays) + len(found.explained):
            strays = ()  # too many to be called exceptions: they are isolated errors
        for result in (*found.explained, *strays):
            ids = self._ids[id(result.dealt)]
            id_ = ids[result.code, result.seat, result.wager or None]
            self._of_finding[id_] = key
            if balance := ids.get((BALANCE, None, result.wager or None)):
                self._of_finding[balance] = key
            if result in strays:
                self._exceptions.add(id_)

        typical = found.explained[len(found.explained) // 2]
        ids = self._ids[id(typical.dealt)]
        id_ = ids[typical.code, typical.seat, typical.wager or None]
        self.shown[id_] = line_of(typical.dealt.round)
        self.typical.add(id_)

    def _show_isolated(self) -> None:
        """Keep the first round that no cause explains as an example."""
        for dealt in self._dealt:
            for id_ in self._ids.get(id(dealt), {}).values():
                if id_ not in self._of_finding:
                    self.shown[id_] = line_of(dealt.round)
                    return

    def _learn_cells(self) -> None:
        """Note where the findings of a line at a table go, for those that are not diagnosed."""
        cells: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for dealt in self._dealt:
            for (code, _, wager), id_ in self._ids.get(id(dealt), {}).items():
                cells[dealt.round.table, code, wager or ""][
                    self._of_finding.get(id_, ISOLATED)
                ] += 1
        for cell, counted in cells.items():
            key, count = counted.most_common(1)[0]
            if count >= MOST_OF_A_CELL * counted.total():
                self._of_cell[cell] = key

    def keys_of(self, findings: Sequence[Mapping[str, Any]]) -> list[str]:
        """Return the key of the cause of each finding of one round, as the findings file says."""
        refused = sorted({each["code"] for each in findings if each["code"].startswith(APPROVAL)})
        keys = [self._key(each, " ".join(refused)) for each in findings]
        codes = [each["code"] for each in findings]
        if VOID_MISSING not in codes:
            return keys
        played = keys[codes.index(VOID_MISSING)]  # results of a round that should have been void
        return [
            played if code.startswith(SETTLEMENT) else key
            for key, code in zip(keys, codes, strict=True)
        ]

    def _key(self, finding: Mapping[str, Any], refused: str) -> str:
        code = finding["code"]
        if code.startswith(APPROVAL):
            return refused
        if code.startswith(SETTLEMENT):
            cell = (finding["table"], code, finding["wager"] or "")
            if finding["id"] in self._diagnosed:
                return self._of_finding.get(finding["id"], ISOLATED)
            return self._of_cell.get(cell, ISOLATED)
        count = self._counts[code]
        frequent = count >= FREQUENT and count * 1000 >= PER_THOUSAND * self._rounds
        families = (name for name, codes in FAMILIES.items() if code.startswith(codes))
        return code if frequent or code in ALONE else next(families, code)

    def is_tested(self, finding: Mapping[str, Any], key: str) -> bool:
        """Return whether a finding was held against its cause, as those beyond a bound are not."""
        return key not in {ISOLATED, *self._known} or finding["id"] in self._diagnosed

    def is_explained(self, finding: Mapping[str, Any], key: str) -> bool:
        """Return whether its cause explains a finding: one that breaks a plain rule always."""
        return key != ISOLATED and finding["id"] not in self._exceptions

    def cause(self, key: str) -> Cause:
        """Return a cause in words."""
        if key in self._known:
            return self._known[key]
        if key in HEADLINES:
            return Cause(key, HEADLINES[key])
        return Cause(key, headline_of(key.split()))


def headline_of(codes: Iterable[str]) -> str:
    """Return the titles of codes, as part of a sentence."""
    titles = [describe_code(code) for code in codes]
    return "; ".join(text[:1].lower() + text[1:] for text in titles)[:LONGEST_HEADLINE]
