"""Pages of visits: the list, one with its checklist, and one item at a time, as for a phone."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import django_tables2 as tables
from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404, resolve_url
from django.utils.functional import cached_property

from audits.replay.findings.wording import title_of
from audits.review.visits.forms import BeginForm, DifferenceForm, EndForm, PlanForm
from audits.review.visits.models import Look, Visit, VisitEnd, VisitPlan
from audits.review.visits.presentation import CheckedItem, checked_items
from audits.review.visits.reads import issues_to_inspect, planned_visits
from audits.review.visits.writes import begin_visit, cancel_plan, end_visit, look, plan_visit
from compliance.access.permissions import Action
from compliance.access.reads import names_of
from compliance.filings.documents.models import DocumentFile
from compliance.filings.documents.writes import receive_files
from compliance.ui.filters import day as show_day
from compliance.ui.forms import ReasonForm
from compliance.ui.pages import ActionPage, ListPage, Page
from compliance.ui.tables import DayColumn, ListTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from audits.replay.findings.models import Issue
    from compliance.access.models import Party


Outcome = Look.Outcome


class VisitTable(ListTable):
    """Visits, newest first."""

    day = DayColumn(verbose_name="Gambling day", linkify=("visit", {"uuid": tables.A("uuid")}))
    party = tables.Column(verbose_name="Operator")
    state = tables.Column(empty_values=())
    caption = "Visits"

    def render_state(self, record: Visit) -> str:
        """Show the result, or that the visit is in progress."""
        end = getattr(record, "end", None)
        return f"Ended: {count_items(end)}" if end else "In progress"


def count_items(end: VisitEnd) -> str:
    """Return the result of a visit in numbers."""
    return (
        f"{end.as_approved} as approved, {end.differs} different, {end.not_looked_at} not looked at"
    )


class VisitList(ListPage):
    """The commission's visits, with the form to begin one."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/visits/visits.html"
    table_class = VisitTable

    def get_rows(self) -> QuerySet[Visit]:
        return Visit.objects.select_related("party", "end")

    def get_context(self) -> dict[str, Any]:
        """Add the planned visits with the open issues there, and the forms."""
        may = self.allows(Action.VISIT)
        asked = {name: self.request.GET.get(name, "") for name in ("operator",)}
        plans = list(planned_visits())
        return super().get_context() | {
            "form": self.form(BeginForm, "begin") if may else None,
            "plan_form": self.form(PlanForm, "plan", **asked) if may else None,
            "plans": [
                (each, _open_issues(each.party), self.form(ReasonForm, f"cancel-{each.uuid}"))
                for each in plans
            ],
        }


MOST_LISTED: Final = 5


def _open_issues(operator: Party) -> tuple[list[tuple[str, Issue]], int]:
    """Return the titles of an operator's worst open issues, and how many there are in all."""
    found = issues_to_inspect(operator)
    return [(title_of(each), each) for each in found[:MOST_LISTED]], found.count()


class PlanVisit(ActionPage):
    """Plan a visit."""

    permission = Action.VISIT
    form_class = PlanForm
    form_name = "plan"
    shown_on = VisitList
    returns_to = ("visits",)

    def act(self, data: dict[str, Any]) -> VisitPlan:
        """Plan it, or change the plan."""
        return plan_visit(party=data.pop("operator"), by=self.person, **data)

    def get_success_message(self, result: VisitPlan) -> str:
        return f"The visit to {result.party} is planned for {show_day(result.day)}."


class CancelPlan(ActionPage):
    """Cancel a planned visit."""

    permission = Action.VISIT
    form_class = ReasonForm
    form_name = "cancel-{uuid}"
    shown_on = VisitList
    returns_to = ("visits",)
    success_message = "The visit is canceled."

    def get_subject(self) -> VisitPlan:
        found = VisitPlan.objects.select_related("party")
        return get_object_or_404(found, uuid=self.kwargs["uuid"])

    def act(self, data: dict[str, Any]) -> None:
        """Cancel it, with the reason."""
        cancel_plan(plan=self.subject, by=self.person, **data)


class BeginVisit(ActionPage):
    """Begin a visit."""

    permission = Action.VISIT
    form_class = BeginForm
    form_name = "begin"
    shown_on = VisitList
    returns_to = ("visits",)

    def act(self, data: dict[str, Any]) -> Visit:
        """Begin it, with the checklist of the operator."""
        return begin_visit(party=data["operator"], by=self.person)

    def get_success_url(self, result: Visit) -> str:
        return resolve_url("visit", uuid=result.uuid)


