"""The frame around every page, and the places in its navigation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from compliance.access.permissions import may
from compliance.ui.access import asked

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.access.permissions import Action


class Group(StrEnum):
    """The groups of the navigation, in order; a place without a group is on its own."""

    AUDITS = "Audits"
    FILINGS = "Filings"
    RULES = "Rules & approvals"
    RUNNING = "Administration"


@dataclass(frozen=True, kw_only=True)
class Place:
    """A page in the navigation, shown to users with permission for its action, or to everyone."""

    label: str
    url_name: str
    order: int
    action: Action | None = None
    group: Group | None = None


@dataclass(frozen=True, kw_only=True)
class Link:
    """A place in one request; `current` is the value of its `aria-current`."""

    label: str
    url: str
    current: str
    group: Group | None = None


@dataclass(frozen=True, kw_only=True)
class Menu:
    """A group of links; one without a name, or with one link, is not collapsible."""

    name: str
    links: tuple[Link, ...]

    @property
    def opens(self) -> bool:
        """Return whether its links are collapsed under its name."""
        return bool(self.name) and len(self.links) > 1

    @property
    def current(self) -> bool:
        """Return whether it contains the current page."""
        return any(link.current for link in self.links)


_places: dict[str, Place] = {}


def register(place: Place) -> None:
    """Add a place; an app does this in its `hooks`."""
    _places[place.url_name] = place


def links_for(request: HttpRequest) -> list[Link]:
    """Return the places the user may go to, in order."""
    memberships = asked(request).memberships
    return [
        _link(place, request.path)
        for place in sorted(_places.values(), key=lambda place: (place.order, place.label))
        if place.action is None or may(memberships, place.action)
    ]


def menus_for(request: HttpRequest) -> list[Menu]:
    """Return the places the user may go to: ungrouped ones first, then by group."""
    groups = [None, *Group]
    links = sorted(links_for(request), key=lambda link: groups.index(link.group))
    return [
        Menu(name=group or "", links=tuple(together))
        for group, together in groupby(links, key=lambda link: link.group)
    ]


def _link(place: Place, path: str) -> Link:
    url = reverse(place.url_name)
    if path == url:
        current = "page"
    elif url != "/" and path.startswith(url.rstrip("/") + "/"):
        current = "true"
    else:
        current = ""
    return Link(label=place.label, url=url, current=current, group=place.group)


def agency() -> dict[str, Any]:
    """Return the agency that runs this site, from the configuration alone."""
    return {
        "agency": settings.AGENCY_NAME,
        "demonstration": not settings.PRODUCTION,
        "time_zone": settings.TIME_ZONE.replace("_", " "),
    }


def frame(request: HttpRequest) -> dict[str, Any]:
    """Return the agency and the navigation menus; a context processor."""
    return agency() | {"menus": SimpleLazyObject(lambda: menus_for(request))}
