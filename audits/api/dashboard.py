"""How things stand over some weeks, for the commission's own programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.selectors.dashboard import dashboard
from compliance.api.fields import CodeField, DayField, operator_of, require_reach
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of
from compliance.permissions import Action, KeyScope

if TYPE_CHECKING:
    from rest_framework.request import Request

USUAL, LONGEST = 28, 366


class DashboardQuery(serializers.Serializer[Any]):
    """Of how many days, up to which, and of whom."""

    days = serializers.IntegerField(
        required=False, default=USUAL, min_value=1, max_value=LONGEST, help_text="Gambling days."
    )
    up_to = DayField(required=False, help_text="The last of them; today's, where none is said.")
    operator = CodeField(required=False)


class SpanShape(serializers.Serializer[Any]):
    """A gambling day, or of many a week; in cents."""

    first = serializers.DateField()
    last = serializers.DateField()
    rounds = serializers.IntegerField(help_text="That were judged.")
    findings = serializers.IntegerField()
    over = serializers.IntegerField()
    under = serializers.IntegerField()
    ran = serializers.IntegerField(help_text="Nights that the nightly run came by.")
    missed = serializers.IntegerField(help_text="Nights that it did not.")


class CodeSumShape(serializers.Serializer[Any]):
    """What was found of one code at one operator."""

    code = serializers.CharField()
    operator = serializers.CharField()
    patterns = serializers.IntegerField()
    findings = serializers.IntegerField()
    rounds = serializers.IntegerField()
    over = serializers.IntegerField()
    under = serializers.IntegerField()


class AgeShape(serializers.Serializer[Any]):
    """Open patterns by how long ago they were opened."""

    age = serializers.CharField()
    patterns = serializers.IntegerField()


class MissedNightShape(serializers.Serializer[Any]):
    """A gambling day that closed and that the nightly run did not come by."""

    operator = serializers.CharField()
    day = serializers.DateField()


class NearCapShape(serializers.Serializer[Any]):
    """An approved maximum near the cap; in cents."""

    operator = serializers.CharField()
    game = serializers.CharField()
    table = serializers.CharField()
    wager = serializers.CharField()
    maximum = serializers.IntegerField()
    cap = serializers.IntegerField()


class DashboardShape(serializers.Serializer[Any]):
    """How things stand."""

    spans = SpanShape(many=True)
    causes = CodeSumShape(many=True, help_text="What moved most first; twenty of them.")
    more_causes = serializers.IntegerField(help_text="How many more there are.")
    ages = AgeShape(many=True)
    late = serializers.IntegerField(help_text="Open patterns past the day they were due.")
    missed = MissedNightShape(many=True, help_text="The newest twenty.")
    near_cap = NearCapShape(many=True)


class HowThingsStand(Operation):
    """The dashboard."""

    operation = "dashboard"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[DashboardQuery], responses=DashboardShape)
    def get(self, request: Request) -> Response:
        """Sums over gambling days, open work by its age, limits near the cap."""
        said = query_of(request, DashboardQuery)
        require_sight(request, Action.SEE_FINDINGS)
        operator = operator_of(request, said["operator"]) if "operator" in said else None
        if "up_to" in said:
            require_reach(said["up_to"], "up_to")
        shown = dashboard(days=said["days"], up_to=said.get("up_to"), operator=operator)
        return Response(
            {
                "spans": [
                    asdict(each) | {"first": str(each.first), "last": str(each.last)}
                    for each in shown.spans
                ],
                "causes": [_cause(each) for each in shown.causes],
                "more_causes": shown.more_causes,
                "ages": [{"age": name, "patterns": count} for name, count in shown.ages],
                "late": shown.late,
                "missed": [
                    {"operator": each.party.code, "day": str(each.day)} for each in shown.missed
                ],
                "near_cap": [
                    {
                        "operator": each.operator.code,
                        "game": each.game,
                        "table": each.table,
                        "wager": each.wager,
                        "maximum": each.maximum,
                        "cap": each.cap,
                    }
                    for each in shown.near
                ],
            }
        )


def _cause(row: dict[str, Any]) -> dict[str, Any]:
    names = ("findings", "rounds", "over", "under")
    return {
        "code": row["pattern__code"],
        "operator": row["pattern__party__code"],
        "patterns": row["patterns"],
        **{name: row[f"sum_{name}"] for name in names},
    }
