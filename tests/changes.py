"""Finds services that change a row without an event, in every test that calls one."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.transaction import Atomic

from compliance import changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PRODUCT = tuple(f"{settings.BASE_DIR}/{room}/" for room in ("compliance", "audits", "reports"))
TESTS = f"{settings.BASE_DIR}/tests/"


@contextmanager
def unbound_changes_rejected() -> Iterator[None]:
    """Raise an error where a service's outermost transaction ends; name the line that wrote.

    What a test writes by itself is ignored.
    """
    note, leave = changes.note, Atomic.__exit__
    origins: WeakKeyDictionary[changes.Change, str] = WeakKeyDictionary()

    def note_with_origin(noted: Iterable[changes.Change]) -> None:
        origin = _line_that_wrote()
        if origin is None:
            return
        noted = list(noted)
        origins.update(dict.fromkeys(noted, origin))
        note(noted)

    def reject(atomic: Atomic, kind: Any, error: Any, trace: Any) -> None:
        using = atomic.using or DEFAULT_DB_ALIAS
        blocks = connections[using].atomic_blocks
        is_outermost = all(block._from_testcase for block in blocks[:-1])
        if error is not None or not is_outermost or atomic._from_testcase:
            return leave(atomic, kind, error, trace)
        unbound = [each for each in changes.unbound_changes(using) if origins.get(each)]
        if not unbound:
            return leave(atomic, kind, error, trace)
        changes.mark_bound(unbound, using)
        where = sorted({f"{each.model._meta.label} at {origins[each]}" for each in unbound})
        failure = AssertionError(f"changed without an event: {', '.join(where)}")
        leave(atomic, AssertionError, failure, None)
        raise failure

    with (
        mock.patch.object(changes, "note", note_with_origin),
        mock.patch.object(Atomic, "__exit__", reject),
    ):
        yield


def _line_that_wrote() -> str | None:
    """Return the line of the product that wrote; empty for a library, None for a test."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(TESTS):
            return None
        if name.startswith(PRODUCT) and name != changes.__file__:
            return f"{Path(name).relative_to(settings.BASE_DIR)}:{frame.f_lineno}"
        if "/site-packages/" in name and "/django/" not in name:
            return ""
        frame = frame.f_back
    return None
