"""Findings of a day (`night.*`): noticed, confirmed by the next look, or gone. Nothing is deleted.

One pattern for each operator, code and table, over all nights while it is open, like those of
rounds; what happens again after a decision opens a new one that names the former.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from django.db import transaction

from audits.event_types import days as events
from audits.models import Finding
from audits.services.findings_without_rounds import count_night, pattern_of_cause
from audits.services.put_back import put_back
from compliance.actor import SYSTEM
from compliance.services.record import record
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from audits.models import GamblingDay, Pattern
    from audits.selectors.missing import Missing

NIGHT = "night."
CONTROLS = "WAC 230-15-425"
"""Internal controls are followed at all times; they say what is handed in, and by when."""
Standing = Finding.Standing


def note_missing(*, day: GamblingDay, missing: Iterable[Missing]) -> tuple[int, int]:
    """Say what a day lacks now: how many findings are new, and how many earlier ones are gone."""
    lacking = {_identity(day, each): each for each in missing}
    with transaction.atomic(), without_walls():
        known = {
            each.identity: each
            for each in Finding.objects.select_for_update(of=("self",))
            .filter(pattern__party=day.party, pattern__code__startswith=NIGHT, day=day.day)
            .select_related("pattern")
        }
        touched = {each.pattern_id: each.pattern for each in known.values()}
        noticed = gone = 0
        for identity, each in lacking.items():
            before = known.get(identity)
            if before is None:
                pattern = pattern_of_cause(
                    party=day.party, code=each.code, game=each.game, table=each.table
                )
                touched[pattern.pk] = pattern
                _add(day, pattern, identity, each)
                noticed += 1
            else:
                noticed += _stand(before, Standing.CONFIRMED)
        for identity, finding in known.items():
            if identity not in lacking:
                gone += _stand(finding, Standing.GONE)
        for pattern in touched.values():
            count_night(pattern, day.day)
        if noticed or gone:
            record(
                events.FINDINGS_CHANGED,
                by=SYSTEM,
                party=day.party,
                carries={
                    "day": str(day.day),
                    "noticed": noticed,
                    "gone": gone,
                    "codes": sorted({each.code for each in lacking.values()}),
                },
            )
    return noticed, gone


def _identity(day: GamblingDay, missing: Missing) -> str:
    told = f"{day.party.uuid}/{day.day}/{missing.code}/{missing.key}"
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _add(day: GamblingDay, pattern: Pattern, identity: str, missing: Missing) -> None:
    Finding.objects.create(
        pattern=pattern,
        identity=identity,
        day=day.day,
        at=missing.at,
        logged=missing.says,
        expected=missing.awaited,
        cites=[CONTROLS],
        log_sha256=missing.log,
    )


def _stand(finding: Finding, standing: Finding.Standing) -> bool:
    """Set how a finding stands; whether it came back, or went."""
    turned = (finding.standing == Standing.GONE) != (standing == Standing.GONE)
    if finding.standing != standing:
        finding.standing = standing
        finding.save(update_fields=["standing"])
    if turned and not finding.pattern.open:
        told = f"{finding.day}: {finding.logged} ({Standing(standing).label.lower()})"
        put_back(pattern=finding.pattern, day=finding.day, says=told)
    return turned
