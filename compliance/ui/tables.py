"""The base of every table on a page, and columns for counts, money and instants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.template.loader import render_to_string

from compliance.ui.filters import day, when
from compliance.ui.lists import dollars, signed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date, datetime

    from django import forms
    from django.utils.safestring import SafeString


def show_state(kind: str, text: str) -> SafeString:
    """Render a state in a cell as `<c-state>` does in a template."""
    return render_to_string("cotton/state.html", {"kind": kind, "slot": text})


AMOUNT = {"td": {"class": "amount"}, "th": {"class": "amount"}}


class ListTable(tables.Table):  # type: ignore[misc]
    """A table of rows: `caption` names it, and its order is fixed unless it says otherwise."""

    caption = ""
    heading = 0
    """The column that names each row."""

    class Meta:
        orderable = False

    def __init__(self, data: Any, *, caption: str = "", **more: Any) -> None:
        # The library does not inherit the options in `Meta`: a table without its own was sortable.
        more.setdefault("orderable", getattr(self.Meta, "orderable", False))
        super().__init__(data, **more)
        self.caption = caption or self.caption


class CountColumn(tables.Column):  # type: ignore[misc]
    """A number with thousands separators."""

    def __init__(self, **more: Any) -> None:
        super().__init__(attrs=AMOUNT, **more)

    def render(self, value: int) -> str:
        """Format with thousands separators."""
        return f"{value:,}"


class MoneyColumn(tables.Column):  # type: ignore[misc]
    """Cents as dollars; `signed` always shows a plus or a minus."""

    def __init__(self, *, signed: bool = False, **more: Any) -> None:
        super().__init__(attrs=AMOUNT, **more)
        self._signed = signed

    def render(self, value: int) -> str:
        """Format in dollars."""
        return signed(value) if self._signed else dollars(value)


class DayColumn(tables.Column):  # type: ignore[misc]
    """A calendar day, or the local day of an instant."""

    def render(self, value: date) -> str:
        """Format like every day on a page."""
        return day(value)


class WhenColumn(tables.Column):  # type: ignore[misc]
    """An instant, in local time with its zone."""

    def render(self, value: datetime) -> str:
        """Format like every instant on a page."""
        return when(value)


@dataclass(frozen=True, kw_only=True)
class RowAction:
    """A button in a row, with its form if it asks something; `hint` names the row to the blind."""

    url: str
    button: str
    hint: str
    form: forms.Form | None = None
    hidden: Mapping[str, object] = field(default_factory=dict)


class ActionColumn(tables.Column):  # type: ignore[misc]
    """The actions of each row, as a function returns them."""

    def __init__(self, actions: Callable[[Any], list[RowAction]], **more: Any) -> None:
        super().__init__(empty_values=(), **more)
        self._actions = actions

    def render(self, record: Any, table: ListTable) -> SafeString:
        """Render the buttons and forms."""
        context = {"actions": self._actions(record)}
        return render_to_string("tables/actions.html", context, request=table.context["request"])
