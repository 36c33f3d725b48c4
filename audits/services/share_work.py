"""Work through the ledger, share by share, for as long as somebody has time."""

from __future__ import annotations

from time import monotonic, sleep
from typing import TYPE_CHECKING

from audits.services import ledger
from audits.services.comparisons import make_comparison, take_comparison
from audits.services.judge_share import judge_share
from audits.services.settle_replay import settle_replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from audits.models import Replay

LOOKS_AGAIN_AFTER_SECONDS = 0.2
SETTLING_SECONDS = 15
COMPARING_SECONDS = 5


def work(*, seconds: float = float("inf"), of: Replay | None = None) -> bool:
    """Compare, judge shares and settle replays until time is up; whether there may be more to do.

    A comparison goes first: it is short, and somebody waits for it. `of` a replay none is made.

    Raises:
        StoppedError: nothing can be done now.
    """
    until = monotonic() + seconds
    while monotonic() < until:
        if of is None and (comparison := take_comparison()):
            make_comparison(comparison, seconds=COMPARING_SECONDS)
        elif share := ledger.take_share(of=of):
            judge_share(share)
        elif replay := ledger.take_settling(of=of):
            settle_replay(replay, seconds=SETTLING_SECONDS)
        else:
            return False
    return True


def work_until_ended(replay: Replay, *, progress: Callable[[], None]) -> None:
    """Work at one replay, beside whoever else does, until it has ended; `progress` is told often.

    What others hold is waited for, and done here once their lease is over.

    Raises:
        StoppedError: nothing can be done now.
    """
    while True:
        busy = work(seconds=LOOKS_AGAIN_AFTER_SECONDS, of=replay)
        replay.refresh_from_db()
        progress()
        if replay.ended is not None:
            return
        if not busy:
            if others := ledger.take_settling():  # of the same operator, left behind by its worker
                settle_replay(others, seconds=SETTLING_SECONDS)
            else:
                sleep(LOOKS_AGAIN_AFTER_SECONDS)
