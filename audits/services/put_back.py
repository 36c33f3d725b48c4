"""A decided pattern put back before the agent, with what changed under the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F

from audits.event_types.replays import PATTERN_CHANGED
from audits.models import Pattern, Work
from audits.models.pattern import CAUSE
from audits.services.work import due_from
from compliance import clock
from compliance.actor import SYSTEM
from compliance.services.record import record

if TYPE_CHECKING:
    from datetime import date

    from audits.models import Replay


def put_back(*, pattern: Pattern, day: date, says: str, replay: Replay | None = None) -> None:
    """Open a decided pattern again, saying what changed; `replay` says so, or a look at the day."""
    open_again(pattern=pattern, says=says)
    record(
        PATTERN_CHANGED,
        by=SYSTEM,
        party=pattern.party,
        about=pattern,
        carries={
            "day": str(day),
            "replay": str(replay.uuid) if replay else "",
            "says": says,
        },
    )


def open_again(*, pattern: Pattern, says: str) -> None:
    """Put a decided pattern before the agent, saying why; whoever asks records it.

    One pattern of a cause is open at a time. Where a later one is, that one is before the agent and
    names this one: it is told there too, and what was decided stays as it was decided.
    """
    same = {name: getattr(pattern, name) for name in CAUSE}
    later = Pattern.objects.filter(open=True, **same).exclude(pk=pattern.pk).first()
    pattern.changed_since = says
    if later is None:
        pattern.open = True
        pattern.state = Pattern.State.UNDER_REVIEW
        pattern.waived_until = None
    else:
        later.changed_since = f"Of what was decided before it: {says}"
        later.save(update_fields=["changed_since"])
    pattern.save(update_fields=["open", "state", "changed_since", "waived_until"])
    Work.objects.filter(pattern=pattern).update(edition=F("edition") + 1)  # a page shown is stale
    Work.objects.filter(pattern=later or pattern).update(
        edition=F("edition") + 1, due=due_from(clock.today(), pattern.weight), escalated=None
    )
