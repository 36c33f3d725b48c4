"""Requests for approval and approvals, with their conditions and comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import InstantField, PageQuery, chosen, page, page_of
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of
from compliance.filings.documents.api import RemarkShape, describe_comments
from compliance.filings.requests.conditions import condition_state
from compliance.filings.requests.models import Approval, GameRequest, Withdrawal
from compliance.filings.requests.reads import (
    comments_on_request,
    find_last_reason,
    list_decisions,
)

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from compliance.access.models import Party


class _ConditionState(serializers.CharField):
    def to_representation(self, value: Any) -> str:
        return condition_state(value).state


class ConditionShape(serializers.Serializer[Any]):
    """Something to be met."""

    kind = serializers.CharField()
    text = serializers.CharField(source="says")
    state = _ConditionState(source="*", help_text="open, answered, met, not_met or waived.")


class WithdrawalShape(serializers.Serializer[Any]):
    """A step of taking an approval back; it holds until the final one."""

    step = serializers.ChoiceField(Withdrawal.Step.choices)
    reason = serializers.CharField()
    at = InstantField()
    in_effect_from = InstantField(allow_null=True)


class ApprovalShape(serializers.Serializer[Any]):
    """An approval, of exactly what has this digest."""

    approval = serializers.UUIDField(source="uuid")
    kind = serializers.ChoiceField(Approval.Kind.choices)
    by_party = serializers.CharField(source="by_party.code", help_text="Code of whose word it is.")
    digest = serializers.CharField()
    at = InstantField()
    in_effect_from = InstantField()
    note = serializers.CharField()
    conditions = ConditionShape(many=True)
    withdrawal = WithdrawalShape(
        source="withdrawals", many=True, help_text="Its steps, the first first."
    )


def describe_approvals(subject: UUID, party: Party) -> list[dict[str, Any]]:
    """Format the approvals of something that a party filed, oldest first."""
    approvals = list_decisions(Approval.objects.filter(subject=subject, party=party))
    return [ApprovalShape(each.approval).data for each in approvals]


class RequestQuery(PageQuery):
    """Which requests to list."""

    state = serializers.ChoiceField(GameRequest.State.choices, required=False)
    path = serializers.ChoiceField(GameRequest.Path.choices, required=False)


class RequestShape(serializers.Serializer[Any]):
    """A request for approval of a game's rules, and where it stands."""

    request = serializers.UUIDField(source="uuid")
    game = serializers.CharField(source="rule_version.game.slug")
    rule_version = serializers.UUIDField(source="rule_version.uuid")
    path = serializers.ChoiceField(GameRequest.Path.choices)
    asked_by = serializers.CharField(source="asked_by.code")
    state = serializers.ChoiceField(GameRequest.State.choices)
    since = InstantField(allow_null=True)
    due = serializers.DateField(allow_null=True, help_text="Of what is missing.")


class DenialShape(serializers.Serializer[Any]):
    """That it was denied, closed or objected to, and why."""

    reasons = serializers.CharField()
    at = InstantField()


class RequestWithRemarks(RequestShape):
    """The same, with all that was said."""

    why = serializers.CharField(help_text="It stands where it stands.")
    remarks = RemarkShape(many=True)
    approvals = ApprovalShape(many=True)
    denials = DenialShape(many=True)


class Requests(Operation):
    """Requests for approval."""

    operation = "requests"
    reads = frozenset({KeyScope.FILINGS})

    @extend_schema(parameters=[RequestQuery], responses=page_of(RequestShape))
    def get(self, request: Request) -> Response:
        """Requests for approval, the newest first."""
        said = query_of(request, RequestQuery)
        require_sight(request, Action.SEE_FILINGS)
        found = GameRequest.objects.select_related("rule_version__game", "asked_by")
        found = chosen(found, request, said, state="state", path="path")
        return Response(page(found, said, RequestShape, of="requests"))


class OneRequest(Operation):
    """A request for approval."""

    operation = "request"
    reads = frozenset({KeyScope.FILINGS})

    @extend_schema(responses=RequestWithRemarks)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Where it stands, and what was said of it."""
        require_sight(request, Action.SEE_FILINGS)
        found = get_object_or_404(
            GameRequest.objects.select_related("rule_version__game", "asked_by"), uuid=uuid
        )
        more = {
            "why": find_last_reason(found),
            "remarks": describe_comments(comments_on_request(found)),
            "approvals": describe_approvals(found.rule_version.uuid, found.asked_by),
            "denials": DenialShape(found.denials, many=True).data,
        }
        return Response(RequestShape(found).data | more)
