"""Pages cut by key: the next one costs the same however long the list is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar
from urllib.parse import urlencode

from django.core import signing
from django.db.models import Model

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


def cut(request: HttpRequest, found: QuerySet[Row], *, by: str = "-pk") -> Cut[Row]:
    """The page of a list that the address asks for; the first, where it asks for none there is.

    `by` is a field in which no two rows are alike, as in `order_by`.
    """
    field = by.removeprefix("-")
    after = _read(request.GET.get(AFTER, ""), by)
    if after is not None:
        found = found.filter(**{f"{field}__{'lt' if by[0] == '-' else 'gt'}": after})
    rows = list(found.order_by(by)[: A_PAGE + 1])
    shown, more = rows[:A_PAGE], len(rows) > A_PAGE
    kept = [(name, value) for name, value in request.GET.items() if name != AFTER]
    mark = signing.dumps(getattr(shown[-1], field), salt=by) if more else ""
    return Cut(
        shown,
        f"?{urlencode([*kept, (AFTER, mark)])}" if more else "",
        f"?{urlencode(kept)}" if after is not None else "",
    )


def _read(mark: str, by: str) -> int | None:
    """The key that a mark holds, where we wrote it for a list in this order."""
    try:
        key = signing.loads(mark, salt=by)
    except signing.BadSignature:
        return None
    return key if isinstance(key, int) else None
