"""Open, write, recommend and close cases, and add evidence."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q

from audits.commission import unit_of
from audits.intake.rounds import find_rounds
from audits.intake.segments.rejections import DamagedSegmentError
from audits.review import events
from audits.review.cases.models import Case, CaseItem, CaseNote, CaseRemoval
from compliance import clock
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.files.archive import DamagedError, MissingError, RemovedError
from compliance.filings.documents.writes import file_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from audits.replay.findings.models import Issue
    from compliance.access.models import Party, Person
    from compliance.filings.documents.models import DocumentVersion
    from compliance.filings.documents.writes import ReceivedFile


TRIES = 5


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """Something to add to a case."""

    kind: CaseItem.Kind
    text: str = ""
    issue: Issue | None = None
    round: str = ""
    paper: DocumentVersion | None = None
    name: str = ""
    """Of a person, an alleged violation or a video."""
    begins: datetime | None = None
    ends: datetime | None = None


def open_case(
    *,
    party: Party,
    title: str,
    reason: str,
    by: Person,
    begins_with: Gathered | None = None,
    uuid: UUID | None = None,
) -> Case:
    """Open a case on an operator under the year's next number, with its first item.

    `uuid` comes from the form, so that a form sent twice opens one case. Refuses: a party that is
    not an operator; a missing title or reason; and what `gather` refuses.
    """
    require(by, Action.KEEP_CASES, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} is not an operator. A case is about an operator."
        raise RefusedError(msg)
    if not title.strip() or not reason.strip():
        msg = "A case needs a title and the reason for which it is opened."
        raise RefusedError(msg)
    with transaction.atomic(), without_access_scope():
        # If two run at once, the later one waits here and finds the first one's case.
        type(party).objects.select_for_update(of=("self",)).get(pk=party.pk)
        opened = Case.objects.filter(uuid=uuid).first() if uuid else None
        if opened is not None:
            given = (party.pk, title.strip(), reason.strip())
            if (opened.party_id, opened.title, opened.reason) == given:
                return opened  # a double click
            msg = "This form already opened a case. Reload the page to open another."
            raise RefusedError(msg)
        case = _numbered(party, title.strip(), reason.strip(), by, uuid or uuid4())
        record(events.CASE_OPENED, by=by, about=case, party=party, reason=case.reason)
        if begins_with is not None:
            _gather(case, begins_with, by)
    return case


def _numbered(party: Party, title: str, reason: str, by: Person, uuid: UUID) -> Case:
    """Create a case under a number that nobody took in the meantime."""
    now = clock.now()
    year = clock.today().year
    for left in reversed(range(TRIES)):
        last = Case.objects.filter(year=year).aggregate(last=Max("serial"))["last"] or 0
        try:
            with transaction.atomic():
                return Case.objects.create(
                    uuid=uuid, unit=unit_of(by), party=party, year=year, serial=last + 1,
                    title=title, reason=reason, opened=now,
                )  # fmt: skip
        except IntegrityError:
            if not left:
                raise
    raise AssertionError


def gather(*, case: Case, what: Gathered, by: Person) -> CaseItem:
    """Add an issue, a round, a document or a text to an open case.

    Refuses a closed case, an item of another operator, one that is in the case already, and an
    empty one.
    """
    with writing(case, by):
        return _gather(case, what, by)


def refer(*, case: Case, issue: Issue, by: Person) -> None:
    """Add an issue that is referred to a case, unless the case already contains it."""
    with writing(case, by):
        if not _standing(case).filter(issue=issue).exists():
            _gather(case, Gathered(kind=CaseItem.Kind.ISSUE, issue=issue), by)


def _gather(case: Case, what: Gathered, by: Person) -> CaseItem:
    _require_something(what)
    if what.issue is not None and what.issue.party_id != case.party_id:
        msg = f"{case} is on {case.party}, this issue on {what.issue.party}."
        raise RefusedError(msg)
    same = Q(issue=what.issue) if what.issue else Q(
        kind=what.kind,
        round=what.round.strip(),
        text=what.text.strip(),
        paper=what.paper,
        name=what.name.strip() or None,
    )  # fmt: skip
    if _standing(case).filter(same).exists():
        msg = f"This is in {case} already."
        raise RefusedError(msg)
    item = CaseItem(
        case=case,
        kind=what.kind,
        issue=what.issue,
        round=what.round.strip(),
        paper=what.paper,
        name=what.name.strip() or None,
        begins=what.begins,
        ends=what.ends,
        is_alleged=_is_alleged(case, what),
        text=what.text.strip(),
        by=by.uuid,
        at=clock.now(),
    )
    item.save()
    record(events.CASE_GATHERED, by=by, about=item, party=case.party)
    return item


def _is_alleged(case: Case, what: Gathered) -> bool | None:
    """Return whether a round is only alleged; None if that is unknown, or it is no round."""
    if what.kind != CaseItem.Kind.ROUND:
        return None
    try:
        return not find_rounds([case.party], what.round.strip())
    except RemovedError:
        return False
    except (DamagedError, DamagedSegmentError, MissingError):
        return None


def _require_something(what: Gathered) -> None:
    wanted = {
        CaseItem.Kind.ISSUE: (
            what.issue,
            "Choose an issue for the case.",
        ),
        CaseItem.Kind.ROUND: (what.round.strip(), "Name the round, as the log numbers it."),
        CaseItem.Kind.PAPER: (what.paper, "Choose the files of the document."),
        CaseItem.Kind.PERSON: (what.name.strip(), "Name the person."),
        CaseItem.Kind.VIOLATION: (what.name.strip(), "Name the section, as WAC 230-15-140."),
        CaseItem.Kind.VIDEO: (what.name.strip(), "Name the camera or the recording."),
    }
    content, missing = wanted.get(
        what.kind, (what.text.strip() or what.paper, "Write what to add to the case.")
    )
    if not content:
        raise RefusedError(missing)


def _standing(case: Case) -> QuerySet[CaseItem]:
    """Return the items of a case that were not removed."""
    return CaseItem.objects.filter(case=case, removal__isnull=True)


def take_out(*, item: CaseItem, reason: str, by: Person) -> CaseRemoval:
    """Remove an item from an open case, with the reason; the record of it stays on file."""
    with writing(item.case, by):
        if CaseRemoval.objects.filter(item=item).exists():
            msg = "It was already removed from the case."
            raise RefusedError(msg)
        removal = CaseRemoval(
            item=item, reason=_required_reason(reason), by=by.uuid, at=clock.now()
        )
        removal.save()
        record(events.CASE_ITEM_REMOVED, by=by, about=removal, party=item.case.party,
               reason=removal.reason)  # fmt: skip
    return removal


def note_on_case(*, case: Case, text: str, by: Person) -> CaseNote:
    """Add a note to an open or closed case, for the commission alone."""
    require(by, Action.KEEP_CASES, case.party)
    if not text.strip():
        msg = "Write the note."
        raise RefusedError(msg)
    with transaction.atomic(), without_access_scope():
        noted = CaseNote(case=case, text=text.strip(), by=by.uuid, at=clock.now())
        noted.save()
        record(events.CASE_NOTED, by=by, about=noted, party=case.party)
    return noted


def write_facts(*, case: Case, title: str, facts: str, edition: int, by: Person) -> Case:
    """Save a case's title and facts. Refuses a page that is out of date."""
    if not title.strip():
        msg = "A case needs a title."
        raise RefusedError(msg)
    with writing(case, by):
        written = Case.objects.filter(pk=case.pk, edition=edition).update(
            title=title.strip(), facts=facts.strip(), edition=F("edition") + 1
        )
        if not written:
            msg = (
                "Another person changed this case while you were writing. Your text is still on "
                "this page: copy it, open the case again, and paste it."
            )
            raise RefusedError(msg)
        case.refresh_from_db()
        record(events.CASE_WRITTEN, by=by, about=case, party=case.party,
               carries={"edition": case.edition})  # fmt: skip
    return case


