"""How a case is conducted: its lead agent, its tasks, and a player's complaint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.review import events
from audits.review.cases.models import CaseItem, CaseTask, Complaint
from audits.review.cases.writes import Gathered, gather, open_case, writing
from compliance import clock
from compliance.access.permissions import Action, may
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import RefusedError
from compliance.events.record import record

if TYPE_CHECKING:
    from datetime import date, datetime
    from uuid import UUID

    from audits.review.cases.models import Case
    from compliance.access.models import Party, Person


def lead_case(*, case: Case, lead: Person, by: Person) -> Case:
    """Name the lead agent of an open case. Refuses a person who may not keep cases."""
    _require_keeper(lead)
    with writing(case, by):
        case.lead = lead
        case.save(update_fields=["lead"])
        carries = {"person": str(lead.uuid)}
        record(events.CASE_LED, by=by, about=case, party=case.party, carries=carries)
    return case


def add_task(*, case: Case, what: str, due: date, assigned_to: Person, by: Person) -> CaseTask:
    """Add a task to an open case. Refuses: an empty one; a day in the past."""
    _require_keeper(assigned_to)
    if not what.strip():
        msg = "Say what to do."
        raise RefusedError(msg)
    if due < clock.today():
        msg = "The due date is in the past. Enter today or a later day."
        raise RefusedError(msg)
    with writing(case, by):
        task = CaseTask.objects.create(
            case=case, what=what.strip(), due=due, assigned_to=assigned_to
        )
        carries = {"person": str(assigned_to.uuid), "due": due.isoformat()}
        record(events.CASE_TASK_ADDED, by=by, about=task, party=case.party, carries=carries)
    return task


def finish_task(*, task: CaseTask, by: Person) -> CaseTask:
    """Mark a task as done. Refuses one that is done."""
    with writing(task.case, by):
        left = CaseTask.objects.filter(pk=task.pk, done=None)
        if not left.update(done=clock.now(), done_by=by.uuid):
            msg = "This task is done already."
            raise RefusedError(msg)
        record(events.CASE_TASK_DONE, by=by, about=task, party=task.case.party)
    task.refresh_from_db()
    return task


def open_complaint(
    *,
    party: Party,
    patron: str,
    text: str,
    received: date,
    by: Person,
    contact: str = "",
    table: str = "",
    played: datetime | None = None,
    uuid: UUID | None = None,
) -> Case:
    """Open a case with a player's complaint.

    `uuid` comes from the form, so that a form sent twice opens one case. Refuses: no name; a day
    in the future; what `open_case` refuses.
    """
    if not patron.strip():
        msg = "Name the person who complains, or write “Anonymous”."
        raise RefusedError(msg)
    if received > clock.today():
        msg = "The complaint cannot have been received in the future."
        raise RefusedError(msg)
    where = f", table {table.strip()}" if table.strip() else ""
    case = open_case(
        party=party,
        title=f"Complaint of {patron.strip()}{where}"[:120],
        reason="A player complained.",
        begins_with=Gathered(kind=CaseItem.Kind.COMPLAINT, text=text),
        by=by,
        uuid=uuid,
    )
    with writing(case, by):
        Complaint.objects.get_or_create(
            case=case,
            defaults={
                "patron": patron.strip(),
                "contact": contact.strip(),
                "received": received,
                "table": table.strip(),
                "played": played,
            },
        )
        case.lead = case.lead or by
        case.save(update_fields=["lead"])
        record(events.COMPLAINT_RECEIVED, by=by, about=case, party=party)
    return case


def resolve_round(*, complaint: Complaint, round_id: str, searched: str, by: Person) -> Complaint:
    """Record the round that a complaint is about, or without one that none is on file.

    Refuses: no round and no account of what was searched; a round that is not on file.
    """
    case, given = complaint.case, round_id.strip()
    if not given and not searched.strip():
        msg = "Name the round, or write what you searched if none is on file."
        raise RefusedError(msg)
    if given:
        with without_access_scope():
            kept = CaseItem.objects.filter(case=case, kind=CaseItem.Kind.ROUND, round=given)
            item = kept.filter(removal__isnull=True).first()
        item = item or gather(case=case, what=_round(given), by=by)
        if item.is_alleged:
            msg = (
                f"No round {given} of {case.party} is on file. It is in the case as alleged. "
                "Correct the number, or leave it empty and write what you searched."
            )
            raise RefusedError(msg)
    with writing(case, by):
        complaint.round, complaint.is_none_on_file = given, not given
        complaint.searched = searched.strip()
        complaint.save(update_fields=["round", "is_none_on_file", "searched"])
        carries = {"round": given or "none on file"}
        record(events.COMPLAINT_SEARCHED, by=by, about=case, party=case.party, carries=carries)
    return complaint


def answer_complaint(*, complaint: Complaint, answer: str, by: Person) -> Complaint:
    """Record the answer to the player. Refuses one before the round was looked for."""
    if not answer.strip():
        msg = "Write the answer."
        raise RefusedError(msg)
    if not complaint.round and not complaint.is_none_on_file:
        msg = "Find the round first, or record that none is on file."
        raise RefusedError(msg)
    with writing(complaint.case, by):
        if complaint.answered is not None:
            msg = "This complaint was answered before. Add a statement to the case instead."
            raise RefusedError(msg)
        complaint.answer, complaint.answered = answer.strip(), clock.now()
        complaint.save(update_fields=["answer", "answered"])
        case = complaint.case
        record(
            events.COMPLAINT_ANSWERED, by=by, about=case, party=case.party, reason=answer.strip()
        )
    return complaint


def _round(number: str) -> Gathered:
    return Gathered(kind=CaseItem.Kind.ROUND, round=number, text="The round of the complaint.")


def _require_keeper(person: Person) -> None:
    if not may(memberships_of(person), Action.KEEP_CASES):
        msg = f"{person} does not work on cases. Choose an agent or a supervisor."
        raise RefusedError(msg)
