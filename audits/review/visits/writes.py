"""Begin visits with the terms in effect, record looks, and end visits; differences are findings.

Each look is saved as it is made, so that a phone that dies loses nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from django.db import transaction

from audits.commission import unit_of
from audits.replay.findings.models import Finding
from audits.review import events
from audits.review.issues.writes import count_night, issue_of_cause
from audits.review.visits.models import (
    Look,
    Visit,
    VisitDifference,
    VisitEnd,
    VisitItem,
    VisitPlan,
)
from audits.review.visits.reads import checklist, items_with_looks
from compliance import clock
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.filings.controls.reads import find_controls_version, list_cut_offs
from compliance.filings.controls.writes import note_visit
from compliance.filings.documents.writes import file_evidence
from compliance.law.gambling_day import gambling_day

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from audits.replay.findings.models import Issue
    from compliance.access.models import Party, Person
    from compliance.filings.documents.models import DocumentVersion
    from compliance.filings.documents.writes import ReceivedFile


Outcome = Look.Outcome
CAUSES = {
    VisitItem.Kind.FLOOR: ("approval.controls", "floor"),
    VisitItem.Kind.SWAP: ("approval.controls", "swap_of_games"),
    VisitItem.Kind.LIMITS: ("approval.controls", "posted_limits"),
    VisitItem.Kind.PAY_TABLE: ("document.pay_table", "on_the_layout"),
    VisitItem.Kind.AGGREGATE: ("approval.controls", "aggregate_sign"),
    VisitItem.Kind.DECKS: ("deal.shoe", "on_a_visit"),
}
"""The finding code of a difference by kind of item, and the line that keeps its issue apart from
those of rounds."""


def begin_visit(*, party: Party, by: Person) -> Visit:
    """Begin a visit to an operator; its checklist is what is in effect now.

    Refuses: a party that is not an operator; an operator with a visit that has not ended; an empty
    checklist.
    """
    require(by, Action.VISIT, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} is not an operator. Only operators are visited."
        raise RefusedError(msg)
    now = clock.now()
    with transaction.atomic(), without_access_scope():
        # If two begin at once, the later one waits here and finds the first one's visit.
        type(party).objects.select_for_update(of=("self",)).get(pk=party.pk)
        if Visit.objects.filter(party=party, end__isnull=True).exists():
            msg = f"A visit to {party} is under way. Continue it, or end it first."
            raise RefusedError(msg)
        entries = checklist(party, now)
        if not entries:
            msg = (
                f"{party} has no internal controls in effect: there is nothing to compare with. "
                "Open a case if tables are in play."
            )
            raise RefusedError(msg)
        visit = Visit(
            unit=unit_of(by),
            party=party,
            controls=find_controls_version(operator=party, at=now),
            day=gambling_day(now, list_cut_offs(party), zone()),
            by=by.uuid,
            at=now,
        )
        visit.save()
        VisitPlan.objects.filter(party=party, visit=None, canceled=None).update(visit=visit)
        for place, each in enumerate(entries, start=1):
            VisitItem(
                visit=visit,
                place=place,
                kind=each.kind,
                game=each.game,
                table=each.table,
                about=each.about,
                swap=each.swap,
                issue=each.issue,
                approved=each.approved,
                cites=each.cites,
            ).save()
        record(events.BEGUN, by=by, about=visit, party=party, carries={"items": len(entries)})
    return visit


def look(
    *,
    item: VisitItem,
    outcome: Look.Outcome,
    by: Person,
    seen: str = "",
    photos: Sequence[ReceivedFile] = (),
) -> Look:
    """Record what was seen of an item; the same look is recorded only once.

    Refuses: a visit that has ended; a difference without a description; what `file_evidence`
    refuses.
    """
    visit = item.visit
    require(by, Action.VISIT, visit.party)
    if outcome == Outcome.DIFFERS and not seen.strip():
        msg = "Describe what you see instead of what was approved."
        raise RefusedError(msg)
    _require_under_way(visit)
    paper = _kept(item, photos, by) if photos else None
    with transaction.atomic(), without_access_scope():
        Visit.objects.select_for_update(of=("self",)).get(pk=visit.pk)
        _require_under_way(visit)
        newest = Look.objects.filter(item=item).order_by("pk").last()
        given = (outcome, seen.strip())
        if newest is not None and paper is None and (newest.outcome, newest.seen) == given:
            return newest
        looked = Look(
            item=item, outcome=outcome, seen=seen.strip(), paper=paper, by=by.uuid, at=clock.now()
        )
        looked.save()
        record(events.LOOKED, by=by, about=looked, party=visit.party)
    return looked


def _kept(item: VisitItem, photos: Sequence[ReceivedFile], by: Person) -> DocumentVersion:
    return file_evidence(
        owner=unit_of(by),
        title=f"{item.visit}: {item}"[:120],
        papers=photos,
        evidence_date=clock.today(),
        by=by,
        action=Action.VISIT,
    )


def plan_visit(*, party: Party, day: date, by: Person, purpose: str = "") -> VisitPlan:
    """Plan a visit to an operator, or change the day and purpose of the one that is planned.

    Refuses: a party that is not an operator; a day in the past.
    """
    require(by, Action.VISIT, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} is not an operator. Only operators are visited."
        raise RefusedError(msg)
    if day < clock.today():
        msg = "This day is in the past. Enter today or a later day."
        raise RefusedError(msg)
    with transaction.atomic(), without_access_scope():
        type(party).objects.select_for_update(of=("self",)).get(pk=party.pk)
        plan, _ = VisitPlan.objects.update_or_create(
            party=party,
            visit=None,
            canceled=None,
            defaults={
                "day": day,
                "purpose": purpose.strip(),
                "planned_by": by,
                "unit": unit_of(by),
            },
        )
        carries = {"day": day.isoformat()}
        record(events.VISIT_PLANNED, by=by, about=plan, party=party, carries=carries)
    return plan


def cancel_plan(*, plan: VisitPlan, reason: str, by: Person) -> None:
    """Cancel a planned visit, with the reason. Refuses one that has begun or was canceled."""
    require(by, Action.VISIT, plan.party)
    if not reason.strip():
        msg = "Give a reason."
        raise RefusedError(msg)
    with transaction.atomic(), without_access_scope():
        left = VisitPlan.objects.filter(pk=plan.pk, visit=None, canceled=None)
        if not left.update(canceled=clock.now()):
            msg = "This visit has begun, or was canceled before."
            raise RefusedError(msg)
        record(events.VISIT_CANCELED, by=by, about=plan, party=plan.party, reason=reason.strip())


def end_visit(*, visit: Visit, by: Person, note: str = "", why_not: str = "") -> VisitEnd:
    """End a visit: nothing can be added any more, and each difference is a finding.

    It verifies a swap of games that was checked (WAC 230-15-440(2)). Refuses: a visit that has
    ended; one in which nothing was checked; items that were not inspected, without a reason.
    """
    require(by, Action.VISIT, visit.party)
    with transaction.atomic(), without_access_scope():
        Visit.objects.select_for_update(of=("self",)).get(pk=visit.pk)
        _require_under_way(visit)
        stands = items_with_looks(visit)
        outcomes = Counter(
            looked.outcome if looked else Outcome.NOT_LOOKED_AT for _, looked in stands
        )
        if outcomes[Outcome.NOT_LOOKED_AT] == len(stands):
            msg = "Nothing was inspected yet. Inspect at least one item, then end the visit."
            raise RefusedError(msg)
        if (left := outcomes[Outcome.NOT_LOOKED_AT]) and not why_not.strip():
            which = "1 item was" if left == 1 else f"{left} items were"
            msg = f"{which} not inspected. Inspect what is left, or say why you did not."
            raise RefusedError(msg)
        end = VisitEnd(
            visit=visit,
            note=note.strip(),
            why_not=why_not.strip() or None,
            as_approved=outcomes[Outcome.AS_APPROVED],
            differs=outcomes[Outcome.DIFFERS],
            not_looked_at=outcomes[Outcome.NOT_LOOKED_AT],
            by=by.uuid,
            at=clock.now(),
        )
        end.save()
        for item, looked in stands:
            if looked is None or looked.outcome == Outcome.NOT_LOOKED_AT:
                continue
            if item.swap is not None:
                note_visit(
                    version=item.swap,
                    as_approved=looked.outcome == Outcome.AS_APPROVED,
                    note=looked.seen,
                    by=by,
                )
            if looked.outcome == Outcome.DIFFERS:
                issue = _find(visit, item, looked)
                VisitDifference(end=end, look=looked, issue=issue).save()
        record(
            events.ENDED,
            by=by,
            about=end,
            party=visit.party,
            carries={
                "as_approved": end.as_approved,
                "differs": end.differs,
                "not_looked_at": end.not_looked_at,
            },
        )
    return end


def _find(visit: Visit, item: VisitItem, looked: Look) -> Issue:
    """Record a difference as a finding of its cause's issue; an open issue has its findings."""
    if item.issue is not None:
        return item.issue
    code, line = CAUSES[VisitItem.Kind(item.kind)]
    issue = issue_of_cause(
        party=visit.party,
        code=code,
        game=item.game,
        table=item.table[:32],
        wager=item.about[:20],
        line=line,
    )
    Finding.objects.create(
        issue=issue,
        identity=hashlib.sha256(str(looked.uuid).encode()).hexdigest()[:32],
        day=visit.day,
        at=looked.at,
        table=issue.table,
        code=issue.code,
        wager=issue.wager,
        line=issue.line,
        logged=looked.seen,
        expected="; ".join(": ".join(each) for each in item.approved),
        cites=item.cites,
    )
    count_night(issue, visit.day)
    return issue


def _require_under_way(visit: Visit) -> None:
    with without_access_scope():
        if VisitEnd.objects.filter(visit=visit).exists():
            msg = f"The {visit} has ended. Begin another one to add anything."
            raise RefusedError(msg)
