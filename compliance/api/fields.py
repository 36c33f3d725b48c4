"""What operations of every room read and tell: codes, days, instants, the operator of a code."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Model
from django.http import Http404
from rest_framework import serializers

from compliance.api.operation import allows
from compliance.api.problems import Problem, fault
from compliance.choices import OPERATOR_KINDS
from compliance.clock import told
from compliance.models import Party
from compliance.selectors.in_force import zone

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from compliance.permissions import Action

Row = TypeVar("Row", bound=Model)
EARLIEST, LATEST = 1970, 2200


class CodeField(serializers.RegexField):
    """What other programs call a party, a game or a kind."""

    def __init__(self, **more: Any) -> None:
        super().__init__(r"^[-a-zA-Z0-9_]{1,32}$", trim_whitespace=False, **more)


class DayField(serializers.DateField):
    """A day of the calendar, or a gambling day."""

    def to_internal_value(self, value: Any) -> date:
        """Take text alone: a number is no day."""
        if not isinstance(value, str):
            self.fail("invalid", format="YYYY-MM-DD")
        day: date = super().to_internal_value(value)
        return day


class InstantField(serializers.DateTimeField):
    """An instant with its offset."""

    def to_internal_value(self, value: Any) -> datetime:
        """Refuse a time without offset: nobody knows whose clock it was."""
        if not isinstance(value, str):
            self.fail("invalid", format="2025-07-12T22:15:00-07:00")
        read = super().to_internal_value(value)
        said = datetime.fromisoformat(value)
        if said.tzinfo is None:
            message = "Write it with its offset, as 2025-07-12T22:15:00-07:00."
            raise serializers.ValidationError(message, "no_offset")
        return read


def require_reach(when: date, name: str) -> None:
    """Answer 409 for a day or an instant of which nothing can speak."""
    if not EARLIEST <= when.year <= LATEST:
        says = f"Nothing speaks of that year; ask about one from {EARLIEST} to {LATEST}."
        raise Problem(409, says, errors=[fault("query", name, says, "out_of_reach")])


def operator_of(request: Request, code: str, action: Action | None = None) -> Party:
    """The operator of a code, on whom an action is open; nothing is there for anybody else."""
    operators = Party.objects.filter(kind__in=OPERATOR_KINDS).select_related("agency")
    found = operators.filter(code=code).first()
    if found is None or (action is not None and not allows(request, action, found)):
        raise Http404
    return found


def chosen(
    found: QuerySet[Row],
    request: Request,
    said: Mapping[str, Any],
    *,
    operator: str = "party",
    **fields: str,
) -> QuerySet[Row]:
    """The rows of a list that are asked for: of the operator that is `said`, and by other fields.

    Each of `fields` is a name that the list is asked by, with the field that it stands for.
    """
    if "operator" in said:
        found = found.filter(**{operator: operator_of(request, said["operator"])})
    return found.filter(**{field: said[name] for name, field in fields.items() if name in said})


def at(instant: datetime | None) -> str | None:
    """An instant by the clock at the places of play."""
    return told(instant, zone()) if instant is not None else None


def day_of(day: date | None) -> str | None:
    """A day as programs are told it."""
    return str(day) if day else None
