"""Comparisons of two replays: asked for once, made day by day under a lease, and kept.

The same as of replays: the database says what is to be done and who does it, a message only that
there is work. Whoever is killed loses the day that he was at, and another goes on with it.
"""

from __future__ import annotations

from datetime import date, timedelta
from time import monotonic
from traceback import format_exc
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import structlog
from django.db import Error as DatabaseError
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from audits.event_types.replays import REPLAYS_COMPARED
from audits.models import Replay, ReplayComparison, Segment
from audits.selectors.comparisons import Comparison, compare_day
from audits.services.held_lease import renewed
from audits.services.judge_share import StoppedError
from audits.services.ledger import LEASE_SECONDS, MOST_ATTEMPTS, Lease, LeaseLostError
from audits.services.messages import announce_work
from compliance import clock
from compliance.actor import SYSTEM
from compliance.archive import DamagedError, MissingError
from compliance.passing import in_a_line, will_pass
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from compliance.actor import Asker

STATE = ReplayComparison.State
FREE = Q(state=STATE.WAITING) | Q(state=STATE.RUNNING, lease_until__lt=Now())

log = structlog.get_logger(__name__)


def begin_comparison(*, former: Replay, later: Replay, by: Asker | None) -> ReplayComparison:
    """Have two replays compared; `by` is nobody for the system.

    What was compared already, or is being compared, is given back; what failed is tried again.
    Refuses: somebody who may not see findings; replays of two operators, one that is not done, or
    not the earlier one first.
    """
    if by is not None:
        require(by, Action.SEE_FINDINGS, later.party)
    if former.party_id != later.party_id or former.pk >= later.pk:
        msg = "Only an earlier replay of the same operator can be compared with. Choose one."
        raise RefusedError(msg)
    for each in (former, later):
        if each.state != Replay.State.DONE:
            msg = f"Replay {each.uuid} is {each.get_state_display().lower()}: compare it when done."
            raise RefusedError(msg)
    with transaction.atomic(), without_walls():
        days = Segment.objects.filter(pk__in=_segments(former) | _segments(later))
        kept, new = ReplayComparison.objects.get_or_create(
            former=former,
            later=later,
            defaults={
                "days": sorted({str(day) for day in days.values_list("day", flat=True)}),
                "at": clock.now(),
            },
        )
        again = not new and ReplayComparison.objects.filter(pk=kept.pk, state=STATE.FAILED).update(
            state=STATE.WAITING, failure="", attempts=0, ended=None
        )
        if new or again:
            record(
                REPLAYS_COMPARED,
                by=by or SYSTEM,
                party=later.party,
                about=later,
                carries={"former": str(former.uuid), "later": str(later.uuid)},
            )
            announce_work(shares=1)
            kept.refresh_from_db()
    return kept


def _segments(replay: Replay) -> Any:
    return replay.shares.order_by().values("segment")


def take_comparison(*, of: ReplayComparison | None = None) -> Lease | None:
    """Take the lease on what was asked for first (or on one); None where nothing is to be done."""
    with without_walls():
        free = ReplayComparison.objects.filter(FREE)
        if of is not None:
            free = free.filter(pk=of.pk)
        for row, attempts in free.order_by("at", "pk").values_list("pk", "attempts")[:10]:
            one, token = ReplayComparison.objects.filter(FREE, pk=row), uuid4()
            if attempts >= MOST_ATTEMPTS:
                says = f"{attempts} workers ended while they compared."
                one.update(state=STATE.FAILED, failure=says, token=None, ended=Now())
            elif one.update(
                state=STATE.RUNNING,
                token=token,
                lease_until=_lease_end(),
                attempts=F("attempts") + 1,
            ):
                return Lease(row, token)
    return None


def renew_comparison(lease: Lease) -> bool:
    """Let a lease last from now; whether it still holds."""
    with without_walls():
        held: int = _held(lease).update(lease_until=_lease_end())
        return held == 1


def make_comparison(lease: Lease, *, seconds: float = float("inf")) -> None:
    """Compare day by day; when time is up the rest is for whoever takes it next.

    Raises:
        StoppedError: the reason is not the replays'; try again later.
    """
    until = monotonic() + seconds
    try:
        with without_walls(), renewed(lease, renew_comparison):
            _compare(lease, until)
    except LeaseLostError:
        log.warning("replays were compared in vain: the lease was lost", comparison=lease.row)
    except (DamagedError, MissingError) as wrong:
        says = f"{wrong} The findings of a replay are made good when its day is judged again."
        _end(lease, state=STATE.FAILED, failure=says)
    except OSError as error:
        _end(lease, state=STATE.WAITING, attempts=F("attempts") - 1, ended=None)
        raise StoppedError(str(error)) from error
    except Exception as error:
        if will_pass(error):
            raise StoppedError(str(error)) from error
        log.error("replays could not be compared", comparison=lease.row, trace=format_exc())
        _end(lease, state=STATE.FAILED, failure=in_a_line(error))


def comparisons_left() -> int:
    """How many comparisons nobody is at."""
    with without_walls():
        return ReplayComparison.objects.filter(FREE).count()


def _compare(lease: Lease, until: float) -> None:
    kept = ReplayComparison.objects.select_related("former", "later").get(pk=lease.row)
    found = Comparison.of(kept)
    for number, day in enumerate(kept.days[kept.compared :], start=kept.compared + 1):
        found += compare_day(former=kept.former, later=kept.later, day=date.fromisoformat(day))
        _write(lease, compared=number, result=found.as_kept())
        if monotonic() > until and number < len(kept.days):
            _write(lease, state=STATE.WAITING, token=None, attempts=F("attempts") - 1)
            return
    _write(lease, state=STATE.DONE, token=None, lease_until=None, failure="", ended=Now())


def _end(lease: Lease, **changes: Any) -> None:
    """Leave a comparison; a lease that cannot be given back ends by itself."""
    try:
        with without_walls():
            _write(lease, **{"ended": Now(), "token": None, "lease_until": None} | changes)
    except (LeaseLostError, DatabaseError) as error:
        log.warning("a comparison is left to its lease's end", row=lease.row, error=str(error))


def _write(lease: Lease, **changes: Any) -> None:
    if _held(lease).update(**changes) != 1:
        msg = f"The lease on comparison {lease.row} went to somebody else."
        raise LeaseLostError(msg)


def _held(lease: Lease) -> Any:
    return ReplayComparison.objects.filter(pk=lease.row, token=lease.token, state=STATE.RUNNING)


def _lease_end() -> Any:
    return Now() + timedelta(seconds=LEASE_SECONDS)
