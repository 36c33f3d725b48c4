"""Evidence of an issue: approved words, pay table, tables by hour, and a typical round."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse

from audits.instants import instant
from audits.intake.rounds import find_rounds
from audits.intake.segments.rejections import DamagedSegmentError
from audits.local_times import format_instant, show_instant
from audits.replay.auditing.cause_keys import inferred_cause
from audits.replay.auditing.terms import TermsError
from audits.replay.findings.models import Issue
from audits.replay.findings.wording import title_of
from audits.review.rounds.explanation import explain_round_on_file
from audits.review.rounds.presentation import RoundView
from audits.review.rounds.tables import WagerTable
from compliance.files.archive import DamagedError, MissingError, RemovedError
from compliance.filings.documents.models import Document
from compliance.filings.games.filed_words import filed_words
from compliance.filings.games.models import FiledPayLine
from compliance.filings.games.named_tables import odds_in_words
from compliance.in_effect.reads import find_terms
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from audits.replay.findings.models import IssueNight
    from audits.review.rounds.explanation import RoundRecord
    from compliance.filings.games.models import RuleVersion
    from compliance.in_effect.reads import TermsInEffect


HOUR: Final = 3_600_000_000  # microseconds
MOST_HOURS: Final = 26
"""A gambling day has at most 25 clock hours; a wrong clock must not add more."""
MOST_TABLES: Final = 12
SHADES: Final = 4
MOST_OTHERS: Final = 5
UNREADABLE: Final = (DamagedError, MissingError, RemovedError, DamagedSegmentError, TermsError)


@dataclass(frozen=True)
class ApprovedWords:
    """A clause that was broken, as filed or, if the reader may not see that, as summed up."""

    clause: str
    text: str
    source: str
    document: Any = None
    """UUID of the document's version, if the reader may open it."""
    short: str = ""
    """The clause in the words of the definition, where these are not the filed ones."""


@dataclass(frozen=True)
class PayLine:
    """A line of a pay table, and whether it was paid wrong."""

    name: str
    approved: str
    printed: str
    rounds: int
    """Rounds of the issue in which it was due."""

    @property
    def is_chosen(self) -> bool:
        """Return whether the line is marked."""
        return self.rounds > 0


@dataclass(frozen=True)
class Strip:
    """Rounds by table and clock hour of one gambling day; `rows` are shaded from 0 to `SHADES`."""

    day: date
    hours: list[str]
    rows: list[tuple[str, list[tuple[int, int]]]]
    more: int
    """Tables that are not shown."""


@dataclass
class Evidence:
    """What an agent needs in view to decide an issue."""

    words: list[ApprovedWords] = field(default_factory=list)
    pay_table: list[PayLine] = field(default_factory=list)
    pay_table_name: str = ""
    is_printed: bool = False
    """Whether the filed layout prints other odds than the approved ones."""
    strip: Strip | None = None
    concentrations: list[str] = field(default_factory=list)
    view: RoundView | None = None
    wagers: WagerTable | None = None
    """The wagers of the marked seat in the typical round."""
    marked: str = ""
    why_not: str = ""
    """Why the typical round is not shown."""
    explains: list[tuple[str, str, tuple[Any, ...]]] = field(default_factory=list)
    """What may explain it: words, and the route and arguments of its page."""

    @property
    def links(self) -> list[tuple[str, str]]:
        """Return what may explain it, with the address of each page."""
        return [(words, reverse(route, args=args)) for words, route, args in self.explains]


def evidence_of(
    issue: Issue, nights: Sequence[IssueNight], *, sees_rounds: bool, inside: bool
) -> Evidence:
    """Collect the evidence on an issue, within the reader's access scope."""
    evidence = Evidence()
    with_findings = [each for each in nights if each.findings]
    if not with_findings:
        return evidence
    evidence.strip = _strip(with_findings[0])
    evidence.concentrations = [
        sentence for night in with_findings for sentence in map(_in_words, night.concentrations)
    ]
    night = max(with_findings, key=lambda each: each.rounds)
    if night.typical.get("round") and sees_rounds:
        _show_round(evidence, issue, night)
    if inside:
        _name_visits(evidence, issue)
        _name_others(evidence, issue)
    else:
        evidence.explains = []  # a card room may not open what a supplier filed
    return evidence


def _show_round(evidence: Evidence, issue: Issue, night: IssueNight) -> None:
    """Explain the typical round, and what was approved for it."""
    typical = night.typical
    try:
        on_file = find_rounds([issue.party], typical["round"])
        if not on_file:
            evidence.why_not = f"Round {typical['round']} is no longer on file."
            return
        record = explain_round_on_file(on_file[0])
    except UNREADABLE as wrong:
        evidence.why_not = f"Round {typical['round']} can't be shown. {wrong}"
        return
    at = instant(on_file[0].found.round.at)
    terms = find_terms(operator=issue.party, game=issue.game, table=typical["table"], at=at)
    evidence.view = RoundView(record)
    evidence.marked = f"Seat {typical['seat']}" if typical["seat"] is not None else ""
    shown = [
        each
        for section in record.explanation.sections
        for each in section.wagers
        if not evidence.marked or each.place == evidence.marked
    ]
    evidence.wagers = WagerTable(
        shown, caption=f"{evidence.marked or 'Wagers'}: logged and expected results"
    )
    evidence.words = list(_words(record, typical, terms.rule_version))
    _show_pay_table(evidence, issue, typical, terms)
    _name_filings(evidence, issue, terms)


