"""Findings of a day (`night.*`): noticed, confirmed by the next look, or gone. Nothing is deleted.

One pattern for each operator, code and table, over all nights while it is open, like those of
rounds; what happens again after a decision opens a new one that names the former.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max, Min, Sum

from audits.event_types import days as events
from audits.models import Finding, Pattern, PatternNight, PatternVisibility
from audits.selectors.commission import commission_unit
from audits.services.put_back import put_back
from audits.services.release import release_as_standing
from audits.services.work import work_on
from compliance import clock
from compliance.actor import SYSTEM
from compliance.services.record import record
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from audits.models import GamblingDay
    from audits.selectors.missing import Missing

NIGHT = "night."
WEIGHT = "notice"
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
                pattern = _pattern_of(day, each)
                touched[pattern.pk] = pattern
                _add(day, pattern, identity, each)
                noticed += 1
            else:
                noticed += _stand(before, Standing.CONFIRMED)
        for identity, finding in known.items():
            if identity not in lacking:
                gone += _stand(finding, Standing.GONE)
        for pattern in touched.values():
            _count(pattern, day)
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


def _pattern_of(day: GamblingDay, missing: Missing) -> Pattern:
    """The open pattern of a cause, or a new one after the last that was decided."""
    cause = {
        "party": day.party,
        "game": missing.game,
        "table": missing.table,
        "code": missing.code,
        "wager": "",
        "line": "",
    }
    found = Pattern.objects.filter(open=True, **cause).first()
    if found is not None:
        return found
    made = Pattern.objects.create(
        **cause,
        weight=WEIGHT,
        opened=clock.now(),
        again_after=Pattern.objects.filter(open=False, **cause).order_by("-pk").first(),
    )
    PatternVisibility.objects.create(shown=made, party=commission_unit())
    work_on(pattern=made, unit=commission_unit())
    release_as_standing(pattern=made)
    return made


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


def _count(pattern: Pattern, day: GamblingDay) -> None:
    """Count a pattern's night again, and the pattern over its nights."""
    holding = pattern.shown_findings.filter(day=day.day).exclude(standing=Standing.GONE)
    figures = holding.aggregate(first=Min("at"), last=Max("at"))
    PatternNight.objects.update_or_create(
        pattern=pattern,
        day=day.day,
        defaults={"findings": holding.count(), "rounds": 0, "over": 0, "under": 0, **figures},
    )
    over_all = pattern.nights.aggregate(
        findings=Sum("findings"), first=Min("first"), last=Max("last")
    )
    for name, value in over_all.items():
        setattr(pattern, name, value)
    pattern.save(update_fields=list(over_all))