class VisitPage(Page):
    """A visit: what to check, and what was seen."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/visits/visit.html"

    def get_subject(self) -> Visit:
        return get_object_or_404(Visit.objects.select_related("party"), uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        """Collect the checklist, what is left to check, and who did it."""
        visit: Visit = self.subject
        items = checked_items(visit)
        end = VisitEnd.objects.filter(visit=visit).first()
        names = names_of([visit.by, end.by if end else None])
        writes = end is None and self.allows(Action.VISIT)
        left = [each for each in items if each.outcome == Outcome.NOT_LOOKED_AT]
        unseen = [each for each in items if each.look is None]
        return {
            "visit": visit,
            "end": end,
            "result": count_items(end) if end else "",
            "by": names.get(visit.by, ""),
            "ended_by": names.get(end.by, "") if end else "",
            "tables": [(where, list(of)) for where, of in groupby(items, key=lambda i: i.where)],
            "checked": len(items) - len(unseen),
            "all": len(items),
            "next": unseen[0] if unseen and writes else None,
            "differences": sum(each.outcome == Outcome.DIFFERS for each in items),
            "form": (self.refused or EndForm(left=_titles(left)))
            if writes or self.refused
            else None,
        }


def _titles(left: Sequence[CheckedItem]) -> list[str]:
    return [f"{each.title} ({each.where})" for each in left]


class EndVisit(ActionPage):
    """End a visit."""

    permission = Action.VISIT
    shown_on = VisitPage
    success_message = "The visit is ended. Its differences are on file as findings."
    get_subject = VisitPage.get_subject
    returns_to = ("visit", "uuid")

    def get_form(self, data: Any = None, files: Any = None) -> EndForm:
        """Ask about everything that was not inspected."""
        items = checked_items(self.subject)
        left = [each for each in items if each.outcome == Outcome.NOT_LOOKED_AT]
        return EndForm(data, left=_titles(left))

    def act(self, data: dict[str, Any]) -> None:
        """End it: differences become findings."""
        end_visit(visit=self.subject, by=self.person, **data)


class VisitItemPage(ActionPage):
    """One item; an entry is saved at once, and the next item follows."""

    permission = Action.SEE_FINDINGS
    post_permission = Action.VISIT
    template_name = "audits/visits/item.html"
    get_subject = VisitPage.get_subject

    @cached_property
    def items(self) -> list[CheckedItem]:
        """Return the checklist before the entry."""
        return checked_items(self.subject)

    @property
    def current(self) -> CheckedItem:
        """Return the item in the address."""
        place = self.kwargs["place"]
        found = next((each for each in self.items if each.item.place == place), None)
        if found is None:
            raise Http404
        return found

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        """Return the form of a difference; a tap on “As approved” sends nothing more."""
        if data is not None and data.get("outcome") != Outcome.DIFFERS:
            return forms.Form(data)
        seen = self.current.look.seen if self.current.look else ""
        return DifferenceForm(data, files, initial={"seen": seen})

    def act(self, data: dict[str, Any]) -> Look:
        outcome = self.request.POST.get("outcome", "")
        if outcome not in Outcome.values:
            raise Http404
        with receive_files(data.pop("photos", [])) as photos:
            return look(
                item=self.current.item,
                outcome=Outcome(outcome),
                photos=photos,
                by=self.person,
                **data,
            )

    def get_success_url(self, result: Look) -> str:
        place = self.kwargs["place"]
        left = [each.item.place for each in self.items if each.look is None]
        later = [each for each in left if each > place]
        if following := later or [each for each in left if each < place]:
            return resolve_url("visit_item", uuid=self.subject.uuid, place=following[0])
        return resolve_url("visit", uuid=self.subject.uuid)

    def get_context(self) -> dict[str, Any]:
        """Collect what was approved, what was seen, and the photos of it."""
        current, place = self.current, self.kwargs["place"]
        ended = VisitEnd.objects.filter(visit=self.subject).exists()
        paper = current.look.paper_id if current.look else None
        refused = self.refused
        return {
            "visit": self.subject,
            "entry": current,
            "all": len(self.items),
            "before": place - 1,
            "after": place + 1 if place < len(self.items) else 0,
            "photos": list(DocumentFile.objects.filter(version=paper)),
            "writes": not ended and self.allows(Action.VISIT),
            "form": refused if isinstance(refused, DifferenceForm) else self.get_form(),
            "refused": refused,
        }
