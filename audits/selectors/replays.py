"""Replays: how far they are, and what they came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q, Sum

from audits.models import ReplaySegment

if TYPE_CHECKING:
    from audits.models import Replay

STATE = ReplaySegment.State


@dataclass(frozen=True)
class Progress:
    """How far a replay is, in segments and rounds."""

    shares: int
    done: int
    leased: int
    rounds: int
    rounds_done: int

    @property
    def percent(self) -> int:
        """Rounds judged, of a hundred."""
        return 100 * self.rounds_done // self.rounds if self.rounds else 0


def progress_of(replay: Replay) -> Progress:
    """How far a replay is now."""
    done, leased = (Q(state=state) for state in (STATE.DONE, STATE.LEASED))
    found = replay.shares.aggregate(
        shares=Count("pk"),
        done=Count("pk", filter=done),
        leased=Count("pk", filter=leased),
        rounds=Sum("segment__rounds", default=0),
        rounds_done=Sum("segment__rounds", filter=done, default=0),
    )
    return Progress(**found)


def answer_of(replay: Replay) -> dict[str, Any]:
    """A replay as other programs are told of it."""
    return {
        "replay": str(replay.uuid),
        "fingerprint": replay.fingerprint,
        "state": replay.state,
        "rounds": replay.rounds,
        "seats": replay.seats,
        "findings": replay.findings,
        "digest": replay.digest or None,
    }
