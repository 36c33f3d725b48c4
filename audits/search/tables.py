"""Tables of findings by what they have in common, and of the findings themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html

from audits.local_times import show_instant
from audits.review.columns import OverpaidColumn, UnderpaidColumn
from audits.search.subjects import DEALER, PLAYER, address_of, address_of_rule
from compliance.ui.filters import day as show_day
from compliance.ui.tables import CountColumn, ListTable, MoneyColumn
from games.checks import describe_code
from games.explanation.findings import describe_value
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.utils.safestring import SafeString

    from audits.replay.findings.queries import FoundFinding
    from audits.search.subjects import Breakdown, Group, Nights


class GroupTable(ListTable):
    """Findings with one name in common; the name leads to them."""

    name = tables.Column()
    findings = CountColumn()
    over = OverpaidColumn()
    under = UnderpaidColumn()
    compact = True

    def __init__(self, groups: Sequence[Group], *, title: str, more: int) -> None:
        left_out = f"; {more:,} more are not listed" if more > 0 else ""
        super().__init__(groups, caption=f"By {title[:1].lower()}{title[1:]}{left_out}")
        self.columns["name"].column.verbose_name = title

    @classmethod
    def of(cls, found: Breakdown) -> GroupTable:
        """Return the table of a breakdown."""
        return cls(found.groups, title=found.title, more=found.more)

    @classmethod
    def of_nights(cls, found: Nights) -> GroupTable:
        """Return the table of nights."""
        return cls(found.groups, title="Gambling day", more=found.more)

    def render_name(self, record: Group) -> SafeString:
        return format_html('<a class="usa-link" href="{}">{}</a>', record.url, record.name)


class FoundTable(ListTable):
    """Findings, newest first."""

    round = tables.Column(empty_values=())
    day = tables.Column(verbose_name="When")
    table = tables.Column(empty_values=(), verbose_name="Operator and table")
    code = tables.Column(verbose_name="What went wrong", empty_values=())
    player = tables.Column(empty_values=(), verbose_name="Player and dealer")
    logged = tables.Column(empty_values=())
    expected = tables.Column(empty_values=())
    delta = MoneyColumn(verbose_name="Difference", signed=True)
    cites = tables.Column(empty_values=(), verbose_name="Rules")
    compact = True

    def __init__(self, rows: Sequence[FoundFinding], *, sees_rounds: bool, **more: Any) -> None:
        super().__init__(rows, **more)
        self._sees_rounds = sees_rounds

    def render_round(self, record: FoundFinding) -> SafeString | str:
        if not record.round:
            return "–"
        if not self._sees_rounds:
            return record.round
        return _link(reverse("round", args=[record.party.code, record.round]), record.round)

    def render_day(self, record: FoundFinding) -> str:
        """Show when the round ended; the gambling day if it is about no round."""
        if record.at is None:
            return show_day(record.day)
        return show_instant(record.at, "M j, Y, g:i:s A")

    def render_table(self, record: FoundFinding) -> SafeString | str:
        if not record.table:
            return str(record.party)
        url = address_of("table", record.party.code, record.table)
        return format_html("{}, {}", record.party, _link(url, record.table))

    def render_code(self, record: FoundFinding) -> SafeString:
        """Show the title with its issue, and the wager and line."""
        names = ", ".join(map(describe_name, filter(None, (record.wager, record.line))))
        what = describe_code(record.code) + (f" ({names})" if names else "")
        if record.issue is None:
            return format_html("{}", what)
        return _link(reverse("issue", args=[record.issue.uuid]), what)

    def render_player(self, record: FoundFinding) -> SafeString | str:
        links = [
            _link(address_of(kind, record.party.code, name), name)
            for kind, name in ((PLAYER, record.player), (DEALER, record.dealer))
            if name
        ]
        return format_html(", ".join("{}" for _ in links), *links) if links else "–"

    def render_logged(self, record: FoundFinding) -> str:
        return str(describe_value(record.code, record.logged))

    def render_expected(self, record: FoundFinding) -> str:
        return str(describe_value(record.code, record.expected))

    def render_cites(self, record: FoundFinding) -> SafeString | str:
        links = [_link(address_of_rule(each), each) for each in record.cites]
        return format_html(", ".join("{}" for _ in links), *links) if links else "–"


def _link(url: str, text: str) -> SafeString:
    return format_html('<a class="usa-link" href="{}">{}</a>', url, text)


class PrintedTable(ListTable):
    """Lines of a layout that differ from the rules, and the findings on them."""

    line = tables.Column(verbose_name="Wager and line")
    rules = tables.Column(verbose_name="The rules pay")
    printed = tables.Column(verbose_name="The layout prints")
    findings = CountColumn()
    over = OverpaidColumn()
    under = UnderpaidColumn()
    caption = "Lines that differ from the rules of play"

    def render_line(self, record: dict[str, Any]) -> SafeString:
        return _link(record["url"], record["line"])
