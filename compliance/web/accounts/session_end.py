"""Sessions end: half an hour after the last request, twelve hours after the sign-in.

These are the limits of NIST SP 800-63B for its second assurance level.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

BEGAN = "session_began"
SEEN = "session_seen"
NOTED_EVERY = 60  # seconds: not every request is worth a write


class SessionEndMiddleware:
    """Signs out whoever has been away or signed in for too long, and says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answers, to nobody if the session has ended."""
        if request.user.is_authenticated:
            now = int(time.time())
            began = request.session.setdefault(BEGAN, now)
            seen = request.session.setdefault(SEEN, now)
            if now - began > settings.SESSION_LASTS or now - seen > settings.SESSION_IDLES:
                logout(request)
                messages.info(
                    request, "Your session has ended. Sign in again to go on where you were."
                )
            elif now - seen >= NOTED_EVERY:
                request.session[SEEN] = now
        return self.get_response(request)
