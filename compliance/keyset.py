"""Lists cut by key: the next page costs the same however long the list is.

A page ends with a mark: the key of its last row, signed, so that nobody asks for what we did not
name, and a mark of one list leads nowhere in another.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

from django.core import signing
from django.db.models import Model, Q

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

Row = TypeVar("Row", bound=Model)


def mark_of(key: Sequence[Any], *, of: str) -> str:
    """A key as an address carries it; `of` names the list."""
    return signing.dumps(list(key), salt=of)


def read_mark(mark: str, *, of: str, parts: int) -> list[Any] | None:
    """The key of so many parts that a mark holds, where we wrote it for this list."""
    try:
        key = signing.loads(mark, salt=of)
    except signing.BadSignature:
        return None
    return key if isinstance(key, list) and len(key) == parts else None


def rows_after(
    found: QuerySet[Row], order: Sequence[str], key: Sequence[Any] | None, *, most: int, of: str
) -> tuple[list[Row], str]:
    """The rows that come after a key, or the first, and the mark of the page after; "" at the end.

    `order` is as in `order_by`: fields in which together no two rows are alike.
    """
    if key is not None:
        found = found.filter(_beyond(order, key))
    rows = list(found.order_by(*order)[: most + 1])
    shown = rows[:most]
    return shown, mark_of(_key(shown[-1], order), of=of) if len(rows) > most else ""


def _beyond(order: Sequence[str], key: Sequence[Any]) -> Q:
    """Rows that come later: alike in the first fields, and beyond in the next.

    That none comes before in the first field is said as well, so that an index is entered there.
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
    """What a row has in these fields, as a mark can hold it."""
    values = []
    for name in order:
        value: Any = row
        for part in name.removeprefix("-").split("__"):
            value = getattr(value, part)
        values.append(value.isoformat() if isinstance(value, date) else value)
    return values
