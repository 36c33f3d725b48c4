"""The activity on an issue: who did what and why, from the event log, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import Q
from django.utils.dateparse import parse_date

from audits.replay.findings.models import Issue
from audits.review.issues.models import Decision, ReviewNote
from audits.review.issues.steps import STEPS
from compliance.access.reads import names_of
from compliance.access.scope import without_access_scope
from compliance.event_log.reads import ACTORS
from compliance.events.models import ActorKind, Event
from compliance.ui.filters import day as show_day

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


@dataclass(frozen=True)
class Activity:
    """One thing that happened to an issue."""

    at: datetime
    who: str
    what: str
    """Completes the name to a sentence, without a period."""
    text: str = ""
    """The reason, the question, the answer or the note."""
    documents: Sequence[Any] = ()
    notice: str = ""
    """What the operator reads about a decision."""


WHAT: Final = {
    "issue.opened": "opened the issue from the audit of {day}",
    "issue.claimed": "took the issue, due {due}",
    "issue.assigned": "assigned the issue to {person}",
    "issue.escalated": "escalated the issue to the supervisors",
    "issue.decision_proposed": "proposed a decision: {state}",
    "issue.proposal_withdrawn": "withdrew the proposed decision: {state}",
    "issue.proposal_refused": "rejected the proposed decision: {state}",
    "issue.waiver_ended": "returned the issue to the queue: its waiver ended on {until}",
    "issue.changed": "returned the issue for a decision after the audit of {day}: {says}",
    "issue.emptied": "closed the issue: the audit of {day} found nothing anymore",
    "issue.refilled": "opened the issue again: the audit of {day} found it again",
    "issue.released": "released the issue to the operator",
    "issue.answered": "answered for the operator",
    "issue.split": "split {findings} findings off into a new issue",
    "issue.split_off": "split this issue off another one",
    "issue.merged": "merged this issue into another one",
    "issue.absorbed": "merged another issue into this one",
    "issue.noted": "wrote a note",
}
"""What each type of event says of an issue; a decision is named by its step."""

DAYS: Final = ("day", "due", "until")


def activity_of(issue: Issue) -> list[Activity]:
    """Return what happened to an issue; only for the commission."""
    decisions = {
        each.uuid: each
        for each in Decision.objects.filter(issue=issue)
        .select_related("case")
        .prefetch_related("papers__paper__document")
    }
    notes = {each.uuid: each for each in ReviewNote.objects.filter(issue=issue)}
    about = Q(object__in=[issue.uuid, *decisions, *notes])
    with without_access_scope():
        events = list(Event.objects.filter(about, type__startswith="issue.").order_by("id"))
    proposers: list[UUID | None] = []
    people_of = [_people(each) for each in events]
    names = names_of(
        (
            *(uuid for people in people_of for uuid in people),
            *(each.by for each in decisions.values()),
            *(each.seconded_by for each in decisions.values()),
        )
    )
    feed = []
    for event in events:
        if event.type == "issue.decision_proposed":
            proposers.append(event.actor)
        is_own = bool(proposers) and event.actor == proposers[-1]
        feed.append(_entry(event, decisions, notes, names, is_own=is_own))
    return feed[::-1]


def _people(event: Event) -> list[UUID]:
    person = event.payload.get("person", "")
    named = [UUID(person)] if person not in {"", "nobody"} else []
    return [*named, *([event.actor] if event.actor else [])]


def _entry(
    event: Event,
    decisions: dict[UUID, Decision],
    notes: dict[UUID, ReviewNote],
    names: dict[UUID | None, str],
    *,
    is_own: bool,
) -> Activity:
    who = names.get(event.actor) or ACTORS[ActorKind(event.actor_kind)]
    decision = decisions.get(event.object) if event.object else None
    if decision is not None:
        return _decision(event, decision, who, names)
    note = notes.get(event.object) if event.object else None
    kind = event.type
    if kind == "issue.proposal_refused" and is_own:
        kind = "issue.proposal_withdrawn"
    return Activity(
        event.at, who, WHAT.get(kind, kind).format_map(_values(event, names)),
        note.text if note else event.reason,
    )  # fmt: skip


def _decision(
    event: Event, decision: Decision, who: str, names: dict[UUID | None, str]
) -> Activity:
    """Describe a step by its label, with its date, its case, and who proposed and approved it."""
    documents = [each.paper for each in decision.papers.all()]
    if decision.step not in STEPS:
        return Activity(event.at, who, WHAT["issue.answered"], decision.reason, documents)
    what = f"decided: {STEPS[decision.step].label}"
    if not STEPS[decision.step].closes:
        what = STEPS[decision.step].deed
    if decision.until:
        what += f", {STEPS[decision.step].wants_date} {show_day(decision.until)}"
    if decision.case_id:
        what += f", {decision.case}"
    if decision.seconded_by:
        who = names.get(decision.by) or who
        what += f"; approved by {names.get(decision.seconded_by, 'a second person')}"
    return Activity(event.at, who, what, decision.reason, documents, decision.notice or "")


class _Values(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "(not recorded)"


def _values(event: Event, names: dict[UUID | None, str]) -> _Values:
    """Return what an event carries, in words."""
    values = _Values(event.payload)
    for name in DAYS:
        if (at := parse_date(str(values.get(name, "")))) is not None:
            values[name] = show_day(at)
    if "state" in event.payload:
        values["state"] = Issue.State(event.payload["state"]).label
    person = event.payload.get("person", "")
    values["person"] = (
        "nobody" if person == "nobody" else names.get(UUID(person), "someone") if person else ""
    )
    return values
