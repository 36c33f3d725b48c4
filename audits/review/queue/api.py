"""API of the commission's queue: assigned and due issues, and the decisions on an issue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.replay.findings.models import Issue
from audits.replay.findings.reads import issues_in_state
from audits.review.cases.api import NoteShape
from audits.review.issues.api import NOT_SEARCHED, STATES, IssueQuery, search_all_findings
from audits.review.issues.assignments import due_when, in_queues
from audits.review.issues.models import Decision, Proposal, ReviewNote
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import CodeField, InstantField, chosen, operator_of, page, page_of
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


BY_DUE = ("work__due", "pk")


class WorkQuery(IssueQuery):
    """Which work to list: by what issues are narrowed by, whose it is, how late."""

    state = serializers.ChoiceField(
        [*STATES, ("any", "Every state")], required=False, help_text="Open, where none is query."
    )
    due = serializers.ChoiceField(
        ["late", "today", "week", "escalated", "proposed"], required=False
    )
    unit = CodeField(required=False, help_text="Code of the unit of the commission.")
    assigned = serializers.BooleanField(required=False, help_text="Whether it is assigned.")
    assigned_to = serializers.UUIDField(required=False, help_text="Whose queue it is on.")


class WorkShape(serializers.Serializer[Any]):
    """An issue on a queue, and until when it is to be decided."""

    issue = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="party.code")
    code = serializers.CharField()
    weight = serializers.CharField()
    state = serializers.CharField(help_text="As the filter `state` names them.")
    due = serializers.DateField(source="work.due")
    assigned_to = serializers.UUIDField(
        source="work.assigned_to.uuid", allow_null=True, help_text="Whose queue it is on."
    )
    assigned = InstantField(source="work.assigned", allow_null=True)
    escalated = InstantField(
        source="work.escalated", allow_null=True, help_text="Put before supervisors."
    )


class Work(Operation):
    """Work."""

    operation = "work"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[WorkQuery], responses=page_of(WorkShape, **NOT_SEARCHED))
    def get(self, request: Request) -> Response:
        """Issues on the commission's queues, what is due first first."""
        query = query_of(request, WorkQuery)
        require_sight(request, Action.SEE_FINDINGS)
        state = query.get("state", "open")
        found = issues_in_state(in_queues(), "" if state == "any" else state)
        operator = operator_of(request, query.pop("operator")) if "operator" in query else None
        found, left_out = search_all_findings(request, found, query | {"operator": operator})
        found = due_when(found, query.get("due", ""))
        if "assigned" in query:
            query["assigned"] = not query["assigned"]
        found = chosen(
            found,
            request,
            query,
            unit="work__unit__code",
            assigned="work__assigned_to__isnull",
            assigned_to="work__assigned_to__uuid",
        )
        listed = page(found, query, WorkShape, by=BY_DUE, of="work")
        return Response(listed | {"not_searched": left_out})


class DecisionShape(serializers.Serializer[Any]):
    """A step that was taken on an issue, with its reason."""

    decision = serializers.UUIDField(source="uuid")
    step = serializers.CharField()
    was = serializers.CharField()
    state = serializers.CharField()
    reason = serializers.CharField()
    until = serializers.DateField(allow_null=True)
    case = serializers.UUIDField(source="case.uuid", allow_null=True)
    by = serializers.UUIDField()
    seconded_by = serializers.UUIDField(allow_null=True)
    at = InstantField()


class ProposalShape(serializers.Serializer[Any]):
    """A step that waits for a second pair of eyes."""

    step = serializers.CharField()
    reason = serializers.CharField()
    until = serializers.DateField(allow_null=True)
    by = serializers.UUIDField(source="by.uuid")
    at = InstantField()


class DecisionsShape(serializers.Serializer[Any]):
    """What was query of an issue within the commission, the first first."""

    decisions = DecisionShape(many=True)
    proposed = ProposalShape(allow_null=True)
    notes = NoteShape(many=True)


class Decisions(Operation):
    """Decisions on an issue."""

    operation = "decisions"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(responses=DecisionsShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Each step with its reason, what is proposed, what was noted."""
        require_sight(request, Action.SEE_FINDINGS)
        issue = get_object_or_404(Issue, uuid=uuid)
        found = {
            "decisions": Decision.objects.filter(issue=issue).select_related("case"),
            "proposed": Proposal.objects.filter(issue=issue).select_related("by").first(),
            "notes": ReviewNote.objects.filter(issue=issue),
        }
        return Response(DecisionsShape(found).data)
