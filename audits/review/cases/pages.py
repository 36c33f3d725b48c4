"""Pages of cases: the list, a new case, and one case with its actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import django_tables2 as tables
from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404, resolve_url
from django.urls import reverse

from audits.commission import operators
from audits.local_times import InstantColumn
from audits.replay.findings.models import Issue
from audits.replay.findings.reads import by_impact
from audits.replay.findings.wording import describe_issue, describe_title, title_of
from audits.review.cases.forms import (
    CaseFilters,
    CaseNoteForm,
    ComplaintAnswerForm,
    FactsForm,
    GatherForm,
    IssueCaseForm,
    LeadForm,
    LevelForm,
    OpenForm,
    PersonForm,
    RoundOfComplaintForm,
    TaskForm,
    VideoForm,
    ViolationForm,
)
from audits.review.cases.models import Case, CaseItem, CaseSeal, CaseTask, Complaint
from audits.review.cases.presentation import put_into_words
from audits.review.cases.reads import prior_history
from audits.review.cases.writes import (
    Gathered,
    close_case,
    gather,
    gather_documents,
    note_on_case,
    open_case,
    recommend,
    reopen_case,
    take_out,
    write_facts,
)
from audits.review.columns import CodeColumn, OverpaidColumn, UnderpaidColumn
from compliance import clock
from compliance.access.permissions import Action
from compliance.acts.checked import Check, CheckedPage
from compliance.acts.pages import open_act_at
from compliance.filings.documents.writes import receive_files
from compliance.ui.forms import ReasonForm
from compliance.ui.pages import ActionPage, ListPage, Page
from compliance.ui.tables import CountColumn, DayColumn, ListTable

if TYPE_CHECKING:
    from django.db.models import QuerySet


class CaseTable(ListTable):
    """Cases, newest first."""

    number = tables.Column(linkify=("case", {"uuid": tables.A("uuid")}))
    title = tables.Column()
    party = tables.Column(verbose_name="Operator")
    lead = tables.Column(verbose_name="Lead agent", default="–")
    opened = DayColumn()
    state = tables.Column(accessor="get_state_display")
    recommended = tables.Column(accessor="recommended")
    caption = "Cases"


class PriorCaseTable(CaseTable):
    """Other cases of an operator, newest first."""

    class Meta:
        exclude = ("party",)


class PriorIssueTable(ListTable):
    """An operator's confirmed and corrected issues, by code."""

    code = CodeColumn()
    state = tables.Column(verbose_name="Decided")
    issues = CountColumn()
    sum_rounds = CountColumn(verbose_name="Rounds")
    sum_over = OverpaidColumn()
    sum_under = UnderpaidColumn()
    latest = InstantColumn(verbose_name="Last", form="M j, Y")
    caption = "Other issues that were confirmed or corrected"

    def render_state(self, value: str) -> str:
        return str(Issue.State(value).label)


class CaseList(ListPage):
    """The commission's cases."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/cases/cases.html"
    table_class = CaseTable
    filter_class = CaseFilters

    def get_rows(self) -> QuerySet[Case]:
        return Case.objects.select_related("party", "lead")

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {"keeps": self.allows(Action.KEEP_CASES)}


class NewCase(ActionPage):
    """Open a case, starting from an issue or a round in the address, or from a text."""

    permission = Action.KEEP_CASES
    template_name = "audits/cases/new.html"
    success_message = "{result} is open."
    kept_as = "opened"

    def get_subject(self) -> Issue | None:
        """Return the issue in the address; None if it names none."""
        named = self.request.GET.get("issue", "")
        if not named:
            return None
        try:
            uuid = UUID(named)
        except ValueError as no:
            raise Http404 from no
        return get_object_or_404(Issue.objects.select_related("party"), uuid=uuid)

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        issue = self.subject
        if issue is None:
            initial = {name: self.request.GET.get(name, "") for name in ("operator", "round")}
            return OpenForm(data, initial=initial)
        title = f"{describe_title(issue)} at {issue.table or issue.party}"
        return IssueCaseForm(data, initial={"title": title[:120]})

    def act(self, data: dict[str, Any]) -> Case:
        issue = self.subject
        return open_case(
            party=issue.party if issue else data["operator"],
            title=data["title"],
            reason=data["reason"],
            begins_with=Gathered(kind=CaseItem.Kind.ISSUE, issue=issue)
            if issue
            else data["begins_with"],
            by=self.person,
            uuid=data["uuid"],
        )

    def get_success_url(self, result: Case) -> str:
        return resolve_url("case", uuid=result.uuid)

    def get_context(self) -> dict[str, Any]:
        """Add the open cases of the same operator, in which this may belong."""
        issue, code = self.subject, self.request.GET.get("operator", "")
        party = issue.party if issue else operators().get(code)
        is_open = Case.objects.filter(party=party, state=Case.State.OPEN)
        return super().get_context() | {
            "issue": issue,
            "what": describe_issue(issue) if issue else "",
            "round": "" if issue else self.request.GET.get("round", "")[:64],
            "party": party,
            "around": list(is_open[:20]) if party else [],
        }


def find_case(uuid: UUID) -> Case:
    """Return a case that the user may see."""
    return get_object_or_404(Case.objects.select_related("party", "lead"), uuid=uuid)


Kind = CaseItem.Kind
SECTIONS: Final = {
    "people": (Kind.PERSON,),
    "violations": (Kind.VIOLATION,),
    "items": tuple(each for each in Kind if each not in {Kind.PERSON, Kind.VIOLATION}),
}
"""The sections of a case's page, and the kinds of items in each."""
MOST_ISSUES: Final = 50


