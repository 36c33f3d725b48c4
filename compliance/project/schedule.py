"""The tasks that beat sends, and how often.

Every entry expires before its next turn, or within a minute: a worker that was down does not find a
backlog. Nothing here has an interval of an hour or a day, because beat counts intervals from its
own start. Such jobs are checked each minute (`compliance.jobs.schedule`).
"""

from typing import Any

LEAST_SECONDS = 60
"""Beat dates a message by its machine's clock, and it expires by the worker's: with less, a worker
whose clock is a few seconds ahead would accept nothing.
"""


def every(seconds: float, task: str) -> dict[str, Any]:
    """Return an entry that sends a task at an interval."""
    expires = max(seconds, LEAST_SECONDS)
    return {"task": task, "schedule": seconds, "options": {"expires": expires}}


HEARTBEAT_SECONDS = 10
NIGHT_SECONDS = 60
DUE_SECONDS = 60
SWEEP_SECONDS = 10

SCHEDULE: dict[str, dict[str, Any]] = {
    "heartbeat": every(HEARTBEAT_SECONDS, "project.heartbeat"),
    "alarm": every(DUE_SECONDS, "project.alarm"),
    "archive space": every(DUE_SECONDS, "project.archive_space"),
    "integrate": every(1, "compliance.integrate"),
    "ship events": every(10, "compliance.ship_events"),
    "ask witnesses": every(30, "compliance.ask_witnesses"),
    "send notices": every(10, "compliance.send_notices"),
    "notify programs": every(10, "compliance.notify_programs"),
    "deadlines": every(DUE_SECONDS, "compliance.deadlines"),
    "count odds": every(DUE_SECONDS, "compliance.count_odds"),
    "make reports": every(10, "reports.make_ordered"),
    "send reports": every(10, "reports.send"),
    "order letters": every(10, "reports.letters"),
    "order nightly reports": every(30, "reports.nights"),
    "order reports of old nights": every(DUE_SECONDS, "reports.all_nights"),
    "take in": every(10, "audits.take_in"),
    "sweep files": every(DUE_SECONDS, "audits.sweep_files"),
    "retain": every(DUE_SECONDS, "compliance.retain"),
    "sweep": every(SWEEP_SECONDS, "audits.sweep"),
    "night": every(NIGHT_SECONDS, "audits.night"),
    "verify": every(DUE_SECONDS, "audits.verify"),
    "queues": every(DUE_SECONDS, "audits.queues"),
}
