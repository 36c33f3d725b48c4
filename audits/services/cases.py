"""Cases: opened under a number, gathered, written, a level recommended by an agent, closed."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q

from audits.event_types import review as events
from audits.models import Case, CaseItem, CaseNote, CaseRemoval
from audits.services.work import unit_of
from compliance import clock
from compliance.choices import OPERATOR_KINDS
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from django.db.models import QuerySet

    from audits.models import Pattern
    from compliance.models import DocumentVersion, Party, Person

TRIES = 5


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """Something that is put into a case."""

    kind: CaseItem.Kind
    text: str = ""
    pattern: Pattern | None = None
    round: str = ""
    paper: DocumentVersion | None = None


def open_case(
    *,
    party: Party,
    title: str,
    reason: str,
    by: Person,
    begins_with: Gathered | None = None,
    uuid: UUID | None = None,
) -> Case:
    """Open a case on an operator under the next number of the year, with what it begins with.

    `uuid` is what the form on which it was opened calls it: the same form sent twice opens one.
    Refuses: somebody who is no operator, no title or reason, and what `gather` refuses.
    """
    require(by, Action.KEEP_CASES, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} is no operator: a case is opened on an operator."
        raise RefusedError(msg)
    if not title.strip() or not reason.strip():
        msg = "A case needs a title and the reason for which it is opened."
        raise RefusedError(msg)
    with transaction.atomic(), without_walls():
        # Two at once: the later one waits here, and finds the case of the first.
        type(party).objects.select_for_update(of=("self",)).get(pk=party.pk)
        opened = Case.objects.filter(uuid=uuid).first() if uuid else None
        if opened is not None:
            said = (party.pk, title.strip(), reason.strip())
            if (opened.party_id, opened.title, opened.reason) == said:
                return opened  # a double click
            msg = "This form opened a case already. Open the page anew for another one."
            raise RefusedError(msg)
        case = _numbered(party, title.strip(), reason.strip(), by, uuid or uuid4())
        record(events.CASE_OPENED, by=by, about=case, party=party, reason=case.reason)
        if begins_with is not None:
            _gather(case, begins_with, by)
    return case


def _numbered(party: Party, title: str, reason: str, by: Person, uuid: UUID) -> Case:
    """A case under a number that nobody took meanwhile."""
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
    """Put a pattern, a round, a paper or a text into an open case.

    Refuses a closed case, something of another operator, what is in the case already, and nothing
    at all.
    """
    with _writing(case, by):
        return _gather(case, what, by)


def refer(*, case: Case, pattern: Pattern, by: Person) -> None:
    """Put a pattern that is referred to a case into it, unless it lies there already."""
    with _writing(case, by):
        if not _standing(case).filter(pattern=pattern).exists():
            _gather(case, Gathered(kind=CaseItem.Kind.PATTERN, pattern=pattern), by)


def _gather(case: Case, what: Gathered, by: Person) -> CaseItem:
    _require_something(what)
    if what.pattern is not None and what.pattern.party_id != case.party_id:
        msg = f"{case} is on {case.party}, this pattern on {what.pattern.party}."
        raise RefusedError(msg)
    same = Q(pattern=what.pattern) if what.pattern else Q(
        kind=what.kind, round=what.round.strip(), text=what.text.strip(), paper=what.paper
    )  # fmt: skip
    if _standing(case).filter(same).exists():
        msg = f"This is in {case} already."
        raise RefusedError(msg)
    item = CaseItem(
        case=case,
        kind=what.kind,
        pattern=what.pattern,
        round=what.round.strip(),
        paper=what.paper,
        text=what.text.strip(),
        by=by.uuid,
        at=clock.now(),
    )
    item.save()
    record(events.CASE_GATHERED, by=by, about=item, party=case.party)
    return item


def _require_something(what: Gathered) -> None:
    wanted = {
        CaseItem.Kind.PATTERN: (
            what.pattern,
            "Choose the pattern that is to be put into the case.",
        ),
        CaseItem.Kind.ROUND: (what.round.strip(), "Name the round, as the log numbers it."),
        CaseItem.Kind.PAPER: (what.paper, "Choose the files of the document."),
    }
    told, missing = wanted.get(
        what.kind, (what.text.strip() or what.paper, "Say what is to be put into the case.")
    )
    if not told:
        raise RefusedError(missing)


def _standing(case: Case) -> QuerySet[CaseItem]:
    """What lies in a case and was not taken out."""
    return CaseItem.objects.filter(case=case, removal__isnull=True)


def take_out(*, item: CaseItem, reason: str, by: Person) -> CaseRemoval:
    """Take something out of an open case, with the reason; that it was there stays on file."""
    with _writing(item.case, by):
        if CaseRemoval.objects.filter(item=item).exists():
            msg = "It was taken out of the case before."
            raise RefusedError(msg)
        removal = CaseRemoval(item=item, reason=_said(reason), by=by.uuid, at=clock.now())
        removal.save()
        record(events.CASE_TAKEN_OUT, by=by, about=removal, party=item.case.party,
               reason=removal.reason)  # fmt: skip
    return removal


def note_on_case(*, case: Case, text: str, by: Person) -> CaseNote:
    """Note something on a case, open or closed, for the commission alone."""
    require(by, Action.KEEP_CASES, case.party)
    if not text.strip():
        msg = "Write what is to be noted."
        raise RefusedError(msg)
    with transaction.atomic(), without_walls():
        noted = CaseNote(case=case, text=text.strip(), by=by.uuid, at=clock.now())
        noted.save()
        record(events.CASE_NOTED, by=by, about=noted, party=case.party)
    return noted


def write_facts(*, case: Case, title: str, facts: str, edition: int, by: Person) -> Case:
    """Write a case's title and facts. Refuses a page that was overtaken by another writing."""
    if not title.strip():
        msg = "A case needs a title."
        raise RefusedError(msg)
    with _writing(case, by):
        written = Case.objects.filter(pk=case.pk, edition=edition).update(
            title=title.strip(), facts=facts.strip(), edition=F("edition") + 1
        )
        if not written:
            msg = (
                "Somebody wrote this case while you were writing. Your text is still on this page: "
                "copy it, open the case again, and put it in."
            )
            raise RefusedError(msg)
        case.refresh_from_db()
        record(events.CASE_WRITTEN, by=by, about=case, party=case.party,
               carries={"edition": case.edition})  # fmt: skip
    return case


