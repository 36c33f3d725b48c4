"""Which files of the archive belong to round logs, and how each is made good when it is damaged."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import structlog

from audits.models import RoundLog, Segment
from audits.services.made_good import NotMadeGoodError, heal_rejected_file, heal_segment
from compliance.retention import ROUNDS, Retained
from compliance.verification.archive import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

log = structlog.get_logger(__name__)


def files_of_round_logs() -> Iterator[Kept]:
    """The evidence, the rejected lines, and the files of every segment; ask `without_walls`."""
    logs: dict[tuple[int, str], UUID] = {}
    for each in RoundLog.objects.select_related("party", "corrects").order_by("pk").iterator():
        logs[each.party_id, each.sha256] = each.uuid
        whose = f"round log {each.name} of {each.party}, {each.uuid}"
        since = max(each.at, each.last_at or each.at)
        retained = Retained(ROUNDS, since, frozenset({each.party.uuid, each.uuid}))
        yield Kept(each.sha256, f"evidence of {whose}: {each.sha256}", retained=retained)
        if each.rejected_file:
            yield Kept(
                each.rejected_file,
                f"rejected lines of {whose}: {each.rejected_file}",
                partial(_made_good, partial(heal_rejected_file, each)),
                retained,
            )
    segments = Segment.objects.filter(rounds__gt=0).select_related("party", "log")
    for segment in segments.order_by("pk").iterator():
        whose = f"{segment} (generation {segment.generation}) of {segment.party}"
        make_good = partial(_made_good, partial(heal_segment, segment))
        retained = Retained(
            ROUNDS,
            max(segment.log.at, segment.last_at),
            frozenset({segment.party.uuid, *(logs[segment.party_id, log] for log in segment.logs)}),
        )
        for what, digest in (
            ("segment", segment.sha256),
            ("id index", segment.index_sha256),
            ("tails", segment.tails_sha256),
        ):
            yield Kept(digest, f"{what} of {whose}: {digest}", make_good, retained)


def _made_good(heal: Callable[[], None]) -> bool:
    try:
        heal()
    except NotMadeGoodError as wrong:
        log.error("a damaged file could not be made good", says=str(wrong))
        return False
    return True
