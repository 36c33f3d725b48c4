"""Weekly and monthly summaries: of an operator from its nights, of the commission from operators.

Nothing is audited or counted again: the figures are those of the reports that it names by digest.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from audits.intake.days.models import GamblingDay
from compliance.access.models import Party
from compliance.access.permissions import Action
from compliance.files.archive import current_archive, read_bytes
from reports.documents.days import MONTHLY, OF_A_DAY, WEEKLY, Period, period_of
from reports.documents.models import Report
from reports.documents.period_blocks import commission_blocks, operator_blocks
from reports.documents.registry import (
    About,
    DocumentKind,
    NothingToReportError,
    ReportContent,
    read_inputs,
    register,
)
from reports.documents.wording import count, instant, local
from reports.rendering.blocks import Heading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


NIGHTLY = OF_A_DAY[0]
SUMMED = (
    *("rounds", "seats", "flagged", "findings", "received", "owed", "rejected", "lacking"),
    "unverified",
)
"""Figures of a night that can be added up over nights."""
OF_AN_ISSUE = ("game_name", "headline", "table", "code", "wager", "line")
"""Reports made before headlines existed have none."""
MONEY = ("findings", "rounds", "over", "under")


def gather(kind: str, about: About) -> dict[str, Any]:
    """Read the reports of the period, of one operator or of all."""
    period = _period(kind, about)
    found = _of_operator(period, about.party) if about.party else _of_commission(period)
    return {
        "period": period.kind,
        "first": period.first.isoformat(),
        "last": period.last.isoformat(),
        "in_words": period.in_words,
        **found,
    }


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report."""
    whose = data["operator"] or "the commission"
    what = "Weekly" if data["period"] == WEEKLY else "Monthly"
    blocks = tuple(operator_blocks(data) if data["operator"] else commission_blocks(data))
    front = next(place for place, block in enumerate(blocks) if isinstance(block, Heading))
    return ReportContent(
        title=f"{what} report of {whose}, {data['in_words']}",
        blocks=blocks,
        contents=True,
        front=front,
    )


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


def newest_of(kind: str, period: Period, party: Party) -> Any:
    """Return all editions of reports of a kind on an operator's days in a period, in order."""
    return Report.objects.filter(
        kind=kind, party=party, day__range=(period.first, period.last)
    ).order_by("day", "number")


def _period(kind: str, about: About) -> Period:
    if about.day is None:
        message = "This report is about a week or a month: name its last day."
        raise NothingToReportError(message)
    period = period_of(kind, about.day)
    if period.last != about.day:
        message = f"{about.day} is not the last day of {period.in_words}: that is {period.last}."
        raise NothingToReportError(message)
    return period


def _data(report: Report) -> dict[str, Any]:
    data: dict[str, Any] = read_inputs(read_bytes(current_archive(), report.inputs))["data"]
    return data


def _nothing() -> dict[str, int]:
    return dict.fromkeys(SUMMED, 0)


def _add(sums: dict[str, int], figures: Mapping[str, int]) -> None:
    for name in SUMMED:
        sums[name] += figures[name]


def _of_operator(period: Period, party: Party) -> dict[str, Any]:
    kept = {
        each.day: each
        for each in GamblingDay.objects.filter(party=party, day__range=(period.first, period.last))
    }
    last = kept.get(period.last)
    if last is None or last.state != GamblingDay.State.CLOSED:
        until = f" until {instant(local(last.closes))}" if last else ""
        message = f"The gambling day {period.last} of {party.name} is not closed{until}."
        raise NothingToReportError(message)
    newest = {each.day: each for each in newest_of(NIGHTLY, period, party)}
    sums, engines = _nothing(), set()
    days: list[dict[str, Any]] = []
    issues: dict[tuple[str, ...], dict[str, Any]] = {}
    for day in period.days:
        report = newest.get(day)
        if report is None:
            why = "No gambling day is kept." if day not in kept else _why(kept[day])
            days.append({"day": day.isoformat(), "report": None, "why": why})
            continue
        data = _data(report)
        _add(sums, data["figures"])
        engines |= {data["engine"]} - {""}
        _add_issues(issues, data["issues"])
        days.append(
            {
                "day": day.isoformat(),
                "report": report.reference,
                "body": report.body,
                "figures": {name: data["figures"][name] for name in SUMMED},
                "lacking": sorted({each["code"] for each in data["lacking"]}),
            }
        )
    before = newest_of(period.kind, period.before, party).filter(day=period.before.last).last()
    return {
        "operator": party.name,
        "code": party.code,
        "sums": sums,
        "days": days,
        "issues": sorted(issues.values(), key=_heaviest),
        "codes": _codes(issues.values()),
        "before": None
        if before is None
        else {"reference": before.reference, "sums": _data(before)["sums"]},
        "engines": sorted(engines),
        "engine": max(engines, default=""),
    }


