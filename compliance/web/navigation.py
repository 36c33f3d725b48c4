"""The places that the navigation leads to: each room registers its own when Django starts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING

from django.urls import reverse

from compliance.permissions import may
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.permissions import Action


class Group(StrEnum):
    """What places stand together under, in their order; a place without one stands by itself."""

    PLAY = "Play"
    FILINGS = "Filings"
    RULES = "What applies"
    RUNNING = "Administration"


@dataclass(frozen=True, kw_only=True)
class Place:
    """A page in the navigation, shown to whoever may do its action, or to everyone."""

    label: str
    url_name: str
    order: int
    action: Action | None = None
    group: Group | None = None


@dataclass(frozen=True, kw_only=True)
class Link:
    """A place as one request shows it; `current` is the value of its `aria-current`."""

    label: str
    url: str
    current: str
    group: Group | None = None


@dataclass(frozen=True, kw_only=True)
class Menu:
    """Links that stand together; one that has no name, or but one link, needs no opening."""

    name: str
    links: tuple[Link, ...]

    @property
    def opens(self) -> bool:
        """Whether its links stand under its name."""
        return bool(self.name) and len(self.links) > 1

    @property
    def current(self) -> bool:
        """Whether one of its places is where one is."""
        return any(link.current for link in self.links)


_places: dict[str, Place] = {}


def register(place: Place) -> None:
    """Add a place; a room does this in `AppConfig.ready`."""
    _places[place.url_name] = place


def links_for(request: HttpRequest) -> list[Link]:
    """The places this request's person may go to, in order."""
    memberships = asked(request).memberships
    return [
        _link(place, request.path)
        for place in sorted(_places.values(), key=lambda place: (place.order, place.label))
        if place.action is None or may(memberships, place.action)
    ]


def menus_for(request: HttpRequest) -> list[Menu]:
    """The places this request's person may go to: those by themselves first, then by group."""
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
