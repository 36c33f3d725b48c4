"""The conditions on which everything else depends: database, archive, broker, parts, worker."""

from __future__ import annotations

import socket
import time
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models.functions import Now
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from kombu.exceptions import OperationalError

from compliance.files.archive import current_archive
from compliance.health import Condition, State, register
from compliance.project.celery import app
from compliance.project.models import ArchiveSpace, RestartedPart
from compliance.project.operations.heartbeat import clocks, last_heartbeat
from compliance.project.operations.quarantine import messages
from compliance.project.schedule import HEARTBEAT_SECONDS
from compliance.retention.verification import archive_problem

if TYPE_CHECKING:
    from compliance.files.archive import Space


log = structlog.get_logger(__name__)

LATELY = timedelta(minutes=15)
"""Three times the longest pause between restarts, so a part that keeps ending stays listed."""


def record_restart(*, part: str, times: int, status: int) -> None:
    """Record that a part on this machine stopped again, in the log and for the status page."""
    log.error("a part does not stay up", part=part, times=times, status=status)
    seen = {"times": times, "status": status, "at": timezone.now()}
    try:
        RestartedPart.objects.update_or_create(
            machine=socket.gethostname()[:255], part=part, defaults=seen
        )
    except DatabaseError as away:
        log.warning("the alarm cannot be recorded", says=type(away).__name__)
    finally:
        if not connection.in_atomic_block:
            connection.close()


def parts() -> Condition:
    """Check that web, worker and beat stay up, on every machine."""
    since = timezone.now() - LATELY
    found = RestartedPart.objects.filter(at__gte=since).order_by("machine", "part")
    named = [
        f"The {each.part} on {each.machine} ended {each.times} times in a row, the last time with "
        f"status {each.status}."
        for each in found
    ]
    if not named:
        return Condition(state=State.OK, says="The web, worker and beat stay up.", count=0)
    return Condition(
        state=State.FAILING,
        says=" ".join(named),
        do="Its log says why. It is restarted automatically, after a longer pause each time.",
        count=len(named),
    )


LOOKED_BACK = timedelta(days=7)
SHORTEST = timedelta(hours=3)
"""A rate over a shorter time predicts nothing."""
DAYS_TO_ACT = 14
WARN_BELOW = 0.05
FULL_BELOW = 0.01
FULL_BYTES = 100_000_000
"""On a large disk, the free space below which a night's log may not fit."""
MAKE_ROOM = (
    "Free up space on the archive's disk, or copy the archive to a larger one and set ARCHIVE_URL "
    "to it. Waiting work then continues automatically."
)


def note_space() -> None:
    """Record the free space, and delete figures that forecasts no longer need."""
    space = current_archive().space()
    if space is not None:
        ArchiveSpace.objects.create(at=Now(), free=space.free)
        ArchiveSpace.objects.filter(at__lt=Now() - LOOKED_BACK).delete()


def archive_space() -> Condition:
    """Check that the archive has space, and for how long."""
    space = current_archive().space()
    if space is None:
        return Condition(
            state=State.UNKNOWN,
            says="An S3 store does not report its free space.",
            do="Monitor the bucket's quota and cost in the store's own console.",
        )
    left = f"{filesizeformat(space.free)} of {filesizeformat(space.total)} are free"
    if space.free < min(FULL_BYTES, space.total * FULL_BELOW):
        return Condition(
            state=State.FAILING, says=f"The archive is full: {left}.", do=MAKE_ROOM, count=1
        )
    days = days_until_full(space)
    if days is None:
        left += "; it is not filling up, or there are too few figures to tell"
    elif days < 1:
        left += "; at the recent rate it will be full in less than a day"
    else:
        left += f"; at the recent rate it will be full in about {days:,.0f} days"
    if space.free < space.total * WARN_BELOW or (days is not None and days < DAYS_TO_ACT):
        return Condition(state=State.WARNING, says=f"{left}.", do=MAKE_ROOM, count=1)
    return Condition(state=State.OK, says=f"{left}.", count=0)


def days_until_full(space: Space) -> float | None:
    """Forecast from the last week's figures; None if there are too few."""
    oldest = ArchiveSpace.objects.filter(at__gte=timezone.now() - LOOKED_BACK).first()
    if oldest is None:
        return None
    watched = timezone.now() - oldest.at
    used = oldest.free - space.free
    if watched < SHORTEST or used <= 0:
        return None
    return space.free / used * (watched / timedelta(days=1))


