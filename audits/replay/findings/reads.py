"""Search findings and issues."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import orjson
from django.db.models import Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Abs, Least

from audits.instants import instant
from audits.intake.days.models import GamblingDay
from audits.replay.findings.marks import Key
from audits.replay.findings.models import Finding, Issue, IssueClause, IssueNight, IssuePart
from audits.replay.findings.routes import findings_with_keys
from audits.replay.findings.wording import parts_of, title_of
from audits.replay.models import ReplaySegment
from compliance.clock import to_local, zone
from games.cents import LARGEST_SUM
from games.checks import CODES
from games.findings import BALANCE, HOUSE_WAGER, Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from datetime import date, datetime

    from django.db.models import QuerySet
    from django.db.models.expressions import Combinable

    from compliance.access.models import Party


SHOWN = ("code", "seat", "wager", "logged", "expected", "delta", "cites")
FIELDS = (
    *("operator", "day", "game", "table", "round", "at"),
    *SHOWN,
    *("issue", "replay"),
)


def audited_days(
    *, operator: Party | None = None, day: date | None = None
) -> QuerySet[GamblingDay, GamblingDay]:
    """Return gambling days by day and operator, optionally of one operator or day."""
    found = GamblingDay.objects.select_related("party", "current").order_by("day", "party__code")
    if operator is not None:
        found = found.filter(party=operator)
    if day is not None:
        found = found.filter(day=day)
    return found


def last_audited_day(operator: Party | None = None) -> date | None:
    """Return the newest gambling day with findings on file; None if nothing was audited."""
    audited = audited_days(operator=operator).filter(current__isnull=False)
    return audited.order_by("-day").values_list("day", flat=True).first()


def findings(*, operator: Party | None = None, day: date | None = None) -> Iterator[dict[str, Any]]:
    """Yield every current finding by day and operator, in file order."""
    for each in audited_days(operator=operator, day=day).iterator(chunk_size=100):
        yield from _of_rounds(each)
        yield from _of_the_day(each)


def units_of(day: GamblingDay) -> QuerySet[ReplaySegment, ReplaySegment]:
    """Return the work units with a day's current findings, in order."""
    return (
        ReplaySegment.objects.filter(replay=day.current_id, segment__day=day.day)
        .select_related("segment__party", "replay")
        .order_by("position")
    )


def _of_rounds(day: GamblingDay) -> Iterator[dict[str, Any]]:
    if day.current is None:
        return
    issues = _issues(day)
    common = {"operator": day.party.code, "day": str(day.day), "replay": str(day.current.uuid)}
    for unit in units_of(day):
        with findings_with_keys(unit) as lines:
            for line, key in lines:
                finding = orjson.loads(line)
                finding |= common
                finding["at"] = to_local(instant(finding["at"]), zone())
                finding["issue"] = issues.get(key)
                yield {name: finding[name] for name in FIELDS}


def _issues(day: GamblingDay) -> dict[Key, str]:
    nights = IssueNight.objects.filter(
        issue__party=day.party, day=day.day, replay__isnull=False
    ).select_related("issue")
    return {
        Key(each.game, each.cause): str(each.uuid) for each in (night.issue for night in nights)
    }


def _of_the_day(day: GamblingDay) -> Iterator[dict[str, Any]]:
    lacking = (
        Finding.objects.filter(issue__party=day.party, day=day.day, replay__isnull=True)
        .exclude(standing=Finding.Standing.GONE)
        .select_related("issue")
        .order_by("pk")
    )
    for finding in lacking:
        issue = finding.issue
        yield {
            "operator": day.party.code,
            "day": str(day.day),
            "game": issue.game or None,
            "table": issue.table or None,
            "round": None,
            "at": to_local(finding.at, zone()) if finding.at else None,
            "code": issue.code,
            "seat": None,
            "wager": None,
            "logged": finding.logged,
            "expected": finding.expected,
            "delta": finding.delta,
            "cites": finding.cites,
            "issue": str(issue.uuid),
            "replay": None,
        }


AMOUNT = re.compile(
    r"[+\-−]?(?P<dollar>\$?)(?P<whole>[0-9][0-9,]{0,14})(?:\.(?P<cents>[0-9]{2}))?", re.ASCII
)
LAW = ("WAC ", "RCW ")


def search_issues(
    found: QuerySet[Issue], words: str, *, also: Collection[int] = ()
) -> QuerySet[Issue]:
    """Filter issues by typed words, with one index lookup for each kind of match.

    `also` are issues with findings that match, among all in the findings files.

    An amount matches in either direction; without a dollar sign it may be a name as well. A clause
    matches if any finding of the issue cites it.
    """
    words = words.strip()
    sum_of = Q()
    if amount := AMOUNT.fullmatch(words):
        sum_of = _of_amount(cents_of(amount))
        if amount["dollar"]:
            return found.filter(sum_of | Q(pk__in=also))
    if words.lower() in CODES or words.lower().startswith("settlement."):
        return found.filter(with_part(code=words.lower()))
    clause = words[:4].upper() + words[4:]
    citing = IssueClause.objects.filter(clause__in={words, clause}).order_by()
    if clause.startswith(LAW) or citing.exists():
        return found.filter(pk__in=citing.values("issue"))
    of_round = Finding.objects.filter(round=words).order_by().values("issue")
    of_player = Finding.objects.filter(player=words).exclude(player="").order_by()
    named = with_part(table=words) | Q(pk__in=of_round) | Q(pk__in=of_player.values("issue"))
    return found.filter(named | sum_of | Q(pk__in=also))


