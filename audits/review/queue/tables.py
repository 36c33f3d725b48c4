"""Tables of the queue: the list, the results of an action on many issues, and covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from audits.replay.findings.wording import describe_place, describe_title, describe_wager
from audits.review.issues.decisions import amount_of
from compliance import clock
from compliance.ui.filters import day
from compliance.ui.lists import dollars
from compliance.ui.tables import AMOUNT, CountColumn, DayColumn, ListTable, show_state

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.utils.safestring import SafeString

    from audits.replay.findings.models import Issue
    from audits.review.issues.models import Cover
    from compliance.access.models import Person


def link_issue(issue: Issue) -> SafeString:
    """Show an issue with a link to its page, its code, and the wager."""
    return format_html(
        '<a class="usa-link" href="{}">{}</a> <code>{}</code> <span class="quiet">{}</span>',
        *(reverse("issue", args=[issue.uuid]), describe_title(issue), issue.code),
        describe_wager(issue),
    )


def is_late(issue: Issue) -> bool:
    """Return whether an open issue is past its due day."""
    return issue.open and issue.work.due < clock.today()


def is_due_today(issue: Issue) -> bool:
    """Return whether an open issue is due today."""
    return issue.open and issue.work.due == clock.today()


class QueueTable(ListTable):
    """Issues of the queue; reviewers choose some of them for an action on many."""

    code = tables.Column(verbose_name="What went wrong")
    party = tables.Column(verbose_name="Operator")
    game = tables.Column(verbose_name="Game and table", empty_values=())
    rounds = tables.Column(attrs={"td": {"class": "amount minor"}, "th": {"class": "amount"}})
    amount = tables.Column(empty_values=(), attrs=AMOUNT)
    due = tables.Column(empty_values=())
    state = tables.Column()
    assigned_to = tables.Column(accessor="work__assigned_to__name", default="nobody")
    caption = "Issues, by impact"
    compact = True

    def render_code(self, record: Issue) -> SafeString:
        return link_issue(record)

    def render_game(self, record: Issue) -> str:
        """Show the table, too."""
        return describe_place(record) or "–"

    def render_amount(self, record: Issue) -> str:
        return dollars(amount_of(record))

    def render_due(self, record: Issue) -> SafeString | str:
        """Mark what is late, due today or escalated."""
        if not record.open:
            return "–"
        late = show_state("failing", "Late") if is_late(record) else ""
        today = show_state("attention", "Today") if is_due_today(record) else ""
        escalated = "escalated" if record.work.escalated else ""
        return _with_remarks(day(record.work.due), late or today, escalated)

    def render_state(self, value: str, record: Issue) -> SafeString:
        """Mark what is back after a decision, or proposed."""
        back = "back after a decision" if record.open and record.changed_since else ""
        proposal = getattr(record, "proposal", None)
        return _with_remarks(value, "", back, f"proposed by {proposal.by.name}" if proposal else "")


def _with_remarks(text: str, state: SafeString | str, *remarks: str) -> SafeString:
    small = ((each,) for each in remarks if each)
    return format_html(
        "{} {} {}", text, state, format_html_join(" ", '<span class="as-of">{}</span>', small)
    )


class ChoosingTable(QueueTable):
    """The same, with a box to choose each issue."""

    choose = tables.Column(verbose_name="", empty_values=(), attrs={"td": {"class": "choose"}})
    heading = 1

    class Meta:
        sequence = ("choose", "...")

    def render_choose(self, record: Issue) -> SafeString:
        """Name the issue as it is shown, so that a later change is noticed."""
        return format_html(
            '<input type="checkbox" name="issue" value="{}.{}" aria-label="Choose {} of {}">',
            *(record.uuid, record.work.edition, record, record.party),
        )


class OutcomeTable(ListTable):
    """What an action on many does to each issue."""

    issue = tables.Column(verbose_name="What went wrong")
    party = tables.Column(accessor="issue__party", verbose_name="Operator")
    place = tables.Column(accessor="issue", verbose_name="Game and table")
    rounds = CountColumn(accessor="issue__rounds")
    amount = tables.Column(accessor="issue", attrs=AMOUNT)
    becomes = tables.Column(verbose_name="Result")
    why_not = tables.Column(verbose_name="Why")
    compact = True

    def render_issue(self, value: Issue) -> SafeString:
        return link_issue(value)

    def render_place(self, value: Issue) -> str:
        return describe_place(value) or "–"

    def render_amount(self, value: Issue) -> str:
        return dollars(amount_of(value))


class CoverTable(ListTable):
    """Current and future covers, with a button to end each."""

    absent = tables.Column(accessor="absent__name")
    covering = tables.Column(accessor="covering__name", verbose_name="Covered by")
    first = DayColumn(verbose_name="From")
    last = DayColumn(verbose_name="To")
    end = tables.TemplateColumn(template_name="audits/queue/end_cover.html")
    caption = "Current and future"

    def __init__(self, data: QuerySet[Cover], *, person: Person, ends_all: bool) -> None:
        super().__init__(data)
        self.person, self.ends_all = person, ends_all