def _open_issues(case: Case) -> list[tuple[Issue, str]]:
    """Return issues of the operator that the case does not contain, the worst first."""
    inside = CaseItem.objects.filter(case=case, issue__isnull=False, removal__isnull=True)
    found = Issue.objects.filter(party=case.party_id, open=True, findings__gt=0)
    rows = by_impact(found.exclude(pk__in=inside.values("issue"))).select_related("party")
    return [(each, title_of(each)) for each in rows[:MOST_ISSUES]]


class CasePage(Page):
    """One case: its facts, its evidence, the prior history, and the recommendation."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/cases/case.html"

    def get_subject(self) -> Case:
        return find_case(self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        """Put the case into words, and add the forms that the user may use."""
        case: Case = self.subject
        words = put_into_words(case)
        history = prior_history(case.party, but=case)
        keeps = self.allows(Action.KEEP_CASES)
        return {
            "case": case,
            "words": words,
            **{
                name: [
                    (each, self.form(ReasonForm, f"out-{each.item.uuid}"))
                    for each in words.of(*kinds)
                ]
                for name, kinds in SECTIONS.items()
            },
            "tasks": CaseTask.objects.filter(case=case).select_related("assigned_to"),
            "today": clock.today(),
            "complaint": Complaint.objects.filter(case=case).first(),
            "seals": CaseSeal.objects.filter(case=case),
            "open_issues": _open_issues(case) if keeps else [],
            "more_cases": history.more,
            "prior_cases": PriorCaseTable(history.cases),
            "prior_issues": PriorIssueTable(history.decided),
            "keeps": keeps,
            "writes": keeps and case.state == Case.State.OPEN,
            "closing": open_act_at(reverse("close_case", args=[case.uuid])),
            **(self._forms() if keeps else {}),
        }

    def _forms(self) -> dict[str, forms.Form]:
        case: Case = self.subject
        facts = {"edition": case.edition, "title": case.title, "facts": case.facts}
        level = {"was": case.level, "level": case.level, "reason": case.level_reason}
        return {
            "gather_form": self.form(GatherForm, "gather"),
            "lead_form": self.form(LeadForm, "lead", lead=case.lead and str(case.lead.uuid)),
            "person_form": self.form(PersonForm, "person"),
            "violation_form": self.form(ViolationForm, "violation"),
            "video_form": self.form(VideoForm, "video"),
            "task_form": self.form(TaskForm, "task"),
            "round_form": self.form(RoundOfComplaintForm, "round"),
            "reply_form": self.form(ComplaintAnswerForm, "reply"),
            "facts_form": self.form(FactsForm, "facts", **facts),
            "level_form": self.form(LevelForm, "level", **level),
            "note_form": self.form(CaseNoteForm, "note"),
            "close_form": self.form(ReasonForm, "close"),
            "reopen_form": self.form(ReasonForm, "reopen"),
        }


class CaseAction(ActionPage):
    """An action on the page of a case."""

    permission = Action.KEEP_CASES
    shown_on = CasePage
    returns_to = ("case", "uuid")

    def get_subject(self) -> Case:
        return find_case(self.kwargs["uuid"])


class AddItem(CaseAction):
    """Add a round, a document or a statement to a case."""

    form_class = GatherForm
    form_name = "gather"
    success_message = "Added to the case."

    def act(self, data: dict[str, Any]) -> Any:
        """Add the item, with its documents if there are any."""
        what = Gathered(kind=CaseItem.Kind(data["kind"]), text=data["text"], round=data["round"])
        if not data["papers"]:
            return gather(case=self.subject, what=what, by=self.person)
        with receive_files(data["papers"]) as papers:
            return gather_documents(
                case=self.subject,
                what=what,
                papers=papers,
                evidence_date=data["evidence_date"],
                by=self.person,
            )


class IssueForm(forms.Form):
    """Choice of an issue."""

    issue = forms.UUIDField(widget=forms.HiddenInput)


class AddIssue(CaseAction):
    """Add an issue to a case, from the page of the issue."""

    form_class = IssueForm
    success_message = "The issue was added to the case."

    def act(self, data: dict[str, Any]) -> CaseItem:
        issue = get_object_or_404(Issue.objects.select_related("party"), uuid=data["issue"])
        what = Gathered(kind=CaseItem.Kind.ISSUE, issue=issue)
        return gather(case=self.subject, what=what, by=self.person)


class RemoveItem(CaseAction):
    """Remove an item from a case, with the reason."""

    form_class = ReasonForm
    form_name = "out-{item}"
    success_message = "Removed from the case."

    def act(self, data: dict[str, Any]) -> None:
        item = get_object_or_404(
            CaseItem.objects.select_related("case__party"),
            case=self.subject,
            uuid=self.kwargs["item"],
        )
        take_out(item=item, by=self.person, **data)


class WriteFacts(CaseAction):
    """Save the title and the facts."""

    form_class = FactsForm
    form_name = "facts"
    success_message = "Facts saved."

    def act(self, data: dict[str, Any]) -> None:
        """Save them, unless another edition was saved meanwhile."""
        write_facts(case=self.subject, by=self.person, **data)


class RecommendLevel(CaseAction):
    """Recommend a level."""

    form_class = LevelForm
    form_name = "level"
    success_message = "Recommendation saved."

    def act(self, data: dict[str, Any]) -> None:
        level = Case.Level(data.pop("level"))
        recommend(case=self.subject, level=level, by=self.person, **data)


class AddNote(CaseAction):
    """Add a note for the commission alone."""

    form_class = CaseNoteForm
    form_name = "note"
    success_message = "Note added."

    def act(self, data: dict[str, Any]) -> None:
        note_on_case(case=self.subject, by=self.person, **data)


class CloseCase(CaseAction, CheckedPage):
    """Close a case."""

    form_class = ReasonForm
    form_name = "close"
    success_message = "{subject} is closed."
    check_button = "Close case"

    def get_second_permission(self) -> Action | None:
        """Return a supervisor's permission, unless a supervisor closes it."""
        supervises = self.allows(Action.ASSIGN_FINDINGS)
        return None if supervises else Action.ASSIGN_FINDINGS

    def describe(self, result: None, data: dict[str, Any]) -> Check:
        """Say what is recommended on which evidence, and which of its issues are undecided."""
        words = put_into_words(self.subject)
        kept = [each.item for each in words.items]
        issues = [each.issue for each in kept if each.issue is not None]
        undecided = [describe_title(each) for each in issues if each.open]
        return Check(
            title=f"Close {self.subject}: {self.subject.title}",
            touches=(
                f"Recommended: {self.subject.recommended}.",
                f"Items of evidence: {len(kept)}, {len(issues)} of them issues.",
                "Nothing can be added to a closed case; reopening it needs a reason.",
            ),
            warnings=tuple(f"This issue is still open: {each}." for each in undecided),
        )

    def act(self, data: dict[str, Any]) -> None:
        """Close it, with the reason."""
        close_case(case=self.subject, by=self.person, **data)


class ReopenCase(CaseAction):
    """Reopen a closed case."""

    form_class = ReasonForm
    form_name = "reopen"
    success_message = "{subject} is open again."

    def act(self, data: dict[str, Any]) -> None:
        """Reopen it, with the reason."""
        reopen_case(case=self.subject, by=self.person, **data)
