"""What a tribe's compact says today, on its agency's home page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compliance import clock
from compliance.models import CompactValue
from compliance.selectors.licences import compact_value
from compliance.web.lists import dollars

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.models import Party


def compact_today(_: HttpRequest, party: Party) -> list[dict[str, Any]]:
    """Each value that applies today, with the day it changes next, where one is on file."""
    today = clock.today()
    told = []
    for rule in CompactValue.Rule:
        value = compact_value(party, rule, today)
        following = (
            CompactValue.objects.filter(compact__agency=party, rule=rule, from_date__gt=today)
            .order_by("from_date", "id")
            .first()
        )
        if value is not None or following is not None:
            told.append(
                {
                    "rule": rule.label.removesuffix(", in cents"),
                    "says": said(value) if value else "nothing before that day",
                    "value": value,
                    "next": following,
                    "next_says": said(following) if following else "",
                }
            )
    return told


def said(value: CompactValue) -> str:
    """A value as people read it."""
    if value.value is None:
        return "not known: nobody has read it"
    if value.rule == CompactValue.Rule.WAGER:
        return dollars(value.value)
    return f"{value.value:,}"
