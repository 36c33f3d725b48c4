"""Reports that add up nightly reports: the commission's summary of a day, weeks, months, any days.

Nothing is audited or counted again: every figure is a sum over the nightly reports that are named,
each by digest. A night without one adds nothing and is named, because nothing is not zero.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, time
from functools import partial
from typing import TYPE_CHECKING, Any

from audits.intake.days.models import GamblingDay
from audits.intake.reads import current_segments
from audits.replay.findings.models import Issue
from audits.review.issues.models import Decision, Work
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import Action
from compliance.access.reads import names_of
from compliance.clock import zone
from compliance.files.archive import current_archive, read_bytes
from compliance.law.gambling_day import DAY
from reports.documents.days import (
    MONTHLY,
    ON_DEMAND,
    SUMMARY,
    WEEKLY,
    Period,
    is_audited,
    period_about,
)
from reports.documents.models import Report, ReportOrder
from reports.documents.nightly_issues import name_of_issue, place_of
from reports.documents.period_blocks import period_blocks, title_of
from reports.documents.registry import (
    About,
    DocumentKind,
    NothingToReportError,
    ReportContent,
    read_inputs,
    register,
)
from reports.documents.wording import instant, local

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NIGHTLY = "nightly"
SUMMED = (
    *("rounds", "seats", "flagged", "findings", "received", "owed", "rejected", "lacking"),
    "unverified",
)
"""Figures of a night that can be added up over nights."""
FROM_THE_NEWEST = (
    *("id", "short", "path", "headline", "game_name", "code", "codes", "weight", "diagnosis"),
    *("state", "first", "last", "criteria"),
)
"""What an issue says as in the newest night that it is in."""


def gather(kind: str, about: About) -> dict[str, Any]:
    """Read the nightly reports of the period, of one operator or of all."""
    period = period_about(kind, about)
    days = GamblingDay.objects.filter(day__range=(period.first, period.last))
    if about.party is not None:
        parties = [about.party]
        if kind != ON_DEMAND:
            _require_closed(days.filter(party=about.party, day=period.last).first(), period)
    else:
        with_days = Party.objects.filter(pk__in=days.values("party"))
        parties = list(with_days.order_by("name", "code"))
        if not parties:
            message = (
                f"No operator has a gambling day in {period.in_words}: there is nothing to sum up."
            )
            raise NothingToReportError(message)
    engines: set[str] = set()
    issues: dict[str, dict[str, Any]] = {}
    rooms = [_room(party, period, issues, engines) for party in parties]
    before = period.before
    return {
        "period": kind,
        "first": period.first.isoformat(),
        "last": period.last.isoformat(),
        "in_words": period.in_words,
        "operator": about.party.name if about.party else None,
        "rooms": rooms,
        "sums": _add(room["sums"] for room in rooms),
        "issues": sorted(issues.values(), key=_most_serious),
        "before": {
            "in_words": before.in_words,
            "rooms": {
                room["code"]: {"sums": room["sums"], "reported": room["reported"]}
                for room in (_room(party, before, {}, set()) for party in parties)
                if room["reported"]
            },
        },
        "decisions": None if about.party else _decisions(period),
        "engines": sorted(engines),
        "engine": max(engines, default=""),
    }


def _require_closed(day: GamblingDay | None, period: Period) -> None:
    if day is None or day.state != GamblingDay.State.CLOSED:
        until = f" until {instant(local(day.closes))}" if day else ""
        message = f"The gambling day {period.last} is not closed{until}."
        raise NothingToReportError(message)


def _room(
    party: Party, period: Period, issues: dict[str, dict[str, Any]], engines: set[str]
) -> dict[str, Any]:
    """Return what an operator's nightly reports say, and why a night has none."""
    newest = {each.day: each for each in newest_of(NIGHTLY, period, party)}
    kept = {
        each.day: each
        for each in GamblingDay.objects.filter(
            party=party, day__range=(period.first, period.last)
        ).select_related("party", "current")
    }
    days: list[dict[str, Any]] = []
    watched: list[dict[str, Any]] = []
    for day in period.days:
        report = newest.get(day)
        why = _why(kept.get(day), report)
        if report is None:
            days.append({"day": day.isoformat(), "report": None, "why": why})
            continue
        data = read_inputs(read_bytes(current_archive(), report.inputs))["data"]
        engines |= {data["engine"]} - {""}
        _add_issues(issues, data, party.name)
        watched += [{"day": day.isoformat(), **each} for each in data.get("watched", ())]
        days.append(
            {
                "day": day.isoformat(),
                "report": report.reference,
                "body": report.body,
                "why": why,
                "figures": {name: data["figures"][name] for name in SUMMED},
                "handle": sum(it["handle"] for it in data["performance"]["tables"]),
                "win": sum(it["win"] for it in data["performance"]["tables"]),
            }
        )
    reported = [each for each in days if each["report"]]
    return {
        "name": party.name,
        "code": party.code,
        "days": days,
        "reported": len(reported),
        "sums": _add(each["figures"] for each in reported),
        "handle": sum(each["handle"] for each in reported),
        "win": sum(each["win"] for each in reported),
        "watched": watched,
    }


