"""Replays: begun with inputs that are fixed, put forward or back, cancelled, tried again."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models.functions import Now

from audits.engine import engine_version
from audits.event_types import replays as events
from audits.models import Replay, ReplaySegment
from audits.selectors.commission import commission_unit
from audits.selectors.segments import current_segments
from audits.services import ledger
from audits.services.kept_terms import keep_terms
from audits.services.messages import announce_work
from audits.services.tails import keep_tails_before
from compliance import clock
from compliance.actor import SYSTEM
from compliance.archive import current_archive
from compliance.archive.content import store_bytes
from compliance.models import ApiKey, Party, Person
from compliance.permissions import COMMISSION_ROLES, Action
from compliance.proof.canonical import canonical
from compliance.selectors.retention import why_removed
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import memberships_of, without_walls

if TYPE_CHECKING:
    from datetime import date

    from audits.models import Segment
    from compliance.actor import Asker

UNDER_WAY = (Replay.State.WAITING, Replay.State.RUNNING, Replay.State.SETTLING)


@dataclass(frozen=True, kw_only=True)
class Scope:
    """What is to be judged: everything on file, or what is named.

    Segments are judged whole: a round's judgement needs the rounds beside it. A table or a log
    chooses the segments in which it has rounds. With `last`, every day from `day` to it.
    """

    day: date | None = None
    last: date | None = None
    game: str | None = None
    table: str | None = None
    log: str | None = None

    def chosen(self, segments: list[Segment]) -> list[Segment]:
        """Those of an operator's current segments that belong to it, in order."""
        return [
            each
            for each in segments
            if self._is_in(each.day)
            and self.game in {None, each.game}
            and (self.table is None or self.table in each.tables)
            and (self.log is None or self.log in each.logs)
        ]

    def _is_in(self, day: date) -> bool:
        return self.day is None or self.day <= day <= (self.last or self.day)

    def as_kept(self) -> dict[str, str]:
        """What is named, as it stands in the database."""
        return {name: str(value) for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Share:
    """A segment and all that its judgement rests on, by digest."""

    segment: Segment
    terms: str
    before: str

    def as_input(self) -> dict[str, Any]:
        """What stands of it in the inputs."""
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
    """Fix what is judged and by what, and put it in the ledger; `by` is nobody for the system.

    What is under way already with the same fingerprint is not begun twice.
    Refuses: somebody who may not; a scope without rounds on file.
    """
    if by is not None:
        require(by, Action.REPLAY, operator)
    on_file = current_segments(operator, emptied=True)
    chosen = scope.chosen(on_file)
    if not chosen:
        msg = f"No rounds of {operator.name} are on file for {_told(scope)}. Hand in a log first."
        raise RefusedError(msg)
    _refuse_removed(chosen)
    shares = _fixed(operator, scope.chosen(current_segments(operator)))
    inputs = _inputs(operator, engine_version(), shares)
    kept = store_bytes(current_archive(), inputs).digest  # files before rows
    with transaction.atomic(), without_walls():
        # One begins at a time: two that ask for the same get the same.
        Party.objects.select_for_update(no_key=True).get(pk=operator.pk)
        same = Replay.objects.filter(party=operator, fingerprint=kept, state__in=UNDER_WAY).first()
        if same is not None:
            return same
        replay = Replay(
            party=operator,
            made_for=_unit_of(by),
            cause=cause,
            scope=scope.as_kept(),
            days=_whole_days(chosen, on_file),
            inputs=kept,
            fingerprint=kept,
            engine=engine_version(),
            priority=priority,
            by=by if isinstance(by, Person) else None,
            at=clock.now(),
            state=Replay.State.WAITING if shares else Replay.State.RUNNING,
        )
        replay.save()
        ReplaySegment.objects.bulk_create(
            ReplaySegment(
                replay=replay,
                segment=share.segment,
                position=position,
                terms=share.terms,
                before=share.before,
            )
            for position, share in enumerate(shares)
        )
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
                "segments": len(shares),
            },
        )
        announce_work(shares=max(len(shares), 1))
    return replay


def keep_inputs(replay: Replay) -> None:
    """Store the inputs of a replay again, as they were when it was begun."""
    rows = replay.shares.select_related("segment").order_by("position")
    shares = [Share(row.segment, row.terms, row.before) for row in rows]
    store_bytes(current_archive(), _inputs(replay.party, replay.engine, shares))


def _refuse_removed(chosen: list[Segment]) -> None:
    """Refuse rounds whose bytes retention took: nothing is left to be judged."""
    archive = current_archive()
    for each in chosen:
        if each.rounds and not archive.has(each.sha256) and (says := why_removed(each.sha256)):
            msg = f"The rounds of {each} cannot be judged again. {says} Choose other days."
            raise RefusedError(msg)


