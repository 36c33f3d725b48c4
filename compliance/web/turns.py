"""Pages for anybody: no address asks so often that nobody else is answered."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING

from django.core.cache import cache

from compliance import clock
from compliance.visitors import address_of
from compliance.web import errors
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

MINUTE = 60


def in_turn(
    what: str, a_minute: int
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Answer 429 to an address that asked so often in this minute; `what` is counted as one.

    Whoever is signed in is not counted. Two requests at the same moment may count as one, which
    costs nothing; what is refused writes nothing.
    """

    def counted(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
            if asked(request).person is None:
                minute, second = divmod(int(clock.now().timestamp()), MINUTE)
                key = f"turn:{what}:{address_of(request)}:{minute}"
                times = cache.get(key, 0)
                if times >= a_minute:
                    return errors.too_often(request, MINUTE - second)
                cache.set(key, times + 1, 2 * MINUTE)
            return view(request, *args, **named)

        return guarded

    return counted
