"""The nightly audit report: one operator's gambling day, its first page and what is behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.intake.reads import current_segments
from audits.replay.findings.models import Issue
from audits.replay.findings.reads import units_of
from audits.review.restitution.reads import restitution
from compliance import clock
from compliance.access.permissions import Action
from compliance.files.archive import current_archive, read_bytes
from compliance.filings.requests.reads import game_names
from compliance.law.business_days import last_day
from compliance.verification.nightly import verification_alarm
from reports.documents.days import closing_checkpoint, edition_of, readers_of, require_audited_day
from reports.documents.models import Report
from reports.documents.nightly_blocks import (
    first_items,
    issues_blocks,
    money_in_words,
    reconciliation,
    sum_money,
)
from reports.documents.nightly_issues import issues_of_night, name_of_issue
from reports.documents.nightly_logs import (
    logs_on,
    method_blocks,
    method_of,
    not_received,
    of_the_day,
    rejected_on,
    watched,
)
from reports.documents.nightly_performance import performance_blocks, performance_of
from reports.documents.nightly_terms import (
    terms_blocks,
    terms_of_night,
    unverified_law,
    waivers_blocks,
    waivers_on,
)
from reports.documents.nightly_trend import trend_before, trend_blocks
from reports.documents.registry import About, DocumentKind, ReportContent, read_inputs, register
from reports.documents.wording import counted, dollars, join, local, unsettled
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import (
    Align,
    Callout,
    Column,
    Mood,
    Points,
    Rows,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.intake.days.models import GamblingDay
    from reports.rendering.blocks import Block


NAME = "nightly"
TOP = 5
"""Issues on the first page."""
DAYS_TO_RESPOND = 7
"""From the night or, if it is audited later, from the report. No rule sets this number."""
MOST_OPEN = 10
CHECKED = {
    "approval": "licenses, approvals and hours",
    "deal": "the cards dealt",
    "setting": "the setting of hands",
    "wager": "wagers",
    "limit": "limits",
    "bank": "banked rounds",
    "settlement": "payouts",
    "void": "void rounds",
    "log": "the order of the log",
}
"""What is checked in every round, by the first part of its codes."""


def first_page(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield everything that a person who reads a single page must know."""
    if alarm := data.get("verification"):
        yield Callout("The records behind this report need to be verified", alarm, Mood.SERIOUS)
    if data["before"]:
        yield from _supplement(data)
    for each in data["set_aside"]:
        says = f"{each['why']} Its rounds were not settled; the night's other games were audited."
        yield Callout(f"{each['name']} was not audited", says, Mood.SERIOUS)
    yield rating(data)
    if data["issues"]:
        yield first_items(data, TOP)
        if len(data["issues"]) > TOP:
            more = counted(len(data["issues"]) - TOP, "more issue")
            yield Words(f"{more}: see the next pages.")
    lacks = (*not_received(data), *unverified_law(data["terms"], data["issues"]))
    yield Words("Not received or not verified:" + ("" if lacks else " nothing."))
    if lacks:
        yield Points(lacks)
    if seen := tuple(watched(data)):
        yield Words("Not what chance brings in a fair game:")
        yield Points(seen)
    yield Words(f"Clean: {clean(data)}")


def rating(data: Mapping[str, Any]) -> Callout:
    """Return the rating of the night, with its figures in sentences."""
    figures, issues = data["figures"], data["issues"]
    if not figures["rounds"]:
        why = "No round of this day is on file." if data["logs"] else "No log was submitted."
        mood = Mood.SERIOUS if data["lacking"] else Mood.ATTENTION
        return Callout("Rating: Not audited", f"{why} There is nothing to audit.", mood)
    tables = len({each["table"] for each in data["performance"]["tables"]})
    verb = "has" if figures["flagged"] == 1 else "have"
    says = (
        f"{counted(figures['rounds'], 'round')} at {counted(tables, 'table')} "
        f"({join(figures['games'])}); {figures['flagged']:,} {verb} findings"
    )
    says += f", in {counted(len(issues), 'issue')}." if issues else "."
    money = money_in_words(sum_money(issues))
    says += f" {money}." if money else " No amount was paid wrong in a settled round."
    if any(each["weight"] != "notice" for each in issues):
        return Callout("Rating: Action required", says, Mood.SERIOUS)
    if issues or data["lacking"] or figures["rejected"]:
        return Callout("Rating: Attention", says, Mood.ATTENTION)
    return Callout("Rating: Satisfactory", says, Mood.GOOD)


