"""The commission's desk: what waits for whom until when, and what was decided on a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.api.findings import STATES, PatternQuery
from audits.models import Decision, Pattern, Proposal, ReviewNote
from audits.selectors.desk import due_when, on_desks
from audits.selectors.patterns import chosen_patterns, patterns_in_state
from compliance.api.fields import CodeField, at, chosen, day_of, operator_of
from compliance.api.lists import page, page_of
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of
from compliance.permissions import Action, KeyScope

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

BY_DUE = ("work__due", "pk")


class WorkQuery(PatternQuery):
    """Which work to list: by what patterns are narrowed by, whose it is, how late."""

    state = serializers.ChoiceField(
        [*STATES, ("any", "Every state")], required=False, help_text="Open, where none is said."
    )
    due = serializers.ChoiceField(
        ["late", "today", "week", "escalated", "proposed"], required=False
    )
    unit = CodeField(required=False, help_text="Code of the unit of the commission.")
    assigned = serializers.BooleanField(required=False, help_text="Whether somebody has it.")
    assigned_to = serializers.UUIDField(required=False, help_text="Whose desk it is on.")


class WorkShape(serializers.Serializer[Any]):
    """A pattern on a desk, and until when it is to be decided."""

    pattern = serializers.UUIDField()
    operator = serializers.CharField()
    code = serializers.CharField()
    weight = serializers.CharField()
    state = serializers.CharField(help_text="As the filter `state` names them.")
    due = serializers.DateField()
    assigned_to = serializers.UUIDField(allow_null=True, help_text="Whose desk it is on.")
    assigned = serializers.DateTimeField(allow_null=True)
    escalated = serializers.DateTimeField(allow_null=True, help_text="Put before supervisors.")


class Work(Operation):
    """Work."""

    operation = "work"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[WorkQuery], responses=page_of(WorkShape))
    def get(self, request: Request) -> Response:
        """Patterns on the commission's desks, what is due first first."""
        said = query_of(request, WorkQuery)
        require_sight(request, Action.SEE_FINDINGS)
        state = said.get("state", "open")
        found = patterns_in_state(on_desks(), "" if state == "any" else state)
        operator = operator_of(request, said.pop("operator")) if "operator" in said else None
        found = due_when(chosen_patterns(found, said | {"operator": operator}), said.get("due", ""))
        if "assigned" in said:
            said["assigned"] = not said["assigned"]
        found = chosen(
            found,
            request,
            said,
            unit="work__unit__code",
            assigned="work__assigned_to__isnull",
            assigned_to="work__assigned_to__uuid",
        )
        return Response(page(found, said, _work, by=BY_DUE, of="work"))


class DecisionShape(serializers.Serializer[Any]):
    """A step that was taken on a pattern, with its reason."""

    decision = serializers.UUIDField()
    step = serializers.CharField()
    was = serializers.CharField()
    state = serializers.CharField()
    reason = serializers.CharField()
    until = serializers.DateField(allow_null=True)
    case = serializers.UUIDField(allow_null=True)
    by = serializers.UUIDField()
    seconded_by = serializers.UUIDField(allow_null=True)
    at = serializers.DateTimeField()


class ProposalShape(serializers.Serializer[Any]):
    """A step that waits for a second pair of eyes."""

    step = serializers.CharField()
    reason = serializers.CharField()
    until = serializers.DateField(allow_null=True)
    by = serializers.UUIDField()
    at = serializers.DateTimeField()


class NoteShape(serializers.Serializer[Any]):
    """What somebody of the commission noted; no operator reads it."""

    text = serializers.CharField()
    by = serializers.UUIDField()
    at = serializers.DateTimeField()


class DecisionsShape(serializers.Serializer[Any]):
    """What was said of a pattern within the commission, the first first."""

    decisions = DecisionShape(many=True)
    proposed = ProposalShape(allow_null=True)
    notes = NoteShape(many=True)


class Decisions(Operation):
    """Decisions on a pattern."""

    operation = "decisions"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(responses=DecisionsShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Each step with its reason, what is proposed, what was noted."""
        require_sight(request, Action.SEE_FINDINGS)
        pattern = get_object_or_404(Pattern, uuid=uuid)
        taken = Decision.objects.filter(pattern=pattern).select_related("case")
        proposed = Proposal.objects.filter(pattern=pattern).select_related("by").first()
        notes = ReviewNote.objects.filter(pattern=pattern)
        return Response(
            {
                "decisions": [_decision(each) for each in taken],
                "proposed": _proposal(proposed) if proposed else None,
                "notes": [note_told(each) for each in notes],
            }
        )


def note_told(note: Any) -> dict[str, Any]:
    """A note of the commission's own, as its programs are told of it."""
    return {"text": note.text, "by": str(note.by), "at": at(note.at)}


def _work(pattern: Any) -> dict[str, Any]:
    work = pattern.work
    return {
        "pattern": str(pattern.uuid),
        "operator": pattern.party.code,
        "code": pattern.code,
        "weight": pattern.weight,
        "state": pattern.state,
        "due": str(work.due),
        "assigned_to": str(work.assigned_to.uuid) if work.assigned_to else None,
        "assigned": at(work.assigned),
        "escalated": at(work.escalated),
    }


def _decision(each: Decision) -> dict[str, Any]:
    return {
        "decision": str(each.uuid),
        "step": each.step,
        "was": each.was,
        "state": each.state,
        "reason": each.reason,
        "until": day_of(each.until),
        "case": str(each.case.uuid) if each.case else None,
        "by": str(each.by),
        "seconded_by": str(each.seconded_by) if each.seconded_by else None,
        "at": at(each.at),
    }


def _proposal(each: Proposal) -> dict[str, Any]:
    return {
        "step": each.step,
        "reason": each.reason,
        "until": day_of(each.until),
        "by": str(each.by.uuid),
        "at": at(each.at),
    }
