"""A night's issues: what was found, whose money it is, and what was asked and answered before."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import orjson
from django.db.models import Max, Q
from django.urls import reverse

from audits.instants import instant as instant_of
from audits.replay.findings.marks import Key
from audits.replay.findings.models import Issue, IssueNight
from audits.replay.findings.reads import impact_of, units_of
from audits.replay.findings.routes import findings_with_keys
from audits.replay.findings.wording import describe_coverage, headline_of
from audits.review.issues.questions import questions_on
from compliance.filings.requests.reads import game_names
from games.checks import describe_code
from games.explanation.findings import describe_finding
from games.findings import MoneyOwner, Severity, money_owner
from reports.documents.authority import Authorities
from reports.documents.wording import local

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from audits.intake.days.models import GamblingDay

MOST_CITED = 2
"""Clauses quoted for one issue: those that most of its findings cite."""
MOST_EARLIER = 3
OWNERS = {"players": MoneyOwner.PLAYERS, "house": MoneyOwner.HOUSE, "table": MoneyOwner.TABLE}
SHORT = 8
"""Characters of an issue's short id."""


@dataclass
class Sums:
    """What the findings of one issue came to on a night."""

    findings: int = 0
    rounds: set[str] = field(default_factory=set)
    players: set[str] = field(default_factory=set)
    tables: Counter[str] = field(default_factory=Counter)
    codes: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))
    """Findings, cents over and cents under by code, of every owner of money together."""
    money: dict[MoneyOwner, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    cites: Counter[str] = field(default_factory=Counter)
    first: int = 0
    last: int = 0
    example: dict[str, Any] = field(default_factory=dict)

    def add(self, finding: dict[str, Any]) -> None:
        """Count one finding; the example is the one with the largest amount."""
        over, under = max(finding["delta"], 0), max(-finding["delta"], 0)
        self.findings += 1
        self.rounds.add(finding["round"])
        if finding["player"] and finding["delta"]:
            self.players.add(finding["player"])
        self.tables[finding["table"]] += 1
        self.cites.update(finding["cites"])
        owner = money_owner(finding["code"], finding["wager"])
        for sums, place in ((self.codes[finding["code"]], 1), (self.money[owner], 0)):
            sums[place] += over
            sums[place + 1] += under
        self.codes[finding["code"]][0] += 1
        self.first = min(self.first or finding["at"], finding["at"])
        self.last = max(self.last, finding["at"])
        if not self.example or abs(finding["delta"]) > abs(self.example["delta"]):
            self.example = finding


def sums_of_night(day: GamblingDay) -> dict[Key, Sums]:
    """Add up every finding in the day's rounds by issue, from the complete files."""
    found: dict[Key, Sums] = defaultdict(Sums)
    for unit in units_of(day) if day.current is not None else ():
        with findings_with_keys(unit) as lines:
            for line, key in lines:
                found[key].add(orjson.loads(line))
    return dict(found)


def issues_of_night(day: GamblingDay) -> list[dict[str, Any]]:
    """Return every issue in rounds of a day, the most serious in law first."""
    sums = sums_of_night(day)
    nights = IssueNight.objects.filter(
        issue__party=day.party, day=day.day, findings__gt=0, replay__isnull=False
    ).select_related("issue")
    names, authorities = game_names(), Authorities(day)
    found = sorted(nights, key=_seriousness)
    return [
        _issue(each, sums[Key(each.issue.game, each.issue.cause)], names, authorities)
        for each in found
    ]


def _seriousness(night: IssueNight) -> tuple[int, int, int, int]:
    """Sort play without approval first, then rules broken for one cause, then scattered errors.

    Within each, procedure comes before money, and money by amount.
    """
    issue = night.issue
    named = {"code": issue.code, "diagnosis": issue.diagnosis, "weight": issue.weight}
    return place_of(named), -impact_of(issue), -night.rounds, night.issue_id


def place_of(issue: Mapping[str, Any]) -> int:
    """Return the place of an issue among those of its kind: without approval, one cause, rest."""
    if issue["code"].startswith("approval."):
        return 0
    if issue["weight"] == Severity.NOTICE:
        return 3
    return 1 if issue["diagnosis"] else 2


def _issue(
    night: IssueNight, sums: Sums, names: dict[str, str], authorities: Authorities
) -> dict[str, Any]:
    issue = night.issue
    cited = [id_ for id_, _ in sorted(sums.cites.items(), key=lambda each: (-each[1], each[0]))]
    return {
        **name_of_issue(issue),
        "game_name": names.get(issue.game, issue.game),
        "code": issue.code,
        "codes": [
            {"code": code, "says": describe_code(code), "findings": n, "over": o, "under": u}
            for code, (n, o, u) in sorted(sums.codes.items())
        ],
        "weight": issue.weight,
        "tables": sorted(sums.tables),
        "diagnosis": issue.diagnosis,
        "coverage": describe_coverage(issue),
        "concentrations": [each["attribute"] for each in night.concentrations[:1]],
        "state": issue.get_state_display(),
        "decided": not issue.open,
        "findings": sums.findings,
        "rounds": len(sums.rounds),
        "players": len(sums.players),
        "money": {name: sums.money[owner] for name, owner in OWNERS.items()},
        "first": local(instant_of(sums.first)),
        "last": local(instant_of(sums.last)),
        "criteria": [authorities.of(issue.game, id_) for id_ in cited[:MOST_CITED]],
        "also_cited": cited[MOST_CITED:],
        "example": _example(issue, sums.example),
        "questions": [
            {
                "asks": each.text,
                "at": local(each.at),
                "until": each.until.isoformat() if each.until else None,
                "answer": each.answer,
                "answered": local(each.answered) if each.answered else None,
            }
            for each in questions_on(issue)
        ],
        "earlier": list(_earlier(night)),
    }


def name_of_issue(issue: Issue) -> dict[str, Any]:
    """Return how every report names an issue: its short id, its page, and what happened."""
    return {
        "id": str(issue.uuid),
        "short": str(issue.uuid)[:SHORT],
        "path": reverse("issue", args=[issue.uuid]),
        "headline": headline_of(issue),
    }


def _example(issue: Issue, finding: dict[str, Any]) -> dict[str, Any]:
    names = ("seat", "player", "wager", "logged", "expected", "delta")
    words = describe_finding(finding["code"], **{name: finding[name] for name in names})
    return {
        "round": finding["round"],
        "path": reverse("round", args=[issue.party.code, finding["round"]]),
        "finding": finding["id"],
        "at": local(instant_of(finding["at"])),
        "table": finding["table"],
        "words": asdict(words),
        "log": finding["log"],
        "line": finding["source_line"],
    }


def _earlier(night: IssueNight) -> Iterable[dict[str, Any]]:
    """Yield earlier issues with the same cause here, and how often each occurred on other days."""
    issue = night.issue
    same = Q(cause=issue.cause, game=issue.game, party=issue.party_id)
    before = Issue.objects.filter(same, pk__lt=issue.pk).order_by("-pk")
    for each in before[:MOST_EARLIER]:
        last = each.nights.filter(findings__gt=0).aggregate(last=Max("day"))["last"]
        yield {
            **name_of_issue(each),
            "state": each.get_state_display(),
            "last": last.isoformat() if last else None,
        }
    days = issue.nights.filter(findings__gt=0, day__lt=night.day)
    if before_here := days.count():
        last = days.aggregate(last=Max("day"))["last"]
        yield {
            **name_of_issue(issue),
            "state": f"{issue.get_state_display()}, on {before_here:,} earlier "
            + ("day" if before_here == 1 else "days"),
            "last": last.isoformat() if last else None,
        }
