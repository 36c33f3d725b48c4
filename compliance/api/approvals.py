"""Approvals of what was filed, with their conditions and what became of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from compliance.api.fields import at
from compliance.models import Approval, Withdrawal
from compliance.selectors.conditions import standing_of

if TYPE_CHECKING:
    from uuid import UUID

    from compliance.models import Party


class ConditionShape(serializers.Serializer[Any]):
    """Something to be met."""

    kind = serializers.CharField()
    text = serializers.CharField()
    state = serializers.CharField(help_text="open, answered, met, not_met or waived.")


class WithdrawalShape(serializers.Serializer[Any]):
    """A step of taking an approval back; it holds until the final one."""

    step = serializers.ChoiceField(Withdrawal.Step.choices)
    reason = serializers.CharField()
    at = serializers.DateTimeField()
    in_effect_from = serializers.DateTimeField(allow_null=True)


class ApprovalShape(serializers.Serializer[Any]):
    """An approval, of exactly what has this digest."""

    approval = serializers.UUIDField()
    kind = serializers.ChoiceField(Approval.Kind.choices)
    by_party = serializers.CharField(help_text="Code of whose word it is.")
    digest = serializers.CharField()
    at = serializers.DateTimeField()
    in_effect_from = serializers.DateTimeField()
    note = serializers.CharField()
    conditions = ConditionShape(many=True)
    withdrawal = WithdrawalShape(many=True, help_text="Its steps, the first first.")


def approvals_told(subject: UUID, party: Party) -> list[dict[str, Any]]:
    """The approvals of something that a party filed, the first first."""
    found = (
        Approval.objects.filter(subject=subject, party=party)
        .select_related("by_party")
        .prefetch_related("conditions__marks", "conditions__answers", "withdrawals")
    )
    return [_told(each) for each in found]


def _told(approval: Approval) -> dict[str, Any]:
    return {
        "approval": str(approval.uuid),
        "kind": approval.kind,
        "by_party": approval.by_party.code,
        "digest": approval.digest,
        "at": at(approval.at),
        "in_effect_from": at(approval.in_effect_from),
        "note": approval.note,
        "conditions": [
            {"kind": each.kind, "text": each.says, "state": standing_of(each).state}
            for each in approval.conditions.all()
        ],
        "withdrawal": [
            {
                "step": each.step,
                "reason": each.reason,
                "at": at(each.at),
                "in_effect_from": at(each.in_effect_from),
            }
            for each in approval.withdrawals.all()
        ],
    }
