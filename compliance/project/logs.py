"""Structured logs on standard error: one line each, and a failure that repeats is logged once."""

from __future__ import annotations

import json
import logging
import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

QUIET_SECONDS = 60.0
"""A failure that has not recurred for this long is over."""
REMINDER_SECONDS = 60 * 60.0
"""One that continues is logged again each hour."""
MOST_KEPT = 1_000
OURS = ("compliance", "audits", "reports", "games")
DETAILS = ("says", "reason", "error", "condition")
_NUMBERS = re.compile(r"\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b|\d+(?:\.\d+)?")


@dataclass
class _Repeated:
    name: str
    level: int
    what: str
    since: datetime
    logged: float
    last: float
    count: int = 0
    """How often it has recurred."""


@lru_cache(maxsize=1)
def repeated_filter() -> RepeatedFilter:
    """Return the filter of this process."""
    return RepeatedFilter()


class RepeatedFilter(logging.Filter):
    """Passes the first of identical failures in this process and counts the rest."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[tuple[str, str, str], _Repeated] = {}
        self._lock = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write the record; first log which failures are over."""
        now = time.monotonic()
        self.log_ended_failures(now)
        if record.levelno < logging.WARNING or getattr(record, "is_count", False):
            return True
        if record.levelno < logging.ERROR and not record.name.startswith(OURS):
            return True  # a rejected request is not our failure, and each may matter
        what, where = _what_and_where(record)
        with self._lock:
            key = record.name, _NUMBERS.sub("#", what), where
            found = self._seen.get(key)
            if found is None:
                if len(self._seen) < MOST_KEPT:
                    began = datetime.now(UTC)
                    self._seen[key] = _Repeated(record.name, record.levelno, what, began, now, now)
                return True
            found.count += 1
            found.last = now
            is_due = now - found.logged > REMINDER_SECONDS
            if is_due:
                found.logged = now
        return is_due

    def log_ended_failures(self, now: float | None = None) -> None:
        """Log how often a failure recurred, once it has stopped for a while."""
        now = time.monotonic() if now is None else now
        with self._lock:
            over = [key for key, each in self._seen.items() if now - each.last > QUIET_SECONDS]
            ended = [self._seen.pop(key) for key in over]
        for each in ended:
            if each.count:
                logging.getLogger(each.name).log(
                    each.level,
                    "this failure is over; it happened %d more times since %s: %s",
                    each.count,
                    f"{each.since:%Y-%m-%dT%H:%M:%SZ}",
                    each.what,
                    extra={"is_count": True},
                )


def _what_and_where(record: logging.LogRecord) -> tuple[str, str]:
    """Return what failed, in one line, and the line of code that raised it."""
    where = ""
    if isinstance(record.msg, dict):
        event = record.msg
        parts = [event.get("event"), *(event.get(name) for name in DETAILS)]
        error = event.get("exc_info") or event.get("exception")
        if not error:
            parts.append(event.get("request"))
    else:
        parts, error = [record.getMessage().split("\n", 1)[0]], record.exc_info
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        first, *_ = str(error).splitlines() or [""]
        parts.append(f"{type(error).__name__}: {first}")
        raised = error.__traceback__
        while raised is not None:
            where = f"{raised.tb_frame.f_code.co_filename}:{raised.tb_lineno}"
            raised = raised.tb_next
    return " ".join(str(each) for each in parts if each), where


# Addresses that grant access by themselves: the rest of the path must not appear in a log.
_WAYS_IN = re.compile(r"(/account/(?:invitation|calendar|password/reset/key)/)[^\s\"']+")
# API keys and secrets of webhooks, wherever a person put one by mistake.
_SECRETS = re.compile(r"\b(cg_|whsec_)[-\w+/=%]{20,}")


# The part of a URL before the host: a library's error may repeat the URL it was given.
_CREDENTIALS = re.compile(r"(://)[^\s/@\"']*:[^\s@\"']+@")
_SHORTEST = 8
"""Shorter secrets are not searched for: they would mask ordinary words. No key may be so short."""


def blanking(hidden: Collection[str]) -> Callable[[object, str, str], str]:
    """Return the last processor of a line: it masks access links, credentials and secrets.

    It is last, because only then does the line have everything that will be written, exceptions
    included.
    """
    written = {form for each in hidden for form in (each, json.dumps(each)[1:-1], repr(each)[1:-1])}
    longest_first = sorted((each for each in written if len(each) >= _SHORTEST), key=len)[::-1]
    configured = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def blank(_logger: object, _name: str, line: str) -> str:
        line = _SECRETS.sub(r"\1…", _WAYS_IN.sub(r"\1…", configured.sub("…", line)))
        return _CREDENTIALS.sub(r"\1…@", line)

    return blank


_STEPS: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


# Without the values of variables, which may be passwords: both are shown by default.
_TRACEBACKS = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)
_ROUTINE = frozenset({"task_enqueued", "task_started", "task_succeeded"})


def _without_clockwork(
    logger: object, method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Drop beat's routine successes each second; keep user requests and failures."""
    del logger, method
    if event.get("event") in _ROUTINE and "request_id" not in event:
        raise structlog.DropEvent
    return event


def logging_to_stderr(*, as_json: bool, hidden: Collection[str] = ()) -> dict[str, Any]:
    """Configure structlog and return Django's `LOGGING` for all other loggers."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_STEPS,
            _without_clockwork,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.processors.StackInfoRenderer(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    last: list[structlog.typing.Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        *(
            [_TRACEBACKS, structlog.processors.JSONRenderer()]
            if as_json
            else [
                structlog.dev.ConsoleRenderer(
                    colors=False, exception_formatter=structlog.dev.plain_traceback
                )
            ]
        ),
        blanking(hidden),  # type: ignore[list-item]  # what comes last is given the text
    ]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _STEPS,
                "processors": last,
            }
        },
        "filters": {"repeated": {"()": repeated_filter}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "structured",
                "filters": ["repeated"],
            }
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            name: {"handlers": ["stderr"], "level": "INFO", "propagate": False}
            for name in ("compliance", "audits", "reports", "games", "django_structlog")
        }
        # A damaged PDF that a user verifies gets an answer, not a traceback in the log.
        | {"pyhanko": {"level": "CRITICAL"}, "pyhanko_certvalidator": {"level": "CRITICAL"}}
        # `django_structlog` logs each failed task and request once, with a traceback.
        | {"celery.app.trace": {"level": "CRITICAL"}, "django.request": {"level": "CRITICAL"}},
    }
