"""Lists in pages cut by key: the next one costs the same however long the list is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.core import signing
from django.db.models import Model
from rest_framework import serializers

from compliance.api.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.db.models import QuerySet

Row = TypeVar("Row", bound=Model)
NO_SUCH_PAGE = "There is no such page of this list. Take `next` of the page before it, as it is."


class PageQuery(serializers.Serializer[Any]):
    """Which page of a list, and how long; lists have their own filters beside these."""

    cursor = serializers.RegexField(
        r"^[-A-Za-z0-9_:.=]{1,100}$",
        required=False,
        max_length=100,
        help_text="`next` of the page before.",
    )
    limit = serializers.IntegerField(required=False, default=50, min_value=1, max_value=200)


def page(
    found: QuerySet[Row],
    said: Mapping[str, Any],
    told: Callable[[Row], dict[str, Any]],
    *,
    by: str = "-pk",
    of: str,
) -> dict[str, Any]:
    """The page of a list that is asked for; `by` is a field in which no two rows are alike.

    `of` names the list: a cursor of another one leads nowhere.
    """
    field, limit = by.removeprefix("-"), said["limit"]
    if "cursor" in said:
        after = _read(said["cursor"], of)
        found = found.filter(**{f"{field}__{'lt' if by[0] == '-' else 'gt'}": after})
    rows = list(found.order_by(by)[: limit + 1])
    shown = rows[:limit]
    more = len(rows) > limit
    return {
        "items": [told(each) for each in shown],
        "next": signing.dumps(getattr(shown[-1], field), salt=f"api.{of}") if more else None,
    }


def _read(cursor: str, of: str) -> int:
    try:
        key = signing.loads(cursor, salt=f"api.{of}")
    except signing.BadSignature:
        key = None
    if not isinstance(key, int):
        raise Problem(404, NO_SUCH_PAGE, code="no_such_page")
    return key
