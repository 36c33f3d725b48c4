"""Pages for requests that cannot be answered: what happened, and what one can do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from django.core.exceptions import (
    DisallowedHost,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import HttpResponse
from django.template.loader import render_to_string

from compliance.passing import SECONDS
from compliance.web.frame import agency

if TYPE_CHECKING:
    from django.http import HttpRequest


@dataclass(frozen=True)
class Mishap:
    """One kind of request that cannot be answered."""

    status: int
    heading: str
    happened: str
    steps: tuple[str, ...]


BAD_REQUEST = Mishap(
    400,
    "This request could not be read",
    "What your browser or program sent is damaged, or not in a form this site accepts. "
    "Nothing was changed.",
    (
        "Go back, reload the page and try once more.",
        "If you followed a link from a mail or a document, copy the whole address again.",
        "If a program sent this, compare it with the description of the interface.",
    ),
)
WRONG_NAME = Mishap(
    400,
    "This site does not go by that name",
    "The request reached the right machine under a name that is not one of its own.",
    (
        "Use the address you were given for this site.",
        "If you run the site, add the name to HOSTS in its configuration and start it again.",
    ),
)
FORBIDDEN = Mishap(
    403,
    "You may not do this",
    "Your role does not include this page or this step. Nothing was changed.",
    (
        "If you have more than one role, check that you act in the right one.",
        "Ask whoever manages people and roles in your organization to give you the role.",
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
    "Nothing is at this address, or it is not yours to see. Both look the same on purpose.",
    (
        "Check the address for a missing or an added character.",
        "Start from the navigation above and look for it from there.",
        "If a link on this site led you here, tell whoever runs the site which one.",
    ),
)
TOO_LARGE = Mishap(
    413,
    "This is more than can be taken at once",
    "What was sent is larger, or has more parts, than one form may have. Nothing was kept.",
    (
        "Send fewer or smaller files at a time.",
        "Split a long list into several.",
    ),
)
BROKEN = Mishap(
    500,
    "Something failed on our side",
    "Answering your request failed, and the failure is in the log. "
    "What you sent was kept as a whole or not at all.",
    (
        "Wait a minute and try again.",
        "Check whether your change was made before you send it a second time.",
        "If it fails again, give the number below to whoever runs this site.",
    ),
)
REMOVED = Mishap(
    410,
    "This was removed when its time to be kept was over",
    "This is made from a file of the archive that is not kept any more.",
    (
        "What the database says of it stays: who handed it in, when, its digest, what was decided.",
        "Reports made before it was removed still hold what they told.",
        "If you have a copy, its SHA-256 shows that it is the same.",
    ),
)
DAMAGED = Mishap(
    503,
    "A kept file is not as it was kept",
    "This page is made from a file of the archive that is damaged or gone. It is not shown as if "
    "it were whole. Nothing was changed.",
    (
        "Tell whoever runs this site: `manage.py verify archive` makes the file good from the "
        "evidence where that holds it, and names what it could not mend.",
        "Open this page again afterwards.",
        "What the evidence does not hold comes back from a copy of the archive, under its digest.",
    ),
)
NO_ROOM = Mishap(
    507,
    "There is no room left",
    "The disk of this system is full. What arrived before stays as it is, and nothing of your "
    "last step was kept.",
    (
        "Tell whoever runs this site: its disk needs room, or `VAR` names a folder on another.",
        "Do the same again afterwards. A file that was sent in pieces goes on where it was.",
    ),
)
BUSY = Mishap(
    503,
    "The database does not answer in time",
    "It is away for a moment, or has more to do than it can. Nothing of your last step was kept.",
    (
        "Wait a few seconds and do the same again.",
        "A file that was sent in pieces goes on where it was.",
        "If it stays like this, tell whoever runs this site; its status page says what is wrong.",
    ),
)
TOO_OFTEN = Mishap(
    429,
    "You asked more often than this page is answered",
    "Pages that are open to anybody are answered so many times a minute to one address. "
    "Nothing was changed.",
    (
        "Wait a minute and try again.",
        "If a program asks for you, let it wait as long as `Retry-After` says, and keep the pages "
        "that it has: they tell for how long they hold.",
    ),
)
MORE_THAN_ALLOWED = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400, or 413 where the request was only too large."""
    if isinstance(exception, MORE_THAN_ALLOWED):
        return _page(request, TOO_LARGE)
    return _page(request, WRONG_NAME if isinstance(exception, DisallowedHost) else BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403: the role does not allow it."""
    return _page(request, FORBIDDEN)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form's token is missing or old."""
    return _page(request, FORGED)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404: the same for what is not there and what is somebody else's."""
    return _page(request, NOT_FOUND)


def damaged(request: HttpRequest) -> HttpResponse:
    """503: a file that the page is made from is damaged or gone; the log says which."""
    return _page(request, DAMAGED)


def removed(request: HttpRequest, says: str) -> HttpResponse:
    """410: a file that the page is made from was removed; `says` tells when and why."""
    return HttpResponse(_text(REMOVED, request, {"happened": says}), status=REMOVED.status)


def too_often(request: HttpRequest, seconds: int) -> HttpResponse:
    """429: an address asked too often; `seconds` says when it is answered again."""
    answer = _page(request, TOO_OFTEN)
    answer["Retry-After"] = str(seconds)
    answer["Cache-Control"] = "no-store"
    return answer


def no_room(request: HttpRequest) -> HttpResponse:
    """507: nothing more can be written; asks nothing of the database, like `broken`."""
    return HttpResponse(_text(NO_ROOM, None, agency()), status=NO_ROOM.status)


def busy(request: HttpRequest) -> HttpResponse:
    """503: the database did not answer; asks nothing of it, like `broken`."""
    return HttpResponse(
        _text(BUSY, None, agency()), status=BUSY.status, headers={"Retry-After": str(SECONDS)}
    )


def broken(request: HttpRequest) -> HttpResponse:
    """500: asks nothing of the database, which may be what is broken."""
    return HttpResponse(_text(BROKEN, None, agency()), status=500)


def _page(request: HttpRequest, mishap: Mishap) -> HttpResponse:
    return HttpResponse(_text(mishap, request, {}), status=mishap.status)


def _text(mishap: Mishap, request: HttpRequest | None, more: dict[str, object]) -> str:
    context = {
        "status": mishap.status,
        "heading": mishap.heading,
        "happened": mishap.happened,
        "steps": mishap.steps,
        "request_id": structlog.contextvars.get_contextvars().get("request_id", ""),
    }
    return render_to_string("errors/page.html", context | more, request)
