"""Patterns found by what an agent has in hand: a round, table, player, amount, clause or code."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from django.db.models import Q

from audits.models import Finding, Pattern, PatternClause
from games.judge.finding import CODES
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from django.db.models import QuerySet

AMOUNT = re.compile(
    r"[+\-−]?(?P<dollar>\$?)(?P<whole>[0-9][0-9,]{0,14})(?:\.(?P<cents>[0-9]{2}))?", re.ASCII
)
LAW = ("WAC ", "RCW ")


def sought(found: QuerySet[Pattern], words: str) -> QuerySet[Pattern]:
    """Those of some patterns that fit what was typed, each by one look into an index.

    An amount fits whichever way it went; without its dollar sign it may be a name as well. A clause
    is one that any finding of the pattern rests on.
    """
    words = words.strip()
    sum_of = Q()
    if amount := AMOUNT.fullmatch(words):
        cents = int(amount["whole"].replace(",", "")) * 100 + int(amount["cents"] or 0)
        sum_of = _of_amount(cents)
        if amount["dollar"]:
            return found.filter(sum_of)
    if words.lower() in CODES:
        return found.filter(code=words.lower())
    clause = words[:4].upper() + words[4:]
    if clause in clauses() or clause.startswith(LAW):
        citing = PatternClause.objects.filter(clause__in={words, clause}).order_by()
        return found.filter(pk__in=citing.values("pattern"))
    of_round = Finding.objects.filter(round=words).order_by().values("pattern")
    of_player = Finding.objects.filter(player=words).exclude(player="").order_by()
    named = Q(table=words) | Q(pk__in=of_round) | Q(pk__in=of_player.values("pattern"))
    return found.filter(named | sum_of)


@cache
def clauses() -> frozenset[str]:
    """Every clause and reading of the five games by its id, as findings cite it."""
    rules = [rule_set(slug) for slug in SLUGS]
    return frozenset(id_ for each in rules for id_ in (*each.clauses, *each.interpretations))


def _of_amount(cents: int) -> Q:
    one = Finding.objects.filter(delta__in=(cents, -cents)).exclude(delta=0).order_by()
    return (
        Q(over__in=(cents, -cents)) | Q(under__in=(cents, -cents)) | Q(pk__in=one.values("pattern"))
    )