def cents_of(amount: re.Match[str]) -> int:
    """Return an amount that matched `AMOUNT`, in cents."""
    return int(amount["whole"].replace(",", "")) * 100 + int(amount["cents"] or 0)


def codes_on_file() -> set[str]:
    """Return the first codes of all issues, which filed games add to."""
    return set(Issue.objects.order_by().values_list("code", flat=True).distinct())


def _of_amount(cents: int) -> Q:
    one = Finding.objects.filter(delta__in=(cents, -cents)).exclude(delta=0).order_by()
    return (
        Q(over__in=(cents, -cents)) | Q(under__in=(cents, -cents)) | Q(pk__in=one.values("issue"))
    )


ISSUE_FIELDS = (
    *("issue", "operator", "game", "title", "cause", "tables", "wagers", "lines"),
    *("rounds", "findings", "over", "under", "first", "last", "explained", "severity", "state"),
)


def issues(*, operator: Party | None = None) -> Iterator[dict[str, Any]]:
    """Yield every issue with findings on file, of one or all operators, by impact."""
    found = Issue.objects.select_related("party").exclude(findings=0)
    if operator is not None:
        found = found.filter(party=operator)
    for issue in by_impact(found).iterator(chunk_size=500):
        yield describe_issue(issue)


def describe_issue(issue: Issue) -> dict[str, Any]:
    """Return an issue in the published format; `party` must be selected."""
    return {
        "issue": str(issue.uuid),
        "operator": issue.party.code,
        "game": issue.game or None,
        "title": title_of(issue),
        "cause": issue.diagnosis or None,
        **{f"{name}s": parts_of(issue, name) for name in ("table", "wager", "line")},
        "rounds": issue.rounds,
        "findings": issue.findings,
        "over": issue.over,
        "under": issue.under,
        "first": _written(issue.first),
        "last": _written(issue.last),
        "explained": [issue.explained, issue.tested],
        "severity": issue.weight,
        "state": issue.state,
    }


STEP: Final = 2 * LARGEST_SUM + 1
"""No amount makes up for a lower severity."""


def impact_of(issue: Issue) -> int:
    """Return its place in the queue, higher first: severity, then money.

    Unapproved play comes first, then procedure that protects fairness, then money, then notices.
    """
    severities = [Severity.NOTICE, Severity.MONEY, Severity.PROCEDURE]
    place = 3 if issue.code.startswith("approval.") else severities.index(Severity(issue.weight))
    return place * STEP + abs(issue.over) + abs(issue.under)


def by_impact(found: QuerySet[Issue]) -> QuerySet[Issue]:
    """Sort issues by severity, then by money, then by rounds."""
    return found.order_by("-impact", "-rounds", "pk")


def standing_issues(*, inside: bool) -> QuerySet[Issue]:
    """Return issues with current findings; for the commission, also any that are no longer new."""
    stands = Q(findings__gt=0)
    return Issue.objects.filter(stands | ~Q(state=Issue.State.NEW) if inside else stands)


def issues_in_state(found: QuerySet[Issue], state: str) -> QuerySet[Issue]:
    """Filter issues by state, or by `open`; return all if no state is given."""
    if not state:
        return found
    return found.filter(Q(open=True) if state == "open" else Q(state=state))


def with_part(**of: str) -> Q:
    """Match issues with findings at a table, or with a code, among any others."""
    return Q(**of) | Q(pk__in=IssuePart.objects.filter(**of).order_by().values("issue"))


def chosen_issues(
    found: QuerySet[Issue], criteria: Mapping[str, Any], *, also: Collection[int] = ()
) -> QuerySet[Issue]:
    """Filter issues by the criteria in `said`.

    The criteria are game, table, code, severity, operator (a party), day, minimum amount (cents),
    and `q`, the text that an agent typed.
    """
    exact = {name: criteria[name] for name in ("game", "weight") if criteria.get(name)}
    if operator := criteria.get("operator"):
        exact["party"] = operator
    found = found.filter(**exact)
    for name in ("table", "code"):
        if criteria.get(name):
            found = found.filter(with_part(**{name: criteria[name]}))
    if moved := criteria.get("moved"):
        found = found.alias(moved=Abs("over") + Abs("under")).filter(moved__gte=moved)
    if words := criteria.get("q"):
        found = search_issues(found, words, also=also)
    if day := criteria.get("day"):
        nights = IssueNight.objects.filter(issue=OuterRef("pk"), day=day, findings__gt=0)
        found = found.filter(Exists(nights))
    return found


def _written(at: datetime | None) -> str | None:
    return to_local(at, zone()) if at is not None else None


PORTION: Final = 10**9


def of_players(prefix: str = "") -> Q:
    """Match issues whose money belongs to players.

    An issue of a cause counts only players' money, with whatever code it begins. One from before
    causes were inferred has a single code, with which its key begins.
    """
    balance = Q(**{f"{prefix}cause__startswith": f"{BALANCE} "})
    return ~balance & ~Q(**{f"{prefix}wager": HOUSE_WAGER})


def sum_of_cents(name: str, of: Q | None = None) -> Combinable:
    """Sum a column of nonnegative amounts; 0 if there are no rows.

    It adds in two portions, because SQLite refuses a sum beyond 64 bits, which would break the
    page.
    """
    portions = Sum(F(name) / PORTION, filter=of, default=0)
    rest = Sum(F(name) % PORTION, filter=of, default=0)
    return Least(Least(portions, LARGEST_SUM // PORTION) * PORTION + rest, LARGEST_SUM)
