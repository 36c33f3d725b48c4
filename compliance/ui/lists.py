"""Lists: sorted, and paginated by key or number, in their address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlencode

from django.core import signing
from django.core.paginator import InvalidPage
from django.db.models import Model, Q
from django_tables2 import RequestConfig, Table

from games.cents import in_dollars

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from django.http import HttpRequest


Row = TypeVar("Row", bound=Model)


def mark_of(key: Sequence[Any], *, of: str) -> str:
    """Encode a key for an address; `of` names the list."""
    return signing.dumps(list(key), salt=of)


def read_mark(mark: str, *, of: str, parts: int) -> list[Any] | None:
    """Decode a cursor with this many key parts, if we issued it for this list."""
    try:
        key = signing.loads(mark, salt=of)
    except signing.BadSignature:
        return None
    return key if isinstance(key, list) and len(key) == parts else None


def rows_after(
    found: QuerySet[Row], order: Sequence[str], key: Sequence[Any] | None, *, most: int, of: str
) -> tuple[list[Row], str]:
    """Return the rows after a key, or the first, and the next page's cursor; "" at the end.

    `order` is as in `order_by`: fields that together are unique.
    """
    if key is not None:
        found = found.filter(_beyond(order, key))
    rows = list(found.order_by(*order)[: most + 1])
    shown = rows[:most]
    return shown, mark_of(_key(shown[-1], order), of=of) if len(rows) > most else ""


def _beyond(order: Sequence[str], key: Sequence[Any]) -> Q:
    """Return a filter for later rows: equal in the first fields, and greater in the next.

    It also bounds the first field, so that an index can be used.
    """
    later, alike = Q(), Q()
    for name, value in zip(order, key, strict=True):
        field = name.removeprefix("-")
        later |= alike & Q(**{f"{field}__{_way(name)}": value})
        alike &= Q(**{field: value})
    first = order[0]
    return Q(**{f"{first.removeprefix('-')}__{_way(first)}e": key[0]}) & later


def _way(name: str) -> str:
    return "lt" if name[0] == "-" else "gt"


def _key(row: Model, order: Sequence[str]) -> list[Any]:
    """Return a row's values of these fields, ready for a cursor."""
    values = []
    for name in order:
        value: Any = row
        for part in name.removeprefix("-").split("__"):
            value = getattr(value, part)
        values.append(value.isoformat() if isinstance(value, date) else value)
    return values


A_PAGE = 50
Shown = TypeVar("Shown", bound=Table)


def paged(request: HttpRequest, table: Shown) -> Shown:
    """Return the requested page of a table; the first if it does not exist."""
    # The address must not set the number of rows on a page.
    RequestConfig(request, paginate=False).configure(table)
    try:
        table.paginate(page=request.GET.get("page", "1"), per_page=A_PAGE)
    except InvalidPage:
        table.paginate(page=1, per_page=A_PAGE)
    return table


def dollars(cents: int) -> str:
    """Format an amount for people."""
    return in_dollars(cents)


def signed(cents: int) -> str:
    """Format a difference for people: always with its sign."""
    return f"{'+' if cents > 0 else ''}{dollars(cents)}"


AFTER = "after"


@dataclass(frozen=True)
class Cut(Generic[Row]):
    """One page of a list; `on` and `back` are the addresses of the next page and the first."""

    rows: list[Row]
    on: str
    back: str


def cut(
    request: HttpRequest, found: QuerySet[Row], *, by: str | tuple[str, ...] = "-pk"
) -> Cut[Row]:
    """Return the requested page of a list; the first if it does not exist.

    `by` contains fields as in `order_by` that together are unique.
    """
    order = (by,) if isinstance(by, str) else by
    of = " ".join(order)
    key = read_mark(request.GET.get(AFTER, ""), of=of, parts=len(order))
    rows, mark = rows_after(found, order, key, most=A_PAGE, of=of)
    kept = [(name, value) for name, value in request.GET.items() if name != AFTER]
    return Cut(
        rows,
        f"?{urlencode([*kept, (AFTER, mark)])}" if mark else "",
        f"?{urlencode(kept)}" if key is not None else "",
    )
