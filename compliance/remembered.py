"""Remember what is on file while one piece of work asks for it many times."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")

_known: ContextVar[dict[Any, Any] | None] = ContextVar("remembered", default=None)


@contextmanager
def remembering() -> Iterator[None]:
    """Ask each question marked with `remembered` once; the answers are forgotten at the end.

    For work that asks about many days and changes nothing of what it asks about.
    """
    if _known.get() is not None:
        yield
        return
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def remembered(
    question: Callable[Parameters, Answer],
) -> Callable[Parameters, Answer]:
    """Let `remembering` keep the answers of a query, which callers don't change."""

    @wraps(question)
    def ask(*args: Parameters.args, **options: Parameters.kwargs) -> Answer:
        known = _known.get()
        if known is None:
            return question(*args, **options)
        key = (question, args, tuple(sorted(options.items())))
        if key not in known:
            known[key] = question(*args, **options)
        answer: Answer = known[key]
        return answer

    return ask
