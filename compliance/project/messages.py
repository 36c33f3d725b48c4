"""What a broker message may contain: that there is work of a known kind, and nothing else.

Anyone who can reach the broker can write to it, so a message is never passed on. The allowed parts
are read from it, and a new message is built from them. It cannot choose arguments, a time limit,
callbacks, a reply or a serializer, because our tasks take none.
"""

from __future__ import annotations

import base64
import json
import re
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

if TYPE_CHECKING:
    from collections.abc import Collection

MOST_BYTES = 4096
"""Our own messages have about 1,100."""
TASK_SECONDS = 45
"""No task may run longer. Celery would accept another limit from a message."""
NO_ARGUMENTS = [[], {}, {"callbacks": None, "errbacks": None, "chain": None, "chord": None}]
UNUSED = (
    *("compression", "eta", "group", "group_index", "replaced_task_nesting", "retries", "shadow"),
    *("stamped_headers", "stamps"),
)
"""Headers that Celery acts on and that our messages never set."""
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


class Reason(StrEnum):
    """Why a message was set aside."""

    TOO_LONG = "too long"
    NOT_JSON = "not JSON in UTF-8"
    NOT_A_MESSAGE = "not a message of Celery in JSON"
    UNKNOWN_TASK = "unknown task"
    ARGUMENTS = "arguments or callbacks"
    OPTIONS = "times, retries or other options"
    NOT_A_QUEUE = "something else in place of the queue"


class RefusedError(Exception):
    """The bytes are not one of our messages."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


def read(content: bytes, size: int, *, queue: str, known: Collection[str]) -> dict[str, Any] | None:
    """Build a message of our own from these bytes; None if it has expired.

    `size` is their length before truncation.
    """
    if size > MOST_BYTES:
        raise RefusedError(Reason.TOO_LONG)
    try:
        message = json.loads(content.decode())
    except (ValueError, RecursionError):
        raise RefusedError(Reason.NOT_JSON) from None
    match message:
        case {
            "body": str() as body,
            "content-type": "application/json",
            "content-encoding": "utf-8",
            "headers": {"task": str() as task, "id": str() as number} as headers,
            "properties": {"body_encoding": "base64"},
        } if _is_uuid(number):
            pass
        case _:
            raise RefusedError(Reason.NOT_A_MESSAGE)
    if task not in known:
        raise RefusedError(Reason.UNKNOWN_TASK)
    try:
        if json.loads(base64.b64decode(body, validate=True)) != NO_ARGUMENTS:
            raise RefusedError(Reason.ARGUMENTS)
    except (ValueError, RecursionError):
        raise RefusedError(Reason.NOT_A_MESSAGE) from None
    limits = headers.get("timelimit", [None, None])
    if limits not in ([None, None], [TASK_SECONDS, None]) or any(map(headers.get, UNUSED)):
        raise RefusedError(Reason.OPTIONS)
    if _has_expired(headers.get("expires")):
        return None
    return _ours(task, number, headers.get("__django_structlog__"), queue)


def request_id_alone(context: object) -> dict[str, str]:
    """Return the part of a request's context that a message may contain."""
    match context:
        case {"request_id": str() as request_id} if REQUEST_ID.fullmatch(request_id):
            return {"request_id": request_id}
    return {}


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _has_expired(expires: object) -> bool:
    if expires is None:
        return False
    try:
        until = datetime.fromisoformat(str(expires))
        return until < datetime.now(UTC)
    except (ValueError, TypeError, OverflowError):  # not a time, or one without a zone
        raise RefusedError(Reason.OPTIONS) from None


def _ours(task: str, number: str, context: object, queue: str) -> dict[str, Any]:
    return {
        "body": base64.b64encode(json.dumps(NO_ARGUMENTS).encode()).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {
            "lang": "py",
            "task": task,
            "id": number,
            "root_id": number,
            "parent_id": None,
            "timelimit": [None, None],
            "retries": 0,
            "ignore_result": True,
            "argsrepr": "()",
            "kwargsrepr": "{}",
            "__django_structlog__": request_id_alone(context),
        },
        "properties": {
            "correlation_id": number,
            "delivery_info": {"exchange": "", "routing_key": queue},
            "priority": 0,
            "body_encoding": "base64",
            "delivery_tag": str(uuid4()),
        },
    }
