"""The ledger of replays: who judges which segment, until when, and what is done.

The database is the truth and its clock the only one: a message says that there is work, a lease
says who does it. One conditional UPDATE takes a lease, on SQLite as on PostgreSQL; its conditions
stand on the share's own row, so that whoever waited for another's UPDATE sees what that one left.
Nothing is written but under the token that holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NoReturn
from uuid import UUID, uuid4

import structlog
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from audits.event_types.replays import REPLAY_FAILED
from audits.models import Replay, ReplaySegment
from compliance.actor import SYSTEM
from compliance.services.record import record
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Mapping

LEASE_SECONDS = 10
RENEWED_AFTER_SECONDS = 2.5
MOST_FAILURES = 3
MOST_ATTEMPTS = 10
"""Workers that ended over a share without a word: then it is the share that ends them."""

SHARE = ReplaySegment.State
UNDER_WAY = (Replay.State.WAITING, Replay.State.RUNNING)
FREE = Q(state=SHARE.PENDING) | Q(state=SHARE.LEASED, lease_until__lt=Now())

log = structlog.get_logger(__name__)


class LeaseLostError(Exception):
    """The lease went to somebody else, or its replay was cancelled: what was done counts not."""


@dataclass(frozen=True)
class Lease:
    """The right to judge a share (or, of a replay, to put its findings on file)."""

    row: int
    token: UUID


def take_share(*, of: Replay | None = None) -> Lease | None:
    """Take a lease on the share that comes next (of one replay); None where nothing is to be done.

    Higher priority first, then the older replay, then in order.
    """
    with without_walls():
        while candidates := _candidates(of):
            for row, replay in candidates:
                token = uuid4()
                taken = ReplaySegment.objects.filter(
                    FREE, pk=row, replay__in=Replay.objects.filter(state__in=UNDER_WAY)
                ).update(
                    state=SHARE.LEASED,
                    token=token,
                    lease_until=_lease_end(),
                    attempts=F("attempts") + 1,
                )
                if taken:
                    Replay.objects.filter(pk=replay, state=Replay.State.WAITING).update(
                        state=Replay.State.RUNNING, begun=Now()
                    )
                    return Lease(row, token)
    return None


def _candidates(of: Replay | None) -> list[tuple[int, int]]:
    shares = ReplaySegment.objects.filter(
        FREE, replay__state__in=UNDER_WAY, attempts__lt=MOST_ATTEMPTS
    )
    if of is not None:
        shares = shares.filter(replay=of)
    order = ("-replay__priority", "replay__at", "replay_id", "position")
    return list(shares.order_by(*order).values_list("pk", "replay_id")[:10])


def _lease_end() -> Any:
    return Now() + timedelta(seconds=LEASE_SECONDS)


def renew_share(lease: Lease) -> bool:
    """Let a lease last from now; whether it still holds."""
    with without_walls():
        held = ReplaySegment.objects.filter(pk=lease.row, token=lease.token, state=SHARE.LEASED)
        return held.update(lease_until=_lease_end()) == 1


def finish_share(lease: Lease, outcome: Mapping[str, Any]) -> None:
    """Write what a share came to, and that it is done; only under the token that holds.

    Raises:
        LeaseLostError: it does not hold any more; nothing was written.
    """
    _write(lease, {**outcome, "state": SHARE.DONE, "failure": ""})


def give_back_share(lease: Lease, *, failure: str = "") -> None:
    """Give a share back for reasons that are not its own; it does not count as an attempt."""
    changes = {"state": SHARE.PENDING, "attempts": F("attempts") - 1, "failure": failure}
    _write(lease, changes)


@transaction.atomic
def fail_share(lease: Lease, *, failure: str) -> None:
    """Give a share back because of an error; the third ends its replay, with the reason."""
    _write(lease, {"state": SHARE.PENDING, "failures": F("failures") + 1, "failure": failure})
    with without_walls():
        share = ReplaySegment.objects.select_related("replay__party").get(pk=lease.row)
        if share.failures >= MOST_FAILURES:
            _end_replay(share, failure)


def _write(lease: Lease, changes: Mapping[str, Any]) -> None:
    with without_walls():
        held = ReplaySegment.objects.filter(pk=lease.row, token=lease.token, state=SHARE.LEASED)
        if held.update(**changes, token=None, lease_until=None) != 1:
            msg = f"The lease on share {lease.row} went to somebody else."
            raise LeaseLostError(msg)


def _end_replay(share: ReplaySegment, failure: str) -> None:
    """Write a share and its replay off; under way, or nothing happens."""
    says = f"segment {share.position + 1}: {failure}"
    ended = Replay.objects.filter(pk=share.replay_id, state__in=UNDER_WAY).update(
        state=Replay.State.FAILED, failure=says, ended=Now()
    )
    if ended:
        ReplaySegment.objects.filter(pk=share.pk).update(state=SHARE.FAILED, failure=failure)
        record(
            REPLAY_FAILED,
            by=SYSTEM,
            party=share.replay.party,
            about=share.replay,
            carries={"replay": str(share.replay.uuid), "failure": says},
        )


def take_settling(*, of: Replay | None = None) -> Lease | None:
    """Take the lease on a replay all of whose shares are done; None where there is none.

    One replay of an operator at a time: the next one compares with what this one leaves.
    """
    with without_walls():
        undone = ReplaySegment.objects.exclude(state=SHARE.DONE).values("replay")
        ready = Q(state=Replay.State.RUNNING) & ~Q(pk__in=undone)
        left = Q(state=Replay.State.SETTLING, lease_until__lt=Now())
        replays = Replay.objects.filter(ready | left).order_by("-priority", "at", "pk")
        if of is not None:
            replays = replays.filter(pk=of.pk)
        for row in replays.values_list("pk", flat=True)[:10]:
            token = uuid4()
            try:
                with transaction.atomic():
                    taken = Replay.objects.filter(
                        Q(state=Replay.State.RUNNING) | left, pk=row
                    ).update(state=Replay.State.SETTLING, token=token, lease_until=_lease_end())
            except IntegrityError:  # another one of its operator settles now
                continue
            if taken:
                return Lease(row, token)
    return None


def renew_settling(lease: Lease) -> bool:
    """Let the lease on a replay last from now; whether it still holds."""
    with without_walls():
        renewed: int = _settling(lease).update(lease_until=_lease_end())
        return renewed == 1


def note_settling(lease: Lease, standings: Mapping[str, Any]) -> None:
    """Write which days are on file already, so that nobody does them again.

    Raises:
        LeaseLostError: the lease does not hold any more.
    """
    with without_walls():
        if _settling(lease).update(standings=standings) != 1:
            _raise_lost(lease)


def leave_settling(lease: Lease) -> None:
    """Leave the rest of it to whoever looks next; no other replay of its operator comes between.

    Raises:
        LeaseLostError: the lease does not hold any more.
    """
    with without_walls():
        if _settling(lease).update(token=None, lease_until=Now() - timedelta(seconds=1)) != 1:
            _raise_lost(lease)


def finish_settling(lease: Lease, outcome: Mapping[str, Any]) -> None:
    """Write what a replay came to, and its state; only under the token that holds.

    Raises:
        LeaseLostError: it does not hold any more; nothing was written.
    """
    with without_walls():
        if _settling(lease).update(**outcome, token=None, lease_until=None) != 1:
            _raise_lost(lease)


def _raise_lost(lease: Lease) -> NoReturn:
    msg = f"The lease on replay {lease.row} went to somebody else."
    raise LeaseLostError(msg)


def _settling(lease: Lease) -> Any:
    return Replay.objects.filter(pk=lease.row, token=lease.token, state=Replay.State.SETTLING)


def sweep() -> int:
    """Put back what was left behind, write off what ends its workers; how much is to be done now.

    A lease that ended is open to whoever looks; the sweep says so, and counts the work.
    """
    with without_walls():
        ended = ReplaySegment.objects.filter(state=SHARE.LEASED, lease_until__lt=Now())
        deadly = ended.filter(attempts__gte=MOST_ATTEMPTS).select_related("replay__party")
        for share in deadly:
            with transaction.atomic():
                failure = f"{share.attempts} workers ended while they judged it."
                _end_replay(share, failure)
        put_back = ended.update(state=SHARE.PENDING, token=None, lease_until=None)
        if put_back:
            log.warning("leases ended before their work was done", shares=put_back)
        shares = ReplaySegment.objects.filter(
            state=SHARE.PENDING, replay__state__in=UNDER_WAY
        ).count()
        undone = ReplaySegment.objects.exclude(state=SHARE.DONE).values("replay")
        ready = Q(state=Replay.State.RUNNING) & ~Q(pk__in=undone)
        left = Q(state=Replay.State.SETTLING, lease_until__lt=Now())
        return shares + Replay.objects.filter(ready | left).count()
