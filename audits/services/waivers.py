"""Waivers end by themselves: the day after their last one, what was waived is decided anew."""

from __future__ import annotations

from django.db import transaction
from django.utils.formats import date_format
from django.utils.timezone import localtime

from audits.event_types.review import WAIVER_ENDED
from audits.models import Decision, Pattern
from audits.services.put_back import open_again
from compliance import clock
from compliance.actor import SYSTEM
from compliance.services.record import record
from compliance.walls import without_walls

AT_ONCE = 200


def end_waivers() -> int:
    """Put what was waived until before today on the desk again; how many patterns."""
    with without_walls():
        ended = Pattern.objects.filter(waived_until__lt=clock.today()).order_by("waived_until")
        return sum(_end(pattern) for pattern in ended.select_related("party")[:AT_ONCE])


@transaction.atomic
def _end(pattern: Pattern) -> bool:
    """End one waiver, whoever else looks at the same moment; whether it was this one who did."""
    until = pattern.waived_until
    standing = Pattern.objects.filter(pk=pattern.pk, waived_until=until)
    if until is None or not standing.update(waived_until=None):
        return False
    pattern.waived_until = None
    waived = Decision.objects.filter(pattern=pattern, step="waive").latest("at", "id")
    open_again(
        pattern=pattern,
        says=f"Its waiver ended on {date_format(until, 'F j, Y')}. "
        f"It was waived on {date_format(localtime(waived.at), 'F j, Y')}: “{waived.reason}”",
    )
    record(
        WAIVER_ENDED,
        by=SYSTEM,
        about=pattern,
        party=pattern.party,
        carries={"until": until.isoformat()},
    )
    return True
