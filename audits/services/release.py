"""What an operator is shown: patterns, the report of a day; nothing of it before its release.

A standing release shows the findings of a code to an operator as they come. Where nobody has said
otherwise it stands for what a day lacks (`night.*`): only the operator can mend that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from audits.day_releases import show_released
from audits.event_types import days as events
from audits.models import GamblingDay, Pattern, PatternVisibility, StandingRelease
from audits.selectors.releases import is_released_as_it_comes
from compliance import clock
from compliance.actor import SYSTEM
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from compliance.models import Party, Person


def release_pattern(*, pattern: Pattern, by: Person) -> None:
    """Show a pattern and its rounds to the operator, and to the gaming agency of a tribe.

    What is found of it later is shown with it, as long as it is open. Refuses a second release.
    """
    require(by, Action.RELEASE_FINDINGS, pattern.party)
    with transaction.atomic(), without_walls():
        if not _show(pattern, by=by, standing=False):
            msg = f"This pattern was released to {pattern.party} before."
            raise RefusedError(msg)


def release_as_standing(*, pattern: Pattern) -> bool:
    """Show a pattern if its code has a standing release at its operator; whether this did it.

    Whoever opens a pattern calls this, and needs to know nothing of releases.
    """
    with transaction.atomic(), without_walls():
        if not is_released_as_it_comes(pattern.party, pattern.code):
            return False
        return _show(pattern, by=None, standing=True)


def release_day(*, day: GamblingDay, by: Person, supplements: int | None = None) -> None:
    """Show the operator the report of a closed day.

    Refuses an open day, a second release, and a day that has another number of supplements than
    whoever releases it has read.
    """
    require(by, Action.RELEASE_FINDINGS, day.party)
    with transaction.atomic(), without_walls():
        kept = (
            GamblingDay.objects.select_for_update(of=("self",))
            .select_related("party__agency")
            .get(pk=day.pk)
        )
        if kept.state != GamblingDay.State.CLOSED:
            msg = f"The gambling day {kept.day} is open until {kept.closes}: it has no report yet."
            raise RefusedError(msg)
        if kept.released is not None:
            msg = f"The report of {kept.day} was released to {kept.party} before."
            raise RefusedError(msg)
        if supplements not in (None, kept.supplements):
            msg = (
                f"Logs of {kept.day} came in after what you read: its report has a supplement. "
                "Read it, then release the day."
            )
            raise RefusedError(msg)
        kept.released = clock.now()
        kept.save(update_fields=["released"])
        record(events.DAY_RELEASED, by=by, party=kept.party, carries={"day": str(kept.day)})
        show_released(kept)


def set_standing_release(*, party: Party, code: str, stands: bool, by: Person) -> None:
    """Let findings of a code be shown to an operator as they come, or no longer.

    Open patterns of the code are shown at once; what was shown stays shown.
    Refuses what stands as asked already.
    """
    require(by, Action.RELEASE_FINDINGS, party)
    with transaction.atomic(), without_walls():
        if is_released_as_it_comes(party, code) == stands:
            says = "are released as they come" if stands else "wait for an agent"
            msg = f"Findings of {code} at {party} {says} already."
            raise RefusedError(msg)
        now = clock.now()
        standing = StandingRelease.objects.filter(party=party, code=code, ended__isnull=True)
        if stands:
            StandingRelease.objects.create(party=party, code=code, since=now)
        elif not standing.update(ended=now):
            StandingRelease.objects.create(party=party, code=code, since=now, ended=now)
        record(
            events.STANDING_RELEASE,
            by=by,
            party=party,
            carries={"code": code, "stands": "yes" if stands else "no"},
        )
        if stands:
            for pattern in Pattern.objects.filter(party=party, code=code, released=None, open=True):
                _show(pattern, by=None, standing=True)


def _show(pattern: Pattern, *, by: Person | None, standing: bool) -> bool:
    """Show it to the operator and its agency; whether it was not shown before."""
    kept = (
        Pattern.objects.select_for_update(of=("self",))
        .select_related("party__agency")
        .get(pk=pattern.pk)
    )
    if kept.released is not None:
        return False
    kept.released = pattern.released = clock.now()
    kept.save(update_fields=["released"])
    for party in filter(None, (kept.party, kept.party.agency)):
        PatternVisibility.objects.get_or_create(shown=kept, party=party)
    record(
        events.PATTERN_RELEASED,
        by=by or SYSTEM,
        party=kept.party,
        about=kept,
        carries={"code": kept.code, "standing": "yes" if standing else "no"},
    )
    return True
