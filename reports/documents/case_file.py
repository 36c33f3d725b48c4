"""The case file: what was gathered on a case, with its proofs, as it stands when it is made.

What weighs is an agent's to say: the software recommends nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.models import Case, CaseItem, Decision, Finding, Pattern, PatternNight
from audits.review_steps import OPEN
from audits.selectors.prior_history import prior_history
from audits.selectors.round_told import round_told
from audits.selectors.rounds import find_round
from compliance.models import Person
from compliance.permissions import Action
from compliance.selectors.games import names_of_games
from reports.documents.case_blocks import case_blocks, first_page
from reports.documents.case_events import events_of, proven
from reports.documents.kinds import About, DocumentKind, NothingToReportError, Told, register
from reports.documents.night_patterns import words_of
from reports.documents.people import local
from reports.documents.round_sheet import NAME as ROUND_SHEET
from reports.documents.round_sheet import about_round, kept
from reports.models import Report

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from compliance.models import Party

NAME = "case_file"
MOST_NIGHTS = 60
MOST_FINDINGS = 20
UNDECIDED = (*OPEN, Pattern.State.REFERRED)
"""A pattern that was referred to a case is decided on there."""


def gather(about: About) -> dict[str, Any]:
    """Read the case, what lies in it, what was decided, and the proof of each event."""
    case = case_of(about)
    gathered = list(
        case.items.select_related("pattern", "paper__document", "removal").order_by("at", "pk")
    )
    items = [each for each in gathered if not hasattr(each, "removal")]
    removals = [each.removal for each in gathered if hasattr(each, "removal")]
    events = list(events_of(case))
    people = {each.by for each in gathered} | {each.by for each in removals}
    people |= {case.level_by} if case.level_by else set()
    patterns = [each.pattern for each in items if each.pattern is not None]
    decisions = list(Decision.objects.filter(pattern__in=patterns).select_related("pattern"))
    people |= {each.by for each in decisions} | {d.seconded_by for d in decisions if d.seconded_by}
    names = {each.uuid: each.name for each in Person.objects.filter(uuid__in=people)}
    proof = proven(events)
    rounds = [_round(case.party, each) for each in items if each.kind == CaseItem.Kind.ROUND]
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
        "level": _level(case, names),
        "items": [_item(each, names) for each in items],
        "taken_out": [
            {
                **_item(each.item, names),
                "by": names.get(each.by, ""),
                "at": local(each.at),
                "reason": each.reason,
            }
            for each in removals
        ],
        "patterns": [_pattern(each) for each in patterns],
        "rounds": rounds,
        "decisions": [_decision(each, names) for each in decisions],
        "history": _history(case),
        "events": proof,
    }


def compose(data: Mapping[str, Any]) -> Told:
    """Set it in type."""
    front = tuple(first_page(data))
    return Told(
        title=f"Case file {data['number']}: {data['title']}",
        blocks=(*front, *case_blocks(data)),
        contents=True,
        front=len(front),
    )


def case_of(about: About) -> Case:
    """The case that it is about; refuses where whoever asks sees none."""
    cases = Case.objects.filter(uuid=about.thing).select_related("party", "unit")
    case: Case | None = cases.first()
    if case is None:
        message = f"There is no case {about.thing}."
        raise NothingToReportError(message)
    return case


def edition(about: About) -> int:
    """How many events there are of the case: a file is made once for each state of it."""
    return events_of(case_of(about)).count() or 1


def _nobody(about: About) -> list[Party]:
    """A case is the commission's own."""
    case_of(about)
    return []


def _level(case: Case, names: Mapping[UUID, str]) -> dict[str, Any] | None:
    """What an agent recommended, and who; nothing where nobody did."""
    if not case.level:
        return None
    return {
        "level": case.recommended,
        "reason": case.level_reason,
        "by": names.get(case.level_by, "") if case.level_by else "",
        "at": local(case.level_at) if case.level_at else None,
    }


def _item(item: CaseItem, names: Mapping[UUID, str]) -> dict[str, Any]:
    paper = item.paper
    files = [] if paper is None else list(paper.files.order_by("place"))
    return {
        "kind": item.kind,
        "kind_in_words": item.get_kind_display(),
        "text": item.text,
        "pattern": str(item.pattern.uuid) if item.pattern else None,
        "round": item.round,
        "paper": None
        if paper is None
        else {
            "says": str(paper),
            "of": paper.evidence_date.isoformat(),
            "files": [{"name": each.name, "sha256": each.sha256} for each in files],
        },
        "by": names.get(item.by, ""),
        "at": local(item.at),
    }


def _pattern(pattern: Pattern) -> dict[str, Any]:
    nights = PatternNight.objects.filter(pattern=pattern, findings__gt=0).order_by("day")
    shown = Finding.objects.filter(pattern=pattern).exclude(standing=Finding.Standing.GONE)
    return {
        "uuid": str(pattern.uuid),
        "code": pattern.code,
        "says": words_of(pattern.code),
        "game": names_of_games().get(pattern.game, pattern.game),
        "table": pattern.table,
        "wager": pattern.wager,
        "line": pattern.line,
        "weight": pattern.weight,
        "diagnosis": pattern.diagnosis,
        "state": pattern.get_state_display(),
        "undecided": pattern.state in UNDECIDED,
        "again": pattern.again_after_id is not None,
        "findings": pattern.findings,
        "rounds": pattern.rounds,
        "over": pattern.over,
        "under": pattern.under,
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
    """A round in short, and its sheet where one was made."""
    on_file = find_round([party], item.round)
    if on_file is None:
        return {"round": item.round, "told": None, "sheet": None}
    about = about_round(on_file)
    sheets = Report.objects.filter(kind=ROUND_SHEET, about=about.key).order_by("number")
    sheet = sheets.last()
    return {
        "round": item.round,
        "told": kept(round_told(on_file)),
        "sheet": None if sheet is None else {"reference": sheet.reference, "body": sheet.body},
    }


def _decision(decision: Decision, names: Mapping[UUID, str]) -> dict[str, Any]:
    return {
        "pattern": str(decision.pattern.uuid),
        "code": decision.pattern.code,
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
    """Other cases of the operator, and what was confirmed or corrected outside of this one."""
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
                "says": words_of(each["code"]),
                "state": Pattern.State(each["state"]).label,
                "patterns": each["patterns"],
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
