"""API for the rounds of a table around a time, and from there on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.intake.rounds import (
    PlayedRound,
    Stretch,
    removed_near,
    rounds_after,
    rounds_around,
    rounds_before,
)
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    NO_SUCH_PAGE,
    CodeField,
    InstantField,
    at,
    operator_of,
    require_reach,
)
from compliance.api.operation import Operation, require_sight
from compliance.api.problems import Problem
from compliance.api.reading import TextField, query_of
from compliance.ui.lists import mark_of, read_mark

if TYPE_CHECKING:
    from datetime import datetime

    from rest_framework.request import Request

    from compliance.access.models import Party


LIST: Final = "api.rounds"
WAYS: Final = {"before": rounds_before, "after": rounds_after}
LONGEST_CURSOR: Final = 200


class TableRoundsQuery(serializers.Serializer[Any]):
    """A table and a time, or a cursor from an earlier response."""

    operator = CodeField()
    table = TextField(min_length=1, max_length=32)
    at = InstantField(help_text="With an offset: 2025-07-12T22:15:00-07:00.")
    cursor = serializers.RegexField(
        r"^[-A-Za-z0-9_:.=]{1,200}$",
        required=False,
        max_length=LONGEST_CURSOR,
        help_text="`earlier` or `later` from an earlier response.",
    )
    limit = serializers.IntegerField(required=False, default=24, min_value=2, max_value=100)


class PlayedRoundShape(serializers.Serializer[Any]):
    """A round, by its ID."""

    round = serializers.CharField()
    game = serializers.CharField()
    day = serializers.DateField(help_text="The gambling day.")
    at = serializers.DateTimeField(help_text="When it ended.")


class TableRoundsShape(serializers.Serializer[Any]):
    """Rounds in the order in which they ended."""

    rounds = PlayedRoundShape(many=True)
    earlier = serializers.CharField(allow_null=True, help_text="Cursor of earlier rounds.")
    later = serializers.CharField(allow_null=True, help_text="Cursor of later rounds.")


class TableRounds(Operation):
    """Rounds of a table."""

    operation = "rounds"
    rows_in = "rounds"
    reads = frozenset({KeyScope.ROUNDS})

    @extend_schema(parameters=[TableRoundsQuery], responses=TableRoundsShape)
    def get(self, request: Request) -> Response:
        """List rounds around a time: up to half ended before it, and half after it."""
        query = query_of(request, TableRoundsQuery)
        operator = operator_of(request, query["operator"])
        require_sight(request, Action.SEE_ROUNDS)
        require_reach(query["at"], "at")
        stretch = _stretch(operator, query)
        if not stretch.rounds:
            _require_kept(operator, query["table"], query["at"])
        return Response(
            {
                "rounds": [_round_data(each) for each in stretch.rounds],
                "earlier": _mark("before", stretch.rounds[0]) if stretch.earlier else None,
                "later": _mark("after", stretch.rounds[-1]) if stretch.later else None,
            }
        )


def _stretch(operator: Party, query: dict[str, Any]) -> Stretch:
    table, limit = query["table"], query["limit"]
    if "cursor" not in query:
        return rounds_around(operator, table, query["at"], limit // 2)
    key = read_mark(query["cursor"], of=LIST, parts=4)
    if key is None:
        raise Problem(404, NO_SUCH_PAGE, code="no_such_page")
    way, ended, segment, row = key
    return WAYS[way](operator, table, (ended, segment, row), limit)


def _require_kept(operator: Party, table: str, when: datetime) -> None:
    if says := removed_near(operator, table, when, when):
        raise Problem(410, says)


def _mark(way: str, edge: PlayedRound) -> str:
    return mark_of([way, *edge.key], of=LIST)


def _round_data(each: PlayedRound) -> dict[str, Any]:
    return {"round": each.id, "game": each.game, "day": str(each.day), "at": at(each.at)}
