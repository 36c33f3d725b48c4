"""Begin replays with fixed inputs; prioritize, cancel and retry them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models.functions import Now

from audits.commission import commission_unit
from audits.intake.reads import current_segments
from audits.replay import events
from audits.replay.auditing.terms import TermsError
from audits.replay.engine import engine_version
from audits.replay.inputs import store_tails_before, store_terms
from audits.replay.jobs import UNDER_WAY as UNTIL_SETTLED
from audits.replay.jobs import add_jobs, announce_work, cancel_jobs, move_jobs
from audits.replay.models import Replay, ReplaySegment
from compliance import clock
from compliance.access.models import ApiKey, Party, Person
from compliance.access.permissions import COMMISSION_ROLES, Action
from compliance.access.reads import require
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.canonical import canonical
from compliance.events.record import record
from compliance.files.archive import current_archive, store_bytes
from compliance.remembered import remembering
from compliance.retention.reads import why_removed

if TYPE_CHECKING:
    from datetime import date

    from audits.intake.models import Segment
    from compliance.access.scope import Asker


UNDER_WAY = (Replay.State.WAITING, Replay.State.RUNNING, Replay.State.SETTLING)


@dataclass(frozen=True, kw_only=True)
class Scope:
    """What to replay: everything on file, or a selection.

    Segments are audited whole, because a round's audit needs the rounds around it. A table or a log
    selects the segments that contain its rounds. With `last`, it covers every day from `day` to
    that day.
    """

    day: date | None = None
    last: date | None = None
    game: str | None = None
    table: str | None = None
    log: str | None = None

    def chosen(self, segments: list[Segment]) -> list[Segment]:
        """Return the operator's current segments that are in scope, in order."""
        return [
            each
            for each in segments
            if self._is_in(each.day)
            and self.game in {None, each.game}
            and (self.table is None or self.table in each.tables)
            and (self.log is None or self.log in each.logs)
        ]

    @property
    def end(self) -> date | None:
        """Return the last day; None for everything on file."""
        return self.last or self.day

    def _is_in(self, day: date) -> bool:
        return self.day is None or self.day <= day <= (self.end or self.day)

    def as_kept(self) -> dict[str, str]:
        """Return the selection as stored in the database."""
        return {name: str(value) for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class UnitInputs:
    """A segment and everything its audit depends on, by digest."""

    segment: Segment
    terms: str
    before: str

    def as_input(self) -> dict[str, Any]:
        """Return its entry in the inputs."""
        return {
            "game": self.segment.game,
            "day": str(self.segment.day),
            "segment": self.segment.identity,
            "logs": list(self.segment.logs),
            "terms": self.terms,
            "before": self.before,
        }


def begin_replay(
    *,
    operator: Party,
    scope: Scope,
    by: Asker | None,
    cause: Replay.Cause = Replay.Cause.ASKED,
    priority: int = 0,
) -> Replay:
    """Fix the inputs of a replay and add its jobs; `by` is None for the system.

    A replay with the same fingerprint that is under way is not begun twice. Refuses: a caller
    without permission; a scope without rounds on file.
    """
    if by is not None:
        require(by, Action.REPLAY, operator)
    with_emptied = current_segments(operator, first=scope.day, last=scope.end, emptied=True)
    chosen = scope.chosen(with_emptied)
    if not chosen:
        msg = (
            f"No rounds of {operator.name} are on file for {_described(scope)}. Submit a log first."
        )
        raise RefusedError(msg)
    _refuse_removed(chosen)
    on_file = [each for each in with_emptied if each.rounds]
    with remembering():
        units, set_aside = _fixed(operator, scope.chosen(on_file), on_file)
    inputs = _inputs(operator, engine_version(), units, set_aside)
    kept = store_bytes(current_archive(), inputs).digest  # files before rows
    with transaction.atomic(), without_access_scope():
        # One begins at a time, so that two identical requests get the same replay.
        Party.objects.select_for_update(no_key=True).get(pk=operator.pk)
        same = Replay.objects.filter(party=operator, fingerprint=kept, state__in=UNDER_WAY).first()
        if same is not None:
            return same
        replay = Replay(
            party=operator,
            made_for=_unit_of(by),
            cause=cause,
            scope=scope.as_kept(),
            days=_whole_days(chosen, with_emptied),
            inputs=kept,
            fingerprint=kept,
            engine=engine_version(),
            set_aside=set_aside,
            priority=priority,
            by=by if isinstance(by, Person) else None,
            at=clock.now(),
            state=Replay.State.WAITING if units else Replay.State.RUNNING,
        )
        replay.save()
        ReplaySegment.objects.bulk_create(
            ReplaySegment(
                replay=replay,
                segment=unit.segment,
                position=position,
                terms=unit.terms,
                before=unit.before,
            )
            for position, unit in enumerate(units)
        )
        add_jobs(replay)
        record(
            events.REPLAY_BEGUN,
            by=by or SYSTEM,
            party=operator,
            about=replay,
            carries={
                "replay": str(replay.uuid),
                "cause": cause.label,
                "fingerprint": replay.fingerprint,
                "inputs": kept,
                "segments": len(units),
            },
        )
        for each in set_aside:
            record(
                events.GAME_SET_ASIDE,
                by=SYSTEM,
                party=operator,
                about=replay,
                carries={"replay": str(replay.uuid), **each},
            )
        announce_work(units=max(len(units), 1))
    return replay


def keep_inputs(replay: Replay) -> None:
    """Store the inputs of a replay again, as they were when it was begun."""
    rows = replay.units.select_related("segment").order_by("position")
    units = [UnitInputs(row.segment, row.terms, row.before) for row in rows]
    inputs = _inputs(replay.party, replay.engine, units, replay.set_aside)
    store_bytes(current_archive(), inputs)


def _refuse_removed(chosen: list[Segment]) -> None:
    """Refuse rounds that retention removed, because nothing is left to audit."""
    archive = current_archive()
    for each in chosen:
        if each.rounds and not archive.has(each.sha256) and (says := why_removed(each.sha256)):
            msg = f"The rounds of {each} cannot be judged again. {says} Choose other days."
            raise RefusedError(msg)


def _inputs(
    operator: Party, engine: str, units: list[UnitInputs], set_aside: list[dict[str, str]]
) -> bytes:
    """Return all that the findings depend on as canonical JSON; its digest is the fingerprint."""
    data: dict[str, Any] = {
        "version": 1,
        "operator": operator.code,
        "engine": engine,
        "shares": [unit.as_input() for unit in units],
    }
    return canonical(data | ({"set_aside": set_aside} if set_aside else {}))


def _fixed(
    operator: Party, chosen: list[Segment], on_file: list[Segment]
) -> tuple[list[UnitInputs], list[dict[str, str]]]:
    """Store each segment's terms and the tails before it; `on_file` has all from their first day.

    A game whose terms cannot be built is set aside with the reason: it keeps no other game from
    being audited.
    """
    terms: dict[tuple[str, date], str] = {}
    set_aside = []
    for game, day in dict.fromkeys((each.game, each.day) for each in chosen):
        try:
            terms[game, day] = store_terms(operator=operator, game=game, day=day)
        except TermsError as error:
            set_aside.append({"game": game, "day": str(day), "why": str(error)})
    of_game = defaultdict(list)
    for each in on_file:
        of_game[each.game].append(each)
    units = [
        UnitInputs(each, terms[each.game, each.day], store_tails_before(each, of_game[each.game]))
        for each in chosen
        if (each.game, each.day) in terms
    ]
    return units, set_aside


def _whole_days(chosen: list[Segment], on_file: list[Segment]) -> list[str]:
    """Return the gambling days of which every segment is included."""
    chosen_keys = {each.pk for each in chosen}
    partly = {each.day for each in on_file if each.pk not in chosen_keys}
    return sorted({str(each.day) for each in chosen if each.day not in partly})


def _unit_of(by: Asker | None) -> Party:
    """Return the commission unit for which a replay is made."""
    if isinstance(by, ApiKey):
        return by.party
    roles = memberships_of(by) if by is not None else []
    theirs = [each.party for each in roles if each.role in COMMISSION_ROLES]
    return theirs[0] if theirs else commission_unit()


def _described(scope: Scope) -> str:
    named = [f"{name} {value}" for name, value in scope.as_kept().items()]
    return ", ".join(named) or "any day"


def cancel_replay(*, replay: Replay, by: Asker) -> None:
    """Cancel a replay that is under way; a worker auditing one of its work units loses the lease.

    Refuses: a caller without permission; a replay that has ended or is about to.
    """
    require(by, Action.REPLAY, replay.party)
    with transaction.atomic(), without_access_scope():
        cancel_jobs(replay.pk)
        ended = Replay.objects.filter(pk=replay.pk, state__in=UNTIL_SETTLED).update(
            state=Replay.State.CANCELED, ended=Now()
        )
        if not ended:
            _refuse_ended(Replay.objects.get(pk=replay.pk))
        carries = {"replay": str(replay.uuid)}
        record(events.REPLAY_CANCELED, by=by, party=replay.party, about=replay, carries=carries)


def move_replay(*, replay: Replay, priority: int, by: Asker) -> None:
    """Change a replay's priority: higher goes first, from the next segment on.

    Refuses: a caller without permission; a replay that has ended; a priority outside -10 to 10.
    """
    require(by, Action.REPLAY, replay.party)
    if not -10 <= priority <= 10:
        msg = "A priority is a number from -10 to 10; higher goes first."
        raise RefusedError(msg)
    with transaction.atomic(), without_access_scope():
        former = Replay.objects.select_for_update().get(pk=replay.pk)
        if former.state not in UNDER_WAY:
            _refuse_ended(former)
        Replay.objects.filter(pk=replay.pk).update(priority=priority)
        move_jobs(replay.pk, priority)
        record(
            events.REPLAY_MOVED,
            by=by,
            party=replay.party,
            about=replay,
            carries={
                "replay": str(replay.uuid),
                "former": former.priority,
                "priority": priority,
            },
        )


def retry_replay(*, replay: Replay, by: Asker | None) -> None:
    """Retry a failed replay; completed work stays done.

    Refuses: a caller without permission; a replay that has not failed.
    """
    if by is not None:
        require(by, Action.REPLAY, replay.party)
    with transaction.atomic(), without_access_scope():
        failed = Replay.objects.select_for_update().get(pk=replay.pk)
        if failed.state != Replay.State.FAILED:
            state = failed.get_state_display().lower()
            msg = f"This replay is {state}; only one that failed is tried again."
            raise RefusedError(msg)
        Replay.objects.filter(pk=replay.pk).update(
            state=Replay.State.RUNNING, failure="", ended=None, standings={}
        )
        left = replay.units.exclude(state=ReplaySegment.State.DONE)
        units = left.update(state=ReplaySegment.State.PENDING, failure="")
        add_jobs(failed)
        record(
            events.REPLAY_RETRIED,
            by=by or SYSTEM,
            party=replay.party,
            about=replay,
            carries={"replay": str(replay.uuid), "failure": failed.failure},
        )
        announce_work(units=max(units, 1))


def _refuse_ended(replay: Replay) -> None:
    if replay.state == Replay.State.SETTLING:
        msg = "All of it is judged and its findings are being put on file; it ends in a moment."
        raise RefusedError(msg)
    msg = f"This replay has ended ({replay.get_state_display().lower()}). Begin another one."
    raise RefusedError(msg)