def _why(day: GamblingDay) -> str:
    if day.state != GamblingDay.State.CLOSED:
        return f"The day is open until {instant(local(day.closes))}."
    return "Its nightly report is not made."


def _add_issues(
    issues: dict[tuple[str, ...], dict[str, Any]], of_night: Iterable[Mapping[str, Any]]
) -> None:
    for each in of_night:
        key = tuple(each.get(name, "") for name in OF_AN_ISSUE)
        found = issues.setdefault(
            key,
            {
                **dict(zip(OF_AN_ISSUE, key, strict=True)),
                **dict.fromkeys(MONEY, 0),
                "nights": 0,
            },
        )
        for name in MONEY:
            found[name] += each[name]
        found["nights"] += 1
        # as in the newest night
        found |= {name: each[name] for name in ("weight", "says", "diagnosis", "state")}


def _heaviest(issue: Mapping[str, Any]) -> tuple[Any, ...]:
    weight = ("money", "procedure", "notice").index(issue["weight"])
    moved = issue["over"] + issue["under"]
    return weight, -moved, -issue["findings"], *(issue.get(name, "") for name in OF_AN_ISSUE)


def _codes(issues: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    codes: dict[str, dict[str, Any]] = {}
    for each in issues:
        found = codes.setdefault(
            each["code"],
            {"says": each["says"], "issues": 0, "findings": 0, "over": 0, "under": 0},
        )
        found["issues"] += 1
        count(found, each)
    return {code: codes[code] for code in sorted(codes)}


def _of_commission(period: Period) -> dict[str, Any]:
    days = GamblingDay.objects.filter(day__range=(period.first, period.last))
    parties = Party.objects.filter(pk__in=days.values("party")).order_by("name", "code")
    if not parties:
        message = (
            f"No operator has a gambling day in {period.in_words}: there is nothing to sum up."
        )
        raise NothingToReportError(message)
    newest = {
        each.party_id: each
        for each in Report.objects.filter(
            kind=period.kind, day=period.last, party__isnull=False
        ).order_by("number")
    }
    sums, by_day = _nothing(), {day.isoformat(): _nothing() for day in period.days}
    operators, awaited, engines = [], [], set()
    codes: dict[str, Counter[str]] = {}
    says: dict[str, str] = {}
    for party in parties.iterator(chunk_size=200):
        report = newest.get(party.pk)
        if report is None:
            awaited.append({"name": party.name, "code": party.code})
            continue
        data = _data(report)
        _add(sums, data["sums"])
        engines |= set(data["engines"])
        for day in data["days"]:
            if day["report"]:
                _add(by_day[day["day"]], day["figures"])
        for code, each in data["codes"].items():
            says[code] = each["says"]
            found = codes.setdefault(code, Counter())
            found.update({name: each[name] for name in ("issues", "findings", "over", "under")})
            found["operators"] += 1
        operators.append(
            {
                "name": party.name,
                "code": party.code,
                "report": report.reference,
                "body": report.body,
                "sums": data["sums"],
                "issues": len(data["issues"]),
                "reported": sum(1 for day in data["days"] if day["report"]),
                "days": len(data["days"]),
            }
        )
    return {
        "operator": None,
        "sums": sums,
        "by_day": by_day,
        "operators": operators,
        "awaited": awaited,
        "codes": {code: {"says": says[code], **codes[code]} for code in sorted(codes)},
        "engines": sorted(engines),
        "engine": max(engines, default=""),
    }


def _shown_to(kind: str, about: About) -> list[Party]:
    if about.party is None or about.day is None:
        return []
    return readers(about) if is_released(period_of(kind, about.day), about.party) else []


for _name, _title, _letters in ((WEEKLY, "Weekly report", "WR"), (MONTHLY, "Monthly report", "MR")):
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
