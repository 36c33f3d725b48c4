"""Columns of tables of issues: what went wrong, and what was overpaid and underpaid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.utils.html import format_html

from compliance.ui.lists import signed
from compliance.ui.tables import MoneyColumn
from games.checks import describe_code
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from django.utils.safestring import SafeString


def name_code(code: str) -> str:
    """Return the title of a code, and of a payout error also what was paid wrong."""
    family, _, of = code.partition(".")
    title = describe_code(code)
    return f"{title}: {describe_name(of)}" if family == "settlement" else title


class CodeColumn(tables.Column):  # type: ignore[misc]
    """The title of a finding code, and the code for programs."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"verbose_name": "What went wrong"} | more)

    def render(self, value: str) -> SafeString:
        """Show both."""
        return format_html("{} (<code>{}</code>)", describe_code(value), value)


class OverpaidColumn(MoneyColumn):
    """Cents that were paid in excess, as a positive amount."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"verbose_name": "Overpaid"} | more)

    def render(self, value: int) -> str:
        """Ignore the sign that the amount has in the database."""
        return signed(abs(value))


class UnderpaidColumn(MoneyColumn):
    """Cents that were not paid, as a negative amount."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"verbose_name": "Underpaid"} | more)

    def render(self, value: int) -> str:
        """Ignore the sign that the amount has in the database."""
        return signed(-abs(value))
