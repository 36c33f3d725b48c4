"""Pages of lists that are cut by key, by their address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar
from urllib.parse import urlencode

from django.db.models import Model

from compliance.keyset import read_mark, rows_after
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

    `by` are fields as in `order_by` in which together no two rows are alike.
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