def recommend(
    *, case: Case, level: Case.Level, reason: str, by: Person, was: str | None = None
) -> Case:
    """Recommend a level, in an agent's own judgment and with the reason.

    `was` is the level shown on the page, empty for no level and None if there was no page. Refuses
    a page that showed another level than the current one.
    """
    with writing(case, by):
        if not reason.strip():
            msg = "Give a reason. A recommendation needs one."
            raise RefusedError(msg)
        stands = Case.objects.get(pk=case.pk)
        if was is not None and was != stands.level:
            msg = f"Another person has recommended {stands.recommended}. Read the reason first."
            raise RefusedError(msg)
        case.level, case.level_reason = level, reason.strip()
        case.level_by, case.level_at = by.uuid, clock.now()
        case.save(update_fields=["level", "level_reason", "level_by", "level_at"])
        record(events.CASE_LEVEL, by=by, about=case, party=case.party, reason=case.level_reason,
               carries={"level": Case.Level(level).label})  # fmt: skip
    return case


def close_case(*, case: Case, reason: str, by: Person) -> Case:
    """Close a case. Refuses one without a recommendation."""
    with writing(case, by):
        if not Case.objects.get(pk=case.pk).level:
            msg = "Recommend a level first; “No action” is one."
            raise RefusedError(msg)
        return _set_state(case, Case.State.CLOSED, reason, by)


