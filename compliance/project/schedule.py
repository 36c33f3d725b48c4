"""What beat sends, and how often.

Every entry expires before its next turn: a worker that was away does not find a heap of old ones.
"""

from typing import Any


def every(seconds: float, task: str) -> dict[str, Any]:
    """Return an entry that sends a task at an interval."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}


HEARTBEAT_SECONDS = 10
NIGHT_SECONDS = 60
SWEEP_SECONDS = 10

SCHEDULE: dict[str, dict[str, Any]] = {
    "heartbeat": every(HEARTBEAT_SECONDS, "project.heartbeat"),
    "integrate": every(1, "compliance.integrate"),
    "make reports": every(10, "reports.make_ordered"),
    "send reports": every(10, "reports.send"),
    "order letters": every(10, "reports.letters"),
    "order nightly reports": every(30, "reports.nights"),
    "take in": every(10, "audits.take_in"),
    "sweep files": every(6 * 60 * 60, "audits.sweep_files"),
    "sweep": every(SWEEP_SECONDS, "audits.sweep"),
    "night": every(NIGHT_SECONDS, "audits.night"),
    "desks": every(10 * 60, "audits.desks"),
}
