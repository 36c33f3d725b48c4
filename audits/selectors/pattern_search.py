"""Patterns found by what an agent has in hand: a round, table, player, amount, clause or code."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from django.db.models import OuterRef, Q, Subquery, TextField
from django.db.models.functions import Cast

from audits.models import Finding, Pattern
from games.judge.finding import CODES
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from django.db.models import QuerySet

AMOUNT = re.compile(r"[+\-−]?\$(?P<whole>[0-9][0-9,]{0,14})(?:\.(?P<cents>[0-9]{2}))?", re.ASCII)
LAW = ("WAC ", "RCW ")


def sought(found: QuerySet[Pattern], words: str) -> QuerySet[Pattern]:
    """Those of some patterns that fit what was typed, each by one look into an index.

    An amount begins with a dollar sign, and fits whichever way it went; a clause is that of the
    pattern's first finding, since findings of one cause rest on the same clauses.
    """
    words = words.strip()
    if amount := AMOUNT.fullmatch(words):
        cents = int(amount["whole"].replace(",", "")) * 100 + int(amount["cents"] or 0)
        return found.filter(_of_amount(cents))
    if words in CODES:
        return found.filter(code=words)
    if words in clauses() or words.startswith(LAW):
        return found.filter(pk__in=_citing(found, words).values("pk"))
    of_round = Finding.objects.filter(round=words).order_by().values("pattern")
    of_player = Finding.objects.filter(player=words).exclude(player="").order_by()
    return found.filter(Q(table=words) | Q(pk__in=of_round) | Q(pk__in=of_player.values("pattern")))


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


def _citing(found: QuerySet[Pattern], clause: str) -> QuerySet[Pattern]:
    first = Finding.objects.filter(pattern=OuterRef("pk")).order_by("pk").values("cites")[:1]
    cited = found.order_by().annotate(first_cites=Cast(Subquery(first), TextField()))
    return cited.filter(first_cites__contains=f'"{clause}"')
