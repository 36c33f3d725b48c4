"""A night's findings by cause: counts, money in both directions, and an example with cards."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.db.models import Sum

from audits.instants import instant as instant_of
from audits.replay.findings.files import issues_of
from audits.replay.findings.marks import Key
from audits.replay.findings.models import IssueNight
from audits.replay.findings.reads import units_of
from audits.replay.findings.wording import describe_coverage, describe_title, parts_of
from compliance.filings.requests.reads import game_names
from games.checks import describe_code
from games.explanation.findings import describe_finding, describe_money
from games.explanation.places import DEALER, explain_places
from games.explanation.words import name_in_words
from games.findings import money_owner
from games.log.form import Rejection, read_line
from reports.documents.round_blocks import place_blocks
from reports.documents.wording import codes_table, count, counted, dollars, instant, local
from reports.rendering.blocks import Align, Column, Facts, Heading, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.intake.days.models import GamblingDay
    from games.explanation.model import Place
    from reports.rendering.blocks import Block


SEVERITIES = ("money", "procedure", "notice")
MOST_LISTED = 100
MOST_EXAMPLES = 12
MOST_SEATS = 8
OF_THE_TABLE = ("deal.", "setting.", "settlement.", "bank.")
"""Findings without a seat for which the cards of every seat are relevant."""


def issues_of_night(day: GamblingDay) -> list[dict[str, Any]]:
    """Return every issue in rounds of a day, top issues first."""
    nights = IssueNight.objects.filter(
        issue__party=day.party, day=day.day, findings__gt=0, replay__isnull=False
    ).select_related("issue")
    found = sorted(nights, key=_by_severity)
    keys = [Key(each.game, each.cause) for each in (night.issue for night in found)]
    examples = _examples(day, set(keys[:MOST_EXAMPLES]))
    names = game_names()
    return [
        {
            "game": night.issue.game,
            "game_name": names[night.issue.game],
            "headline": describe_title(night.issue),
            "table": ", ".join(parts_of(night.issue, "table")),
            "code": night.issue.code,
            "codes": _codes_of(night),
            "wager": night.issue.wager,
            "line": night.issue.line,
            "weight": night.issue.weight,
            "says": describe_code(night.issue.code),
            "diagnosis": describe_coverage(night.issue),
            "state": night.issue.get_state_display(),
            "decided": not night.issue.open,
            "again": night.issue.again_after_id is not None,
            "findings": night.findings,
            "rounds": night.rounds,
            "over": night.over,
            "under": night.under,
            "example": examples.get(key),
        }
        for night, key in zip(found, keys, strict=True)
    ]


def issues_blocks(issues: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """Yield a table of issues, and the top issues one by one."""
    yield Heading("Apparent violations, by issue")
    yield Words(
        "An issue is the findings of one cause in one game. Money comes first, "
        "then procedure, then notices. An apparent violation is a difference between the log and "
        "the terms in effect; this report decides nothing."
    )
    yield codes_table(_by_code(issues), "Issues", "issues")
    listed = issues[:MOST_LISTED]
    yield Rows(
        "issues",
        "Issues of the night",
        (
            Column("No.", Align.NUMBERS),
            Column("Issue"),
            Column("Where"),
            Column("Findings", Align.NUMBERS),
            Column("Rounds", Align.NUMBERS),
            Column("Overpaid", Align.NUMBERS),
            Column("Underpaid", Align.NUMBERS),
            Column("State"),
        ),
        tuple(
            (
                str(number),
                name_issue(each),
                f"{each['game_name']}, table {each['table']}",
                f"{each['findings']:,}",
                f"{each['rounds']:,}",
                dollars(each["over"]),
                dollars(each["under"]),
                each["state"] + (", again after a decision" if each["again"] else ""),
            )
            for number, each in enumerate(listed, start=1)
        ),
        "No findings in any round.",
    )
    more = issues[MOST_LISTED:]
    if more:
        count = sum(each["findings"] for each in more)
        yield Words(
            f"{len(more):,} more issues with {count:,} findings are not listed here; all are in "
            "the data of this report."
        )
    examples = sum(bool(each["example"]) for each in issues)
    if examples:
        left = len(issues) - examples
        rest = f" {left:,} other issues have no example here." if left else ""
        yield Heading("Examples")
        yield Words(f"The first round of each issue, with its cards.{rest}", quiet=True)
    for number, each in enumerate(issues, start=1):
        if each["example"]:
            yield from _example(number, each)


def _by_code(issues: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    codes: dict[str, dict[str, Any]] = {}
    for issue in issues:
        for each in issue.get("codes") or [issue]:  # reports made earlier had one code an issue
            nothing = {"says": each["says"], "issues": 0, "findings": 0, "over": 0, "under": 0}
            sums = codes.setdefault(each["code"], nothing)
            sums["issues"] += 1
            count(sums, each)
    return codes


def _codes_of(night: IssueNight) -> list[dict[str, Any]]:
    """Return what an issue came to on a day by code."""
    parts = night.issue.parts.filter(day=night.day).order_by("code").values("code")
    sums = parts.annotate(**{name: Sum(name) for name in ("findings", "over", "under")})
    return [{**each, "wager": "", "says": describe_code(each["code"])} for each in sums]


def name_issue(issue: Mapping[str, Any]) -> str:
    """Name an issue by its headline; older inputs have a code, wager and line."""
    if headline := issue.get("headline"):
        return str(headline)
    names = (name_in_words(issue[key]) for key in ("wager", "line"))
    return ", ".join(filter(None, (describe_code(issue["code"]), *names)))


def _example(number: int, issue: Mapping[str, Any]) -> Iterator[Block]:
    example = issue["example"]
    words = example["words"]
    yield Heading(f"Issue {number}: {name_issue(issue)}, table {issue['table']}", 2)
    owner = money_owner(issue["code"], issue["wager"])
    money = describe_money(owner, issue["over"], issue["under"])
    found = f"{counted(issue['findings'], 'finding')} in {counted(issue['rounds'], 'round')}"
    what = issue.get("headline") or issue["says"]
    yield Words(f"{what}: {found}" + (f"; in total, {money}." if money else "."))
    facts = (
        ("Diagnosis", issue["diagnosis"]),
        ("Round", f"{example['round']}, {instant(example['at'])}"),
        ("Where", words["where"]),
        ("Logged", words["logged"]),
        ("Expected", words["expected"]),
        ("Difference", words["difference"]),
        ("Authority", ", ".join(example["cites"])),
        ("Evidence", f"line {example['line']:,} of log {example['log'][:16]}…"),
    )
    yield Facts(tuple((name, text) for name, text in facts if text and text != "–"))
    for place in example["places"]:
        yield from place_blocks(place)


def _by_severity(night: IssueNight) -> tuple[int, int, int, int]:
    severity = SEVERITIES.index(night.issue.weight)
    return severity, -(night.over + night.under), -night.findings, night.issue_id


def _examples(day: GamblingDay, wanted: set[Key]) -> dict[Key, dict[str, Any]]:
    """Return an example of each issue, from the work units' files."""
    found: dict[Key, dict[str, Any]] = {}
    if day.current is None:
        return found
    for unit in units_of(day):
        for occurred in issues_of(unit):
            if occurred.key in wanted and occurred.key not in found and occurred.shown:
                found[occurred.key] = _example_data(occurred.shown)
    return found


def _example_data(shown: Sequence[str]) -> dict[str, Any]:
    finding, round_ = json.loads(shown[0]), shown[1].encode()
    names = ("seat", "player", "wager", "logged", "expected", "delta")
    words = describe_finding(finding["code"], **{name: finding[name] for name in names})
    return {
        "round": finding["round"],
        "at": local(instant_of(finding["at"])),
        "words": asdict(words),
        "cites": finding["cites"],
        "log": finding["log"],
        "line": finding["source_line"],
        "places": [asdict(each) for each in _places(finding, round_)],
    }


def _places(finding: Mapping[str, Any], line: bytes) -> Iterator[Place]:
    """Yield where the cards matter to a finding: the dealer, and its seat or every seat."""
    round_ = read_line(line)
    if isinstance(round_, Rejection):
        return
    seat = finding["seat"]
    if seat is None and not finding["code"].startswith(OF_THE_TABLE):
        return
    titles = {DEALER, f"Seat {seat}"}
    places = [it for it in explain_places(round_) if seat is None or it.title in titles]
    yield from places[: MOST_SEATS + 1]
