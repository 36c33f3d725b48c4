"""A week or a month as blocks: the verdict and figures, days, issues, and sources."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from reports.documents.nightly_charts import counted_bars, money_by
from reports.documents.nightly_issues import name_issue
from reports.documents.nightly_logs import LACKS
from reports.documents.wording import codes_table, counted, dollars
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import Align, Callout, Column, Facts, Heading, Mood, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reports.rendering.blocks import Block


MOST_LISTED = 100
NUMBER = Align.NUMBERS
COLUMNS = tuple(
    Column(title, NUMBER)
    for title in (
        *("Rounds", "With findings", "Findings", "Overpaid", "Underpaid"),
        *("Rejected", "Missing"),
    )
)
"""Columns that `_row` fills."""
ADDS_UP = (
    "Nothing was audited again for this report: it adds up the reports named here, each identified "
    "by the SHA-256 of its body. Findings are apparent violations; an agent decides on them."
)


def operator_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the report of one operator."""
    sums, days = data["sums"], data["days"]
    without = [each for each in days if not each["report"]]
    reported = len(days) - len(without)
    yield _verdict(data, f"{data['operator']}, {data['in_words']}", len(without), "day")
    yield Facts(
        (
            ("Operator", f"{data['operator']} ({data['code']})"),
            ("Gambling days", f"{reported:,} of {len(days):,} reported"),
            *_figures(sums, len(data["issues"])),
        )
    )
    if data["before"]:
        yield _against(data["before"], sums)
    if without:
        yield Rows(
            "without",
            "Days without a nightly report",
            (Column("Day"), Column("Why")),
            tuple((day_in_words(each["day"]), each["why"]) for each in without),
        )
    yield Heading("Day by day")
    yield _days(
        [(each["day"], each["figures"]) for each in days if each["report"]],
        "No day of this period has a report.",
    )
    yield from _charts([(each["day"], each["figures"]) for each in days if each["report"]])
    yield from _issues(data["issues"])
    yield Heading("By code")
    yield codes_table(data["codes"], "Issues", "issues")
    lacking = [(each["day"], each["lacking"]) for each in days if each["report"]]
    yield Rows(
        "lacking",
        "What days lacked",
        (Column("Day"), Column("Missing")),
        tuple(
            (day_in_words(day), ", ".join(LACKS.get(code, code) for code in codes))
            for day, codes in lacking
            if codes
        ),
        "No day lacked anything.",
    )
    yield Heading("Basis")
    yield Words(ADDS_UP)
    yield Rows(
        "reports",
        "Nightly reports",
        (Column("Day"), Column("Report"), Column("SHA-256 of its body", Align.CODES)),
        tuple(
            (day_in_words(each["day"]), each["report"], each["body"])
            for each in days
            if each["report"]
        ),
        "None.",
    )
    yield from _engines(data["engines"])


def commission_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the report over all operators."""
    sums, operators = data["sums"], data["operators"]
    yield _verdict(
        data, f"{data['in_words'][0].upper()}{data['in_words'][1:]}", len(data["awaited"]),
        "operator", in_part=sum(each["reported"] < each["days"] for each in operators),
    )  # fmt: skip
    yield Facts(
        (
            ("Operators reported", f"{len(operators):,}"),
            ("Operators awaited", f"{len(data['awaited']):,}"),
            *_figures(sums, sum(each["issues"] for each in operators)),
        )
    )
    if data["awaited"]:
        yield Rows(
            "awaited",
            "Operators without a report of this period",
            (Column("Operator"), Column("Code")),
            tuple((each["name"], each["code"]) for each in data["awaited"]),
        )
    yield Heading("Day by day")
    by_day = sorted(data["by_day"].items())
    yield _days(by_day, "No day of this period has a report.")
    yield Words(
        "A day that an operator did not report adds nothing here; how many days each reported "
        "stands under By operator.",
        quiet=True,
    )
    yield from _charts(by_day)
    yield Heading("By operator")
    yield _operators(operators)
    yield Heading("By code")
    yield codes_table(data["codes"], "Operators", "operators")
    yield Heading("Basis")
    yield Words(ADDS_UP)
    yield Rows(
        "reports",
        "Reports of operators",
        (Column("Operator"), Column("Report"), Column("SHA-256 of its body", Align.CODES)),
        tuple((each["name"], each["report"], each["body"]) for each in operators),
        "None.",
    )
    yield from _engines(data["engines"])


def _verdict(
    data: Mapping[str, Any], whose: str, missing: int, of: str, *, in_part: int = 0
) -> Callout:
    """Return the period's verdict, with how many lack a report or have one for only some days."""
    sums = data["sums"]
    says = (
        f"{whose}: {counted(sums['rounds'], 'round')} audited, {sums['flagged']:,} with findings. "
        f"Players were overpaid {dollars(sums['received'])} and underpaid {dollars(sums['owed'])}."
    )
    if missing:
        verb = "have" if missing > 1 else "has"
        says += f" Not complete: {counted(missing, of)} {verb} no report."
    if in_part:
        verb = "lack" if in_part > 1 else "lacks"
        says += f" Not complete: {counted(in_part, of)} {verb} the report of one day or more."
    if sums["received"] or sums["owed"]:
        return Callout("Apparent violations, with money", says, Mood.SERIOUS)
    if sums["findings"] or missing or in_part:
        heading = "Apparent violations" if sums["findings"] else "Not complete"
        return Callout(heading, says, Mood.ATTENTION)
    return Callout("No apparent violation", says, Mood.GOOD)


