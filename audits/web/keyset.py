"""Pages cut by key: the next one costs the same however long the list is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlencode

from django.core import signing
from django.db.models import Model, Q

from compliance.web.lists import A_PAGE

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

AFTER = "after"
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class Cut(Generic[Row]):
    """One page of a list; `on` and `back` are the addresses of the next page and the first."""

    rows: list[Row]
    on: str
    back: str


def cut(
    request: HttpRequest, found: QuerySet[Row], *, by: str | tuple[str, ...] = "-pk"
) -> Cut[Row]:
    """The page of a list that the address asks for; the first, where it asks for none there is.

    `by` are fields as in `order_by`, all up or all down, in which together no two rows are alike.
    """
    order = (by,) if isinstance(by, str) else by
    after = _read(request.GET.get(AFTER, ""), order)
    if after is not None:
        found = found.filter(_beyond(order, after))
    rows = list(found.order_by(*order)[: A_PAGE + 1])
    shown, more = rows[:A_PAGE], len(rows) > A_PAGE
    kept = [(name, value) for name, value in request.GET.items() if name != AFTER]
    mark = signing.dumps(_key(shown[-1], order), salt=_salt(order)) if more else ""
    return Cut(
        shown,
        f"?{urlencode([*kept, (AFTER, mark)])}" if more else "",
        f"?{urlencode(kept)}" if after is not None else "",
    )


def _beyond(order: tuple[str, ...], after: list[Any]) -> Q:
    """Rows that come later: alike in the first fields, and beyond in the next."""
    later, alike = Q(), Q()
    for name, value in zip(order, after, strict=True):
        field = name.removeprefix("-")
        later |= alike & Q(**{f"{field}__{'lt' if name[0] == '-' else 'gt'}": value})
        alike &= Q(**{field: value})
    return later


def _key(row: Model, order: tuple[str, ...]) -> list[Any]:
    """What a row has in these fields, as a mark can hold it."""
    values = []
    for name in order:
        value: Any = row
        for part in name.removeprefix("-").split("__"):
            value = getattr(value, part)
        values.append(value.isoformat() if isinstance(value, date) else value)
    return values


def _read(mark: str, order: tuple[str, ...]) -> list[Any] | None:
    """The key that a mark holds, where we wrote it for a list in this order."""
    try:
        key = signing.loads(mark, salt=_salt(order))
    except signing.BadSignature:
        return None
    return key if isinstance(key, list) and len(key) == len(order) else None


def _salt(order: tuple[str, ...]) -> str:
    return " ".join(order)
