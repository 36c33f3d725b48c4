"""Lists in pages cut by key: the next one costs the same however long the list is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Model
from rest_framework import serializers

from compliance.api.problems import Problem
from compliance.keyset import read_mark, rows_after

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


def page_of(shape: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """The shape of one page of a list of these."""
    fields = {"items": shape(many=True), "next": serializers.CharField(allow_null=True)}
    name = f"{shape.__name__.removesuffix('Shape')}Page"
    return type(name, (serializers.Serializer,), {"__doc__": "One page of a list.", **fields})


def page(
    found: QuerySet[Row],
    said: Mapping[str, Any],
    told: Callable[[Row], dict[str, Any]],
    *,
    by: tuple[str, ...] = ("-pk",),
    of: str,
) -> dict[str, Any]:
    """The page of a list that is asked for; no two rows are alike in `by`.

    `of` names the list: a cursor of another one leads nowhere.
    """
    key, of = None, f"api.{of}"
    if "cursor" in said and (key := read_mark(said["cursor"], of=of, parts=len(by))) is None:
        raise Problem(404, NO_SUCH_PAGE, code="no_such_page")
    rows, mark = rows_after(found, by, key, most=said["limit"], of=of)
    return {"items": [told(each) for each in rows], "next": mark or None}
