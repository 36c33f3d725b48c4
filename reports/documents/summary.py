"""The commission's summary of a gambling day: every operator's report, and who has none yet."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from audits.intake.days.models import GamblingDay
from audits.intake.reads import current_segments
from compliance.access.permissions import Action
from compliance.files.archive import current_archive, read_bytes
from reports.documents.days import is_audited
from reports.documents.models import Report, ReportOrder
from reports.documents.registry import (
    About,
    DocumentKind,
    NothingToReportError,
    ReportContent,
    read_inputs,
    register,
)
from reports.documents.wording import codes_table, count, counted, dollars, instant, local
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import Align, Callout, Column, Facts, Heading, Mood, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from compliance.access.models import Party
    from reports.rendering.blocks import Block

OF_AN_OPERATOR = "nightly"
SUMMED = ("rounds", "seats", "flagged", "findings", "issues", "received", "owed", "rejected")


def gather(about: About) -> dict[str, Any]:
    """Read the newest nightly report of each operator, and why others have none."""
    if about.day is None or about.party is not None:
        message = "The summary is about one gambling day, over all operators."
        raise NothingToReportError(message)
    days = list(
        GamblingDay.objects.filter(day=about.day)
        .select_related("party")
        .order_by("party__name", "party__code")
    )
    if not days:
        message = f"No operator has a gambling day {about.day}: there is nothing to sum up."
        raise NothingToReportError(message)
    newest = {
        report.party_id: report
        for report in Report.objects.filter(kind=OF_AN_OPERATOR, day=about.day).order_by("number")
    }
    reported, awaited = [], []
    codes: dict[str, dict[str, Any]] = defaultdict(
        lambda: {"operators": 0, "findings": 0, "over": 0, "under": 0, "says": ""}
    )
    for day in days:
        report = newest.get(day.party_id)
        if report is not None:
            reported.append(_operator_data(day, report, codes))
        if report is None or report.number <= day.supplements:
            awaited.append(
                {"name": day.party.name, "code": day.party.code, "why": _why(day, report)}
            )
    return {
        "day": about.day.isoformat(),
        "operators": reported,
        "awaited": awaited,
        "codes": {code: codes[code] for code in sorted(codes)},
        "engines": sorted({each["engine"] for each in reported if each["engine"]}),
    }


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report."""
    operators = data["operators"]
    sums = {name: sum(each["figures"][name] for each in operators) for name in SUMMED}
    lacking = sum(each["figures"]["lacking"] for each in operators)
    blocks: list[Block] = [
        _verdict(data, sums, lacking),
        Facts(
            (
                ("Operators reported", f"{len(operators):,}"),
                ("Operators awaited", f"{len(data['awaited']):,}"),
                ("Rounds audited", f"{sums['rounds']:,}, {sums['seats']:,} seats"),
                ("Rounds with findings", f"{sums['flagged']:,}"),
                ("Findings in rounds", f"{sums['findings']:,} in {sums['issues']:,} issues"),
                ("Overpaid to players", dollars(sums["received"])),
                ("Underpaid to players", dollars(sums["owed"])),
                ("Rejected lines", f"{sums['rejected']:,}"),
                ("Missing", f"{lacking:,}"),
            )
        ),
        _awaited(data["awaited"]),
        Heading("By operator"),
        _operators(operators),
        Heading("By code"),
        codes_table(data["codes"], "Operators", "operators"),
        Heading("Basis"),
        Words(
            "This summary adds up the nightly reports named here; each is identified by the "
            "SHA-256 of its body. Findings are apparent violations; an agent decides on them."
        ),
        _reports(operators),
    ]
    if data["engines"]:
        engines = tuple(("Engine", each) for each in data["engines"])
        blocks.append(Facts(engines, Align.CODES))
    return ReportContent(
        title=f"Commission summary of {day_in_words(data['day'])}", blocks=tuple(blocks)
    )