def reopen_case(*, case: Case, reason: str, by: Person) -> Case:
    """Reopen a closed case."""
    require(by, Action.KEEP_CASES, case.party)
    with transaction.atomic(), without_access_scope():
        if _locked(case).state == Case.State.OPEN:
            msg = f"{case} is open."
            raise RefusedError(msg)
        return _set_state(case, Case.State.OPEN, reason, by)


def _set_state(case: Case, state: Case.State, reason: str, by: Person) -> Case:
    given = _required_reason(reason)
    closed = state == Case.State.CLOSED
    case.state, case.closed = state, clock.now() if closed else None
    case.save(update_fields=["state", "closed"])
    kind = events.CASE_CLOSED if closed else events.CASE_REOPENED
    record(kind, by=by, about=case, party=case.party, reason=given)
    return case


def _required_reason(reason: str) -> str:
    if not reason.strip():
        msg = "Say why: a reason is required."
        raise RefusedError(msg)
    return reason.strip()


@contextmanager
def writing(case: Case, by: Person) -> Iterator[None]:
    """Lock a case for one change; refuses a closed case, and anyone who may not keep cases."""
    require(by, Action.KEEP_CASES, case.party)
    with transaction.atomic(), without_access_scope():
        require_open(_locked(case))
        yield


def _locked(case: Case) -> Case:
    """Return the current case, locked until the transaction ends."""
    return Case.objects.select_for_update(of=("self",)).get(pk=case.pk)


def require_open(case: Case) -> None:
    """Refuse a closed case."""
    if case.state != Case.State.OPEN:
        msg = f"{case} is closed. Open it again first."
        raise RefusedError(msg)


def gather_documents(
    *, case: Case, what: Gathered, papers: Sequence[ReceivedFile], evidence_date: date, by: Person
) -> CaseItem:
    """File documents as evidence and add them to an open case, with a statement.

    Refuses what `file_evidence` and `gather` refuse.
    """
    require(by, Action.KEEP_CASES, case.party)
    require_open(case)
    paper = file_evidence(
        owner=unit_of(by),
        title=f"{case}: {what.kind.label}",
        papers=papers,
        evidence_date=evidence_date,
        by=by,
        action=Action.KEEP_CASES,
    )
    return gather(case=case, what=replace(what, paper=paper), by=by)
