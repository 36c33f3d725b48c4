"""Tell people of days that come near by which they have something to do; of each once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from compliance import clock
from compliance.due_dates import due_dates
from compliance.models import Membership, Notice
from compliance.notices import DEADLINE
from compliance.permissions import may
from compliance.services.tell import tell
from compliance.telling import Telling
from compliance.walls import visible_parties, within, without_walls

if TYPE_CHECKING:
    from compliance.due_dates import DueDate

NEAR = timedelta(days=3)


def tell_of_deadlines() -> int:
    """Tell everybody of what is due within three days; how many were told of something."""
    with without_walls():
        held = Membership.objects.filter(ended=None, person__is_active=True)
        by_person: dict[int, list[Membership]] = {}
        for each in held.select_related("party", "person").order_by("person", "pk"):
            by_person.setdefault(each.person_id, []).append(each)
    return sum(_tell(memberships) for memberships in by_person.values())


def _tell(memberships: list[Membership]) -> bool:
    person, today = memberships[0].person, clock.today()
    if not may(memberships, DEADLINE.action):
        return False
    with within(visible_parties(memberships)):
        near = [each for each in due_dates(person, memberships) if today <= each.on <= today + NEAR]
    if not near:
        return False
    with without_walls():
        told = set(
            Notice.objects.filter(person=person, kind=DEADLINE.name).values_list("link", "says")
        )
        new = [each for each in near if (each.link, _says(each)) not in told]
        tell(
            [
                Telling(
                    kind=DEADLINE,
                    to=[held for held in memberships if held.party_id == due.party][:1],
                    says=_says(due),
                    link=due.link,
                )
                for due in new
            ]
        )
    return bool(new)


def _says(due: DueDate) -> str:
    return f"{due.says}: due on {due.on:%A, %b %-d, %Y}."