def _operator_data(
    day: GamblingDay, report: Report, codes: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    data = read_inputs(read_bytes(current_archive(), report.inputs))["data"]
    for code in {each["code"] for each in data["issues"]}:
        codes[code]["operators"] += 1
    for each in data["issues"]:
        found = codes[each["code"]]
        found["says"] = each["says"]
        count(found, each)
    return {
        "name": day.party.name,
        "code": day.party.code,
        "reference": report.reference,
        "body": report.body,
        "engine": data["engine"],
        "figures": data["figures"],
        "lacking": [each["code"] for each in data["lacking"]],
    }


def _why(day: GamblingDay, report: Report | None) -> str:
    if day.state != GamblingDay.State.CLOSED:
        return f"The day is open until {instant(local(day.closes))}."
    orders = ReportOrder.objects.filter(kind=OF_AN_OPERATOR, party=day.party, day=day.day)
    failed = orders.filter(state=ReportOrder.State.FAILED).order_by("number").last()
    if failed is not None:
        return f"Its report could not be made: {failed.reason}"
    if report is not None:
        return f"Supplement {report.number} is not made yet: what came late is being audited."
    segments = current_segments(day.party, day=day.day)
    return (
        "Its report is being made."
        if is_audited(day, segments)
        else "Its rounds are being audited."
    )


def _verdict(data: Mapping[str, Any], sums: Mapping[str, int], lacking: int) -> Callout:
    of_day = f"Gambling day of {day_in_words(data['day'])}: {sums['rounds']:,} rounds audited"
    money = (
        f"players were overpaid {dollars(sums['received'])} and underpaid {dollars(sums['owed'])}"
    )
    if data["awaited"]:
        says = (
            f"{of_day}; {money}. Awaited: {counted(len(data['awaited']), 'operator')}, named below."
        )
        return Callout("Not complete", says, Mood.ATTENTION)
    if sums["received"] or sums["owed"]:
        return Callout("Apparent violations, with money", f"{of_day}; {money}.", Mood.SERIOUS)
    if sums["findings"]:
        says = f"{of_day}; {sums['findings']:,} findings, none of which moved a player's money."
        return Callout("Apparent violations", says, Mood.ATTENTION)
    if lacking or sums["rejected"]:
        says = f"{of_day}; what is missing or was rejected is counted below."
        return Callout("No apparent violation in what could be audited", says, Mood.ATTENTION)
    return Callout("No apparent violation", f"{of_day}; nothing was found.", Mood.GOOD)


def _awaited(awaited: Sequence[Mapping[str, Any]]) -> Rows:
    return Rows(
        "awaited",
        "Operators whose report is awaited",
        (Column("Operator"), Column("Code"), Column("Why")),
        tuple((each["name"], each["code"], each["why"]) for each in awaited),
        "None: every operator's day is closed and reported.",
    )


def _operators(operators: Sequence[Mapping[str, Any]]) -> Rows:
    titles = ("Rounds", "Findings", "Issues", "Overpaid", "Underpaid", "Rejected", "Missing")
    return Rows(
        "operators",
        "Reported operators",
        (Column("Operator"), *(Column(title, Align.NUMBERS) for title in titles)),
        tuple(
            (
                each["name"],
                *(f"{each['figures'][name]:,}" for name in ("rounds", "findings", "issues")),
                *(dollars(each["figures"][name]) for name in ("received", "owed")),
                *(f"{each['figures'][name]:,}" for name in ("rejected", "lacking")),
            )
            for each in operators
        ),
        "No report has been made yet.",
    )


def _reports(operators: Sequence[Mapping[str, Any]]) -> Rows:
    return Rows(
        "reports",
        "Nightly reports",
        (Column("Operator"), Column("Report"), Column("SHA-256 of its body", Align.CODES)),
        tuple((each["name"], each["reference"], each["body"]) for each in operators),
        "None.",
    )


def _shown_to(_: About) -> list[Party]:
    """Return no parties, because the summary belongs to the commission alone."""
    return []


SUMMARY = register(
    DocumentKind(
        name="summary",
        title="Commission summary",
        letters="CS",
        action=Action.SEE_FINDINGS,
        gather=gather,
        compose=compose,
        shown_to=_shown_to,
    )
)
