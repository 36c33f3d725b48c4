"""Middleware: headers, caching, body size, damaged files, and the request log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.core.exceptions import RequestDataTooBig
from django.utils.cache import add_never_cache_headers
from django_structlog.middlewares import RequestMiddleware

from compliance.access.rate_limit import address_of
from compliance.files.archive import DamagedError, MissingError, RemovedError
from compliance.ui.access import asked
from compliance.ui.errors import damaged, removed

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse


DENIED = (
    *("accelerometer", "ambient-light-sensor", "attribution-reporting", "autoplay", "battery"),
    *("bluetooth", "browsing-topics", "camera", "clipboard-read", "clipboard-write"),
    *("compute-pressure", "cross-origin-isolated", "display-capture", "encrypted-media"),
    *("fullscreen", "gamepad", "geolocation", "gyroscope", "hid", "identity-credentials-get"),
    *("idle-detection", "interest-cohort", "keyboard-map", "local-fonts", "magnetometer"),
    *("microphone", "midi", "otp-credentials", "payment", "picture-in-picture", "screen-wake-lock"),
    *("serial", "speaker-selection", "storage-access", "sync-xhr", "usb", "web-share"),
    *("window-management", "xr-spatial-tracking"),
)
OWN = ("publickey-credentials-create", "publickey-credentials-get")
"""Passkeys are added and used on pages of this site."""
# Names as registered in https://github.com/w3c/webappsec-permissions-policy/blob/main/features.md
PERMISSIONS_POLICY = ", ".join([*(f"{name}=()" for name in DENIED), *(f"{n}=(self)" for n in OWN)])
HEADERS = {
    "Permissions-Policy": PERMISSIONS_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    # Pages and downloads have their own policy; static files and plain error responses have none.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class HeadersMiddleware:
    """The outermost middleware, so that every response has these headers.

    `SecurityMiddleware` adds HSTS, which depends on the scheme of the request.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond, and add each header that the response does not set."""
        response = self.get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response


class NotKeptMiddleware:
    """Prevents caching: after sign-out, Back shows nothing. Comes after `WhoAsksMiddleware`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond, and forbid caching of a signed-in user's response."""
        response = self.get_response(request)
        if asked(request).person is not None:
            add_never_cache_headers(response)
        return response


LARGEST = 26 * 1024 * 1024
"""A report to verify, or a chunk of a round log, with its multipart envelope."""


class SmallBodiesMiddleware:
    """Limits request bodies, before any form is read; comes after `WhoAsksMiddleware`.

    Programs may not send more either.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond, unless the declared length is too large; undeclared content is not read."""
        announced = request.META.get("CONTENT_LENGTH") or "0"
        if asked(request).person is None and announced.isdecimal() and int(announced) > LARGEST:
            msg = "More than anybody sends who is not signed in."
            raise RequestDataTooBig(msg)
        return self.get_response(request)


log = structlog.get_logger(__name__)


class DamagedFileMiddleware:
    """Responds with 503 if the archive lacks a file that a row names, or 410 if it was removed.

    Repairing a file may take minutes, too long for a request: `verify archive` does it, and each
    repair is an event.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond like the page."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Respond for a page that could not be rendered."""
        if not isinstance(exception, (DamagedError, MissingError)):
            return None
        if isinstance(exception, RemovedError):
            return removed(request, str(exception))
        log.error("a file of the archive is damaged or gone", says=str(exception))
        return damaged(request)


class RequestLogMiddleware(RequestMiddleware):
    """Trusts only the proxy for the visitor's address, never the visitor's headers."""

    @staticmethod
    def bind_ip(request: HttpRequest) -> None:
        """Bind the same address that rate limits and events use."""
        structlog.contextvars.bind_contextvars(ip=address_of(request))
