"""Sessions end: half an hour after the last request, twelve hours after the sign-in."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpResponse
from django.http.response import HttpResponseRedirectBase

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest


BEGAN = "session_began"
SEEN = "session_seen"
NOTED_EVERY = 60  # seconds: not every request is worth a write


class SessionEndMiddleware:
    """Signs out people who were idle or signed in for too long, and tells them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond, anonymously if the session has ended."""
        if request.user.is_authenticated:
            now = int(time.time())
            began = request.session.setdefault(BEGAN, now)
            seen = request.session.setdefault(SEEN, now)
            if now - began > settings.SESSION_LASTS or now - seen > settings.SESSION_IDLES:
                logout(request)
                messages.info(request, "Your session has ended. Sign in again to continue.")
            elif now - seen >= NOTED_EVERY:
                request.session[SEEN] = now
        return self.get_response(request)


class SignedOutMiddleware:
    """Returns a 401, not a redirect to sign-in, for a self-refreshing part of a page.

    The browser would follow the redirect, and insert the whole sign-in page into the page the user
    is editing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond, with a 401 in place of such a redirect."""
        response = self.get_response(request)
        led_away = isinstance(response, HttpResponseRedirectBase)
        if led_away and "HX-Request" in request.headers and not request.user.is_authenticated:
            return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
        return response
