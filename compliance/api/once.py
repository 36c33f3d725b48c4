"""Idempotency: each POST names a key, and a retry with the same key has no further effect."""

from __future__ import annotations

import hashlib
import re
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import orjson
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from rest_framework.response import Response

from compliance import clock
from compliance.api.kept_answers import ANSWERS_KEPT, KeptAnswer
from compliance.api.operation import Operation, key_in
from compliance.api.problems import Problem, fault, invalid

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.request import Request


HEADER = "Idempotency-Key"
PATTERN = "[!-~]{1,100}"
ANOTHER = (
    "This idempotency key was used for another request. Use a new one for what is new, and the "
    "old one only to send the very same again."
)
Op = TypeVar("Op", bound=Operation)


def once(act: Callable[..., Response]) -> Callable[..., Response]:
    """Run a POST once per idempotency key, and return the same response to each retry.

    The action and its response are one transaction: a process that is killed leaves both or
    neither, and of two concurrent requests the second waits for the first. An error changes nothing
    and is not kept. Values marked `shown_once` are not kept either: a retry returns null for them.
    """

    @wraps(act)
    def answered(self: Op, request: Request, **where: Any) -> Response:
        name = request.headers.get(HEADER, "")
        if not re.fullmatch(PATTERN, name):
            detail = "Send 1 to 100 visible characters, new for each request, such as a UUID."
            raise invalid([fault("header", HEADER, detail, "required")])
        digest = _digest(request)
        try:
            with transaction.atomic():
                kept, new = _row(request, name, digest)
                if new:
                    answer = act(self, request, **where)
                    KeptAnswer.objects.filter(pk=kept.pk).update(
                        status=answer.status_code,
                        location=answer.headers.get("Location", ""),
                        body=_kept(answer),
                    )
                    return answer
        except _KeyInUseError:
            kept = KeptAnswer.objects.get(key=key_in(request), name=name)
        if kept.request != digest:
            raise Problem(
                422, ANOTHER, code="another_request", errors=[fault("header", HEADER, ANOTHER)]
            )
        headers = {"Idempotent-Replayed": "true"}
        if kept.location:
            headers["Location"] = kept.location
        return Response(kept.body, kept.status, headers=headers)

    return answered


def shown_once(answer: Response, *names: str) -> Response:
    """Exclude these members of a response from the kept copy."""
    answer.shown_once = names  # type: ignore[attr-defined]
    return answer


def _kept(answer: Response) -> Any:
    body = orjson.loads(orjson.dumps(answer.data, default=str))
    return body | dict.fromkeys(getattr(answer, "shown_once", ())) if body else body


class _KeyInUseError(Exception):
    """Another request inserted the row at the same moment."""


def _row(request: Request, name: str, digest: str) -> tuple[KeptAnswer, bool]:
    key = key_in(request)
    now = clock.now()
    KeptAnswer.objects.filter(key=key, at__lt=now - ANSWERS_KEPT).delete()
    found = KeptAnswer.objects.filter(key=key, name=name).first()
    if found is not None:
        return found, False
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(key=key, name=name, request=digest, at=now), True
    except IntegrityError:
        raise _KeyInUseError from None


def _digest(request: Request) -> str:
    content = [request.method, request.get_full_path(), request.data]
    written = orjson.dumps(content, default=_describe_file, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(written).hexdigest()


def _describe_file(sent: Any) -> list[str]:
    """Return a file's name and digest; the service reads the content again."""
    if not isinstance(sent, UploadedFile):
        raise TypeError
    content = hashlib.sha256()
    for piece in sent.chunks():
        content.update(piece)
    return [sent.name or "", content.hexdigest()]
