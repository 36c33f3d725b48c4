"""Error pages: what happened, and what the user can do about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING

import structlog
from django.core.cache import cache
from django.core.exceptions import (
    DisallowedHost,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import HttpResponse
from django.template.loader import render_to_string

from compliance import clock
from compliance.access.rate_limit import address_of
from compliance.jobs.failures import RETRY_AFTER_SECONDS
from compliance.ui.access import asked
from compliance.ui.frame import agency

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


@dataclass(frozen=True)
class Mishap:
    """One kind of error page."""

    status: int
    heading: str
    happened: str
    steps: tuple[str, ...]


BAD_REQUEST = Mishap(
    400,
    "This request could not be read",
    "What your browser or program sent is damaged, or in a form that this site does not accept. "
    "Nothing was changed.",
    (
        "Go back, reload the page and try again.",
        "If you followed a link from an email or a document, copy the whole address again.",
        "If a program sent this, compare it with the description of the API.",
    ),
)
WRONG_NAME = Mishap(
    400,
    "This site does not have that name",
    "The request reached the right machine under a name that is not one of its own.",
    (
        "Use the address that you were given for this site.",
        "If you run the site, add the name to HOSTS in its configuration and restart it.",
    ),
)
FORBIDDEN = Mishap(
    403,
    "You are not allowed to do this",
    "Your role does not include this page or this step. Nothing was changed.",
    (
        "If you have more than one role, check that you act in the right one.",
        "Ask the person who manages roles in your organization to give you the role.",
    ),
)
FORGED = Mishap(
    403,
    "This form could not be accepted",
    "The form had been open too long, was sent from another site, or your browser does not keep "
    "cookies for this one. Nothing was changed.",
    (
        "Go back, copy what you typed if it was long, reload the page and send it again.",
        "Allow cookies for this site; it uses them only to know that a form is yours.",
    ),
)
NOT_FOUND = Mishap(
    404,
    "There is no such page",
    "Nothing is at this address, or you may not see it. Both look the same on purpose.",
    (
        "Check the address for a missing or an extra character.",
        "Use the navigation above to look for the page.",
        "If a link on this site led you here, tell the people who run the site which one.",
    ),
)
TOO_LARGE = Mishap(
    413,
    "This is too much for one form",
    "You sent more data, or more fields, than one form may have. Nothing was saved.",
    (
        "Send fewer or smaller files at a time.",
        "Split a long list into several.",
    ),
)
BROKEN = Mishap(
    500,
    "Something failed on our side",
    "Your request failed, and the failure is in the log. "
    "What you sent was saved completely or not at all.",
    (
        "Wait a minute and try again.",
        "Check whether your change was made before you send it a second time.",
        "If it fails again, give the number below to the people who run this site.",
    ),
)
REMOVED = Mishap(
    410,
    "This was removed at the end of its retention period",
    "This page needs a file of the archive that is no longer kept.",
    (
        "The database still has who submitted it, when, its digest, and what was decided.",
        "Reports made before the removal still contain what they showed.",
        "If you have a copy, its SHA-256 shows that it is the same.",
    ),
)
DAMAGED = Mishap(
    503,
    "A file in the archive is damaged or missing",
    "This page needs that file, and is not shown incomplete. Nothing was changed.",
    (
        "Tell the people who run this site: `manage.py verify archive` restores the file from the "
        "evidence if it can, and names what it cannot restore.",
        "Then open this page again.",
        "What is not in the evidence can be restored from a copy of the archive, by its digest.",
    ),
)
NO_ROOM = Mishap(
    507,
    "The disk is full",
    "This system has no space left. What arrived earlier is unchanged, and nothing of your last "
    "step was saved.",
    (
        "Tell the people who run this site: make room on its disk, or set `VAR` to a folder on "
        "another one.",
        "Then do the same again. A file that was sent in pieces continues where it was.",
    ),
)
BUSY = Mishap(
    503,
    "The database does not answer in time",
    "It is unavailable for a moment, or overloaded. Nothing of your last step was saved.",
    (
        "Wait a few seconds and do the same again.",
        "A file that was sent in pieces continues where it was.",
        "If this does not change, tell the people who run this site; its status page says what is "
        "wrong.",
    ),
)
NO_ASSETS = Mishap(
    503,
    "The pages are not built yet",
    "The style sheets and scripts of this site were not built after it was installed or updated, "
    "so no page can be shown. Nothing was changed.",
    (
        "If you run this site, run `make assets` (or `manage.py build_assets`), then restart it.",
        "If you do not, tell the people who run this site. Programs and the API still work.",
    ),
)
TOO_OFTEN = Mishap(
    429,
    "Too many requests",
    "Public pages have a limit of requests per minute for one address. Nothing was changed.",
    (
        "Wait a minute and try again.",
        "If a program asks for you, let it wait as long as `Retry-After` says, and cache pages as "
        "long as their headers allow.",
    ),
)
MORE_THAN_ALLOWED = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Respond with 400, or 413 if the request was only too large."""
    if isinstance(exception, MORE_THAN_ALLOWED):
        return _page(request, TOO_LARGE)
    return _page(request, WRONG_NAME if isinstance(exception, DisallowedHost) else BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Respond with 403: the role does not allow it."""
    return _page(request, FORBIDDEN)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Respond with 403: the form's token is missing or old."""
    return _page(request, FORGED)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Respond with 404: the same for missing objects and those of others."""
    return _page(request, NOT_FOUND)


def damaged(request: HttpRequest) -> HttpResponse:
    """Respond with 503: a file for the page is damaged or missing; the log says which."""
    return _page(request, DAMAGED)


def removed(request: HttpRequest, says: str) -> HttpResponse:
    """Respond with 410: a file for the page was removed; `says` explains when and why."""
    return HttpResponse(_text(REMOVED, request, {"happened": says}), status=REMOVED.status)


def too_often(request: HttpRequest, seconds: int) -> HttpResponse:
    """Respond with 429: an address sent too many requests; `seconds` says when to retry."""
    answer = _page(request, TOO_OFTEN)
    answer["Retry-After"] = str(seconds)
    answer["Cache-Control"] = "no-store"
    return answer


def no_room(request: HttpRequest) -> HttpResponse:
    """Respond with 507: the disk is full. Does not use the database, like `broken`."""
    return HttpResponse(_text(NO_ROOM, None, agency()), status=NO_ROOM.status)


def busy(request: HttpRequest) -> HttpResponse:
    """Respond with 503: the database did not respond. Does not use it, like `broken`."""
    return HttpResponse(
        _text(BUSY, None, agency()),
        status=BUSY.status,
        headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
    )


def is_without_assets(error: BaseException | None) -> bool:
    """Return whether a page failed because its style sheets and scripts were never built."""
    return isinstance(error, ValueError) and str(error).startswith("Missing staticfiles manifest")


def without_assets(request: HttpRequest) -> HttpResponse:
    """Respond with 503, without a style sheet or the database, like `broken`."""
    return HttpResponse(
        _text(NO_ASSETS, None, agency(), template="errors/plain.html"),
        status=NO_ASSETS.status,
        headers={"Retry-After": str(RETRY_AFTER_SECONDS), "Cache-Control": "no-store"},
    )


def broken(request: HttpRequest) -> HttpResponse:
    """Respond with 500, without using the database, which may be the cause."""
    return HttpResponse(_text(BROKEN, None, agency()), status=500)


def _page(request: HttpRequest, mishap: Mishap) -> HttpResponse:
    return HttpResponse(_text(mishap, request, {}), status=mishap.status)


def _text(
    mishap: Mishap,
    request: HttpRequest | None,
    more: dict[str, object],
    template: str = "errors/page.html",
) -> str:
    context = {
        "status": mishap.status,
        "heading": mishap.heading,
        "happened": mishap.happened,
        "steps": mishap.steps,
        "request_id": structlog.contextvars.get_contextvars().get("request_id", ""),
    }
    return render_to_string(template, context | more, request)


MINUTE = 60


def in_turn(
    what: str, a_minute: int
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Respond with 429 to an address over the limit per minute; each `what` has its own count.

    Signed-in users are not counted. Two requests at the same moment may count as one, which costs
    nothing; rejected requests write nothing.
    """

    def counted(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
            if asked(request).person is None:
                minute, second = divmod(int(clock.now().timestamp()), MINUTE)
                key = f"turn:{what}:{address_of(request)}:{minute}"
                times = cache.get(key) or 0
                if times >= a_minute:
                    return too_often(request, MINUTE - second)
                cache.set(key, times + 1, 2 * MINUTE)
            return view(request, *args, **named)

        return guarded

    return counted
