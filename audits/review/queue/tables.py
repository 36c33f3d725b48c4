"""Tables of the queue: the list, the results of an action on many issues, and covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html

from audits.replay.findings.wording import title_of
from compliance import clock
from compliance.ui.tables import DayColumn, ListTable

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.utils.safestring import SafeString

    from audits.replay.findings.models import Issue
    from audits.review.issues.models import Cover
    from compliance.access.models import Person


def link_issue(issue: Issue) -> SafeString:
    """Show the title of an issue with a link to its page, and its code in small print."""
    return format_html(
        '<a class="usa-link" href="{}">{}</a> <code class="small-print">{}</code>',
        *(reverse("issue", args=[issue.uuid]), title_of(issue), issue.code),
    )


def is_late(issue: Issue) -> bool:
    """Return whether an open issue is past its due day."""
    return issue.open and issue.work.due < clock.today()


def is_due_today(issue: Issue) -> bool:
    """Return whether an open issue is due today."""
    return issue.open and issue.work.due == clock.today()


class OutcomeTable(ListTable):
    """What an action on many does to each issue."""

    issue = tables.Column()
    becomes = tables.Column(verbose_name="Result")
    why_not = tables.Column(verbose_name="Why")
    compact = True

    def render_issue(self, value: Issue) -> SafeString:
        return link_issue(value)


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
