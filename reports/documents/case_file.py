"""The case file: the contents of a case with their proofs, as of when the report is made.

The software recommends nothing: an agent decides. Each event comes with the proof that the log
contains it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.intake.rounds import find_round
from audits.replay.findings.models import Finding, Issue, IssueNight
from audits.replay.findings.wording import describe_coverage, describe_title, parts_of
from audits.review.cases.models import Case, CaseItem, CaseRemoval
from audits.review.cases.presentation import put_into_words
from audits.review.cases.reads import prior_history
from audits.review.issues.models import Decision
from audits.review.issues.steps import OPEN
from audits.review.rounds.explanation import explain_round_on_file
from compliance.access.permissions import Action
from compliance.access.reads import names_of
from compliance.event_log.reads import describe_events
from compliance.event_log.tree import inclusion_proof, newest_checkpoint
from compliance.event_log.writes import integrate
from compliance.events.models import Event
from compliance.filings.requests.reads import game_names
from games.checks import describe_code
from reports.documents.case_blocks import case_blocks, first_page
from reports.documents.models import Report
from reports.documents.registry import (
    About,
    DocumentKind,
    ReportContent,
    register,
)
from reports.documents.round_sheet import NAME as ROUND_SHEET
from reports.documents.round_sheet import about_round, record_data
from reports.documents.wording import local

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from audits.review.cases.presentation import CaseInWords, Evidence
    from compliance.access.models import Party


def events_of(case: Case) -> QuerySet[Event]:
    """Return the events of a case, its items and decisions on its issues, in order.

    The commission's internal notes do not appear in any report.
    """
    items = case.items.values("pk")
    issues = case.items.filter(removal__isnull=True, issue__isnull=False).values("issue")
    things = [
        case.uuid,
        *case.items.values_list("uuid", flat=True),
        *CaseRemoval.objects.filter(item__in=items).values_list("uuid", flat=True),
        *Decision.objects.filter(issue__in=issues).values_list("uuid", flat=True),
    ]
    found: QuerySet[Event] = (
        Event.objects.filter(object__in=things).select_related("personal", "placed").order_by("pk")
    )
    return found


def proven(events: Sequence[Event]) -> dict[str, Any]:
    """Return the events in words with their places in the log, all proven under one checkpoint."""
    integrate()
    checkpoint = newest_checkpoint()
    found = Event.objects.filter(pk__in=[each.pk for each in events])
    rows = describe_events(found.select_related("personal", "placed").order_by("pk"))
    return {
        "checkpoint": checkpoint.note if checkpoint else None,
        "rows": [
            {
                "at": local(each.event.at),
                "type": each.event.type,
                "says": each.says,
                "reason": each.event.reason,
                "uuid": str(each.event.uuid),
                "leaf": each.index,
                "hash": bytes(each.event.placed.hash).hex(),
                "proof": inclusion_proof(each.event.placed, checkpoint),
            }
            for each in rows
            if checkpoint is not None
        ],
    }


NAME = "case_file"
MOST_NIGHTS = 60
MOST_FINDINGS = 20
UNDECIDED = (*OPEN, Issue.State.REFERRED)
"""An issue that was referred to a case is decided there."""


def gather(about: About) -> dict[str, Any]:
    """Read the case, its items, the decisions, and the proof of each event."""
    case = case_of(about)
    words = put_into_words(case)
    events = list(events_of(case))
    issues = [each.item.issue for each in words.items if each.item.issue is not None]
    decisions = list(Decision.objects.filter(issue__in=issues).select_related("issue"))
    names = names_of(by for each in decisions for by in (each.by, each.seconded_by))
    proof = proven(events)
    rounds = [
        _round(case.party, each.item)
        for each in words.items
        if each.item.kind == CaseItem.Kind.ROUND
    ]
    return {
        "number": case.number,
        "title": case.title,
        "operator": case.party.name,
        "code": case.party.code,
        "unit": case.unit.name,
        "opened": local(case.opened),
        "because": case.reason,
        "closed": local(case.closed) if case.closed else None,
        "state": case.get_state_display(),
        "facts": case.facts,
        "level": _level(words),
        "items": [_item(each) for each in words.items],
        "taken_out": [  # the key in the kept inputs of earlier reports
            {
                **_item(each),
                "by": each.removed_by,
                "at": local(each.removal.at),
                "reason": each.removal.reason,
            }
            for each in words.removed
            if each.removal
        ],
        "issues": [_issue(each) for each in issues],
        "rounds": rounds,
        "decisions": [_decision(each, names) for each in decisions],
        "history": _history(case),
        "events": proof,
    }


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report."""
    front = tuple(first_page(data))
    return ReportContent(
        title=f"Case file {data['number']}: {data['title']}",
        blocks=(*front, *case_blocks(data)),
        contents=True,
        front=len(front),
    )


def case_of(about: About) -> Case:
    """Return the case of a report; refuse if the user cannot see it."""
    return about.find("case", Case.objects.select_related("party", "unit"))


def edition(about: About) -> int:
    """Return the number of the case's events, so that each state of the case has one file."""
    return events_of(case_of(about)).count() or 1


