"""Remove files whose retention period has ended, except those on hold."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.files.archive import current_archive
from compliance.retention import events
from compliance.retention.models import HoldLifted, LegalHold, Removal, Tombstone
from compliance.retention.periods import CLASSES
from compliance.retention.reads import identifiers_on_hold, kinds
from compliance.retention.verification import named_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compliance.access.models import Person
    from compliance.retention.verification import Kept


GRACE = 24 * 60 * 60.0
"""Seconds: recently stored content stays, because a row may be about to name it again."""
TOGETHER = 200
MOST_SECONDS = 30.0


@dataclass
class Retained:
    """What was removed, or would be; and how many files stay because of a legal hold."""

    removed: list[Kept] = field(default_factory=list)
    on_hold: int = 0
    is_done: bool = True
    """Whether there was time for all of it."""


def retain(*, dry_run: bool = False, grace: float = GRACE) -> Retained:
    """Remove files that no row needs any longer; what is left after half a minute waits.

    A file that one row still needs, or that a hold covers for one of them, stays. The tombstones
    are committed before the files are removed: an interrupted removal is completed the next time.
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
                answer.is_done = False
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
    now, on_hold = clock.now(), identifiers_on_hold()
    over: dict[str, Kept] = {}
    staying: set[str] = set()
    for kept in named_files():
        rule = kept.retained
        if rule is None or not rule.is_over(settings.RETENTION, now):
            staying.add(kept.digest)
        elif on_hold & rule.named:
            staying.add(kept.digest)
            answer.on_hold += 1
        else:
            over[kept.digest] = kept
    return [kept for digest, kept in over.items() if digest not in staying], answer


@transaction.atomic
def _bury(name: str, files: Sequence[Kept]) -> list[Kept]:
    """Record the removal of files, except those on hold by now; return the files to remove."""
    on_hold = identifiers_on_hold()
    going = [each for each in files if each.retained and not on_hold & each.retained.named]
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
    """Place an object on hold. Rejects an unknown object, one on hold, and a missing reason."""
    require(by, Action.KEEP_HOLDS)
    sort = kinds().get(kind)
    with without_access_scope():
        found = sort.find(which.strip()) if sort else None
    if sort is None or found is None:
        label = sort.label.lower() if sort else kind
        msg = f"There is no {label} {which!r}. {sort.says if sort else ''}".strip()
        raise RefusedError(msg)
    if not reason.strip():
        msg = "Give the reason: the order, the case or the request."
        raise RefusedError(msg)
    if LegalHold.objects.filter(object=found.uuid, lifted=None).exists():
        msg = f"A legal hold is already on {found.name} already."
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
        events.HOLD_PLACED,
        by=by,
        about=hold,
        party=found.party,
        reason=reason,
        carries={"kind": sort.label, "name": hold.name},
    )
    return hold


@transaction.atomic
def lift_hold(*, hold: LegalHold, reason: str, by: Person) -> HoldLifted:
    """Lift a hold. Rejects one that was already lifted, and a missing reason."""
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