def _figures(sums: Mapping[str, int], issues: int) -> tuple[tuple[str, str], ...]:
    return (
        ("Rounds audited", f"{sums['rounds']:,}, {sums['seats']:,} seats"),
        ("Rounds with findings", f"{sums['flagged']:,}"),
        ("Findings in rounds", f"{sums['findings']:,} in {issues:,} issues"),
        ("Overpaid", dollars(sums["received"])),
        ("Underpaid", dollars(sums["owed"])),
        ("Rejected lines", f"{sums['rejected']:,}"),
        ("Missing", f"{sums['lacking']:,}"),
        ("Could not be verified", f"{sums['unverified']:,} rounds"),
    )


def _against(before: Mapping[str, Any], sums: Mapping[str, int]) -> Rows:
    return Rows(
        "before",
        f"Against the period before, {before['reference']}",
        (
            Column("Figure"),
            Column("Before", NUMBER),
            Column("Now", NUMBER),
            Column("Difference", NUMBER),
        ),
        tuple(
            (title, show(was), show(sums[name]), show(sums[name] - was))
            for name, title, show in (
                ("rounds", "Rounds audited", _number),
                ("flagged", "Rounds with findings", _number),
                ("findings", "Findings", _number),
                ("received", "Overpaid", dollars),
                ("owed", "Underpaid", dollars),
                ("rejected", "Rejected lines", _number),
                ("lacking", "Missing", _number),
            )
            for was in (before["sums"][name],)
        ),
    )


def _number(count: int) -> str:
    return f"{count:,}".replace("-", "−")


def _days(days: Sequence[tuple[str, Mapping[str, int]]], empty: str) -> Rows:
    return Rows(
        "days",
        "Gambling days",
        (
            Column("Day"),
            *COLUMNS,
        ),
        tuple((_weekday(day), *_row(figures)) for day, figures in days),
        empty,
    )


def _row(figures: Mapping[str, int]) -> tuple[str, ...]:
    return (
        *(f"{figures[name]:,}" for name in ("rounds", "flagged", "findings")),
        *(dollars(figures[name]) for name in ("received", "owed")),
        *(f"{figures[name]:,}" for name in ("rejected", "lacking")),
    )


def _weekday(iso: str) -> str:
    return f"{date.fromisoformat(iso):%a, %b %-d, %Y}"


def _charts(days: Sequence[tuple[str, Mapping[str, int]]]) -> Iterator[Block]:
    if not any(figures["rounds"] for _, figures in days):
        return
    for name, what_ in (("rounds", "Rounds"), ("findings", "Findings")):
        bars = [(_weekday(day), figures[name]) for day, figures in days]
        yield counted_bars(f"{what_} by day", bars, name)
    moved = [(_weekday(day), figures["received"], figures["owed"]) for day, figures in days]
    yield from money_by("Money by day and direction", "Money by day", moved)


def _issues(issues: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    yield Heading("Apparent violations, by issue")
    yield Rows(
        "issues",
        "Issues of the period, most severe first",
        (
            Column("Issue"),
            Column("Where"),
            Column("Nights", NUMBER),
            Column("Findings", NUMBER),
            Column("Overpaid", NUMBER),
            Column("Underpaid", NUMBER),
            Column("State"),
        ),
        tuple(
            (
                name_issue(each) + (f". {each['diagnosis']}" if each["diagnosis"] else ""),
                f"{each['game_name']}, table {each['table']}",
                f"{each['nights']:,}",
                f"{each['findings']:,}",
                dollars(each["over"]),
                dollars(each["under"]),
                each["state"],
            )
            for each in issues[:MOST_LISTED]
        ),
        "Nothing was found in any round.",
    )
    more = issues[MOST_LISTED:]
    if more:
        found = sum(each["findings"] for each in more)
        yield Words(
            f"{len(more):,} more issues with {found:,} findings are not listed here; all stand "
            "in the data of this report."
        )


def _operators(operators: Sequence[Mapping[str, Any]]) -> Rows:
    return Rows(
        "operators",
        "Reported operators",
        (
            Column("Operator"),
            Column("Days", NUMBER),
            *COLUMNS,
        ),
        tuple(
            (each["name"], f"{each['reported']} of {each['days']}", *_row(each["sums"]))
            for each in operators
        ),
        "No report has been made yet.",
    )


def _engines(engines: Sequence[str]) -> Iterator[Block]:
    if engines:
        yield Facts(tuple(("Engine", each) for each in engines), Align.CODES)
