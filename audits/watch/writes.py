"""Count what segments contribute to the watch, as a job after each replay."""

from __future__ import annotations

from collections import defaultdict
from time import monotonic
from typing import TYPE_CHECKING

import orjson
import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from audits.intake.days.models import GamblingDay
from audits.intake.reads import current_segments
from audits.replay.findings.files import findings_of
from audits.replay.models import ReplaySegment
from audits.watch.alarms import note_alarms
from audits.watch.errors import as_row, count_errors, is_error
from audits.watch.filed import count_chances, filed_game
from audits.watch.gather import gather_statistics
from audits.watch.models import WatchedGame, WatchedSegment
from audits.watch.reads import coverage, streams
from audits.watch.statistics import VERSION, Statistics
from audits.watch.worked import find_worked
from compliance.access.models import Party
from compliance.access.scope import without_access_scope
from compliance.files.archive import DamagedError, MissingError, current_archive
from compliance.jobs import queue
from compliance.jobs.work import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audits.intake.models import Segment
    from audits.watch.streams import Stream
    from audits.watch.worked import Worked
    from compliance.jobs.queue import Lease

SECONDS = 15
"""No task may run long: the next worker counts the rest."""

log = structlog.get_logger(__name__)


def watch_operator(operator: Party, *, until: float = float("inf")) -> bool:
    """Count every segment on file that was not counted yet; return whether all are.

    A segment whose file is gone by retention is left out: what it contributed is kept.
    """
    with without_access_scope():
        segments = current_segments(operator)
        units = _current_units(operator)
        known = {
            each.segment_id: each
            for each in WatchedSegment.objects.filter(segment__party=operator).defer("statistics")
        }
        for segment in segments:
            kept, unit = known.get(segment.pk), units.get(segment.pk)
            if kept is None or kept.version != VERSION:
                _count_rounds(segment)
                kept = None
            if unit is not None and (kept is None or kept.findings_digest != unit.findings_digest):
                _count_findings(segment, unit)
            if monotonic() > until:
                return False
        return _sum_up(operator, {each.pk for each in segments}, until)


def _sum_up(operator: Party, current: set[int], until: float) -> bool:
    """Add new segments to the sum of their game, and take away what was replaced.

    Return whether all are summed; the parts of each game are summed together with its row.
    """
    parts = WatchedSegment.objects.filter(segment__party=operator, version=VERSION)
    changed = list(
        parts.exclude(is_summed=True, segment__in=current)
        .filter(Q(is_summed=True) | Q(segment__in=current))
        .values_list("segment__game", "pk")
    )
    for game in sorted({game for game, _ in changed}):
        with transaction.atomic():
            Party.objects.select_for_update(no_key=True).get(pk=operator.pk)
            kept = WatchedGame.objects.filter(party=operator, game=game, version=VERSION).first()
            total = Statistics() if kept is None else Statistics.unpack(bytes(kept.statistics))
            for key in [pk for of_game, pk in changed if of_game == game]:
                part = parts.select_for_update(of=("self",)).get(pk=key)
                if part.is_summed != (part.segment_id in current):
                    sign = -1 if part.is_summed else 1
                    total.add(Statistics.unpack(bytes(part.statistics)), sign=sign)
                    parts.filter(pk=key).update(is_summed=not part.is_summed)
                if monotonic() > until:
                    break
            WatchedGame.objects.update_or_create(
                party=operator,
                game=game,
                defaults={"version": VERSION, "statistics": total.packed()},
            )
        if monotonic() > until:
            return False
    return True


def _current_units(operator: Party) -> dict[int, ReplaySegment]:
    """Return the work units of the current replays of an operator's days, by segment."""
    day = GamblingDay.objects.filter(party=operator, day=OuterRef("segment__day"))
    units = ReplaySegment.objects.filter(
        Exists(day.filter(current=OuterRef("replay"))),
        segment__party=operator,
        state=ReplaySegment.State.DONE,
    )
    return {each.segment_id: each for each in units.select_related("segment")}


def _count_rounds(segment: Segment) -> None:
    try:
        with current_archive().fetch(segment.sha256) as path:
            packed = gather_statistics(path, filed_game(segment.game)).packed()
    except (DamagedError, MissingError) as wrong:
        log.warning("a segment is not watched", segment=str(segment), why=str(wrong))
        return
    WatchedSegment.objects.update_or_create(
        segment=segment,
        defaults={
            "version": VERSION,
            "statistics": packed,
            "findings_digest": "",
            "errors": [],
            "is_summed": False,
        },
    )


def _count_findings(segment: Segment, unit: ReplaySegment) -> None:
    try:
        with findings_of(unit) as lines:
            wrong = [each for line in lines if is_error(each := orjson.loads(line))]
        counted = count_errors(wrong, _worked(segment, {each["round"] for each in wrong}))
    except (DamagedError, MissingError) as wrong:
        log.warning("findings are not watched", segment=str(segment), why=str(wrong))
        return
    WatchedSegment.objects.filter(segment=segment).update(
        findings_digest=unit.findings_digest,
        errors=[[*subject, *as_row(counted[subject])] for subject in sorted(counted)],
    )


def _worked(segment: Segment, rounds: set[str]) -> dict[str, Worked]:
    """Return who dealt rounds that were settled wrong."""
    if not rounds:
        return {}
    with current_archive().fetch(segment.sha256) as path:
        return find_worked(path, rounds)


def _keep_strongest(operator: Party, found: Sequence[Stream]) -> None:
    """Keep the strongest evidence of each kind, so that a state is shown without weighing it.

    Hints are counted as streams, but are no evidence.
    """
    games: defaultdict[str, dict[str, list[float]]] = defaultdict(dict)
    for each in found:
        evidence = 0.0 if each.is_hint else each.figures.evidence
        kind = games[each.game].setdefault(each.kind, [evidence, 0, 0])
        kind[0] = max(kind[0], evidence)
        kind[1] += 1
        kind[2] += each.is_alarm
    for game in WatchedGame.objects.filter(party=operator):
        game.strongest = {
            kind: [round(row[0], 2), *row[1:]] for kind, row in games[game.game].items()
        }
        game.save(update_fields=["strongest"])


def _count_chances(operator: Party, until: float) -> bool:
    """Count the chances of the operator's filed games, once for each; return whether all are."""
    with without_access_scope():
        games = list(WatchedGame.objects.filter(party=operator).values_list("game", flat=True))
        for game in games:
            for _ in count_chances(game):
                if monotonic() > until:
                    return False
    return True


def watch_job(lease: Lease) -> None:
    """Count an operator's new segments, weigh all its streams, and note alarms."""
    with without_access_scope():
        operator = Party.objects.get(pk=lease.subject)
    until = monotonic() + SECONDS
    if not watch_operator(operator, until=until) or not _count_chances(operator, until):
        queue.give_back(lease)
        return
    found = streams(operator)
    with queue.finishing(lease):
        update_alarms(operator, found)


def update_alarms(operator: Party, found: Sequence[Stream]) -> None:
    """Keep the strongest evidence of an operator's streams, and note alarms."""
    with transaction.atomic(), without_access_scope():
        _keep_strongest(operator, found)
        if (last := coverage(operator).last) is not None:
            note_alarms(operator=operator, streams=found, day=last)


WATCH_JOBS = Kind(run=watch_job)
