"""Due dates of a party or a person: for the home page, emails and calendars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from compliance.access.permissions import may

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from datetime import date

    from compliance.access.models import Membership, Party, Person
    from compliance.access.permissions import Action


@dataclass(frozen=True, kw_only=True)
class Due:
    """One task, shown to those who may do it; `on` is None if there is no due date.

    `query` selects the view of a list, if the task is one of its views.
    """

    says: str
    action: Action
    url_name: str
    args: tuple[str, ...] = ()
    query: str = ""
    on: date | None = None

    @property
    def link(self) -> str:
        """Return the link to the page for the task."""
        return f"{reverse(self.url_name, args=self.args)}{self.query and f'?{self.query}'}"


_party_sources: dict[str, Callable[[Party], Iterable[Due]]] = {}


def register(name: str, source: Callable[[Party], Iterable[Due]]) -> None:
    """Register a source of a party's tasks; an app does this in its `hooks`."""
    _party_sources[name] = source


def due_of(party: Party) -> list[Due]:
    """Return all tasks of a party: by due date, those without one last."""
    found = [each for name in sorted(_party_sources) for each in _party_sources[name](party)]
    return sorted(found, key=lambda each: (each.on is None, (each.on and each.on.toordinal()) or 0))


if TYPE_CHECKING:
    Source = Callable[[Person, Collection[Membership]], Iterable["DueDate"]]


@dataclass(frozen=True, kw_only=True)
class DueDate:
    """The due date of one task for a role in `party`; `link` is its page.

    `key` identifies the task and does not change when the date does. `outside` is the text for
    external calendars: nothing confidential.
    """

    key: str
    on: date
    says: str
    outside: str
    link: str
    party: int


_sources: list[Source] = []


def due_dates_from(source: Source) -> Source:
    """Register a source of one person's tasks; it is called within that person's access scope."""
    if source not in _sources:
        _sources.append(source)
    return source


def due_dates(person: Person, memberships: Collection[Membership]) -> list[DueDate]:
    """Return a person's due dates for these roles, next first. Call within their access scope."""
    found = [*_of_parties(memberships)]
    found += [each for source in _sources for each in source(person, memberships)]
    return sorted(found, key=lambda each: (each.on, each.key))


def _of_parties(memberships: Collection[Membership]) -> Iterator[DueDate]:
    for party in {membership.party_id: membership.party for membership in memberships}.values():
        own = [membership for membership in memberships if membership.party_id == party.pk]
        for due in due_of(party):
            if due.on is not None and may(own, due.action, party):
                yield DueDate(
                    key="-".join((due.url_name, *(due.args or (due.on.isoformat(),)))),
                    on=due.on,
                    says=due.says,
                    outside=due.action.label,
                    link=due.link,
                    party=party.pk,
                )
