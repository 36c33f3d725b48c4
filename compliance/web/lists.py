"""Lists: sorted and cut into pages by their address."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from django.core.paginator import InvalidPage
from django_tables2 import RequestConfig, Table

from games.cents import in_dollars

if TYPE_CHECKING:
    from django.http import HttpRequest

A_PAGE = 50
Shown = TypeVar("Shown", bound=Table)


def paged(request: HttpRequest, table: Shown) -> Shown:
    """The page of a table that the address asks for; the first, where it asks for none there is."""
    # How many rows make a page is not for the address to say.
    RequestConfig(request, paginate=False).configure(table)
    try:
        table.paginate(page=request.GET.get("page", "1"), per_page=A_PAGE)
    except InvalidPage:
        table.paginate(page=1, per_page=A_PAGE)
    return table


def dollars(cents: int) -> str:
    """An amount as people read it."""
    return in_dollars(cents)


def signed(cents: int) -> str:
    """A difference as people read it: with its sign, whichever way it goes."""
    return f"{'+' if cents > 0 else ''}{dollars(cents)}"
