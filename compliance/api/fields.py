"""Fields shared by operations on every subject, and lists paginated by key."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Model
from django.http import Http404
from rest_framework import serializers

from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS
from compliance.api.operation import allows
from compliance.api.problems import Problem, fault
from compliance.clock import to_local, zone
from compliance.ui.lists import read_mark, rows_after

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from compliance.access.permissions import Action


Row = TypeVar("Row", bound=Model)
EARLIEST, LATEST = 1970, 2200


class CodeField(serializers.RegexField):
    """A code for a party, a game or a kind."""

    def __init__(self, **more: Any) -> None:
        super().__init__(r"^[-a-zA-Z0-9_]{1,32}$", trim_whitespace=False, **more)


class GameField(serializers.RegexField):
    """The short name of a game, as in round logs and controls."""

    def __init__(self, **more: Any) -> None:
        super().__init__(r"^[a-z0-9-]{1,40}$", trim_whitespace=False, **more)


class FindingCodeField(serializers.RegexField):
    """The code of a finding; each result of a filed game has one, `settlement.<result>`."""

    def __init__(self, **more: Any) -> None:
        super().__init__(r"^(irregular|[a-z]+\.[a-z0-9_]{1,40})$", trim_whitespace=False, **more)


class DayField(serializers.DateField):
    """A calendar day or a gambling day."""

    def to_internal_value(self, value: Any) -> date:
        """Accept strings only: a number is not a day."""
        if not isinstance(value, str):
            self.fail("invalid", format="YYYY-MM-DD")
        day: date = super().to_internal_value(value)
        return day


class TextOrNull(serializers.CharField):
    """A text of a response; null if there is none."""

    def __init__(self, **more: Any) -> None:
        super().__init__(allow_null=True, **more)

    def to_representation(self, value: Any) -> Any:
        """Show an empty text as null."""
        return str(value) if value else None


class InstantField(serializers.DateTimeField):
    """An instant with its UTC offset; in responses, in the local time zone of the tables."""

    def to_representation(self, value: datetime | None) -> Any:
        """Format like every instant of the API."""
        return at(value)

    def to_internal_value(self, value: Any) -> datetime:
        """Reject a time without an offset: its time zone would be unknown."""
        if not isinstance(value, str):
            self.fail("invalid", format="2025-07-12T22:15:00-07:00")
        read = super().to_internal_value(value)
        written = datetime.fromisoformat(value)
        if written.tzinfo is None:
            message = "Write it with its offset, as 2025-07-12T22:15:00-07:00."
            raise serializers.ValidationError(message, "no_offset")
        return read


def require_reach(when: date, name: str) -> None:
    """Respond with 409 if a day or an instant is out of range."""
    if not EARLIEST <= when.year <= LATEST:
        says = f"Nothing speaks of that year; ask about one from {EARLIEST} to {LATEST}."
        raise Problem(409, says, errors=[fault("query", name, says, "out_of_reach")])


def operator_of(request: Request, code: str, action: Action | None = None) -> Party:
    """Return the operator with this code if the action is allowed on it; else respond with 404."""
    operators = Party.objects.filter(kind__in=OPERATOR_KINDS).select_related("agency")
    found = operators.filter(code=code).first()
    if found is None or (action is not None and not allows(request, action, found)):
        raise Http404
    return found


def chosen(
    found: QuerySet[Row],
    request: Request,
    query: Mapping[str, Any],
    *,
    operator: str = "party",
    **fields: str,
) -> QuerySet[Row]:
    """Filter a list as the query `said` asks: by operator, and by other fields.

    Each of `fields` maps a query name to a model field.
    """
    if "operator" in query:
        found = found.filter(**{operator: operator_of(request, query["operator"])})
    return found.filter(**{field: query[name] for name, field in fields.items() if name in query})


def at(instant: datetime | None) -> str | None:
    """Format an instant in the local time zone of the tables."""
    return to_local(instant, zone()) if instant is not None else None


def day_of(day: date | None) -> str | None:
    """Format a day for API responses."""
    return str(day) if day else None


NO_SUCH_PAGE = "There is no such page of this list. Use `next` from the previous page, unchanged."


class PageQuery(serializers.Serializer[Any]):
    """Which page of a list, and how long; lists have their own filters beside these."""

    cursor = serializers.RegexField(
        r"^[-A-Za-z0-9_:.=]{1,100}$",
        required=False,
        max_length=100,
        help_text="`next` of the page before.",
    )
    limit = serializers.IntegerField(required=False, default=50, min_value=1, max_value=200)


def page_of(
    shape: type[serializers.Serializer[Any]], **more: serializers.Field[Any, Any, Any, Any]
) -> type[serializers.Serializer[Any]]:
    """Return the shape of one page of a list, and of what it says besides."""
    fields = {"items": shape(many=True), "next": serializers.CharField(allow_null=True), **more}
    name = f"{shape.__name__.removesuffix('Shape')}Page"
    return type(name, (serializers.Serializer,), {"__doc__": "One page of a list.", **fields})


def page(
    found: QuerySet[Row],
    query: Mapping[str, Any],
    shape: type[serializers.Serializer[Any]] | Callable[[Row], dict[str, Any]],
    *,
    by: tuple[str, ...] = ("-pk",),
    of: str,
) -> dict[str, Any]:
    """Return the requested page of a list; values of `by` must be unique.

    `of` names the list: a cursor from another list is rejected.
    """
    key, of = None, f"api.{of}"
    if "cursor" in query and (key := read_mark(query["cursor"], of=of, parts=len(by))) is None:
        raise Problem(404, NO_SUCH_PAGE, code="no_such_page")
    rows, mark = rows_after(found, by, key, most=query["limit"], of=of)
    items = (
        shape(rows, many=True).data if isinstance(shape, type) else [shape(each) for each in rows]
    )
    return {"items": items, "next": mark or None}
