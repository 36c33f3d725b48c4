"""Tables of issues, and of the findings, nights and sums of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import django_tables2 as tables
from django.template.defaultfilters import truncatechars
from django.urls import reverse
from django.utils.html import format_html

from audits.intake.models import RoundLog
from audits.local_times import InstantColumn, show_instant
from audits.replay.findings.models import Finding, Issue
from audits.replay.findings.wording import describe_issue, title_of
from audits.review.columns import OverpaidColumn, UnderpaidColumn
from audits.review.issues.steps import OUTCOMES
from compliance.ui.filters import day as show_day
from compliance.ui.tables import CountColumn, DayColumn, ListTable, MoneyColumn, show_state
from games.checks import describe_code
from games.explanation.findings import describe_value
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from django.utils.safestring import SafeString

    from audits.replay.models import Replay
    from audits.review.issues.presentation import EarlierIssue, Sums


MINOR = {"td": {"class": "minor"}}
"""Hidden on narrow screens; the issue's own page shows it."""


class IssueTable(ListTable):
    """Issues, by impact."""

    code = tables.Column(verbose_name="Issue", linkify=("issue", {"uuid": tables.A("uuid")}))
    party = tables.Column(verbose_name="Operator")
    game = tables.Column(empty_values=())
    over = OverpaidColumn()
    under = UnderpaidColumn()
    last = InstantColumn(form="M j, Y, g:i A", attrs=MINOR)
    state = tables.Column(empty_values=())
    caption = "Issues"
    compact = True

    def __init__(self, rows: Any, *, inside: bool = False, **more: Any) -> None:
        super().__init__(rows, **more)
        self._inside = inside

    def render_code(self, record: Issue) -> str:
        return title_of(record)

    def render_game(self, record: Issue) -> str:
        return describe_name(record.game) or "–"

    def render_state(self, record: Issue) -> SafeString:
        """Mark the state; a violation never carries a check."""
        outcome = OUTCOMES[Issue.State(record.state)]
        says = record.get_state_display() if self._inside else outcome.says
        return show_state(outcome.mark, str(says))


class NightTable(ListTable):
    """Gambling days of an issue, newest first."""

    day = DayColumn(verbose_name="Gambling day")
    findings = CountColumn()
    rounds = CountColumn()
    over = OverpaidColumn()
    under = UnderpaidColumn()
    first = InstantColumn(verbose_name="From", form="g:i A T")
    last = InstantColumn(verbose_name="To", form="g:i A T")
    replay = tables.Column(
        verbose_name="Audited by", linkify=("replay", {"uuid": tables.A("replay__uuid")})
    )

    class Meta:
        empty_text = "There are no gambling days yet."

    def render_replay(self, value: Replay) -> str:
        return f"Replay of {show_instant(value.at, 'M j, g:i A')}"


class SumsTable(ListTable):
    """What an issue came to by table, by line or by dealer."""

    name = tables.Column()
    rounds = CountColumn()
    over = OverpaidColumn()
    under = UnderpaidColumn()

    def __init__(self, rows: Sequence[Sums], *, what: str) -> None:
        super().__init__(rows, caption=f"By {what.lower()}")
        self.columns["name"].column.verbose_name = what


