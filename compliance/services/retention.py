"""Remove bytes whose time is over, and hold what must not go."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from compliance import clock
from compliance.actor import SYSTEM
from compliance.archive import current_archive
from compliance.event_types import retention as events
from compliance.holdable import kinds
from compliance.models import HoldLifted, LegalHold, Removal, Tombstone
from compliance.permissions import Action
from compliance.retention import CLASSES
from compliance.selectors.retention import what_is_held
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.verification.archive import named_files
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compliance.models import Person
    from compliance.verification.archive import Kept

GRACE = 24 * 60 * 60.0
"""Seconds: content that was stored so lately stays, for somebody is about to name it again."""
TOGETHER = 200
MOST_SECONDS = 30.0


@dataclass
class Retained:
    """What was removed, or would be; how many files stay because of a legal hold."""

    removed: list[Kept] = field(default_factory=list)
    held: int = 0


def retain(*, dry_run: bool = False, grace: float = GRACE) -> Retained:
    """Remove what every row that names it is done with; what is left after half a minute waits.

    A file that one row still needs, or that a hold covers for one of them, stays. The tombstones
    are committed before the bytes go: what is killed in between is removed the next time.
    """
    over, answer = _what_is_over()
    archive = current_archive()
    there = [each for each in over if archive.has(each.digest)]
    if dry_run:
        answer.removed = there
        return answer
    until = time.monotonic() + MOST_SECONDS
    for name in CLASSES:
        of_class = [each for each in there if each.retained and each.retained.under.name == name]
        for start in range(0, len(of_class), TOGETHER):
            if time.monotonic() > until:
                return answer
            some = of_class[start : start + TOGETHER]
            buried = _bury(name, some)
            for each in buried:
                archive.remove(each.digest, untouched_seconds=grace)
            answer.removed += buried
    return answer


def _what_is_over() -> tuple[list[Kept], Retained]:
    answer = Retained()
    if not settings.RETENTION:
        return [], answer
    now, held = clock.now(), what_is_held()
    over: dict[str, Kept] = {}
    staying: set[str] = set()
    for kept in named_files():
        rule = kept.retained
        if rule is None or not rule.is_over(settings.RETENTION, now):
            staying.add(kept.digest)
        elif held & rule.named:
            staying.add(kept.digest)
            answer.held += 1
        else:
            over[kept.digest] = kept
    return [kept for digest, kept in over.items() if digest not in staying], answer


@transaction.atomic
def _bury(name: str, files: Sequence[Kept]) -> list[Kept]:
    """Record that these go, but for those on which a hold came meanwhile; those that go."""
    held = what_is_held()
    going = [each for each in files if each.retained and not held & each.retained.named]
    if not going:
        return []
    removal = Removal(
        under=name, years=settings.RETENTION[name], rule=CLASSES[name].rule, at=clock.now()
    )
    removal.save()
    for each in going:
        since = each.retained.since if each.retained else removal.at
        Tombstone(removal=removal, digest=each.digest, was=each.where, since=since).save()
    record(
        events.REMOVED,
        by=SYSTEM,
        about=removal,
        carries={
            "count": len(going),
            "under": name,
            "years": removal.years,
            "rule": removal.rule,
            "digests": [each.digest for each in going],
        },
    )
    return going


@transaction.atomic
def place_hold(*, kind: str, which: str, reason: str, by: Person) -> LegalHold:
    """Hold everything of something. Refuses: what is not there, what is held, no reason."""
    require(by, Action.KEEP_HOLDS)
    sort = kinds().get(kind)
    with without_walls():
        found = sort.find(which.strip()) if sort else None
    if sort is None or found is None:
        label = sort.label.lower() if sort else kind
        msg = f"There is no {label} {which!r}. {sort.says if sort else ''}".strip()
        raise RefusedError(msg)
    if not reason.strip():
        msg = "Say why it is held: the order, the case or the request."
        raise RefusedError(msg)
    if LegalHold.objects.filter(object=found.uuid, lifted=None).exists():
        msg = f"There is a legal hold on {found.name} already."
        raise RefusedError(msg)
    hold = LegalHold(
        kind=kind,
        object=found.uuid,
        covers=found.covers,
        name=found.name,
        reason=reason,
        by=by.uuid,
        at=clock.now(),
    )
    hold.save()
    record(
        events.HELD,
        by=by,
        about=hold,
        party=found.party,
        reason=reason,
        carries={"kind": sort.label, "name": hold.name},
    )
    return hold


@transaction.atomic
def lift_hold(*, hold: LegalHold, reason: str, by: Person) -> HoldLifted:
    """End a hold. Refuses: one that was lifted, no reason."""
    require(by, Action.KEEP_HOLDS)
    if not reason.strip():
        msg = "Say why it is lifted."
        raise RefusedError(msg)
    hold = LegalHold.objects.select_for_update().get(pk=hold.pk)
    if HoldLifted.objects.filter(hold=hold).exists():
        msg = f"The {hold} was lifted before."
        raise RefusedError(msg)
    lifted = HoldLifted(hold=hold, reason=reason, by=by.uuid, at=clock.now())
    lifted.save()
    record(
        events.LIFTED,
        by=by,
        about=lifted,
        reason=reason,
        carries={"kind": kinds()[hold.kind].label, "name": hold.name},
    )
    return lifted
