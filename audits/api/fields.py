"""What several operations of this room read and tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from rest_framework import serializers

from audits.instants import told
from compliance.api.operation import allows
from compliance.choices import OPERATOR_KINDS
from compliance.models import Party
from compliance.selectors.in_force import zone

if TYPE_CHECKING:
    from datetime import date, datetime

    from rest_framework.request import Request

    from compliance.permissions import Action


class DayField(serializers.DateField):
    """A gambling day."""

    def to_internal_value(self, value: Any) -> date:
        """Take text alone: a number is no day."""
        if not isinstance(value, str):
            self.fail("invalid", format="YYYY-MM-DD")
        day: date = super().to_internal_value(value)
        return day


def operator_of(request: Request, code: str, action: Action | None = None) -> Party:
    """The operator of a code, on whom an action is open; nothing is there for anybody else."""
    found = Party.objects.filter(code=code, kind__in=OPERATOR_KINDS).first()
    if found is None or (action is not None and not allows(request, action, found)):
        raise Http404
    return found


def at(instant: datetime | None) -> str | None:
    """An instant by the clock at the places of play."""
    return told(instant, zone()) if instant is not None else None
