"""Visits: begun with what is in force, written look by look, ended once; differences are findings.

What was seen is kept as it is said, so that a phone that dies loses nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from django.db import transaction

from audits.event_types import visits as events
from audits.models import Finding, Look, Visit, VisitDifference, VisitEnd, VisitItem
from audits.selectors.checklist import checklist
from audits.selectors.visits import items_with_looks
from audits.services.findings_without_rounds import count_night, pattern_of_cause
from audits.services.work import unit_of
from compliance import clock
from compliance.choices import OPERATOR_KINDS
from compliance.gambling_day import gambling_day
from compliance.permissions import Action
from compliance.selectors.in_force import controls_version_at, cut_offs_of, zone
from compliance.services.controls import note_visit
from compliance.services.documents import file_evidence
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audits.models import Pattern
    from compliance.models import DocumentVersion, Party, Person
    from compliance.services.documents import Paper

Outcome = Look.Outcome
CAUSES = {
    VisitItem.Kind.FLOOR: ("approval.controls", "floor"),
    VisitItem.Kind.SWAP: ("approval.controls", "swap_of_games"),
    VisitItem.Kind.LIMITS: ("approval.controls", "posted_limits"),
    VisitItem.Kind.PAY_TABLE: ("document.pay_table", "on_the_layout"),
    VisitItem.Kind.AGGREGATE: ("approval.controls", "aggregate_sign"),
    VisitItem.Kind.DECKS: ("deal.shoe", "on_a_visit"),
}
"""What a difference is by the findings' contract, and the line that tells its pattern from those
of rounds."""


def begin_visit(*, party: Party, by: Person) -> Visit:
    """Begin a visit to an operator; its checklist is what is in force now.

    Refuses: somebody who is no operator; a visit that is not ended; nothing to look at.
    """
    require(by, Action.VISIT, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} is no operator: a visit is paid to an operator."
        raise RefusedError(msg)
    now = clock.now()
    with transaction.atomic(), without_walls():
        # Two who begin at once: the later one waits here, and finds the visit of the first.
        type(party).objects.select_for_update(of=("self",)).get(pk=party.pk)
        if Visit.objects.filter(party=party, end__isnull=True).exists():
            msg = f"A visit to {party} is under way. Go on with it, or end it first."
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
            controls=controls_version_at(operator=party, at=now),
            day=gambling_day(now, cut_offs_of(party), zone()),
            by=by.uuid,
            at=now,
        )
        visit.save()
        for place, each in enumerate(entries, start=1):
            VisitItem(
                visit=visit,
                place=place,
                kind=each.kind,
                game=each.game,
                table=each.table,
                about=each.about,
                swap=each.swap,
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
    photos: Sequence[Paper] = (),
) -> Look:
    """Say what was seen of an item. Said twice the same, it stands once.

    Refuses: a visit that is ended; a difference without what was seen; what `file_evidence` does.
    """
    visit = item.visit
    require(by, Action.VISIT, visit.party)
    if outcome == Outcome.DIFFERS and not seen.strip():
        msg = "Say what was seen: what stands there instead of what was approved."
        raise RefusedError(msg)
    _require_under_way(visit)
    paper = _kept(item, photos, by) if photos else None
    with transaction.atomic(), without_walls():
        Visit.objects.select_for_update(of=("self",)).get(pk=visit.pk)
        _require_under_way(visit)
        newest = Look.objects.filter(item=item).order_by("pk").last()
        said = (outcome, seen.strip())
        if newest is not None and paper is None and (newest.outcome, newest.seen) == said:
            return newest
        looked = Look(
            item=item, outcome=outcome, seen=seen.strip(), paper=paper, by=by.uuid, at=clock.now()
        )
        looked.save()
        record(events.LOOKED, by=by, about=looked, party=visit.party)
    return looked


def _kept(item: VisitItem, photos: Sequence[Paper], by: Person) -> DocumentVersion:
    return file_evidence(
        owner=unit_of(by),
        title=f"{item.visit}: {item}"[:120],
        papers=photos,
        evidence_date=clock.today(),
        by=by,
        action=Action.VISIT,
    )


def end_visit(*, visit: Visit, by: Person, note: str = "") -> VisitEnd:
    """End a visit: from now on nothing is added, and each difference is a finding.

    A swap of games that was looked at is verified by it (WAC 230-15-440(2)). Refuses to end one
    twice, and one on which nothing was looked at.
    """
    require(by, Action.VISIT, visit.party)
    with transaction.atomic(), without_walls():
        Visit.objects.select_for_update(of=("self",)).get(pk=visit.pk)
        _require_under_way(visit)
        stands = items_with_looks(visit)
        outcomes = Counter(
            looked.outcome if looked else Outcome.NOT_LOOKED_AT for _, looked in stands
        )
        if outcomes[Outcome.NOT_LOOKED_AT] == len(stands):
            msg = "Nothing was looked at yet. Look at one thing at least, then end the visit."
            raise RefusedError(msg)
        end = VisitEnd(
            visit=visit,
            note=note.strip(),
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
                pattern = _find(visit, item, looked)
                VisitDifference(end=end, look=looked, pattern=pattern).save()
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


def _find(visit: Visit, item: VisitItem, looked: Look) -> Pattern:
    """Make a difference a finding of its cause."""
    code, line = CAUSES[VisitItem.Kind(item.kind)]
    pattern = pattern_of_cause(
        party=visit.party,
        code=code,
        game=item.game,
        table=item.table[:32],
        wager=item.about[:20],
        line=line,
    )
    Finding.objects.create(
        pattern=pattern,
        identity=hashlib.sha256(str(looked.uuid).encode()).hexdigest()[:32],
        day=visit.day,
        at=looked.at,
        logged=looked.seen,
        expected="; ".join(": ".join(each) for each in item.approved),
        cites=item.cites,
    )
    count_night(pattern, visit.day)
    return pattern


def _require_under_way(visit: Visit) -> None:
    with without_walls():
        if VisitEnd.objects.filter(visit=visit).exists():
            msg = f"The {visit} is ended: nothing is added to it. Begin another one."
            raise RefusedError(msg)
