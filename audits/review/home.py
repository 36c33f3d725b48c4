"""Sections of home pages: an agent's queue; an operator's newest logs and released findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables

from audits.intake.models import RoundLog
from audits.intake.reads import submissions_under_way
from audits.replay.findings.models import Issue
from audits.replay.findings.wording import describe_title
from audits.review.issues.assignments import in_queues, queues_of
from audits.review.issues.tables import IssueTable
from audits.review.queue.tables import is_due_today, is_late
from compliance.access.permissions import Action
from compliance.ui.access import allows, person_of
from compliance.ui.tables import CountColumn, ListTable, WhenColumn

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.access.models import Party


NEWEST = 5


class LogTable(ListTable):
    """The newest round logs."""

    at = WhenColumn(verbose_name="On file since", linkify=("round_log", {"uuid": tables.A("uuid")}))
    name = tables.Column(verbose_name="File")
    good = CountColumn(verbose_name="Rounds")
    rejected = CountColumn(verbose_name="Rejected lines")
    caption = "The newest on file"


def queue(request: HttpRequest, _: Party) -> dict[str, Any]:
    """Return the issues in the user's own queue that are due first."""
    found = in_queues().filter(open=True, work__assigned_to__in=queues_of(person_of(request)))
    return {
        "rows": [
            (describe_title(each), each, is_late(each), is_due_today(each))
            for each in found.order_by("work__due", "pk")[:NEWEST]
        ]
    }


def logs(request: HttpRequest, party: Party) -> dict[str, Any]:
    """Return the newest round logs and the submissions in progress."""
    return {
        "party": party,
        "table": LogTable(RoundLog.objects.filter(party=party).order_by("-at", "-pk")[:NEWEST]),
        "under_way": submissions_under_way([party])[:NEWEST],
        "submits": allows(request, Action.SUBMIT_ROUNDS, party),
    }


def findings(_: HttpRequest, party: Party) -> dict[str, Any]:
    """Return the newest released issues, without any internal remarks of the commission."""
    released = Issue.objects.filter(party=party, released__isnull=False)
    return {
        "table": IssueTable(
            released.order_by("-released", "-pk")[:NEWEST],
            caption="The newest released findings",
            exclude=("party",),
        )
    }
