"""Cases as one looks for them: by operator, state, level, and number or title."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from audits.models import Case

NUMBER = re.compile(r"(?:CR\s*)?(\d{4})-(\d{1,9})", re.IGNORECASE)
APPARENT = "apparent"
"""No level is recommended yet: an apparent violation."""


def chosen_cases(found: QuerySet[Case], said: Mapping[str, Any]) -> QuerySet[Case]:
    """Those that are asked for: `operator` (a party), `state`, `level`, and `sought`."""
    if operator := said.get("operator"):
        found = found.filter(party=operator)
    if state := said.get("state"):
        found = found.filter(state=state)
    if level := said.get("level"):
        found = found.filter(level="" if level == APPARENT else level)
    sought = said.get("sought", "")
    if number := NUMBER.fullmatch(sought):
        return found.filter(year=int(number[1]), serial=int(number[2]))
    return found.filter(title__icontains=sought) if sought else found
