"""What days lacked: its findings are in no file, so the event that changed them keeps a digest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Q

from audits.intake.events import FINDINGS_CHANGED
from audits.replay.findings.models import Finding, IssueNight
from compliance.access.models import Party
from compliance.access.scope import without_access_scope
from compliance.events.canonical import digest
from compliance.events.digests import plain
from compliance.events.models import Event
from compliance.verification.snapshot import one_snapshot

if TYPE_CHECKING:
    from datetime import date
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.event_log.verifier import Answer


FIELDS = ("identity", "logged", "expected", "at", "cites", "delta", "log_sha256", "issue__uuid")
GONE = Finding.Standing.GONE
NIGHT = "night."


def digest_of_missing(party: Party, day: date | str) -> str:
    """Return the digest of what a day lacked, and of what it lacks no more."""
    rows = _of_nights().filter(issue__party=party, day=day)
    return digest(
        [
            [*map(plain, values), standing == GONE]
            for *values, standing in rows.order_by("identity").values_list(*FIELDS, "standing")
        ]
    )


def _of_nights() -> QuerySet[Finding]:
    """Return what days lack; alarms of the watch and what visits found are in no replay, either."""
    return Finding.objects.filter(issue__code__startswith=NIGHT, replay__isnull=True)


def check_missing(answer: Answer) -> None:
    """Report days whose findings about what they lack are not those that events recorded."""
    with without_access_scope(), one_snapshot():
        recorded = _recorded()
        parties = {party.uuid: party for party in Party.objects.all()}
        for (party, day), (event, kept) in recorded.items():
            answer.checked += 1
            if party not in parties:
                continue  # a party that is gone is named itself
            if digest_of_missing(parties[party], day) != kept:
                what = f"what this day lacks is not what event {event:,} recorded"
                answer.broken(what, f"audits.finding of {parties[party].code} {day}")
        _check_unrecorded(answer, recorded)
        _check_counts(answer)


def _recorded() -> dict[tuple[UUID, str], tuple[int, str]]:
    changed = Event.objects.filter(type=FINDINGS_CHANGED.name).exclude(after="").order_by("pk")
    rows = changed.values_list("pk", "party", "payload", "after")
    return {
        (party, payload["day"]): (event, after)
        for event, party, payload, after in rows.iterator()
        if party is not None
    }


def _check_unrecorded(answer: Answer, recorded: dict[tuple[UUID, str], tuple[int, str]]) -> None:
    rows = _of_nights().order_by().distinct()
    for party, code, day in rows.values_list("issue__party__uuid", "issue__party__code", "day"):
        if (party, str(day)) not in recorded:
            what = "no event recorded what this day lacks"
            answer.broken(what, f"audits.finding of {code} {day}")


def _check_counts(answer: Answer) -> None:
    """Compare nights without a replay with the findings that they count."""
    counted = {
        (issue, day): count
        for issue, day, count in Finding.objects.filter(replay__isnull=True)
        .order_by()
        .values_list("issue", "day")
        .annotate(count=Count("pk", filter=~Q(standing=GONE)))
    }
    nights = IssueNight.objects.filter(replay__isnull=True)
    for key, issue, day, findings in nights.values_list("pk", "issue", "day", "findings"):
        answer.checked += 1
        if counted.pop((issue, day), None) != findings:
            answer.broken("does not count the findings of its day", f"audits.issuenight {key}")
    for issue, day in counted:
        answer.broken("is missing, though findings need it", f"audits.issuenight of {issue} {day}")
