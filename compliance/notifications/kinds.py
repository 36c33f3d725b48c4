"""Kinds of notifications, and who is notified when something happens.

Each app declares in its `notices` which events people are notified of. `record` calls it,
so that a notification is written in the transaction of its event, or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db.models import TextChoices

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from uuid import UUID

    from compliance.access.models import Membership, Party
    from compliance.access.permissions import Action
    from compliance.events.models import Event
    from compliance.events.types import EventType


if TYPE_CHECKING:
    Notifier = Callable[["Occurrence"], Iterable["Notification"]]


class Way(TextChoices):
    """How a person wants to be notified."""

    AT_ONCE = "at_once", "Here, and by mail at once"
    DAILY = "daily", "Here, and in one mail a day"
    HERE = "here", "Here alone"
    NEVER = "never", "Not at all"


@dataclass(frozen=True)
class NoticeKind:
    """A kind of notification, for which people may choose how to receive it.

    `action`: the permission a role needs, when it is notified and whenever the notification is
    shown or sent afterward. `mail` is all that an email says about it: nothing confidential, no
    names. `for_programs`: whether a party's webhooks may receive it as well.
    """

    name: str
    label: str
    mail: str
    action: Action
    usual: Way
    for_programs: bool = False


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """An event with its subject and party as objects, for the functions that notify people."""

    event: Event
    about: Any
    party: Party | None

    @property
    def carries(self) -> dict[str, Any]:
        """Return the event's payload."""
        carried: dict[str, Any] = self.event.payload
        return carried


@dataclass(frozen=True, kw_only=True)
class Notification:
    """A notification to these people, in these roles: a line that they may read, and a link.

    The actor is not notified, unless `actor_too`. Webhooks of the parties in `programs` get only
    the kind, the link, and the `numbers` that identify its subject in the API.
    """

    kind: NoticeKind
    to: Iterable[Membership]
    says: str
    link: str
    actor_too: bool = False
    programs: Collection[Party] = ()
    numbers: Mapping[str, UUID] = field(default_factory=dict)


_kinds: dict[str, NoticeKind] = {}
_notifiers: dict[str, list[Notifier]] = {}


def notice_kind(
    name: str, label: str, *, mail: str, action: Action, usual: Way, for_programs: bool = False
) -> NoticeKind:
    """Register a kind of notification."""
    kind = NoticeKind(name, label, mail, action, usual, for_programs=for_programs)
    _kinds[name] = kind
    return kind


def notice_kinds() -> list[NoticeKind]:
    """Return every kind, in the order in which the apps registered them."""
    return list(_kinds.values())


def notifies_of(*events: EventType) -> Callable[[Notifier], Notifier]:
    """Register a function that returns who is notified when one of these events happens."""

    def registered(notifier: Notifier) -> Notifier:
        for each in events:
            notifiers = _notifiers.setdefault(each.name, [])
            if notifier not in notifiers:
                notifiers.append(notifier)
        return notifier

    return registered


def notifiers_of(event: str) -> list[Notifier]:
    """Return the functions that notify people of an event of this type."""
    return _notifiers.get(event, [])
