"""Internal controls on file: the draft as it stands, and where it starts from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compliance.event_types import controls as events
from compliance.models import ControlsDraft, ControlsFiling, ControlsVersion, Event

if TYPE_CHECKING:
    from datetime import datetime

    from compliance.models import Party

State = ControlsFiling.State
ENDED = frozenset({State.RETURNED, State.DENIED, State.WITHDRAWN})


def why_decided(version: ControlsVersion) -> str:
    """Why a version was returned, denied or withdrawn, as whoever did it said; else nothing."""
    if version.filing.state not in ENDED:
        return ""
    kinds = (events.RETURNED.name, events.DECIDED.name)
    told = Event.objects.filter(object=version.uuid, type__in=kinds).order_by("at", "id").last()
    return told.reason if told is not None else ""


@dataclass(frozen=True)
class Draft:
    """The controls as they are being written, and who saved them last; nobody has, at first."""

    content: dict[str, Any]
    saved: datetime | None
    hand: str


def newest_version(operator: Party) -> ControlsVersion | None:
    """The version that was submitted last, whatever became of it."""
    versions = ControlsVersion.objects.filter(operator=operator).select_related("filing")
    return versions.order_by("number").last()


def starting_point(operator: Party) -> tuple[dict[str, Any], ControlsVersion | None]:
    """What a first draft begins with: the newest version, or nothing."""
    newest = newest_version(operator)
    return (dict(newest.content) if newest is not None else {}), newest


def draft_of(operator: Party) -> Draft:
    """The draft as it stands; before there is one, the place to start from."""
    found = ControlsDraft.objects.filter(operator=operator).select_related("saved_by").first()
    if found is not None:
        return Draft(found.content, found.saved, found.hand)
    return Draft(starting_point(operator)[0], None, "")
