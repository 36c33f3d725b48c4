"""What is in force at each table now, as a part of the operator's home page."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils import timezone

from compliance import clock
from compliance.models import RuleVersion
from compliance.selectors.controls import newest_version
from compliance.selectors.games import names_of_games
from compliance.selectors.tables_in_force import tables_in_force
from compliance.web.lists import dollars

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.models import Party
    from compliance.selectors.tables_in_force import GameInForce


def today(_: HttpRequest, party: Party) -> dict[str, Any]:
    """Games with their tables, neighbours of the same limits in one row, and the next change.

    A supplier's filing is not the operator's to open: what the commission approved of it stands in
    the reading room, where that is open.
    """
    games = names_of_games()
    found = tables_in_force(party)
    rules = {each.rule_version.pk for each in found if each.rule_version}
    return {
        "at": f"{timezone.localtime(clock.now()):%Y-%m-%d %H:%M}",
        "newest": newest_version(party),
        "opens_rules": set(RuleVersion.objects.filter(pk__in=rules).values_list("pk", flat=True)),
        "reads_rules": settings.READING_ROOM,
        "games": [
            {"found": each, "name": games.get(each.game, each.game), "tables": _tables(each)}
            for each in found
        ],
    }


def _tables(found: GameInForce) -> list[dict[str, Any]]:
    alike = groupby(found.tables, lambda name: _limits(found, name))
    return [{"names": list(names), "limits": limits} for limits, names in alike]


def _limits(found: GameInForce, table: str) -> list[tuple[str, str]]:
    return [
        (wager.replace("_", " "), f"{dollars(low)} to {dollars(high)}")
        for wager, (low, high) in found.tables[table].items()
    ]
