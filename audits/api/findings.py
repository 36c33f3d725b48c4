"""Findings and the patterns they make: all to the commission, to others what was released."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.models import Finding, Pattern
from audits.selectors.patterns import (
    chosen_patterns,
    pattern_as_told,
    patterns_in_state,
    standing_patterns,
)
from compliance.api.fields import CodeField, DayField, at, chosen, operator_of
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.operation import Operation, allows, require_sight
from compliance.api.problems import Problem, fault
from compliance.api.reading import TextField, query_of
from compliance.permissions import Action, KeyScope
from games.judge.finding import CODES, Weight
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

STATES = [("open", "Open"), *Pattern.State.choices]
INTERNAL = "What an agent says of a pattern is internal to the commission."

WHOSE = (
    "They are players', but for the wager `house`, which is the house's own, and "
    "`settlement.balance`, which says what a table comes to in sum."
)


class PatternQuery(PageQuery):
    """Which patterns to list."""

    operator = CodeField(required=False)
    game = serializers.ChoiceField(list(SLUGS), required=False)
    table = TextField(required=False, max_length=32)
    code = serializers.ChoiceField(sorted(CODES), required=False)
    weight = serializers.ChoiceField([each.value for each in Weight], required=False)
    state = serializers.ChoiceField(
        STATES,
        required=False,
        help_text="For keys of the commission.",
    )
    day = DayField(required=False, help_text="Gambling day on which it occurred.")
    moved = serializers.IntegerField(
        required=False, min_value=0, max_value=2**53, help_text="Cents that moved at least."
    )
    q = TextField(
        required=False, max_length=100, help_text="A round, table, player, amount, clause or code."
    )


class PatternShape(serializers.Serializer[Any]):
    """Findings of one cause."""

    pattern = serializers.UUIDField()
    operator = serializers.CharField()
    game = serializers.CharField(allow_null=True)
    table = serializers.CharField(allow_null=True)
    code = serializers.CharField()
    weight = serializers.CharField()
    wager = serializers.CharField(allow_null=True)
    line = serializers.CharField(allow_null=True)
    findings = serializers.IntegerField()
    rounds = serializers.IntegerField()
    over = serializers.IntegerField(help_text=f"Cents too much. {WHOSE}")
    under = serializers.IntegerField(help_text=f"Cents too little. {WHOSE}")
    first = serializers.DateTimeField(allow_null=True)
    last = serializers.DateTimeField(allow_null=True)
    diagnosis = serializers.CharField(allow_null=True)
    state = serializers.CharField(required=False, help_text="Told to the commission alone.")


class FindingQuery(PageQuery):
    """Which findings to list."""

    operator = CodeField(required=False)
    pattern = serializers.UUIDField(required=False)
    day = DayField(required=False, help_text="Gambling day.")
    code = serializers.ChoiceField(sorted(CODES), required=False)
    round = TextField(required=False, max_length=64)


class FindingShape(serializers.Serializer[Any]):
    """A finding in full: the round as logged and as it should have been."""

    operator = serializers.CharField()
    day = serializers.DateField()
    game = serializers.CharField(allow_null=True)
    table = serializers.CharField(allow_null=True)
    round = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)
    code = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    wager = serializers.CharField(allow_null=True)
    logged = serializers.JSONField()
    expected = serializers.JSONField()
    delta = serializers.IntegerField(help_text="Cents; what was logged above what was due.")
    cites = serializers.ListField(child=serializers.CharField())
    player = serializers.CharField(allow_null=True, help_text="A pseudonym.")
    pattern = serializers.UUIDField()


class Patterns(Operation):
    """Patterns."""

    operation = "patterns"
    reads = frozenset({KeyScope.FINDINGS})

    @extend_schema(parameters=[PatternQuery], responses=page_of(PatternShape))
    def get(self, request: Request) -> Response:
        """Patterns, the newest first."""
        said = query_of(request, PatternQuery)
        require_sight(request, Action.SEE_RELEASED)
        inside = allows(request, Action.SEE_FINDINGS)
        if "state" in said and not inside:
            faults = [fault("query", "state", INTERNAL, "internal")]
            raise Problem(403, INTERNAL, code="internal", errors=faults)
        operator = operator_of(request, said["operator"]) if "operator" in said else None
        found = patterns_in_state(standing_patterns(inside=inside), said.get("state", ""))
        found = chosen_patterns(found, said | {"operator": operator})
        shown = found.select_related("party")
        return Response(page(shown, said, lambda each: _told(each, inside=inside), of="patterns"))


class OnePattern(Operation):
    """A pattern."""

    operation = "pattern"
    reads = frozenset({KeyScope.FINDINGS})

    @extend_schema(responses=PatternShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """What happened, how often, and what it moved."""
        require_sight(request, Action.SEE_RELEASED)
        found = get_object_or_404(Pattern.objects.select_related("party"), uuid=uuid)
        return Response(_told(found, inside=allows(request, Action.SEE_FINDINGS)))


class Findings(Operation):
    """Findings."""

    operation = "findings"
    reads = frozenset({KeyScope.FINDINGS})

    @extend_schema(parameters=[FindingQuery], responses=page_of(FindingShape))
    def get(self, request: Request) -> Response:
        """Findings that stand, oldest first: of each pattern and segment the first ones, in full.

        A broken table makes a million of one kind. All of a replay are in its own file.
        """
        said = query_of(request, FindingQuery)
        require_sight(request, Action.SEE_RELEASED)
        found = Finding.objects.exclude(standing=Finding.Standing.GONE)
        found = chosen(
            found.select_related("pattern__party"),
            request,
            said,
            operator="pattern__party",
            pattern="pattern__uuid",
            code="pattern__code",
            day="day",
            round="round",
        )
        return Response(page(found, said, _finding, by=("pk",), of="findings"))


def _told(pattern: Pattern, *, inside: bool) -> dict[str, Any]:
    told = pattern_as_told(pattern) | {"weight": pattern.weight, "findings": pattern.findings}
    if not inside:
        del told["state"]
    return told


def _finding(finding: Finding) -> dict[str, Any]:
    pattern = finding.pattern
    return {
        "operator": pattern.party.code,
        "day": str(finding.day),
        "game": pattern.game or None,
        "table": pattern.table or None,
        "round": finding.round or None,
        "at": at(finding.at),
        "code": pattern.code,
        "seat": finding.seat,
        "wager": pattern.wager or None,
        "logged": finding.logged,
        "expected": finding.expected,
        "delta": finding.delta,
        "cites": finding.cites,
        "player": finding.player or None,
        "pattern": str(pattern.uuid),
    }
