"""Round logs and cases, as things that a legal hold can be placed on."""

from __future__ import annotations

import re
from uuid import UUID

from django.db.models import Q

from audits.models import Case, RoundLog
from compliance.holdable import Found, Kind

CASE = re.compile(r"(?:CR )?(\d{4})-(\d{5})")


def _log(name: str) -> Found | None:
    try:
        named = Q(uuid=UUID(name))
    except ValueError:
        named = Q(sha256=name.lower())
    found = list(RoundLog.objects.filter(named).select_related("party")[:2])
    if len(found) != 1:
        return None  # a file that two operators handed in: its number tells which
    (log,) = found
    return Found(log.uuid, log.uuid, f"round log {log.name} of {log.party}", log.party)


def _case(name: str) -> Found | None:
    written = CASE.fullmatch(name)
    if written is None:
        return None
    year, serial = map(int, written.groups())
    case = Case.objects.filter(year=year, serial=serial).select_related("party").first()
    if case is None:
        return None
    return Found(case.uuid, case.party.uuid, f"case {case}: all of {case.party}", case.party)


KINDS = (
    Kind("log", "Round log", "Write its number or its whole SHA-256.", _log),
    Kind("case", "Case", "Write its number, as CR 2025-00012; all of its operator is held.", _case),
)