def recommend(
    *, case: Case, level: Case.Level, reason: str, by: Person, was: str | None = None
) -> Case:
    """Recommend a level, in an agent's own judgement and with the reason.

    `was` is the level on the page it was decided on, empty for none; None where no page was shown.
    Refuses a page on which another level stood than stands now.
    """
    with _writing(case, by):
        if not reason.strip():
            msg = "Say why: a recommendation needs its reason."
            raise RefusedError(msg)
        stands = Case.objects.get(pk=case.pk)
        if was is not None and was != stands.level:
            msg = f"Somebody recommended meanwhile: {stands.recommended}. Look at the reason first."
            raise RefusedError(msg)
        case.level, case.level_reason = level, reason.strip()
        case.level_by, case.level_at = by.uuid, clock.now()
        case.save(update_fields=["level", "level_reason", "level_by", "level_at"])
        record(events.CASE_LEVEL, by=by, about=case, party=case.party, reason=case.level_reason,
               carries={"level": Case.Level(level).label})  # fmt: skip
    return case


def close_case(*, case: Case, reason: str, by: Person) -> Case:
    """Close a case. Refuses one without a recommendation."""
    with _writing(case, by):
        if not Case.objects.get(pk=case.pk).level:
            msg = "Recommend a level first; “No action” is one."
            raise RefusedError(msg)
        return _set_state(case, Case.State.CLOSED, reason, by)


def reopen_case(*, case: Case, reason: str, by: Person) -> Case:
    """Open a closed case again."""
    require(by, Action.KEEP_CASES, case.party)
    with transaction.atomic(), without_walls():
        if _held(case).state == Case.State.OPEN:
            msg = f"{case} is open."
            raise RefusedError(msg)
        return _set_state(case, Case.State.OPEN, reason, by)


def _set_state(case: Case, state: Case.State, reason: str, by: Person) -> Case:
    said = _said(reason)
    closed = state == Case.State.CLOSED
    case.state, case.closed = state, clock.now() if closed else None
    case.save(update_fields=["state", "closed"])
    kind = events.CASE_CLOSED if closed else events.CASE_REOPENED
    record(kind, by=by, about=case, party=case.party, reason=said)
    return case


def _said(reason: str) -> str:
    if not reason.strip():
        msg = "Say why: a reason is required."
        raise RefusedError(msg)
    return reason.strip()


@contextmanager
def _writing(case: Case, by: Person) -> Iterator[None]:
    """Hold a case for one change; refuses whoever keeps no cases, and a case that is closed."""
    require(by, Action.KEEP_CASES, case.party)
    with transaction.atomic(), without_walls():
        require_open(_held(case))
        yield


def _held(case: Case) -> Case:
    """The case as it stands, held until the transaction ends."""
    return Case.objects.select_for_update(of=("self",)).get(pk=case.pk)


def require_open(case: Case) -> None:
    """Refuse a case that is closed."""
    if case.state != Case.State.OPEN:
        msg = f"{case} is closed. Open it again first."
        raise RefusedError(msg)
