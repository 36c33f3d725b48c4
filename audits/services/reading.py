"""Who reads a log: one reader of an operator at a time, under a lease that it renews."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import structlog
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from audits.models import HandIn
from compliance import clock
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet
    from django.db.models.expressions import CombinedExpression

log = structlog.get_logger(__name__)

SECONDS = 30
"""How long a lease holds without being renewed."""

TOLD_EVERY = 2.0
FIRST_PAUSE, LONGEST_PAUSE = 10, 600
MOST_ATTEMPTS = 8


def until(seconds: float) -> CombinedExpression:
    """The instant in so many seconds, by the database's clock: no machine's own is asked."""
    return Now() + timedelta(seconds=seconds)


def ended() -> Q:
    """Rows whose lease has ended, or that have none."""
    return Q(lease_until__isnull=True) | Q(lease_until__lte=Now())


class LeaseLostError(Exception):
    """Somebody else reads this log by now: nothing that was made here counts."""


@dataclass
class Reading:
    """A log that this process reads, until its lease ends."""

    hand_in: HandIn
    token: UUID
    _renewed: float = field(default_factory=time.monotonic)

    def step(self, says: str) -> None:
        """Say what is done from here on, and renew the lease."""
        self._renew(step=says, progress=0)

    def reached(self, progress: int, lines: int | None = None) -> None:
        """Say how far it came, and renew the lease; called often, it writes seldom."""
        if time.monotonic() - self._renewed >= TOLD_EVERY:
            counted = {} if lines is None else {"lines": lines}
            self._renew(progress=progress, **counted)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Renew the lease from a thread of its own: to move gigabytes tells of no progress."""
        done = threading.Event()
        thread = threading.Thread(target=self._keep, args=[done], name="lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _keep(self, done: threading.Event) -> None:
        while not done.wait(SECONDS / 4):
            try:
                with without_walls():
                    self.held().update(lease_until=until(SECONDS))
            except DatabaseError as failed:
                log.warning("a lease was not renewed", says=str(failed))
            finally:
                connection.close()

    def held(self) -> QuerySet[HandIn]:
        """The row, as long as the token holds; ask within `without_walls`."""
        return HandIn.objects.filter(
            pk=self.hand_in.pk, state=HandIn.State.READING, token=self.token
        )

    def give_back(self, why: str) -> None:
        """Let it be tried again after a pause, which grows with the attempts."""
        pause = min(FIRST_PAUSE * 2 ** (self.hand_in.attempts - 1), LONGEST_PAUSE)
        self._wait(why, pause, self.hand_in.attempts)

    def set_aside(self, why: str) -> None:
        """Let it be tried again as often as it takes: what is in the way is not the log's."""
        self._wait(why, SECONDS, self.hand_in.attempts - 1)

    def _wait(self, why: str, pause: float, attempts: int) -> None:
        with without_walls():
            self.held().update(
                state=HandIn.State.WAITING,
                step=why[:60],
                token=None,
                lease_until=until(pause),
                attempts=attempts,
                changed=clock.now(),
            )

    def _renew(self, **says: Any) -> None:
        with without_walls():
            renewed = self.held().update(lease_until=until(SECONDS), changed=clock.now(), **says)
        if not renewed:
            msg = f"The lease on {self.hand_in} has ended."
            raise LeaseLostError(msg)
        self._renewed = time.monotonic()


def claim_next() -> Reading | None:
    """Take the lease on the log that waits longest and whose operator's logs nobody reads."""
    with without_walls():
        busy = HandIn.objects.filter(state=HandIn.State.READING).values("party")
        waiting = list(
            HandIn.objects.filter(ended(), state=HandIn.State.WAITING)
            .exclude(party__in=busy)
            .order_by("begun", "pk")[:20]
        )
    return next(filter(None, map(claim, waiting)), None)


def claim(hand_in: HandIn) -> Reading | None:
    """Take the lease on a log that waits; None if somebody else has it or reads another one."""
    token = uuid4()
    with without_walls():
        try:
            with transaction.atomic():
                taken = HandIn.objects.filter(pk=hand_in.pk, state=HandIn.State.WAITING).update(
                    state=HandIn.State.READING,
                    token=token,
                    lease_until=until(SECONDS),
                    attempts=hand_in.attempts + 1,
                    changed=clock.now(),
                )
                if not taken:
                    return None
                kept = HandIn.objects.select_related("party", "corrects", "by").get(pk=hand_in.pk)
        except IntegrityError:
            return None  # another log of this operator is being read
        return Reading(kept, token)


def put_back_what_was_left() -> list[HandIn]:
    """Let what is under a lease that has ended be read again; what failed too often is returned.

    A reader that was killed leaves its lease behind. It counts as an attempt.
    """
    with without_walls():
        left = HandIn.objects.filter(ended(), state=HandIn.State.READING)
        failed = list(left.filter(attempts__gte=MOST_ATTEMPTS).select_related("party"))
        left.filter(attempts__lt=MOST_ATTEMPTS).update(
            state=HandIn.State.WAITING,
            step="Its reader was lost; it is read again",
            token=None,
            lease_until=None,
            changed=clock.now(),
        )
    return failed