def _nobody(about: About) -> list[Party]:
    """Return no parties, because a case belongs to the commission alone."""
    case_of(about)
    return []


def _level(words: CaseInWords) -> dict[str, Any] | None:
    """Return the recommended level and who recommended it; None if there is none."""
    case = words.case
    if not case.level:
        return None
    return {
        "level": case.recommended,
        "reason": case.level_reason,
        "by": words.level_by,
        "at": local(case.level_at) if case.level_at else None,
    }


def _item(evidence: Evidence) -> dict[str, Any]:
    item = evidence.item
    return {
        "kind": item.kind,
        "kind_in_words": item.get_kind_display(),
        **({"name": _named(item)} if item.name else {}),
        **({"is_alleged": True} if item.is_alleged else {}),
        "text": item.text,
        "issue": str(item.issue.uuid) if item.issue else None,
        "round": item.round,
        "paper": {
            "says": str(item.paper),
            "of": item.paper.evidence_date.isoformat(),
            "files": [{"name": each.name, "sha256": each.sha256} for each in evidence.files],
        }
        if item.paper
        else None,
        "by": evidence.by,
        "at": local(item.at),
    }


def _named(item: CaseItem) -> str:
    """Return a person, a section of the law, or a video with the time to look at."""
    times = " to ".join(local(each) for each in (item.begins, item.ends) if each)
    return ", ".join(filter(None, (item.name, times)))


def _issue(issue: Issue) -> dict[str, Any]:
    nights = IssueNight.objects.filter(issue=issue, findings__gt=0).order_by("day")
    shown = Finding.objects.filter(issue=issue).exclude(standing=Finding.Standing.GONE)
    return {
        "uuid": str(issue.uuid),
        "code": issue.code,
        "headline": describe_title(issue),
        "says": describe_code(issue.code),
        "game": game_names().get(issue.game, issue.game),
        "table": ", ".join(parts_of(issue, "table")),
        "wager": issue.wager,
        "line": issue.line,
        "weight": issue.weight,
        "diagnosis": describe_coverage(issue),
        "state": issue.get_state_display(),
        "undecided": issue.state in UNDECIDED,
        "again": issue.again_after_id is not None,
        "findings": issue.findings,
        "rounds": issue.rounds,
        "over": issue.over,
        "under": issue.under,
        "nights": [
            [each.day.isoformat(), each.findings, each.rounds, each.over, each.under]
            for each in nights[:MOST_NIGHTS]
        ],
        "nights_in_all": nights.count(),
        "examples": [
            {
                "round": each.round,
                "at": local(each.at) if each.at else None,
                "seat": each.seat,
                "player": each.player,
                "logged": each.logged,
                "expected": each.expected,
                "delta": each.delta,
                "cites": each.cites,
                "log": each.log_sha256,
                "line": each.source_line,
            }
            for each in shown.order_by("day", "pk")[:MOST_FINDINGS]
        ],
    }


def _round(party: Party, item: CaseItem) -> dict[str, Any]:
    """Return a short form of a round, with its sheet if one was made."""
    on_file = find_round([party], item.round)
    if on_file is None:
        return {"round": item.round, "record": None, "sheet": None}
    about = about_round(on_file)
    sheets = Report.objects.filter(kind=ROUND_SHEET, about=about.key).order_by("number")
    sheet = sheets.last()
    return {
        "round": item.round,
        "record": record_data(explain_round_on_file(on_file)),
        "sheet": None if sheet is None else {"reference": sheet.reference, "body": sheet.body},
    }


def _decision(decision: Decision, names: Mapping[UUID | None, str]) -> dict[str, Any]:
    return {
        "issue": str(decision.issue.uuid),
        "code": decision.issue.code,
        "was": decision.get_was_display(),
        "state": decision.get_state_display(),
        "reason": decision.reason,
        "until": decision.until.isoformat() if decision.until else None,
        "moved": decision.moved,
        "by": names.get(decision.by, ""),
        "seconded_by": names.get(decision.seconded_by, "") if decision.seconded_by else None,
        "at": local(decision.at),
    }


def _history(case: Case) -> dict[str, Any]:
    """Return other cases of the operator, and findings confirmed or corrected outside this one."""
    found = prior_history(case.party, but=case)
    return {
        "cases": [
            {
                "number": each.number,
                "title": each.title,
                "opened": local(each.opened),
                "state": each.get_state_display(),
                "level": each.recommended if each.level else None,
            }
            for each in found.cases
        ],
        "more": found.more,
        "decided": [
            {
                "code": each["code"],
                "says": describe_code(each["code"]),
                "state": Issue.State(each["state"]).label,
                "issues": each["issues"],
                "rounds": each["sum_rounds"],
                "over": each["sum_over"],
                "under": each["sum_under"],
                "last": local(each["latest"]) if each["latest"] else None,
            }
            for each in found.decided
        ],
    }


CASE_FILE = register(
    DocumentKind(
        name=NAME,
        title="Case file",
        letters="CF",
        action=Action.SEE_FINDINGS,
        gather=gather,
        compose=compose,
        shown_to=_nobody,
        edition=edition,
    )
)
