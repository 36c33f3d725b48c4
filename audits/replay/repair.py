"""Archived files of replays, and the repair of damaged ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import structlog

from audits.intake.models import RoundLog
from audits.intake.repair import RepairError
from audits.replay.models import Replay, ReplaySegment
from audits.replay.units import repair_inputs, repair_unit
from audits.replay.writes import keep_inputs
from compliance import clock
from compliance.files.archive import DamagedError, MissingError
from compliance.retention.periods import ROUNDS, Retained
from compliance.retention.verification import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID


log = structlog.get_logger(__name__)

DONE = ReplaySegment.State.DONE


def files_of_replays() -> Iterator[Kept]:
    """Yield the input and result files of all replays' work units. Needs `without_access_scope`."""
    parties: dict[int, set[UUID]] = {}
    logs = {(log.party_id, log.sha256): log.uuid for log in RoundLog.objects.iterator()}
    for number, party, digests in ReplaySegment.objects.values_list(
        "replay_id", "segment__party_id", "segment__logs"
    ).iterator():
        parties.setdefault(number, set()).update(logs[party, digest] for digest in digests)

    def retained(replay: Replay) -> Retained:
        named = frozenset({replay.party.uuid, *parties.get(replay.pk, ())})
        return Retained(ROUNDS, replay.ended or clock.now(), named)

    for replay in Replay.objects.select_related("party").order_by("pk").iterator():
        again = partial(_is_repaired, partial(keep_inputs, replay))
        yield Kept(replay.inputs, f"inputs of {replay}: {replay.inputs}", again, retained(replay))
    units = ReplaySegment.objects.select_related("segment__party", "replay__party")
    for unit in units.order_by("pk").iterator(chunk_size=500):
        again = partial(_is_repaired, partial(repair_inputs, unit))
        for what, digest in (("terms", unit.terms), ("tails before", unit.before)):
            if digest:
                yield Kept(digest, f"{what} of {unit}: {digest}", again, retained(unit.replay))
        again = partial(_is_repaired, partial(repair_unit, unit))
        for what, digest in (
            ("findings", unit.findings_file),
            ("issues", unit.issues_file),
            ("marks", unit.marks_file),
        ):
            if unit.state == DONE:
                yield Kept(digest, f"{what} of {unit}: {digest}", again, retained(unit.replay))


def _is_repaired(make_again: Callable[[], None]) -> bool:
    try:
        make_again()
    except (RepairError, DamagedError, MissingError) as wrong:
        log.error("a damaged file could not be made good", says=str(wrong))
        return False
    return True
