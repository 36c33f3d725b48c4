"""The rounds of a table about a time, and on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.selectors.table_rounds import (
    PlayedRound,
    Stretch,
    removed_near,
    rounds_after,
    rounds_around,
    rounds_before,
)
from compliance.api.fields import CodeField, InstantField, at, operator_of, require_reach
from compliance.api.lists import NO_SUCH_PAGE
from compliance.api.operation import Operation, require_sight
from compliance.api.problems import Problem
from compliance.api.reading import TextField, query_of
from compliance.keyset import mark_of, read_mark
from compliance.permissions import Action, KeyScope

if TYPE_CHECKING:
    from datetime import datetime

    from rest_framework.request import Request

    from compliance.models import Party

LIST: Final = "api.rounds"
WAYS: Final = {"before": rounds_before, "after": rounds_after}
LONGEST_CURSOR: Final = 200


class TableRoundsQuery(serializers.Serializer[Any]):
    """Of which table, about which instant; or on from a list before."""

    operator = CodeField()
    table = TextField(min_length=1, max_length=32)
    at = InstantField(help_text="With its offset: 2025-07-12T22:15:00-07:00.")
    cursor = serializers.RegexField(
        r"^[-A-Za-z0-9_:.=]{1,200}$",
        required=False,
        max_length=LONGEST_CURSOR,
        help_text="`earlier` or `later` of a list before.",
    )
    limit = serializers.IntegerField(required=False, default=24, min_value=2, max_value=100)


class PlayedRoundShape(serializers.Serializer[Any]):
    """A round, by its number."""

    round = serializers.CharField()
    game = serializers.CharField()
    day = serializers.DateField(help_text="The gambling day.")
    at = serializers.DateTimeField(help_text="When it ended.")


class TableRoundsShape(serializers.Serializer[Any]):
    """Rounds in the order in which they ended."""

    rounds = PlayedRoundShape(many=True)
    earlier = serializers.CharField(allow_null=True, help_text="The cursor of those before.")
    later = serializers.CharField(allow_null=True, help_text="The cursor of those after.")


class TableRounds(Operation):
    """Rounds of a table."""

    operation = "rounds"
    reads = frozenset({KeyScope.ROUNDS})

    @extend_schema(parameters=[TableRoundsQuery], responses=TableRoundsShape)
    def get(self, request: Request) -> Response:
        """Half of the rounds ended before the instant, half after it, as far as there are any."""
        said = query_of(request, TableRoundsQuery)
        operator = operator_of(request, said["operator"])
        require_sight(request, Action.SEE_ROUNDS)
        require_reach(said["at"], "at")
        found = _stretch(operator, said)
        if not found.rounds:
            _tell_of_removal(operator, said["table"], said["at"])
        return Response(
            {
                "rounds": [_told(each) for each in found.rounds],
                "earlier": _mark("before", found.rounds[0]) if found.earlier else None,
                "later": _mark("after", found.rounds[-1]) if found.later else None,
            }
        )


def _stretch(operator: Party, said: dict[str, Any]) -> Stretch:
    table, limit = said["table"], said["limit"]
    if "cursor" not in said:
        return rounds_around(operator, table, said["at"], limit // 2)
    key = read_mark(said["cursor"], of=LIST, parts=4)
    if key is None:
        raise Problem(404, NO_SUCH_PAGE, code="no_such_page")
    way, ended, segment, row = key
    return WAYS[way](operator, table, (ended, segment, row), limit)


def _tell_of_removal(operator: Party, table: str, when: datetime) -> None:
    if says := removed_near(operator, table, when, when):
        raise Problem(410, says)


def _mark(way: str, edge: PlayedRound) -> str:
    return mark_of([way, *edge.key], of=LIST)


def _told(each: PlayedRound) -> dict[str, Any]:
    return {"round": each.id, "game": each.game, "day": str(each.day), "at": at(each.at)}
