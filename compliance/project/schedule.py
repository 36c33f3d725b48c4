"""What beat sends, and how often.

Every entry expires before its next turn, or within a minute: a worker that was away does not find a
heap of old ones.
"""

from typing import Any

LEAST_SECONDS = 60
"""Beat dates a message by its machine's clock, and it expires by the worker's: with less, a worker
whose clock is some seconds ahead would take nothing at all."""


def every(seconds: float, task: str) -> dict[str, Any]:
    """Return an entry that sends a task at an interval."""
    expires = max(seconds, LEAST_SECONDS)
    return {"task": task, "schedule": seconds, "options": {"expires": expires}}


HEARTBEAT_SECONDS = 10
NIGHT_SECONDS = 60
SWEEP_SECONDS = 10

SCHEDULE: dict[str, dict[str, Any]] = {
    "heartbeat": every(HEARTBEAT_SECONDS, "project.heartbeat"),
    "integrate": every(1, "compliance.integrate"),
    "send notices": every(10, "compliance.send_notices"),
    "tell programs": every(10, "compliance.tell_programs"),
    "deadlines": every(60 * 60, "compliance.deadlines"),
    "make reports": every(10, "reports.make_ordered"),
    "send reports": every(10, "reports.send"),
    "order letters": every(10, "reports.letters"),
    "order nightly reports": every(30, "reports.nights"),
    "order reports of old nights": every(60 * 60, "reports.all_nights"),
    "take in": every(10, "audits.take_in"),
    "sweep files": every(6 * 60 * 60, "audits.sweep_files"),
    "retain": every(24 * 60 * 60, "compliance.retain"),
    "sweep": every(SWEEP_SECONDS, "audits.sweep"),
    "night": every(NIGHT_SECONDS, "audits.night"),
    "desks": every(10 * 60, "audits.desks"),
}