def _words(
    record: RoundRecord, typical: Mapping[str, Any], version: RuleVersion | None
) -> Iterator[ApprovedWords]:
    """Yield the clauses that the typical finding cites."""
    cites = next(
        (
            each.cites
            for each in record.explanation.findings
            if (each.code, each.seat, each.wager)
            == (typical["code"], typical["seat"], typical["wager"])
        ),
        (),
    )
    summed_up = {each.id: each for each in record.explanation.clauses}
    filed = filed_words(version) if version is not None else {}
    for id_ in cites:
        if id_ in filed:
            words = filed[id_]
            says = summed_up[id_].says if id_ in summed_up else ""
            short = "" if says == words.text else says
            yield ApprovedWords(id_, words.text, words.source, words.document, short)
        elif id_ in summed_up and summed_up[id_].says:
            yield ApprovedWords(id_, summed_up[id_].says, "; ".join(summed_up[id_].sources))


def _show_pay_table(
    evidence: Evidence, issue: Issue, typical: Mapping[str, Any], terms: TermsInEffect
) -> None:
    """Show the approved pay table of the wager, with the lines that were paid wrong."""
    table = terms.pay_tables.get(typical["wager"] or "")
    if table is None:
        return
    wrong: Counter[str] = Counter()
    for line, rounds in issue.parts.filter(wager=table.wager, findings__gt=0).values_list(
        "line", "rounds"
    ):
        wrong[line] += rounds
    version = terms.rule_version
    printed: defaultdict[str, dict[str, int]] = defaultdict(dict)
    if version is not None:
        for each in version.pay_lines.filter(origin=FiledPayLine.Origin.LAYOUT):
            printed[each.table][each.line] = each.pays
    evidence.pay_table_name = describe_name(table.wager)
    for name, lines in table.lines.items():
        for line, pays in lines.items():
            drawn = printed[name].get(line)
            evidence.is_printed |= drawn is not None and drawn != pays
            evidence.pay_table.append(
                PayLine(
                    describe_name(line),
                    odds_in_words(pays),
                    "" if drawn is None else odds_in_words(drawn),
                    sum(count for reached, count in wrong.items() if line in reached.split("+")),
                )
            )


def _name_filings(evidence: Evidence, issue: Issue, terms: TermsInEffect) -> None:
    """Name the filed layout that prints other odds, the rules, and the section of the controls."""
    version, controls = terms.rule_version, terms.controls_version
    if version is not None:
        if evidence.is_printed:
            layouts = version.documents.filter(
                document_version__document__kind=Document.Kind.LAYOUT
            ).select_related("document_version__document")
            for each in layouts:
                filed = each.document_version
                words = f"The filed layout prints other odds: {filed}"
                evidence.explains.append((words, "document_version", (filed.uuid,)))
        evidence.explains.append((f"Approved rules: {version}", "rule_version", (version.uuid,)))
    if controls is not None:
        words = f"Controls of {issue.party}, version {controls.number}: {describe_name(issue.game)}"
        evidence.explains.append((words, "controls_version", (controls.uuid,)))


def _name_visits(evidence: Evidence, issue: Issue) -> None:
    """Name visits to the operator that have not ended."""
    for visit in issue.party.visits.filter(end__isnull=True):
        evidence.explains.append((f"An open {visit}", "visit", (visit.uuid,)))


def _name_others(evidence: Evidence, issue: Issue) -> None:
    """Name the issues of the same inferred cause at other operators."""
    if not issue.diagnosis:
        return
    cause = inferred_cause(issue.cause)
    same = Issue.objects.filter(game=issue.game, cause=cause).exclude(findings=0)
    others = same.exclude(party=issue.party_id).select_related("party")
    found = list(others[: MOST_OTHERS + 1])
    for other in found[:MOST_OTHERS]:
        words = f"The same cause elsewhere: {title_of(other)}"
        evidence.explains.append((words, "issue", (other.uuid,)))
    if len(found) > MOST_OTHERS:
        words = f"The same cause in {others.count() - MOST_OTHERS} more issues: see all issues"
        evidence.explains.append((words, "issues", ()))


def _strip(night: IssueNight) -> Strip | None:
    """Return the rounds of a gambling day by table and hour; None if there are none."""
    counts: dict[tuple[str, int], int] = {
        (table, begin // HOUR): rounds for table, begin, rounds, *_ in night.by_hour
    }
    if not counts:
        return None
    hours = [hour for _, hour in counts]
    span = range(min(hours), min(max(hours) + 1, min(hours) + MOST_HOURS))
    tables = sorted({table for table, _ in counts})
    most = max(counts.values())
    rows = [
        (
            table,
            [
                (count, -(-SHADES * count // most))
                for hour in span
                for count in [counts.get((table, hour), 0)]
            ],
        )
        for table in tables[:MOST_TABLES]
    ]
    names = [format_instant(instant(hour * HOUR), "g A") for hour in span]
    return Strip(night.day, names, rows, max(0, len(tables) - MOST_TABLES))


PLACES: Final = {
    "dealer": "were dealt by dealer {}",
    "player": "are of player {}",
    "seat": "are at seat {}",
    "table": "are at table {}",
    "hour": "ended in the hour from {}",
}
BEYOND: Final = -9
"""Log10 of a chance from which on its size says nothing more to anyone."""


def _in_words(found: Mapping[str, Any]) -> str:
    """Say where wrong results come together, and how unlikely that is."""
    value = found["value"]
    if found["attribute"] == "hour":
        value = show_instant(instant(int(value)), "g A, M j")
    where = PLACES[found["attribute"]].format(value)
    odds = (
        "less than once in a billion times"
        if found["chance"] < BEYOND
        else f"about once in {10 ** round(-found['chance']):,} times"
    )
    return (
        f"{found['rounds']:,} of {found['of']:,} rounds {where}. "
        f"By chance, this would happen {odds}."
    )
