"""How the system is doing, as data: the status page and the metrics tell the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from kombu.exceptions import OperationalError

from audits.selectors.nights import nights
from compliance.archive import current_archive
from compliance.project.celery import app
from compliance.project.operations.heartbeat import last_heartbeat
from compliance.project.schedule import HEARTBEAT_SECONDS, NIGHT_SECONDS
from compliance.selectors.log_tree import integration_lag
from compliance.selectors.notices import mails_astray
from reports.selectors.watch import reporting, sending

if TYPE_CHECKING:
    from collections.abc import Callable

LATE = timedelta(seconds=3 * HEARTBEAT_SECONDS)
NIGHTS_LATE = timedelta(seconds=10 * NIGHT_SECONDS)


@dataclass(frozen=True)
class Condition:
    """One part of the system: whether it does its duty, in a sentence, and a figure if any."""

    part: str
    well: bool
    says: str
    seconds: float | None = None
    page: str = ""
    """The name of the page that says which and why, and where it is mended."""


def database() -> Condition:
    """Whether the database answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return Condition("database", well=False, says="The database does not answer.")
    return Condition("database", well=True, says=f"{connection.display_name} answers.")


def migrations() -> Condition:
    """Whether the tables are those of this version."""
    try:
        executor = MigrationExecutor(connection)
        waiting = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return Condition("migrations", well=False, says="The database cannot be asked.")
    if waiting:
        says = f"{waiting} migrations wait: run `manage.py migrate`."
        return Condition("migrations", well=False, says=says)
    return Condition("migrations", well=True, says="The tables are those of this version.")


def archive() -> Condition:
    """Whether something could be stored and read."""
    try:
        current_archive().ready()
    except OSError:
        return Condition("archive", well=False, says="The archive does not answer.")
    return Condition("archive", well=True, says="The archive answers.")


def broker() -> Condition:
    """Whether work can be sent."""
    try:
        with app.connection_for_write(connect_timeout=3) as connected:
            connected.ensure_connection(max_retries=1, timeout=3)
    except (OperationalError, OSError):
        says = "The broker does not answer; work waits in the database."
        return Condition("broker", well=False, says=says)
    kind = settings.BROKER_URL.partition(":")[0]
    return Condition("broker", well=True, says=f"The broker ({kind}) answers.")


def worker() -> Condition:
    """Whether a task came through from beat to a worker lately."""
    try:
        heard = last_heartbeat()
    except DatabaseError:
        return Condition("worker", well=False, says="The database cannot be asked.")
    if heard is None:
        return Condition("worker", well=False, says="No worker was ever heard of.")
    silent = timezone.now() - heard
    seconds = max(0.0, silent.total_seconds())
    if silent > LATE:
        says = f"No task has come through for {seconds:.0f} s: see that worker and beat run."
        return Condition("worker", well=False, says=says, seconds=seconds)
    says = f"Tasks come through, the last {seconds:.0f} s ago."
    return Condition("worker", well=True, says=says, seconds=seconds)


def event_log() -> Condition:
    """Whether events get their places in the log within seconds, all of them."""
    try:
        lag = integration_lag()
    except DatabaseError:
        return Condition("event_log", well=False, says="The database cannot be asked.")
    seconds = (timezone.now() - lag.since).total_seconds() if lag.since else 0.0
    if lag.refused:
        says = f"Events not written by this system: {lag.refused}. Run `manage.py verify log`."
    elif seconds > LATE.total_seconds():
        says = f"Events waiting: {lag.waiting}, for {seconds:.0f} s. See that worker and beat run."
    else:
        return Condition("event_log", well=True, says="Events get their places.", seconds=seconds)
    return Condition("event_log", well=False, says=says, seconds=seconds)


def nightly_run() -> Condition:
    """Whether every operator is seen to, and every closed day was judged."""
    try:
        found = nights()
    except DatabaseError:
        return Condition("nightly_run", well=False, says="The database cannot be asked.")
    if found.watched < found.operators:
        says = f"Operators never seen to: {found.operators - found.watched}. See that beat runs."
        return Condition("nightly_run", well=False, says=says)
    silent = timezone.now() - found.seen if found.seen else timedelta(0)
    seconds = max(0.0, silent.total_seconds())
    if found.overdue:
        says = f"Gambling days that closed over an hour ago without a nightly run: {found.overdue}."
    elif found.failed:
        says = f"Nightly replays that failed or are not done after an hour: {found.failed}."
    elif silent > NIGHTS_LATE:
        says = f"No operator has been seen to for {seconds:.0f} s: see that worker and beat run."
    else:
        says = "Every day that closed was looked at."
        return Condition("nightly_run", well=True, says=says, seconds=seconds)
    return Condition("nightly_run", well=False, says=says, seconds=seconds)


def reports() -> Condition:
    """Whether every day that closed is reported, and what was ordered is made."""
    try:
        found = reporting()
    except DatabaseError:
        return Condition("reports", well=False, says="The database cannot be asked.")
    wrong = []
    if found.late:
        wrong.append(f"gambling days that closed over two hours ago without a report: {found.late}")
    if found.failed:
        wrong.append(f"reports that could not be made: {found.failed}")
    if found.slow:
        wrong.append(f"reports ordered over an hour ago and not made: {found.slow}")
    if wrong:
        says = f"{'; '.join(wrong).capitalize()}. The page of ordered reports says why."
        return Condition("reports", well=False, says=says)
    return Condition("reports", well=True, says="Every day that closed is reported in time.")


def sent_reports() -> Condition:
    """Whether mails and files with reports go out."""
    try:
        found = sending()
    except DatabaseError:
        return Condition("sending", well=False, says="The database cannot be asked.")
    wrong = []
    if found.failed:
        wrong.append(f"reports that could not be sent: {found.failed}")
    if found.waiting:
        wrong.append(f"reports that should have been sent an hour ago: {found.waiting}")
    if wrong:
        says = f"{'; '.join(wrong).capitalize()}. The page of what was sent says why."
        return Condition("sending", well=False, says=says)
    return Condition("sending", well=True, says="What is to be sent is sent.")


def notice_mails() -> Condition:
    """Whether mails about notices go out."""
    try:
        astray = mails_astray().count()
    except DatabaseError:
        return Condition("notices", well=False, says="The database cannot be asked.")
    if astray:
        says = f"Mails about notifications that were not sent: {astray}."
        return Condition("notices", well=False, says=says, page="notice_mails")
    return Condition("notices", well=True, says="People are mailed what they chose to be.")


NEEDED: tuple[Callable[[], Condition], ...] = (database, migrations, archive)
WATCHED: tuple[Callable[[], Condition], ...] = (
    *NEEDED,
    broker,
    worker,
    event_log,
    nightly_run,
    reports,
    sent_reports,
    notice_mails,
)


def needed_by_a_request() -> list[Condition]:
    """Return what must be well for a request to be answered."""
    return [look() for look in NEEDED]


def everything() -> list[Condition]:
    """Return all that is watched."""
    return [look() for look in WATCHED]
