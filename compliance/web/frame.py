"""What the frame around every page needs to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.functional import SimpleLazyObject

from compliance.selectors.notices import notices_of
from compliance.walls import within
from compliance.web.navigation import menus_for
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from django.http import HttpRequest


def agency() -> dict[str, Any]:
    """Who runs this site, from the configuration alone."""
    return {
        "agency": settings.AGENCY_NAME,
        "demonstration": not settings.PRODUCTION,
        "time_zone": settings.TIME_ZONE.replace("_", " "),
    }


def frame(request: HttpRequest) -> dict[str, Any]:
    """The agency, the menus of the navigation and what is unread; a context processor."""
    return agency() | {
        "menus": SimpleLazyObject(lambda: menus_for(request)),
        "new_notices": SimpleLazyObject(lambda: _new_notices(request)),
    }


def _new_notices(request: HttpRequest) -> int:
    """How much one was told that one has not read; one query, whoever asks."""
    who = asked(request)
    if who.person is None:
        return 0
    with within(who.parties):  # pages of errors are made outside of the request's own walls
        return notices_of(who.person, who.memberships).filter(seen=None).count()
