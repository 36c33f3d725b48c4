"""API for cases, for the commission's programs: the list, and one case with its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Prefetch
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.review.cases.models import Case, CaseItem
from audits.review.cases.reads import APPARENT, chosen_cases
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    InstantField,
    PageQuery,
    TextOrNull,
    operator_of,
    page,
    page_of,
)
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import TextField, query_of

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class CaseQuery(PageQuery):
    """Which cases to list."""

    operator = CodeField(required=False)
    state = serializers.ChoiceField(Case.State.choices, required=False)
    level = serializers.ChoiceField(
        [APPARENT, *Case.Level.values],
        required=False,
        help_text=f"As `recommended`; {APPARENT}: nothing is yet.",
    )
    sought = TextField(
        required=False, max_length=120, help_text="A number as CR 2026-00012, or of the title."
    )


class CaseShape(serializers.Serializer[Any]):
    """A case."""

    case = serializers.UUIDField(source="uuid")
    number = serializers.CharField()
    operator = serializers.CharField(source="party.code")
    title = serializers.CharField()
    state = serializers.ChoiceField(Case.State.choices)
    recommended = TextOrNull(
        source="level", help_text="The level that an agent recommends (WAC 230-17-137)."
    )
    opened = InstantField()
    closed = InstantField(allow_null=True)


class CaseItemShape(serializers.Serializer[Any]):
    """A piece of evidence in a case."""

    item = serializers.UUIDField(source="uuid")
    kind = serializers.ChoiceField(CaseItem.Kind.choices)
    issue = serializers.UUIDField(source="issue.uuid", allow_null=True)
    round = TextOrNull()
    document_version = serializers.UUIDField(source="paper.uuid", allow_null=True)
    text = serializers.CharField()
    by = serializers.UUIDField()
    at = InstantField()
    removed = TextOrNull(source="removal.reason", help_text="Why it was removed from the case.")


class NoteShape(serializers.Serializer[Any]):
    """A note for the commission alone."""

    text = serializers.CharField()
    by = serializers.UUIDField()
    at = InstantField()


class WholeCase(CaseShape):
    """A case with its evidence and notes."""

    reason = serializers.CharField(help_text="Why it was opened.")
    facts = serializers.CharField()
    recommended_because = TextOrNull(source="level_reason")
    items = CaseItemShape(many=True)
    notes = NoteShape(many=True)


class Cases(Operation):
    """Cases."""

    operation = "cases"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[CaseQuery], responses=page_of(CaseShape))
    def get(self, request: Request) -> Response:
        """The commission's cases, the newest first."""
        query = query_of(request, CaseQuery)
        require_sight(request, Action.SEE_FINDINGS)
        operator = operator_of(request, query["operator"]) if "operator" in query else None
        found = chosen_cases(Case.objects.select_related("party"), query | {"operator": operator})
        return Response(page(found, query, CaseShape, of="cases"))


class OneCase(Operation):
    """A case."""

    operation = "case"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(responses=WholeCase)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Its facts, its evidence, what is recommended."""
        require_sight(request, Action.SEE_FINDINGS)
        items = CaseItem.objects.select_related("issue", "paper", "removal")
        cases = Case.objects.select_related("party")
        cases = cases.prefetch_related(Prefetch("items", items), "notes")
        case = get_object_or_404(cases, uuid=uuid)
        return Response(WholeCase(case).data)
