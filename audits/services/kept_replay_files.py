"""Which files of the archive belong to replays, and how each is made good when it is damaged."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import structlog

from audits.models import Replay, ReplaySegment, RoundLog
from audits.services.judge_share import mend_inputs, mend_share
from audits.services.made_good import NotMadeGoodError
from audits.services.replays import keep_inputs
from compliance import clock
from compliance.archive import DamagedError, MissingError
from compliance.retention import ROUNDS, Retained
from compliance.verification.archive import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

log = structlog.get_logger(__name__)

DONE = ReplaySegment.State.DONE


def files_of_replays() -> Iterator[Kept]:
    """What each replay judged by, and what every share of it found; ask `without_walls`."""
    held: dict[int, set[UUID]] = {}
    logs = {(log.party_id, log.sha256): log.uuid for log in RoundLog.objects.iterator()}
    for number, party, digests in ReplaySegment.objects.values_list(
        "replay_id", "segment__party_id", "segment__logs"
    ).iterator():
        held.setdefault(number, set()).update(logs[party, digest] for digest in digests)

    def retained(replay: Replay) -> Retained:
        named = frozenset({replay.party.uuid, *held.get(replay.pk, ())})
        return Retained(ROUNDS, replay.ended or clock.now(), named)

    for replay in Replay.objects.select_related("party").order_by("pk").iterator():
        again = partial(_made_good, partial(keep_inputs, replay))
        yield Kept(replay.inputs, f"inputs of {replay}: {replay.inputs}", again, retained(replay))
    shares = ReplaySegment.objects.select_related("segment__party", "replay__party")
    for share in shares.order_by("pk").iterator(chunk_size=500):
        again = partial(_made_good, partial(mend_inputs, share))
        for what, digest in (("terms", share.terms), ("tails before", share.before)):
            if digest:
                yield Kept(digest, f"{what} of {share}: {digest}", again, retained(share.replay))
        again = partial(_made_good, partial(mend_share, share))
        for what, digest in (
            ("findings", share.findings_file),
            ("patterns", share.patterns_file),
            ("marks", share.marks_file),
        ):
            if share.state == DONE:
                yield Kept(digest, f"{what} of {share}: {digest}", again, retained(share.replay))


def _made_good(make_again: Callable[[], None]) -> bool:
    try:
        make_again()
    except (NotMadeGoodError, DamagedError, MissingError) as wrong:
        log.error("a damaged file could not be made good", says=str(wrong))
        return False
    return True