LATE = timedelta(seconds=3 * HEARTBEAT_SECONDS)
SLOW_SECONDS = 5.0
BROKER_SECONDS = 3
SECONDS_BEHIND_ANOTHER = 1.0
_asks_broker = Lock()


def register_all() -> None:
    """Register the conditions of every installation."""
    register("database", "Database", database, needed=True)
    register("migrations", "Database tables", migrations, needed=True)
    register("archive", "Archive", archive, needed=True)
    register("archive_space", "Archive space", archive_space, needed=True)
    register("assets", "Style sheets and scripts", assets, asks_database=False)
    register("broker", "Message broker", broker, asks_database=False)
    register("messages", "Messages in the broker", messages)
    register("worker", "Background work", worker)
    register("clocks", "Clocks", clocks)
    register("parts", "Web, worker and beat", parts)


def database() -> Condition:
    """Check that the database responds."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return Condition(
            state=State.FAILING,
            says="The database does not answer.",
            do="Make sure its server is running and DATABASE_URL points to it.",
        )
    return Condition(state=State.OK, says=f"{connection.display_name} answers.")


def migrations() -> Condition:
    """Check that the tables match this version."""
    executor = MigrationExecutor(connection)
    waiting = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if waiting:
        return Condition(
            state=State.FAILING,
            says=f"The tables belong to another version. Migrations not applied: {waiting}.",
            do="Run `manage.py migrate`.",
            count=waiting,
        )
    return Condition(state=State.OK, says="The tables match this version.", count=0)


def archive() -> Condition:
    """Check that a file can be stored, and that a file named by the database exists."""
    begun = time.monotonic()
    problem = archive_problem()
    took = time.monotonic() - begun
    if problem:
        return Condition(
            state=State.FAILING,
            says=f"The archive does not work. {problem}",
            do="Make sure its disk is mounted, writable and not full, or its store answers, and "
            "ARCHIVE_URL points to it. Logs and reports wait, and continue automatically.",
        )
    if took > SLOW_SECONDS:
        return Condition(
            state=State.WARNING,
            says=f"The archive is slow: storing and finding a file took {took:.0f} seconds.",
            do="Find out what is keeping its disk or store busy.",
        )
    return Condition(state=State.OK, says="The archive answers and accepts files.")


def assets() -> Condition:
    """Check that style sheets and scripts were built after the last install or update."""
    try:
        staticfiles_storage.url("site.css")
    except ValueError:
        return Condition(
            state=State.FAILING,
            says="Pages cannot be shown: style sheets and scripts were not built.",
            do="Run `make assets`, then restart the web.",
        )
    return Condition(state=State.OK, says="Style sheets and scripts are built.")


def broker() -> Condition:
    """Check that work can be sent.

    One thread asks at a time: anyone may request the status page, and an unresponsive broker would
    otherwise block every web thread.
    """
    answers = False
    if _asks_broker.acquire(timeout=SECONDS_BEHIND_ANOTHER):
        try:
            answers = _broker_answers()
        finally:
            _asks_broker.release()
    if not answers:
        return Condition(
            state=State.FAILING,
            says="The broker does not answer; work waits in the database.",
            do="Make sure Redis is running and BROKER_URL points to it, or check `VAR/broker`.",
        )
    kind = settings.BROKER_URL.partition(":")[0]
    return Condition(state=State.OK, says=f"The broker ({kind}) answers.")


def _broker_answers() -> bool:
    options = {"socket_timeout": BROKER_SECONDS}
    try:
        with app.connection_for_write(
            connect_timeout=BROKER_SECONDS, transport_options=options
        ) as connected:
            connected.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
    except (OperationalError, OSError):
        return False
    return True


def worker() -> Condition:
    """Check that a task from beat reached a worker recently."""
    heard = last_heartbeat()
    do = "Make sure `serve` runs the worker and beat, and read their logs."
    if heard is None:
        return Condition(state=State.FAILING, says="No worker has ever reported.", do=do)
    silent = max(timezone.now() - heard, timedelta(0))
    seconds = f"{silent.total_seconds():.0f}"
    if silent > LATE:
        return Condition(
            state=State.FAILING,
            says=f"No task has reached a worker for {seconds} seconds.",
            do=do,
            since=heard,
        )
    return Condition(state=State.OK, says=f"Tasks reach a worker, the last {seconds} s ago.")
