"""Pages for anybody: there where the agency opened its room, kept by whoever reads them."""

from __future__ import annotations

import hashlib
import re
from functools import wraps
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import Http404
from django.utils.cache import add_never_cache_headers, get_conditional_response
from django.views.decorators.http import require_safe

from compliance.web.turns import in_turn
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

SECONDS = 60
A_MINUTE = 120
"""Pages to one address: a person who reads is far from it, a program that copies goes slower."""
NONCE = re.compile(rb' nonce="[^"]*"')


def in_the_reading_room(
    view: Callable[..., HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """Answer 404 where the room is closed; else let browsers and proxies keep the page.

    Its `ETag` is the digest of what it says, without the nonce that differs each time. What
    somebody signed in is shown is kept by nobody, as everywhere; nor is what comes back to a
    cookie: it may hold a message for this visitor, or take the cookie away.
    """

    @require_safe
    @in_turn("reading-room", A_MINUTE)
    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        if not settings.READING_ROOM:
            raise Http404
        answer = view(request, *args, **named)
        if asked(request).person is not None or answer.status_code != 200:
            return answer
        if request.COOKIES:
            add_never_cache_headers(answer)
            return answer
        etag = f'"{hashlib.sha256(NONCE.sub(b"", answer.content)).hexdigest()[:32]}"'
        answer["ETag"] = etag
        answer["Cache-Control"] = f"public, max-age={SECONDS}"
        return get_conditional_response(request, etag=etag, response=answer) or answer

    return guarded
