"""Pages of releases: an agent releases the report of a day; some findings release automatically."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.shortcuts import get_object_or_404
from django.utils.html import format_html

from audits.commission import operators
from audits.intake.days.models import GamblingDay
from audits.replay.findings.models import Issue
from audits.review.columns import CodeColumn
from audits.review.releases.forms import DayForm, StandingForm
from audits.review.releases.reads import (
    codes_known,
    days_to_release,
    standing_changes,
    standing_releases,
    who_released,
)
from audits.review.releases.writes import release_day, set_standing_release
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.acts.checked import Check, CheckedPage
from compliance.people.passkeys import SignedAction
from compliance.ui.filters import day, when
from compliance.ui.pages import Page
from compliance.ui.tables import CountColumn, DayColumn, ListTable
from games.checks import describe_code

if TYPE_CHECKING:
    from datetime import date

    from django.db.models import QuerySet
    from django.utils.safestring import SafeString

    from audits.review.releases.reads import StandingCode


MOST_ROWS = 100


class DayTable(ListTable):
    """Closed days whose report is not released to the operator."""

    day = DayColumn(
        verbose_name="Gambling day",
        linkify=("day_release", {"code": tables.A("party__code"), "day": tables.A("day")}),
    )
    party = tables.Column(verbose_name="Operator")
    rounds = CountColumn(accessor="current__rounds", verbose_name="Rounds audited")
    findings = CountColumn(accessor="current__findings")
    caption = "Closed days that are not released, newest first"

    def render_day(self, value: date, record: GamblingDay) -> SafeString:
        """Name the operator, too, for those who hear links read out of context."""
        return format_html('{}<span class="usa-sr-only"> at {}</span>', day(value), record.party)


class StandingTable(ListTable):
    """Codes whose findings are released to an operator automatically."""

    code = CodeColumn(verbose_name="Finding")
    since = tables.Column(empty_values=())
    end = tables.TemplateColumn(template_name="audits/releases/end.html")
    caption = "Released automatically"

    def __init__(self, data: list[StandingCode], *, party: Party, ends: bool) -> None:
        super().__init__(data, exclude=() if ends else ("end",))
        self.party = party

    def render_since(self, record: StandingCode) -> str:
        if record.since is None:
            return "The beginning: only the operator can fix it"
        return ", by ".join(filter(None, (when(record.since), record.by)))


class Releases(Page):
    """Days whose report is not released yet, with links to each operator's automatic releases."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/releases/releases.html"

    def get_context(self) -> dict[str, Any]:
        return {
            "table": DayTable(days_to_release()[:MOST_ROWS]),
            "operators": list(operators().values()),
        }


def issues_of_day(kept: GamblingDay) -> QuerySet[Issue]:
    """Return the issues that the report of a day names."""
    return Issue.objects.filter(party=kept.party, nights__day=kept.day).distinct()


def readers_of(party: Party) -> list[str]:
    """Return who reads what is released to an operator."""
    return [str(each) for each in (party, party.agency) if each is not None]


class DayRelease(SignedAction, CheckedPage):
    """Whether a day's report is released, what a release shows, and the form to release it."""

    permission = Action.SEE_FINDINGS
    post_permission = Action.RELEASE_FINDINGS
    template_name = "audits/releases/day.html"
    form_class = DayForm
    returns_to = ("day_release", "code", "day")

    def get_subject(self) -> GamblingDay:
        days = GamblingDay.objects.select_related("party__agency", "current")
        return get_object_or_404(days, party__code=self.kwargs["code"], day=self.kwargs["day"])

    def act(self, data: dict[str, Any]) -> None:
        """Release it, unless logs came in since the page was shown."""
        release_day(day=self.subject, by=self.person, **data)

    check_button = "Release"

    def describe(self, result: None, data: dict[str, Any]) -> Check:
        """Say who sees what, and how much it is."""
        kept: GamblingDay = self.subject
        issues = issues_of_day(kept)
        current = kept.current
        audited = f"{current.rounds:,} rounds, {current.findings:,} findings" if current else "none"
        hidden = issues.filter(released=None).count()
        return Check(
            title=f"Release {day(kept.day)} to {kept.party}",
            touches=(
                f"Readers: {' and '.join(readers_of(kept.party))}.",
                f"The nightly report and the restitution schedule of {day(kept.day)}, with their "
                "supplements. They are notified as soon as it is released.",
                f"Audited rounds: {audited}.",
                f"Issues named in the report: {issues.count():,}, of which {hidden:,} are not "
                "released. The pages of those stay closed until each is released.",
            ),
        )

    def get_success_message(self, result: None) -> str:
        return f"{self.party} can see the report of {day(self.subject.day)} now."

    def get_context(self) -> dict[str, Any]:
        """Read the day again: it may have changed since the refused form was shown."""
        kept: GamblingDay = self.subject
        kept.refresh_from_db(fields=["supplements", "released", "state"])
        issues = issues_of_day(kept)
        return {
            "kept": kept,
            "refused": self.refused,
            "closed": kept.state == GamblingDay.State.CLOSED,
            "issues": issues.count(),
            "shown": issues.filter(released__isnull=False).count(),
            "by": who_released(kept) if kept.released else "",
            "releases": self.allows(Action.RELEASE_FINDINGS),
            "read": kept.supplements,
        }


class StandingReleases(SignedAction, CheckedPage):
    """An operator's automatic releases; an agent adds or ends them."""

    permission = Action.SEE_FINDINGS
    post_permission = Action.RELEASE_FINDINGS
    template_name = "audits/releases/standing.html"
    returns_to = ("standing_releases", "code")

    def get_subject(self) -> Party:
        return get_object_or_404(Party, code=self.kwargs["code"], kind__in=OPERATOR_KINDS)

    def get_form(self, data: Any = None, files: Any = None) -> StandingForm:
        return StandingForm(codes_known(self.subject), data)

    def act(self, data: dict[str, Any]) -> str:
        """Add or end one, and return what happens from now on."""
        self.tried = clock.now()
        set_standing_release(party=self.subject, by=self.person, **data)
        now = "are released automatically" if data["stands"] else "wait for an agent"
        return f"Findings of {data['code']} {now} from now on."

    def describe(self, result: str, data: dict[str, Any]) -> Check:
        """Say which open issues it releases at once."""
        party: Party = self.subject
        shown = Issue.objects.filter(party=party, released__gte=self.tried).count()
        touches = [
            f"Readers: {' and '.join(readers_of(party))}.",
            f"{shown:,} open issues are released at once.",
            result,
        ]
        if not data["stands"]:
            touches = [result, "What was released before stays visible."]
        title = "Release automatically" if data["stands"] else "End the automatic release of"
        return Check(title=f"{title} {describe_code(data['code']).lower()}", touches=tuple(touches))

    def get_success_message(self, result: str) -> str:
        return result

    def get_context(self) -> dict[str, Any]:
        """List the automatic releases, their history, and the days that wait for a release."""
        party: Party = self.subject
        releases = self.allows(Action.RELEASE_FINDINGS)
        standing = standing_releases(party)
        others = sorted({*codes_known(party)} - {each.code for each in standing})
        return {
            "party": party,
            "table": StandingTable(standing, party=party, ends=releases),
            "refused": self.refused,
            "form": StandingForm(others) if releases else None,
            "days": DayTable(days_to_release().filter(party=party)[:MOST_ROWS]),
            "changes": standing_changes(party)[:MOST_ROWS],
        }