def clean(data: Mapping[str, Any]) -> str:
    """Say what was audited and has no finding."""
    if not data["figures"]["rounds"]:
        return "nothing could be audited."
    broken = {each["code"].partition(".")[0] for it in data["issues"] for each in it["codes"]}
    kinds = [says for prefix, says in CHECKED.items() if prefix not in broken]
    tables = [it["table"] for it in data["performance"]["tables"] if not it["findings"]]
    parts = []
    if not data["issues"]:
        return "every round, at every table."
    if tables:
        parts.append(f"every round of {join(sorted(tables))}")
    if kinds:
        parts.append(f"in all rounds {join(kinds)}")
    rest = data["figures"]["rounds"] - data["figures"]["flagged"]
    parts.append(f"{counted(rest, 'round')} without any finding")
    return "; ".join(parts) + "."


def _supplement(data: Mapping[str, Any]) -> Iterator[Block]:
    before, now = data["before"], data["figures"]
    yield Words(
        f"This report supplements {before['reference']}, which stays as it is. What came after "
        "the day closed changes the following."
    )
    yield Rows(
        "changes",
        f"Against {before['reference']}",
        (
            Column("Figure"),
            Column("Before", Align.NUMBERS),
            Column("Now", Align.NUMBERS),
            Column("Difference", Align.NUMBERS),
        ),
        tuple(
            (title, show(was), show(now[name]), show(now[name] - was))
            for name, title, show in (
                ("rounds", "Rounds audited", _number),
                ("findings", "Findings", _number),
                ("issues", "Issues", _number),
                ("received", "Players overpaid", dollars),
                ("owed", "Players underpaid", dollars),
                ("rejected", "Rejected lines", _number),
                ("lacking", "Missing", _number),
            )
            for was in (before["figures"][name],)
        ),
    )
    standing = before["standing"]
    if standing:
        shown = ", ".join(f"{count:,} {name}" for name, count in standing.items())
        yield Words(f"Of the findings of the replay before: {shown}.")


def _number(count: int) -> str:
    return f"{count:,}".replace("-", "−")


