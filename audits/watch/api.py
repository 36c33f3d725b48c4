"""API of the watch, for the commission's programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.watch.presentation import INNOCENT
from audits.watch.reads import coverage, records_of, streams
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import CodeField, DayField, operator_of, require_reach
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of

if TYPE_CHECKING:
    from rest_framework.request import Request

USUAL, MOST = 100, 10_000


class WatchQuery(serializers.Serializer[Any]):
    """Of which operator, through which day, and how many."""

    operator = CodeField()
    day = DayField(required=False, help_text="Last gambling day to include.")
    kind = serializers.ChoiceField(list(INNOCENT), required=False)
    limit = serializers.IntegerField(required=False, default=USUAL, min_value=1, max_value=MOST)


class StreamShape(serializers.Serializer[Any]):
    """One bet against chance."""

    operator = serializers.CharField()
    stream = serializers.CharField(help_text="Game, whose cards or results, and which.")
    kind = serializers.CharField(help_text="The code of its alarm.")
    statistic = serializers.CharField()
    expected = serializers.FloatField(help_text="By chance under the approved rules.")
    observed = serializers.FloatField()
    evidence = serializers.FloatField(help_text="log10 of the e-value.")
    alarm = serializers.BooleanField()


class HintShape(serializers.Serializer[Any]):
    """Something unusual about the records of a table. It never alarms."""

    game = serializers.CharField()
    table = serializers.CharField()
    what = serializers.CharField()
    says = serializers.CharField(help_text="What is unusual, and what is usual.")
    innocent = serializers.CharField(help_text="What may explain it.")


class WatchShape(serializers.Serializer[Any]):
    """An operator's streams."""

    count = serializers.IntegerField(help_text="All streams of the query.")
    uncounted = serializers.IntegerField(help_text="Segments on file that are not included.")
    streams = StreamShape(many=True, help_text="The strongest evidence first, up to the limit.")
    hints = HintShape(many=True, help_text="From times, paces, amounts and repeated deals.")


class Watch(Operation):
    """The watch."""

    operation = "watch"
    rows_in = "streams"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[WatchQuery], responses=WatchShape)
    def get(self, request: Request) -> Response:
        """What chance would do, and what an operator's tables did."""
        query = query_of(request, WatchQuery)
        require_sight(request, Action.SEE_FINDINGS)
        operator = operator_of(request, query["operator"], Action.SEE_FINDINGS)
        day = query.get("day")
        if day is not None:
            require_reach(day, "day")
        found = [
            each.as_row(operator.code)
            for each in streams(operator, up_to=day)
            if query.get("kind") in {None, each.kind}
        ]
        uncounted = coverage(operator, up_to=day).uncounted
        answer = {
            "count": len(found),
            "uncounted": uncounted,
            "streams": found[: query["limit"]],
            "hints": [
                {"game": game, "table": table, **hint._asdict()}
                for (game, table), records in records_of(operator).items()
                for hint in records.hints()
            ],
        }
        return Response(WatchShape(answer).data)
