"""Cases: opened under a number, gathered, written, a level recommended by an agent, closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import F, Max

from audits.event_types import review as events
from audits.models import Case, CaseItem
from audits.services.work import unit_of
from compliance import clock
from compliance.choices import OPERATOR_KINDS
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from audits.models import Pattern
    from compliance.models import DocumentVersion, Party, Person

TRIES = 5


def open_case(*, party: Party, title: str, reason: str, by: Person) -> Case:
    """Open a case on an operator under the next number of the year."""
    require(by, Action.KEEP_CASES, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} is no operator: a case is opened on an operator."
        raise RefusedError(msg)
    if not title.strip() or not reason.strip():
        msg = "A case needs a title and the reason for which it is opened."
        raise RefusedError(msg)
    for left in reversed(range(TRIES)):
        try:
            with transaction.atomic(), without_walls():
                return _open(party, title.strip(), reason.strip(), by)
        except IntegrityError:  # somebody took the number meanwhile
            if not left:
                raise
    raise AssertionError


def _open(party: Party, title: str, reason: str, by: Person) -> Case:
    year = clock.today().year
    last = Case.objects.filter(year=year).aggregate(last=Max("serial"))["last"] or 0
    case = Case.objects.create(
        unit=unit_of(by), party=party, year=year, serial=last + 1, title=title, opened=clock.now()
    )
    record(events.CASE_OPENED, by=by, about=case, party=party, reason=reason)
    return case


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """Something that is put into a case."""

    kind: CaseItem.Kind
    text: str = ""
    pattern: Pattern | None = None
    round: str = ""
    paper: DocumentVersion | None = None


def gather(*, case: Case, what: Gathered, by: Person) -> CaseItem:
    """Put a pattern, a round, a paper or a text into an open case.

    Refuses a closed case, something of another operator, and nothing at all.
    """
    require(by, Action.KEEP_CASES, case.party)
    with transaction.atomic(), without_walls():
        _require_open(case)
        if what.pattern is not None and what.pattern.party_id != case.party_id:
            msg = f"{case} is on {case.party}, this pattern on {what.pattern.party}."
            raise RefusedError(msg)
        if not (what.pattern or what.round.strip() or what.paper or what.text.strip()):
            msg = "Say what is to be put into the case."
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


def write_facts(*, case: Case, title: str, facts: str, edition: int, by: Person) -> Case:
    """Write a case's title and facts. Refuses a page that was overtaken by another writing."""
    require(by, Action.KEEP_CASES, case.party)
    if not title.strip():
        msg = "A case needs a title."
        raise RefusedError(msg)
    with transaction.atomic(), without_walls():
        _require_open(case)
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


def recommend(*, case: Case, level: Case.Level, reason: str, by: Person) -> Case:
    """Recommend a level, in an agent's own judgement and with the reason."""
    require(by, Action.KEEP_CASES, case.party)
    if not reason.strip():
        msg = "Say why: a recommendation needs its reason."
        raise RefusedError(msg)
    with transaction.atomic(), without_walls():
        _require_open(case)
        case.level, case.level_reason = level, reason.strip()
        case.edition += 1
        case.save(update_fields=["level", "level_reason", "edition"])
        record(events.CASE_LEVEL, by=by, about=case, party=case.party, reason=case.level_reason,
               carries={"level": Case.Level(level).label})  # fmt: skip
    return case


def close_case(*, case: Case, reason: str, by: Person) -> Case:
    """Close a case. Refuses one without a recommendation."""
    require(by, Action.KEEP_CASES, case.party)
    with transaction.atomic(), without_walls():
        _require_open(case)
        if not case.level:
            msg = "Recommend a level first; “No action” is one."
            raise RefusedError(msg)
        return _set_state(case, Case.State.CLOSED, reason, by)


def reopen_case(*, case: Case, reason: str, by: Person) -> Case:
    """Open a closed case again."""
    require(by, Action.KEEP_CASES, case.party)
    with transaction.atomic(), without_walls():
        if Case.objects.get(pk=case.pk).state == Case.State.OPEN:
            msg = f"{case} is open."
            raise RefusedError(msg)
        return _set_state(case, Case.State.OPEN, reason, by)


def _set_state(case: Case, state: Case.State, reason: str, by: Person) -> Case:
    if not reason.strip():
        msg = "Say why: a reason is required."
        raise RefusedError(msg)
    closed = state == Case.State.CLOSED
    case.state, case.closed = state, clock.now() if closed else None
    case.save(update_fields=["state", "closed"])
    kind = events.CASE_CLOSED if closed else events.CASE_REOPENED
    record(kind, by=by, about=case, party=case.party, reason=reason.strip())
    return case


def _require_open(case: Case) -> None:
    """Refuse a case that is closed, as it stands in the database; hold it for this change."""
    if Case.objects.select_for_update(of=("self",)).get(pk=case.pk).state != Case.State.OPEN:
        msg = f"{case} is closed. Open it again first."
        raise RefusedError(msg)