def gather(about: About) -> dict[str, Any]:
    """Read everything known about the night, by its current replay."""
    day = require_audited_day(about)
    segments = current_segments(day.party, day=day.day)
    names = game_names()
    issues = issues_of_night(day)
    lacking, rejected = of_the_day(day, "night."), rejected_on(day)
    alarm = verification_alarm()
    terms = terms_of_night(day)
    aside = day.current.set_aside if day.current is not None else []
    owed = list(restitution(operator=day.party, day=day.day))
    return {
        "set_aside": [
            {"name": names.get(each["game"], each["game"]), "why": each["why"]}
            for each in aside
            if each["day"] == day.day.isoformat()
        ],
        "operator": day.party.name,
        "code": day.party.code,
        "day": day.day.isoformat(),
        "begins": local(day.begins),
        "ends": local(day.ends),
        "closes": local(day.closes),
        "closed": local(day.closed) if day.closed else None,
        "supplements": day.supplements,
        "respond_by": last_day(max(day.day, clock.today()), DAYS_TO_RESPOND).isoformat(),
        "figures": {
            **_figures(day, issues),
            "games": sorted({names.get(each.game, each.game) for each in segments}),
            "issues": len(issues),
            "undecided": sum(not each["decided"] for each in issues),
            "rejected": sum(each["count"] for each in rejected),
            "lacking": len(lacking),
            "unverified": sum(
                each["rounds"] for each in issues if each["code"] == "limit.unverified"
            ),
            "received": sum(each.received for each in owed),
            "owed": sum(each.owed for each in owed),
            "players_owed": len({each.player for each in owed if each.owed and each.player}),
        },
        "engine": day.current.engine if day.current else "",
        "method": method_of(day),
        "issues": issues,
        "open_before": _open_before(day, [each["id"] for each in issues]),
        "terms": terms,
        "lacking": lacking,
        "watched": of_the_day(day, "watch."),
        "logs": logs_on(day),
        "rejected": rejected,
        "performance": performance_of(day),
        "trend": trend_before(day, NAME),
        "before": _before(about, day),
        "waivers": waivers_on(day, [each["game"] for each in terms]),
        **({"verification": alarm} if alarm else {}),
    }


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report: one page for everyone, then each issue, then the annexes."""
    front = tuple(first_page(data))
    return ReportContent(
        title=f"Nightly audit of {data['operator']}, {day_in_words(data['day'])}",
        blocks=(
            *front,
            *issues_blocks(data),
            *reconciliation(data),
            *_follow_up(data),
            *waivers_blocks(data["waivers"]),
            *performance_blocks(data["performance"], data["figures"]["rounds"]),
            *trend_blocks(data),
            *(terms_blocks(data["terms"]) if data["issues"] else ()),
            *method_blocks(data),
        ),
        front=len(front),
    )


def _follow_up(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield earlier issues that are still open and were not found on this night."""
    rows = data["open_before"]
    if not rows:
        return
    yield Rows(
        "open-before",
        "Follow-up: earlier issues that are still open and did not recur on this night",
        (Column("Issue"), Column("What"), Column("State"), Column("Last found")),
        tuple(
            (each["short"], each["headline"], each["state"], day_in_words(each["last"]))
            for each in rows
        ),
        links={each["short"]: each["path"] for each in rows},
        printed=MOST_OPEN,
    )


def _open_before(day: GamblingDay, tonight: Sequence[str]) -> list[dict[str, Any]]:
    earlier = (
        Issue.objects.filter(party=day.party, open=True, nights__day__lt=day.day)
        .exclude(uuid__in=tonight)
        .exclude(findings=0)
    )
    found = []
    for each in earlier.distinct().order_by("-impact", "pk"):
        last = each.nights.filter(findings__gt=0, day__lt=day.day).order_by("day").last()
        if last is not None:
            found.append(
                {
                    **name_of_issue(each),
                    "state": each.get_state_display(),
                    "last": last.day.isoformat(),
                }
            )
    return found


def _figures(day: GamblingDay, issues: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Sum the counts of the day's work units; irregular rounds also count as having findings."""
    names = ("rounds", "seats", "flagged", "findings")
    sums = dict.fromkeys(names, 0)
    if day.current is not None:
        for row in units_of(day).values_list(*names):
            for name, value in zip(names, row, strict=True):
                sums[name] += value
    sums["flagged"] += unsettled(issues)
    return sums


def _before(about: About, day: GamblingDay) -> dict[str, Any] | None:
    """Return the report that this one supplements, its figures, and its findings' standing now."""
    made = Report.objects.filter(kind=NAME, about=about.key).order_by("number").last()
    if made is None:
        return None
    kept = read_inputs(read_bytes(current_archive(), made.inputs))["data"]
    standing = day.current.standings.get(str(day.day), {}) if day.current else {}
    return {
        "reference": made.reference,
        "body": made.body,
        "figures": kept["figures"],
        "standing": {
            name: standing[name]
            for name in ("confirmed", "changed", "gone", "new")
            if name in standing
        },
    }


NIGHTLY = register(
    DocumentKind(
        name=NAME,
        title="Nightly audit report",
        letters="NA",
        action=Action.SEE_FINDINGS,
        gather=gather,
        compose=compose,
        shown_to=readers_of,
        checkpoint=closing_checkpoint,
        edition=edition_of,
    )
)
