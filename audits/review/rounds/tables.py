"""Tables of the pages of rounds: the rounds around a time, and what one round is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.template.loader import render_to_string
from django.utils.html import format_html

from compliance.ui.filters import with_names
from compliance.ui.tables import AMOUNT, ListTable, WhenColumn

if TYPE_CHECKING:
    from django.utils.safestring import SafeString


class AmountColumn(tables.Column):  # type: ignore[misc]
    """An amount in words."""

    def __init__(self, **more: Any) -> None:
        super().__init__(attrs=AMOUNT, **more)


class DifferenceColumn(AmountColumn):
    """An amount in words, in the color of its direction; `cents` is where the number is."""

    def __init__(self, *, cents: str, **more: Any) -> None:
        super().__init__(**more)
        self._cents = tables.A(cents)

    def render(self, value: str, record: Any) -> SafeString:
        """Render the words."""
        context = {"cents": self._cents.resolve(record), "says": value}
        return render_to_string("audits/rounds/difference.html", context)


class StretchTable(ListTable):
    """Rounds of a table around a time."""

    round = tables.Column(
        accessor="round__id",
        linkify=("round", {"operator": tables.A("operator__code"), "id_": tables.A("round__id")}),
    )
    ended = tables.Column()
    distance = tables.Column(verbose_name="From the time you entered")
    game = tables.Column()
    caption = "Rounds of this table, in order of time"
    compact = True

    def render_distance(self, value: str, record: dict[str, Any]) -> str:
        """Name the nearest."""
        return format_html("{} <strong>(nearest)</strong>", value) if record["is_chosen"] else value


class FindingTable(ListTable):
    """Findings on a round."""

    title = tables.Column(accessor="finding__words__title", verbose_name="Finding")
    where = tables.Column(accessor="finding__words__where")
    logged = tables.Column(accessor="finding__words__logged")
    expected = tables.Column(accessor="finding__words__expected")
    difference = DifferenceColumn(accessor="finding__words__difference", cents="finding__delta")
    authority = tables.TemplateColumn(template_name="audits/rounds/authority.html")
    issue = tables.TemplateColumn(template_name="audits/rounds/issue.html")
    style = "findings"

    def render_title(self, value: str, record: dict[str, Any]) -> SafeString:
        """Show the code beside the title."""
        return format_html("{} <code>{}</code>", value, record["finding"].code)


class WagerTable(ListTable):
    """Wagers of a round, as logged and as expected."""

    place = tables.Column(verbose_name="Where")
    name = tables.Column(verbose_name="Wager")
    wagered = AmountColumn(accessor="words__wagered")
    logged = AmountColumn(accessor="words__logged")
    expected = AmountColumn(accessor="words__expected")
    difference = DifferenceColumn(accessor="words__difference", cents="difference")
    caption = "Logged and expected results; plus means the wager won"
    style = "wagers"

    class Meta:
        empty_text = "No wager is logged."
        orderable = False


class ApprovalTable(ListTable):
    """Approvals in effect for a round."""

    of = tables.Column(verbose_name="Document")
    kind = tables.Column(verbose_name="Approval")
    by = tables.Column(verbose_name="Approved by", default="Name removed")
    at = WhenColumn(verbose_name="Date")
    caption = "Approvals"


class InterpretationTable(ListTable):
    """Interpretations in effect for a round."""

    asks = tables.Column(verbose_name="Question")
    says = tables.Column(verbose_name="Interpretation")
    chosen_by = tables.Column()
    caption = "Interpretations"

    def render_asks(self, value: str, record: Any) -> SafeString:
        """Show its number before the question."""
        return format_html("<code>{}</code> {}", record.id, value)

    def render_says(self, value: str) -> SafeString:
        """Mark up the names in it."""
        return with_names(value)


class LimitTable(ListTable):
    """Limits in effect for a round."""

    name = tables.Column(verbose_name="Limit")
    minimum = AmountColumn()
    maximum = AmountColumn()
    authority = tables.Column()
    caption = "Limits"
