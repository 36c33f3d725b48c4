"""What is on the desks of the commission: whose, how late, and how far one has come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Q

from audits.models import Cover, Decision, Pattern, Work
from audits.review_steps import CLOSED
from compliance import clock
from compliance.models import Membership, Person
from compliance.permissions import ROLES_OF_ACTION, Action
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.models import Party

WEEK = timedelta(days=7)
SHIFT = timedelta(hours=12)
"""As long as a night at the card rooms, so that a shift is one across midnight too."""


def on_desks() -> QuerySet[Pattern]:
    """Patterns with the work on them, of the units that whoever asks may see.

    Within these walls a pattern is found once by its one row of work: what is sorted and cut needs
    no DISTINCT.
    """
    units = Work.objects.order_by().values("unit").distinct()
    with without_walls():
        found = Pattern.objects.filter(work__unit__in=units)
    return found.select_related("party", "work__assigned_to", "proposal__by")


def due_when(found: QuerySet[Pattern], when: str) -> QuerySet[Pattern]:
    """The work that is late, due so soon, escalated or proposed; all where none is said."""
    today = clock.today()
    asked: dict[str, Q] = {
        "late": Q(open=True, work__due__lt=today),
        "today": Q(work__due=today),
        "week": Q(work__due__gte=today, work__due__lte=today + WEEK),
        "escalated": Q(work__escalated__isnull=False),
        "proposed": Q(proposal__isnull=False),
    }
    return found.filter(asked[when]) if when else found


def desks_of(person: Person) -> set[int]:
    """Whose desks somebody works at today: one's own, and those of the absent one covers for."""
    today = clock.today()
    covered = Cover.objects.filter(
        covering=person, ended=None, first__lte=today, last__gte=today
    ).values_list("absent", flat=True)
    return {person.pk, *covered}


def covers_of(unit: Party) -> QuerySet[Cover]:
    """Covers of a unit that go on or are to come."""
    return (
        Cover.objects.filter(unit=unit, ended=None, last__gte=clock.today())
        .select_related("absent", "covering")
        .order_by("first", "pk")
    )


def reviewers() -> list[Person]:
    """Everybody who reviews findings now, by name."""
    held = Membership.objects.filter(
        role__in=ROLES_OF_ACTION[Action.REVIEW_FINDINGS], ended=None, person__is_active=True
    ).values("person")
    return list(Person.objects.filter(pk__in=held).order_by("name", "pk"))


@dataclass(frozen=True)
class Progress:
    """How far one has come in this shift."""

    decided: int
    mine: int
    late: int
    free: int
    """Of one's unit, on nobody's desk."""

    @property
    def of(self) -> int:
        """What one had to do in this shift."""
        return self.decided + self.mine


def progress_of(person: Person, unit: Party, desks: Collection[int]) -> Progress:
    """What one decided in this shift, what is left on one's desk, and what nobody has."""
    decided = (
        Decision.objects.filter(
            Q(by=person.uuid) | Q(seconded_by=person.uuid),
            at__gt=clock.now() - SHIFT,
            state__in=CLOSED,
            pattern__open=False,
        )
        .order_by()
        .values("pattern")
        .distinct()
        .count()
    )
    mine = Q(assigned_to__in=desks)
    left = Work.objects.filter(pattern__open=True).aggregate(
        mine=Count("pk", filter=mine),
        late=Count("pk", filter=mine & Q(due__lt=clock.today())),
        free=Count("pk", filter=Q(unit=unit, assigned_to=None)),
    )
    return Progress(decided, **left)


def next_on_desk(person: Person, after: Pattern) -> UUID | None:
    """The pattern on one's desk that is due next, other than the one that is looked at."""
    return (
        on_desks()
        .filter(open=True, work__assigned_to__in=desks_of(person))
        .exclude(pk=after.pk)
        .order_by("work__due", "pk")
        .values_list("uuid", flat=True)
        .first()
    )
