"""What the frame around every page needs to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.functional import SimpleLazyObject

from compliance.web.navigation import menus_for

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
    """The agency and the menus of the navigation; a context processor."""
    return agency() | {"menus": SimpleLazyObject(lambda: menus_for(request))}
