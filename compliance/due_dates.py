"""Days by which somebody has something to do: what their parties have to do, and what they have.

Calendars and notices ask for the same as the home page (`compliance.due`). Rooms add what is not a
party's but one person's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.due import due_of
from compliance.permissions import may

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from datetime import date

    from compliance.models import Membership, Person

    Source = Callable[[Person, Collection[Membership]], Iterable["DueDate"]]


@dataclass(frozen=True, kw_only=True)
class DueDate:
    """The last day for one thing, to be done by a role in `party`; `link` leads there.

    `key` names the thing and stays the same when the day moves. `outside` is what a calendar kept
    elsewhere may say of it: nothing confidential.
    """

    key: str
    on: date
    says: str
    outside: str
    link: str
    party: int


_sources: list[Source] = []


def due_dates_from(source: Source) -> Source:
    """Register who knows what one person has to do; it is asked within the walls of the person."""
    if source not in _sources:
        _sources.append(source)
    return source


def due_dates(person: Person, memberships: Collection[Membership]) -> list[DueDate]:
    """What somebody has to do by these roles, the next first. Ask within their walls."""
    found = [*_of_parties(memberships)]
    found += [each for source in _sources for each in source(person, memberships)]
    return sorted(found, key=lambda each: (each.on, each.key))


def _of_parties(memberships: Collection[Membership]) -> Iterator[DueDate]:
    for party in {held.party_id: held.party for held in memberships}.values():
        own = [held for held in memberships if held.party_id == party.pk]
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
