"""What people are told of: kinds of notices, and who is told when something happens.

Each room says in its `notices` which events somebody is told of. `services.record` asks, so that a
notice is written in the transaction of what it tells, or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db.models import TextChoices

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from uuid import UUID

    from compliance.events import EventType
    from compliance.models import Event, Membership, Party
    from compliance.permissions import Action

    Teller = Callable[["Happened"], Iterable["Telling"]]


class Way(TextChoices):
    """How somebody wants to be told."""

    AT_ONCE = "at_once", "Here, and by mail at once"
    DAILY = "daily", "Here, and in one mail a day"
    HERE = "here", "Here alone"
    NEVER = "never", "Not at all"


@dataclass(frozen=True, kw_only=True)
class NoticeKind:
    """Something that people are told of, and may choose how.

    `action`: what a role must allow, when it is told and whenever it is shown or sent afterwards.
    `mail` is all that a mail says of it: nothing that is confidential, nobody's name.
    `for_programs`: whether a party's webhooks may be told of it as well.
    """

    name: str
    label: str
    mail: str
    action: Action
    usual: Way
    for_programs: bool = False


@dataclass(frozen=True, kw_only=True)
class Happened:
    """An event as whoever tells of it sees it: with the thing and the party as objects."""

    event: Event
    about: Any
    party: Party | None

    @property
    def carries(self) -> dict[str, Any]:
        """What the event carries."""
        carried: dict[str, Any] = self.event.payload
        return carried


@dataclass(frozen=True, kw_only=True)
class Telling:
    """What these people, by these roles, are told: a line that they may read, and where it leads.

    Whoever did it is not told, unless `actor_too`. Webhooks of the parties in `programs` are told
    the kind, the link, and the `numbers` by which the API knows what it is about, and no more.
    """

    kind: NoticeKind
    to: Iterable[Membership]
    says: str
    link: str
    actor_too: bool = False
    programs: Collection[Party] = ()
    numbers: Mapping[str, UUID] = field(default_factory=dict)


_kinds: dict[str, NoticeKind] = {}
_tellers: dict[str, list[Teller]] = {}


def notice_kind(kind: NoticeKind) -> NoticeKind:
    """Register a kind of notice."""
    _kinds[kind.name] = kind
    return kind


def notice_kinds() -> list[NoticeKind]:
    """Every kind, in the order in which the rooms named them."""
    return list(_kinds.values())


def tells_of(*events: EventType) -> Callable[[Teller], Teller]:
    """Have a function say who is told when one of these events happens."""

    def registered(teller: Teller) -> Teller:
        for each in events:
            _tellers.setdefault(each.name, []).append(teller)
        return teller

    return registered


def tellers_of(event: str) -> list[Teller]:
    """Whoever tells of an event of this name."""
    return _tellers.get(event, [])
