"""Who had which role, when, and by whom: read from the event log, which proves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allauth.mfa.models import Authenticator
from django.db.models import Max

from compliance.access.models import Party, Person
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.people.events import ROLE_ENDED, ROLE_GIVEN, SESSION_BEGAN

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID


SYSTEM = "the system, during setup"


@dataclass
class RoleGiven:
    """A role of a person in a party, from an instant until it ended."""

    person: str
    email: str
    party: str
    role: str
    since: datetime
    given_by: str
    ended: datetime | None = None
    ended_by: str = ""
    reason: str = ""
    last_sign_in: datetime | None = None
    factors: tuple[str, ...] = ()
    """Second factors that the account has now."""

    def was_given(self, at: datetime) -> bool:
        """Return whether the person had the role at an instant."""
        return self.since <= at and (self.ended is None or at < self.ended)

    def as_row(self) -> dict[str, Any]:
        """Return it for a program or a table."""
        return {
            "person": self.person,
            "email": self.email,
            "party": self.party,
            "role": self.role,
            "since": self.since.isoformat(timespec="seconds"),
            "given_by": self.given_by,
            "ended": self.ended.isoformat(timespec="seconds") if self.ended else "",
            "ended_by": self.ended_by,
            "reason": self.reason,
            "last_sign_in": self.last_sign_in.isoformat(timespec="seconds")
            if self.last_sign_in
            else "never",
            "second_factors": ", ".join(self.factors),
        }


def review_access(*, at: datetime | None = None, party: Party | None = None) -> list[RoleGiven]:
    """List every role that anyone had, by party, person and time; with `at`, those at that time."""
    events = Event.objects.filter(type__in=[ROLE_GIVEN.name, ROLE_ENDED.name]).order_by("pk")
    if party is not None:
        events = events.filter(party=party.uuid)
    with without_access_scope():
        people = {each.uuid: each for each in Person.objects.all()}
        parties = {each.uuid: each.code for each in Party.objects.all()}
    found: list[RoleGiven] = []
    open_roles: dict[tuple[UUID | None, UUID | None, str], RoleGiven] = {}
    for event in events.iterator():
        key = (event.object, event.party, event.payload["role"])
        by = _name(people, event.actor)
        if event.type == ROLE_GIVEN.name:
            person = people.get(event.object) if event.object else None
            given = RoleGiven(
                person=person.name if person else str(event.object),
                email=person.email if person else "",
                party=parties.get(event.party, "") if event.party else "",
                role=event.payload["role"],
                since=event.at,
                given_by=by,
            )
            open_roles[key] = given
            found.append(given)
        elif (ending := open_roles.pop(key, None)) is not None:
            ending.ended, ending.ended_by, ending.reason = event.at, by, event.reason
    _add_sign_ins(found, people.values())
    chosen = [each for each in found if at is None or each.was_given(at)]
    return sorted(chosen, key=lambda each: (each.party, each.person, each.role, each.since))


def _name(people: dict[UUID, Person], uuid: UUID | None) -> str:
    if uuid is None:
        return SYSTEM
    person = people.get(uuid)
    return person.name if person else str(uuid)


def _add_sign_ins(found: Iterable[RoleGiven], people: Iterable[Person]) -> None:
    """Add when each person signed in last, and their second factors."""
    begun = Event.objects.filter(type=SESSION_BEGAN.name).values_list("actor")
    last = dict(begun.annotate(last=Max("at")).order_by())
    factors: dict[str, list[str]] = {}
    for email, kind in Authenticator.objects.values_list("user__email", "type").order_by("type"):
        factors.setdefault(email, []).append(Authenticator.Type(kind).label)
    by_email = {each.email: each.uuid for each in people}
    for given in found:
        given.last_sign_in = last.get(by_email.get(given.email))
        given.factors = tuple(dict.fromkeys(map(str, factors.get(given.email, []))))