def newest_of(kind: str, period: Period, party: Party) -> Any:
    """Return all editions of reports of a kind on an operator's days in a period, in order."""
    return Report.objects.filter(
        kind=kind, party=party, day__range=(period.first, period.last)
    ).order_by("day", "number")


def _add(figures: Iterable[Mapping[str, int]]) -> dict[str, int]:
    sums = dict.fromkeys(SUMMED, 0)
    for each in figures:
        for name in SUMMED:
            sums[name] += each[name]
    return sums


def _add_issues(issues: dict[str, dict[str, Any]], night: Mapping[str, Any], operator: str) -> None:
    for each in night["issues"]:
        found = issues.setdefault(
            each["id"],
            {
                "operator": operator,
                "nights": 0,
                "findings": 0,
                "rounds": 0,
                "money": {owner: [0, 0] for owner in each["money"]},
                "tables": [],
            },
        )
        for name in ("findings", "rounds"):
            found[name] += each[name]
        for owner, (over, under) in each["money"].items():
            found["money"][owner] = [
                found["money"][owner][0] + over, found["money"][owner][1] + under,
            ]  # fmt: skip
        found["nights"] += 1
        found["tables"] = sorted({*found["tables"], *each["tables"]})
        found["days"] = [*found.get("days", []), night["day"]]
        found |= {name: each[name] for name in FROM_THE_NEWEST}


def _most_serious(issue: Mapping[str, Any]) -> tuple[Any, ...]:
    severity = ("procedure", "money", "notice").index(issue["weight"])
    return (
        place_of(issue),
        severity,
        -sum(map(sum, issue["money"].values())),
        -issue["rounds"],
        issue["id"],
    )


def _why(day: GamblingDay | None, report: Report | None) -> str:
    """Say why a night has no report, or not the newest; empty if it has."""
    if day is None:
        return "" if report else "No gambling day is on file."
    if report is not None and report.number > day.supplements:
        return ""
    if day.state != GamblingDay.State.CLOSED:
        return f"The day is open until {instant(local(day.closes))}."
    orders = ReportOrder.objects.filter(kind=NIGHTLY, party=day.party, day=day.day)
    failed = orders.filter(state=ReportOrder.State.FAILED).order_by("number").last()
    if failed is not None:
        return f"Its report could not be made: {failed.reason}"
    if report is not None:
        return f"Supplement {report.number} is not made yet: what came late is being audited."
    if is_audited(day, current_segments(day.party, day=day.day)):
        return "Its report is not made yet."
    return "Its rounds are being audited."


def _decisions(period: Period) -> dict[str, Any]:
    """Return the commission's decisions in a period, and what is overdue today."""
    begin = datetime.combine(period.first, time(), zone())
    end = datetime.combine(period.last + DAY, time(), zone())
    made = Decision.objects.filter(at__gte=begin, at__lt=end).select_related("issue__party")
    names = names_of(each.by for each in made)
    today = clock.today()
    late = Work.objects.filter(issue__open=True, due__lt=today, issue__findings__gt=0)
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in made.order_by("at", "pk"):
        rows["made"].append(
            {
                **name_of_issue(each.issue),
                "operator": each.issue.party.name,
                "state": each.get_state_display(),
                "by": names.get(each.by, ""),
                "at": local(each.at),
            }
        )
    for work in late.select_related("issue__party", "assigned_to").order_by("due", "pk"):
        rows["overdue"].append(
            {
                **name_of_issue(work.issue),
                "operator": work.issue.party.name,
                "state": work.issue.get_state_display(),
                "by": work.assigned_to.name if work.assigned_to else "Unassigned",
                "due": work.due.isoformat(),
            }
        )
    still_open = Issue.objects.filter(open=True, findings__gt=0).count()
    return {
        "today": today.isoformat(),
        "open": still_open,
        "made": rows["made"],
        "overdue": rows["overdue"],
    }


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report."""
    return ReportContent(title=title_of(data), blocks=tuple(period_blocks(data)))


def readers(about: About) -> list[Party]:
    """Return who an operator's report is for, once every night in it is released."""
    if about.party is None:
        return []
    return [about.party, *([about.party.agency] if about.party.agency else [])]


def is_released(period: Period, party: Party) -> bool:
    """Return whether all reported nights of a period are released to the operator."""
    days = GamblingDay.objects.filter(party=party, day__range=(period.first, period.last))
    reported = {day for (day,) in newest_of(NIGHTLY, period, party).values_list("day")}
    released = set(days.filter(released__isnull=False).values_list("day", flat=True))
    return bool(reported) and reported <= released


def _shown_to(kind: str, about: About) -> list[Party]:
    if about.party is None:
        return []
    return readers(about) if is_released(period_about(kind, about), about.party) else []


for _name, _title, _letters in (
    (SUMMARY, "Commission summary", "CS"),
    (WEEKLY, "Weekly report", "WR"),
    (MONTHLY, "Monthly report", "MR"),
    (ON_DEMAND, "Report of a period", "PR"),
):
    register(
        DocumentKind(
            name=_name,
            title=_title,
            letters=_letters,
            action=Action.SEE_FINDINGS,
            gather=partial(gather, _name),
            compose=compose,
            shown_to=partial(_shown_to, _name),
        )
    )
