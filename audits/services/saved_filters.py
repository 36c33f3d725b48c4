"""Filters of lists under a name: a preference of somebody, which changes nothing on file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from audits.models import SavedFilter
from audits.services.work import unit_of
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.refused import RefusedError

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.models import Party, Person

MOST = 50


@transaction.atomic
def save_filter(*, name: str, of_list: str, query: str, shared: bool, by: Person) -> SavedFilter:
    """Keep a filter under a name, for oneself or for one's unit; one of that name is replaced.

    Refuses more than one can look through.
    """
    require(by, Action.SEE_FINDINGS)
    own = SavedFilter.objects.filter(person=by, list=of_list)
    if own.exclude(name=name).count() >= MOST:
        msg = f"You keep {MOST} filters here already. Remove one first."
        raise RefusedError(msg)
    return SavedFilter.objects.update_or_create(
        person=by,
        list=of_list,
        name=name,
        defaults={"query": query, "unit": unit_of(by) if shared else None},
    )[0]


@transaction.atomic
def remove_filter(*, uuid: UUID, by: Person) -> None:
    """Remove a filter of one's own. Refuses another's: whoever shared it removes it."""
    if not SavedFilter.objects.filter(uuid=uuid, person=by).delete()[0]:
        msg = "This filter was removed before, or belongs to a colleague."
        raise RefusedError(msg)


def filters_of(person: Person, unit: Party, of_list: str) -> QuerySet[SavedFilter]:
    """Filters of a list that somebody keeps, or that were shared with their unit."""
    return SavedFilter.objects.filter(Q(person=person) | Q(unit=unit), list=of_list).select_related(
        "person"
    )
