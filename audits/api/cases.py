"""Cases, for the commission's own programs: the list, one with its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.api.desk import NoteShape, note_told
from audits.models import Case, CaseItem, CaseNote
from audits.selectors.cases import APPARENT, chosen_cases
from compliance.api.fields import CodeField, at, operator_of
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import TextField, query_of
from compliance.permissions import Action, KeyScope

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

    case = serializers.UUIDField()
    number = serializers.CharField()
    operator = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(Case.State.choices)
    recommended = serializers.CharField(
        allow_null=True, help_text="The level that an agent recommends (WAC 230-17-137)."
    )
    opened = serializers.DateTimeField()
    closed = serializers.DateTimeField(allow_null=True)


class CaseItemShape(serializers.Serializer[Any]):
    """Something gathered in a case."""

    item = serializers.UUIDField()
    kind = serializers.ChoiceField(CaseItem.Kind.choices)
    pattern = serializers.UUIDField(allow_null=True)
    round = serializers.CharField(allow_null=True)
    document_version = serializers.UUIDField(allow_null=True)
    text = serializers.CharField()
    by = serializers.UUIDField()
    at = serializers.DateTimeField()
    taken_out = serializers.CharField(allow_null=True, help_text="Why it lies in it no more.")


class WholeCase(CaseShape):
    """The same, with all that was gathered and said."""

    reason = serializers.CharField(help_text="Why it was opened.")
    facts = serializers.CharField()
    recommended_because = serializers.CharField(allow_null=True)
    items = CaseItemShape(many=True)
    notes = NoteShape(many=True)


class Cases(Operation):
    """Cases."""

    operation = "cases"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[CaseQuery], responses=page_of(CaseShape))
    def get(self, request: Request) -> Response:
        """The commission's cases, the newest first."""
        said = query_of(request, CaseQuery)
        require_sight(request, Action.SEE_FINDINGS)
        operator = operator_of(request, said["operator"]) if "operator" in said else None
        found = chosen_cases(Case.objects.select_related("party"), said | {"operator": operator})
        return Response(page(found, said, _told, of="cases"))


class OneCase(Operation):
    """A case."""

    operation = "case"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(responses=WholeCase)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Its facts, its evidence, what is recommended."""
        require_sight(request, Action.SEE_FINDINGS)
        case = get_object_or_404(Case.objects.select_related("party"), uuid=uuid)
        items = CaseItem.objects.filter(case=case).select_related("pattern", "paper", "removal")
        more = {
            "reason": case.reason,
            "facts": case.facts,
            "recommended_because": case.level_reason or None,
            "items": [_item(each) for each in items],
            "notes": [note_told(each) for each in CaseNote.objects.filter(case=case)],
        }
        return Response(_told(case) | more)


def _told(case: Case) -> dict[str, Any]:
    return {
        "case": str(case.uuid),
        "number": case.number,
        "operator": case.party.code,
        "title": case.title,
        "state": case.state,
        "recommended": case.level or None,
        "opened": at(case.opened),
        "closed": at(case.closed),
    }


def _item(each: CaseItem) -> dict[str, Any]:
    removal = getattr(each, "removal", None)
    return {
        "item": str(each.uuid),
        "kind": each.kind,
        "pattern": str(each.pattern.uuid) if each.pattern else None,
        "round": each.round or None,
        "document_version": str(each.paper.uuid) if each.paper else None,
        "text": each.text,
        "by": str(each.by),
        "at": at(each.at),
        "taken_out": removal.reason if removal else None,
    }
