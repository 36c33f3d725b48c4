"""`verify all`: the event log, and every part that an app registers, one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import Error as DatabaseError

from compliance.event_log.proof import NoLogKeyError
from compliance.event_log.verification import verify_log
from compliance.event_log.verifier import Answer, BrokenError
from compliance.jobs.failures import summarize_error
from compliance.verification.parts import Part, parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


log = structlog.get_logger(__name__)


class NoAnswerError(Exception):
    """The question has no answer, because a file is missing or a key cannot be read."""


CANNOT = (NoAnswerError, NoLogKeyError, BrokenError, DatabaseError, OSError, UnicodeDecodeError)
"""Errors that leave a part without an answer."""


def own_checkpoint() -> dict[str, str]:
    """Return the checkpoint that this system keeps outside its database, by its place."""
    place = Path(settings.KEPT_CHECKPOINT)
    return {str(place): place.read_text()} if place.exists() else {}


def verify_all(kept_elsewhere: Mapping[str, str] | None = None) -> Answer:
    """Check the log and all parts; one that cannot be checked does not stop the others.

    `kept_elsewhere` has signed checkpoints, by where they were kept.

    Raises:
        NoAnswerError: a part could not be checked, and nothing else is wrong.
    """

    def check_log(answer: Answer) -> None:
        answer.add(verify_log(own_checkpoint() | dict(kept_elsewhere or {})))

    return _check([Part("event log", check_log, of_database=True), *parts()])


def verify_database(checkpoints: Mapping[str, str] | None = None) -> Answer:
    """Check what a restored database holds: the log, and all parts that need nothing else.

    Raises:
        NoAnswerError: a part could not be checked, and nothing else is wrong.
    """

    def check_log(answer: Answer) -> None:
        answer.add(verify_log(checkpoints))

    log_first = Part("event log", check_log, of_database=True)
    return _check([log_first, *(each for each in parts() if each.of_database)])


def _check(checked: Iterable[Part]) -> Answer:
    answer = Answer()
    unknown = []
    for part in checked:
        try:
            part.check(answer)
        except CANNOT as error:
            unknown.append((part, str(error) or type(error).__name__))
        except Exception as error:
            # Rows edited by hand can contain anything, and must not end the verification.
            log.exception("a part of the verification failed", part=part.says)
            answer.broken(f"could not be checked: {summarize_error(error)}", part.says)
    if unknown and not answer.problems:
        raise NoAnswerError("; ".join(f"{part.says}: {why}" for part, why in unknown))
    for part, why in unknown:
        answer.broken(f"could not be checked: {why}", part.says)
    return answer
