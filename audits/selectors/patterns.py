"""Patterns as other programs are told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Abs

from audits.models import Pattern, PatternNight
from audits.selectors.pattern_search import sought
from compliance.clock import told
from compliance.selectors.in_force import zone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from compliance.models import Party

PATTERN_FIELDS = (
    *("pattern", "operator", "game", "table", "code", "wager", "line"),
    *("rounds", "over", "under", "first", "last", "diagnosis", "state"),
)


def patterns(*, operator: Party | None = None) -> Iterator[dict[str, Any]]:
    """Every pattern whose findings are on file, of one operator or of all, oldest first."""
    found = Pattern.objects.select_related("party").exclude(findings=0).order_by("pk")
    if operator is not None:
        found = found.filter(party=operator)
    for pattern in found.iterator(chunk_size=500):
        yield pattern_as_told(pattern)


def pattern_as_told(pattern: Pattern) -> dict[str, Any]:
    """A pattern as the contract has it; it needs `party` selected."""
    return {
        "pattern": str(pattern.uuid),
        "operator": pattern.party.code,
        "game": pattern.game or None,
        "table": pattern.table or None,
        "code": pattern.code,
        "wager": pattern.wager or None,
        "line": pattern.line or None,
        "rounds": pattern.rounds,
        "over": pattern.over,
        "under": pattern.under,
        "first": _told(pattern.first),
        "last": _told(pattern.last),
        "diagnosis": pattern.diagnosis or None,
        "state": pattern.state,
    }


def standing_patterns(*, inside: bool) -> QuerySet[Pattern]:
    """Patterns of which something stands; within the commission those somebody looked at, too."""
    stands = Q(findings__gt=0)
    return Pattern.objects.filter(stands | ~Q(state=Pattern.State.NEW) if inside else stands)


def patterns_in_state(found: QuerySet[Pattern], state: str) -> QuerySet[Pattern]:
    """Those in a state, or `open`; every one where none is asked for."""
    if not state:
        return found
    return found.filter(Q(open=True) if state == "open" else Q(state=state))


def chosen_patterns(found: QuerySet[Pattern], said: Mapping[str, Any]) -> QuerySet[Pattern]:
    """Those that are asked for, by what is `said`.

    By game, table, code, weight, operator (a party), day, what moved at least (cents), and `q`:
    what an agent has in hand.
    """
    exact = {name: said[name] for name in ("game", "table", "code", "weight") if said.get(name)}
    if operator := said.get("operator"):
        exact["party"] = operator
    found = found.filter(**exact)
    if moved := said.get("moved"):
        found = found.alias(moved=Abs("over") + Abs("under")).filter(moved__gte=moved)
    if words := said.get("q"):
        found = sought(found, words)
    if day := said.get("day"):
        nights = PatternNight.objects.filter(pattern=OuterRef("pk"), day=day, findings__gt=0)
        found = found.filter(Exists(nights))
    return found


def _told(at: datetime | None) -> str | None:
    return told(at, zone()) if at is not None else None
