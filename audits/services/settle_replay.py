"""A replay whose shares are all done: its digest and sums, and the days that it speaks of now."""

from __future__ import annotations

import hashlib
from datetime import date
from time import monotonic
from traceback import format_exc
from typing import TYPE_CHECKING

import structlog
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from audits.event_types.replays import REPLAY_DONE, REPLAY_FAILED
from audits.models import GamblingDay, Replay, ReplaySegment
from audits.selectors.segments import current_segments
from audits.services import ledger
from audits.services.days import keep_day
from audits.services.held_lease import renewed
from audits.services.judge_share import StoppedError, mend_share
from audits.services.patterns import put_on_file
from compliance.actor import SYSTEM
from compliance.passing import in_a_line, will_pass
from compliance.services.record import record
from compliance.walls import without_walls
from games.cents import held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audits.services.ledger import Lease

SUMS = ("rounds", "seats", "findings", "over", "under")

log = structlog.get_logger(__name__)


class OutOfTimeError(Exception):
    """The rest is for the next one: no task may run long."""


def settle_replay(lease: Lease, *, seconds: float = float("inf")) -> None:
    """Put a replay's findings on file, and end it; done again after a crash it comes to the same.

    When time is up it is given back, and whoever takes it goes on where it stands.

    Raises:
        StoppedError: the reason is not the replay's; try again later.
    """
    with without_walls():
        replay = Replay.objects.select_related("party", "made_for").get(pk=lease.row)
        shares = list(replay.shares.select_related("segment__party", "replay").order_by("position"))
        try:
            with renewed(lease, ledger.renew_settling):
                _put_on_file(lease, replay, shares, until=monotonic() + seconds)
            _end(lease, replay, shares)
        except OutOfTimeError:
            ledger.leave_settling(lease)
        except ledger.LeaseLostError:
            log.warning("a replay was settled in vain: its lease was lost", replay=replay.pk)
        except Exception as error:
            if will_pass(error) or isinstance(error, OSError):
                raise StoppedError(str(error)) from error
            log.error("a replay could not be settled", replay=replay.pk, trace=format_exc())
            _fail(lease, replay, in_a_line(error))


def digest_of(shares: Sequence[ReplaySegment]) -> str:
    """The digest over the findings of all shares, in order."""
    return hashlib.sha256(
        b"".join(bytes.fromhex(share.findings_digest) for share in shares)
    ).hexdigest()


def _put_on_file(
    lease: Lease, replay: Replay, shares: Sequence[ReplaySegment], *, until: float
) -> None:
    """Let each day that the replay covers speak through it, if it is the newest over all logs."""

    def go_on() -> None:
        if monotonic() > until:
            raise OutOfTimeError

    for day in map(date.fromisoformat, replay.days):
        if str(day) in replay.standings:
            continue
        go_on()
        of_day = [share for share in shares if share.segment.day == day]
        for share in of_day:
            mend_share(share)
        kept = keep_day(party=replay.party, day=day)
        if _is_newest(replay, kept, of_day):
            replay.standings[str(day)] = put_on_file(
                replay=replay, day=kept, shares=of_day, go_on=go_on
            )
            ledger.note_settling(lease, replay.standings)


def _is_newest(replay: Replay, day: GamblingDay, shares: Sequence[ReplaySegment]) -> bool:
    """Whether it was begun after the day's current one, and over all that is on file."""
    on_file = {each.pk for each in current_segments(replay.party, day=day.day)}
    newer = day.current_id is None or day.current_id <= replay.pk
    return newer and on_file == {share.segment_id for share in shares}


@transaction.atomic
def _end(lease: Lease, replay: Replay, shares: Sequence[ReplaySegment]) -> None:
    sums = {name: held(sum(getattr(share, name) for share in shares)) for name in SUMS}
    digest = digest_of(shares)
    ledger.finish_settling(
        lease,
        {
            **sums,
            "digest": digest,
            "state": Replay.State.DONE,
            "ended": Now(),
            "failure": "",
        },
    )
    days = GamblingDay.objects.filter(party=replay.party, day__in=replay.standings)
    days.filter(Q(current=None) | Q(current__lt=replay.pk)).update(current=replay)
    record(
        REPLAY_DONE,
        by=SYSTEM,
        party=replay.party,
        about=replay,
        carries={
            "replay": str(replay.uuid),
            "fingerprint": replay.fingerprint,
            "digest": digest,
            "rounds": sums["rounds"],
            "findings": sums["findings"],
            "days": sorted(replay.standings),
        },
    )


def _fail(lease: Lease, replay: Replay, failure: str) -> None:
    says = f"its findings could not be put on file: {failure}"
    try:
        with transaction.atomic():
            ledger.finish_settling(
                lease, {"state": Replay.State.FAILED, "failure": says, "ended": Now()}
            )
            record(
                REPLAY_FAILED,
                by=SYSTEM,
                party=replay.party,
                about=replay,
                carries={"replay": str(replay.uuid), "failure": says},
            )
    except ledger.LeaseLostError:
        log.warning("a replay failed after its lease was lost", replay=replay.pk)