class FindingTable(ListTable):
    """Findings of an issue, with links to the round and to the line that was submitted."""

    round = tables.Column()
    at = tables.Column(verbose_name="When", empty_values=())
    table = tables.Column()
    seat = tables.Column()
    wager = tables.Column(verbose_name="Wager or rule", empty_values=())
    logged = tables.Column(empty_values=())
    expected = tables.Column(empty_values=())
    delta = MoneyColumn(signed=True, verbose_name="Difference")
    cites = tables.Column(verbose_name="Clauses")
    standing = tables.Column(accessor="get_standing_display")
    source_line = tables.Column(verbose_name="Evidence", empty_values=())
    compact = True

    class Meta:
        empty_text = "There are no current findings."

    def __init__(
        self, rows: Sequence[Finding], *, issue: Issue, sees_rounds: bool, exclude: Collection[str]
    ) -> None:
        shown = len(rows)
        more = f", of {issue.findings:,}" if issue.findings > shown else ""
        exclude = {*exclude, *_silent(rows)}
        super().__init__(rows, exclude=exclude, caption=f"The first findings of each day{more}")
        self._issue, self._sees_rounds = issue, sees_rounds
        digests = {each.log_sha256 for each in rows} - {""} if sees_rounds else set()
        logs = RoundLog.objects.filter(party=issue.party_id, sha256__in=digests)
        self._logs = {each.sha256: each.uuid for each in logs}

    def render_round(self, value: str) -> SafeString | str:
        if not self._sees_rounds:
            return value
        address = reverse("round", args=[self._issue.party.code, value])
        return format_html('<a class="usa-link" href="{}">{}</a>', address, value)

    def render_wager(self, record: Finding) -> str:
        """Show the line that was reached, too; without a wager, what went wrong."""
        names = ", ".join(map(describe_name, filter(None, (record.wager, record.line))))
        return names or (describe_code(record.code) if record.code else "–")

    def render_at(self, record: Finding) -> SafeString | str:
        """Show the time; the gambling day if there is none."""
        if record.at is None:
            return show_day(record.day)
        shown = show_instant(record.at, "M j, g:i:s A")
        return format_html('<time datetime="{}">{}</time>', record.at.isoformat(), shown)

    def render_logged(self, value: Any, record: Finding) -> SafeString | str:
        """Keep an amount's sign with its dollars."""
        shown = describe_value(record.code or self._issue.code, value)
        if isinstance(value, int):
            return format_html('<span class="amount">{}</span>', shown)
        return shown

    render_expected = render_logged

    def render_cites(self, value: list[str]) -> str:
        return ", ".join(value) or "–"

    def render_source_line(self, record: Finding) -> SafeString | str:
        log = self._logs.get(record.log_sha256)
        if log is None or not record.source_line:
            return "–"
        return format_html(
            '<a class="usa-link" href="{}">Line {}'
            '<span class="usa-sr-only"> of round {}</span></a>',
            reverse("log_line", args=[log, record.source_line]),
            f"{record.source_line:,}",
            record.round,
        )


CHANGED: Final = frozenset({Finding.Standing.CHANGED, Finding.Standing.GONE})
"""What a later replay says about a finding that a reader has to know."""


def _silent(rows: Sequence[Finding]) -> set[str]:
    """Return the columns that say nothing about any of the rows, or the same about all."""
    shown = {
        "table": len({each.table for each in rows}) > 1,
        "seat": any(each.seat is not None for each in rows),
        "expected": any(each.expected is not None for each in rows),
        "delta": any(each.delta for each in rows),
        "standing": any(each.standing in CHANGED for each in rows),
    }
    return {name for name, is_shown in shown.items() if not is_shown} if rows else set()


class EarlierTable(ListTable):
    """Earlier issues of the same code and game."""

    issue = tables.Column(linkify=("issue", {"uuid": tables.A("issue__uuid")}))
    last = InstantColumn(accessor="issue__last", form="M j, Y, g:i A")
    rounds = CountColumn(accessor="issue__rounds")
    over = OverpaidColumn(accessor="issue__over")
    under = UnderpaidColumn(accessor="issue__under")
    decision = tables.Column(verbose_name="Decision", empty_values=())

    def render_issue(self, value: Issue) -> str:
        """Show its headline and tables."""
        return describe_issue(value)

    def render_decision(self, record: EarlierIssue) -> str:
        """Show the state, and the beginning of the reason."""
        state = str(record.issue.get_state_display())
        if record.decision is None:
            return state
        return f"{state}: {truncatechars(record.decision.reason, 160)}"