def _inputs(operator: Party, engine: str, shares: list[Share]) -> bytes:
    """All that the findings depend on, as canonical JSON: its digest is the fingerprint."""
    return canonical(
        {
            "version": 1,
            "operator": operator.code,
            "engine": engine,
            "shares": [share.as_input() for share in shares],
        }
    )


def _fixed(operator: Party, chosen: list[Segment]) -> list[Share]:
    """Store what binds each segment, and what stood before it."""
    places = dict.fromkeys((each.game, each.day) for each in chosen)
    terms = {(game, day): keep_terms(operator=operator, game=game, day=day) for game, day in places}
    return [Share(each, terms[each.game, each.day], keep_tails_before(each)) for each in chosen]


def _whole_days(chosen: list[Segment], on_file: list[Segment]) -> list[str]:
    """Gambling days none of whose segments is left out."""
    taken = {each.pk for each in chosen}
    partly = {each.day for each in on_file if each.pk not in taken}
    return sorted({str(each.day) for each in chosen if each.day not in partly})


def _unit_of(by: Asker | None) -> Party:
    """The unit of the commission for which a replay is made."""
    if isinstance(by, ApiKey):
        return by.party
    held = memberships_of(by) if by is not None else []
    theirs = [each.party for each in held if each.role in COMMISSION_ROLES]
    return theirs[0] if theirs else commission_unit()


def _told(scope: Scope) -> str:
    named = [f"{name} {value}" for name, value in scope.as_kept().items()]
    return ", ".join(named) or "any day"


def cancel_replay(*, replay: Replay, by: Asker) -> None:
    """End a replay that is under way; who judges a share of it now loses the lease.

    Refuses: somebody who may not; a replay that has ended or is about to.
    """
    require(by, Action.REPLAY, replay.party)
    with transaction.atomic(), without_walls():
        ended = Replay.objects.filter(pk=replay.pk, state__in=ledger.UNDER_WAY).update(
            state=Replay.State.CANCELLED, ended=Now()
        )
        if not ended:
            _refuse_ended(Replay.objects.get(pk=replay.pk))
        ReplaySegment.objects.filter(replay=replay, state=ReplaySegment.State.LEASED).update(
            state=ReplaySegment.State.PENDING, token=None, lease_until=None
        )
        carries = {"replay": str(replay.uuid)}
        record(events.REPLAY_CANCELLED, by=by, party=replay.party, about=replay, carries=carries)


def move_replay(*, replay: Replay, priority: int, by: Asker) -> None:
    """Let a replay go before or after others: higher goes first, from the next segment on.

    Refuses: somebody who may not; a replay that has ended; a priority out of -10 to 10.
    """
    require(by, Action.REPLAY, replay.party)
    if not -10 <= priority <= 10:
        msg = "A priority is a number from -10 to 10; higher goes first."
        raise RefusedError(msg)
    with transaction.atomic(), without_walls():
        former = Replay.objects.select_for_update().get(pk=replay.pk)
        if former.state not in UNDER_WAY:
            _refuse_ended(former)
        Replay.objects.filter(pk=replay.pk).update(priority=priority)
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
    """Try a failed replay again: what is done of it stays done.

    Refuses: somebody who may not; a replay that has not failed.
    """
    if by is not None:
        require(by, Action.REPLAY, replay.party)
    with transaction.atomic(), without_walls():
        failed = Replay.objects.select_for_update().get(pk=replay.pk)
        if failed.state != Replay.State.FAILED:
            state = failed.get_state_display().lower()
            msg = f"This replay is {state}; only one that failed is tried again."
            raise RefusedError(msg)
        Replay.objects.filter(pk=replay.pk).update(
            state=Replay.State.RUNNING, failure="", ended=None, standings={}
        )
        left = replay.shares.exclude(state=ReplaySegment.State.DONE)
        shares = left.update(
            state=ReplaySegment.State.PENDING,
            token=None,
            lease_until=None,
            attempts=0,
            failures=0,
        )
        record(
            events.REPLAY_RETRIED,
            by=by or SYSTEM,
            party=replay.party,
            about=replay,
            carries={"replay": str(replay.uuid), "failure": failed.failure},
        )
        announce_work(shares=max(shares, 1))


def _refuse_ended(replay: Replay) -> None:
    if replay.state == Replay.State.SETTLING:
        msg = "All of it is judged and its findings are being put on file; it ends in a moment."
        raise RefusedError(msg)
    msg = f"This replay has ended ({replay.get_state_display().lower()}). Begin another one."
    raise RefusedError(msg)
