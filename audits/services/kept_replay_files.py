"""Which files of the archive belong to replays, and how each is made good when it is damaged."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import structlog

from audits.models import Replay, ReplaySegment
from audits.services.judge_share import mend_inputs, mend_share
from audits.services.made_good import NotMadeGoodError
from audits.services.replays import keep_inputs
from compliance.archive import DamagedError, MissingError
from compliance.verification.archive import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

log = structlog.get_logger(__name__)

DONE = ReplaySegment.State.DONE


def files_of_replays() -> Iterator[Kept]:
    """What each replay judged by, and what every share of it found; ask `without_walls`."""
    for replay in Replay.objects.select_related("party").order_by("pk").iterator():
        again = partial(_made_good, partial(keep_inputs, replay))
        yield Kept(replay.inputs, f"inputs of {replay}: {replay.inputs}", again)
    shares = ReplaySegment.objects.select_related("segment__party", "replay__party")
    for share in shares.order_by("pk").iterator(chunk_size=500):
        again = partial(_made_good, partial(mend_inputs, share))
        for what, digest in (("terms", share.terms), ("tails before", share.before)):
            if digest:
                yield Kept(digest, f"{what} of {share}: {digest}", again)
        again = partial(_made_good, partial(mend_share, share))
        for what, digest in (
            ("findings", share.findings_file),
            ("patterns", share.patterns_file),
            ("marks", share.marks_file),
        ):
            if share.state == DONE:
                yield Kept(digest, f"{what} of {share}: {digest}", again)


def _made_good(make_again: Callable[[], None]) -> bool:
    try:
        make_again()
    except (NotMadeGoodError, DamagedError, MissingError) as wrong:
        log.error("a damaged file could not be made good", says=str(wrong))
        return False
    return True
