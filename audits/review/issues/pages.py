"""Pages of issues: the list, and one issue with its findings and available steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse

from audits.intake.table_records.reads import records_about
from audits.replay.findings.models import Finding, Issue
from audits.replay.findings.reads import standing_issues
from audits.replay.findings.wording import title_of, with_parts
from audits.review.cases.models import Case
from audits.review.disclosures.reads import disclosures_about
from audits.review.issues.assignments import assign, claim, escalate, reviewers
from audits.review.issues.decisions import (
    StepRequest,
    note,
    refuse_proposal,
    second,
    take_step,
    warnings_of,
)
from audits.review.issues.evidence import evidence_of
from audits.review.issues.exports import exported
from audits.review.issues.forms import (
    AnswerForm,
    EditionForm,
    GiveForm,
    IssueFilters,
    MergeForm,
    NoteForm,
    SplitForm,
    StepForm,
)
from audits.review.issues.models import Decision, Proposal
from audits.review.issues.openers import openers_part
from audits.review.issues.panel import panel_of, questions_of
from audits.review.issues.presentation import (
    MOST_BEFORE,
    cause_in_words,
    dealers_of,
    draw_nights,
    earlier_issues,
    exceptions_of,
    in_one_sentence,
    lines_of,
    nights_of,
    owner_of,
    tables_of,
)
from audits.review.issues.questions import (
    answer_question,
    thread_of,
    waiting_for_an_answer,
)
from audits.review.issues.regrouping import Portion, merge_issue, merge_targets, split_issue
from audits.review.issues.steps import OUTCOMES, STEPS
from audits.review.issues.tables import (
    EarlierTable,
    FindingTable,
    IssueTable,
    NightTable,
    SumsTable,
)
from audits.review.releases.writes import release_issue
from compliance.access.permissions import Action
from compliance.acts.checked import Check, CheckedPage
from compliance.errors import RefusedError
from compliance.filings.documents.writes import receive_files
from compliance.people.passkeys import SignedAction
from compliance.ui.access import allows
from compliance.ui.forms import ReasonForm
from compliance.ui.lists import AFTER, cut
from compliance.ui.pages import ListPage, Page

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


MOST_WAITING = 20
LONGEST_QUERY = 2000


class IssueList(ListPage):
    """All issues, or for operators those that were released."""

    permission = Action.SEE_RELEASED
    template_name = "audits/issues/issues.html"
    table_class = IssueTable
    filter_class = IssueFilters

    def get_rows(self) -> QuerySet[Issue]:
        found = standing_issues(inside=self.allows(Action.SEE_FINDINGS))
        return with_parts(found.select_related("party"))

    def get_table(self, rows: Any) -> IssueTable:
        """Show the commission the state, and operators what it means for them."""
        return IssueTable(rows, inside=self.allows(Action.SEE_FINDINGS))

    def get_context(self) -> dict[str, Any]:
        """Add the filters for the downloads, and questions that wait for an answer."""
        inside = self.allows(Action.SEE_FINDINGS)
        query = [(name, value) for name, value in self.request.GET.items() if name != AFTER]
        return super().get_context() | {
            "narrowed": self.filters.narrowed if self.filters else [],
            "left_out": getattr(self.filters, "left_out", 0),
            "not_searched": getattr(self.filters, "not_searched", ""),
            "query": urlencode(query),
            "inside": inside,
            "replays": self.allows(Action.REPLAY),
            "waiting": [] if inside else waiting_for_an_answer()[:MOST_WAITING],
        }


class IssueExport(IssueList):
    """Everything that the list's filters show, as a file."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponseBase:  # type: ignore[override]
        """Send the file; with invalid filters an empty one would suggest that there are none."""
        if self.filters and not self.filters.is_valid():
            return super().get(request)
        inside = self.allows(Action.SEE_FINDINGS)
        related = ("party", "work__assigned_to") if inside else ("party",)
        found = self.get_filtered().select_related(*related).order_by("-pk")
        return exported(request, found, name="findings", inside=inside)


class IssuePage(Page):
    """An issue: what happened, the amounts, and what can be done about it."""

    template_name = "audits/issues/issue.html"

    def get_subject(self) -> Issue:
        """Return the issue; a tribe's agency sees those of its operation."""
        found = Issue.objects.select_related("party__agency")
        issue = get_object_or_404(found, uuid=self.kwargs["uuid"])
        shown_to = filter(None, (issue.party, issue.party.agency))
        if not any(allows(self.request, Action.SEE_RELEASED, party) for party in shown_to):
            raise Http404
        return issue

    def get_context(self) -> dict[str, Any]:
        """Collect what happened, and for the commission what was done about it."""
        issue: Issue = self.subject
        inside = self.allows(Action.SEE_FINDINGS)
        findings = Finding.objects.filter(issue=issue)
        if not inside:
            findings = findings.exclude(standing=Finding.Standing.GONE)
        page = cut(self.request, findings, by="pk")
        nights, has_more = nights_of(issue, inside=inside)
        tables, lines, dealers = tables_of(issue), lines_of(issue), dealers_of(nights)
        places = [(each.day, each.table) for each in page.rows]
        before = earlier_issues(issue, inside=inside)
        return {
            "issue": issue,
            "title": title_of(issue),
            "sentence": in_one_sentence(issue),
            "cause": cause_in_words(issue),
            "exceptions": exceptions_of(issue, inside=inside),
            "mark": OUTCOMES[Issue.State(issue.state)].mark,
            "sees_rounds": self.allows(Action.SEE_ROUNDS),
            "evidence": evidence_of(
                issue, nights, sees_rounds=self.allows(Action.SEE_ROUNDS), inside=inside
            ),
            **(openers_part(issue, sees_rounds=self.allows(Action.SEE_ROUNDS)) if inside else {}),
            "operator": issue.party,
            "whose": owner_of(issue),
            "night_chart": draw_nights(nights),
            "nights": NightTable(
                nights,
                caption=f"By gambling day{f', the newest {len(nights)}' if has_more else ''}",
                exclude=() if inside else ("replay",),
            ),
            "tables": SumsTable(tables, what="Table") if tables else None,
            "lines": SumsTable(lines, what="Wager and line") if lines else None,
            "dealers": SumsTable(dealers, what="Dealer") if dealers else None,
            "cut": page,
            "findings": FindingTable(
                page.rows,
                issue=issue,
                sees_rounds=self.allows(Action.SEE_ROUNDS),
                exclude=() if inside else ("standing",),
            ),
            "records": records_about(issue.party, places)
            if issue.code.startswith("night.") and self.allows(Action.SEE_ROUNDS)
            else [],
            "disclosures": disclosures_about(issue.party, places)
            if self.allows(Action.SEE_DISCLOSURES)
            else [],
            "before": EarlierTable(
                before,
                caption="Earlier issues of this cause or code at this operator"
                + (f", the newest {MOST_BEFORE}" if len(before) == MOST_BEFORE else ""),
                exclude=() if inside else ("decision",),
            ),
            **(panel_of if inside else questions_of)(self),
        }


GONE = "This proposal was decided on, or taken back, meanwhile."


class IssueAction(SignedAction):
    """An action on the page of an issue."""

    permission = Action.REVIEW_FINDINGS
    shown_on = IssuePage
    get_subject = IssuePage.get_subject
    returns_to = ("issue", "uuid")

    def get_success_url(self, result: Any) -> str:
        """Return to the queue with this issue beside it, if it was decided there."""
        query = self.request.GET.get("list")
        if query is None:
            return self.get_page_url()
        listed = QueryDict(query[:LONGEST_QUERY], mutable=True)
        listed["issue"] = str(self.subject.uuid)
        return f"{reverse('work')}?{listed.urlencode()}#issue"

    def get_shown_proposal(self) -> Proposal:
        """Return the proposal if it is the one that the page showed, since a newer one differs."""
        proposals = Proposal.objects.filter(issue=self.subject).select_related("issue__party")
        found = proposals.first()
        if found is None or str(found.uuid) != self.request.POST.get("proposal", ""):
            raise RefusedError(GONE)
        return found


class TakeStep(IssueAction):
    """Take a step on an issue, or propose it if it needs a second approval."""

    def get_form(self, data: Any = None, files: Any = None) -> StepForm:
        name = self.kwargs["name"]
        cases = list(Case.objects.filter(party=self.party, state=Case.State.OPEN))
        proposal = Proposal.objects.filter(issue=self.subject).select_related("by").first()
        warnings = warnings_of(self.subject, STEPS[name], proposal)
        return StepForm(STEPS[name], cases, warnings, data, prefix=name)

    def act(self, data: dict[str, Any]) -> Decision | Proposal:
        """Take it, unless the issue has changed since the page was shown."""
        edition = data.pop("edition")
        del data["shown"]
        confirmed = data.pop("confirmed", False)
        step = StepRequest(step=self.kwargs["name"], confirmed=confirmed, **data)
        return take_step(issue=self.subject, said=step, by=self.person, edition=edition)

    def get_success_message(self, result: Decision | Proposal) -> str:
        if isinstance(result, Proposal):
            return "Your decision is proposed. A colleague must agree to it."
        return "Your decision is on file."


class ClaimIssue(IssueAction):
    """Assign an issue to the user."""

    form_name = "act"
    success_message = "The issue is assigned to you."

    def act(self, data: dict[str, Any]) -> None:
        claim(issue=self.subject, by=self.person)


class GiveIssue(IssueAction):
    """Hand over, assign or unassign an issue."""

    def get_form(self, data: Any = None, files: Any = None) -> GiveForm:
        return GiveForm(reviewers(), data, prefix="give")

    def act(self, data: dict[str, Any]) -> str:
        """Reassign it, unless it has changed since the page was shown."""
        to = data["to"]
        edition, note = data["edition"], data["note"]
        assign(issue=self.subject, to=to, by=self.person, edition=edition, note=note)
        return f"The issue is assigned to {to}." if to else "The issue is unassigned."

    def get_success_message(self, result: str) -> str:
        return result


class EscalateIssue(IssueAction):
    """Escalate an issue to the supervisors, with the reason."""

    form_class = ReasonForm
    form_name = "escalate"
    success_message = "The issue is escalated to the supervisors."

    def act(self, data: dict[str, Any]) -> None:
        escalate(issue=self.subject, by=self.person, **data)


class ReleaseIssue(IssueAction, CheckedPage):
    """Release an issue to the operator."""

    permission = Action.RELEASE_FINDINGS
    form_name = "act"
    success_message = "{subject.party} can see this issue from now on."
    check_button = "Release"

    def describe(self, result: None, data: dict[str, Any]) -> Check:
        """Say who sees what, and the question that they read."""
        issue: Issue = self.subject
        readers = " and ".join(str(each) for each in (issue.party, issue.party.agency) if each)
        return Check(
            title=f"Release to {issue.party}: {title_of(issue)}",
            touches=(
                f"Readers: {readers}. They are notified as soon as it is released.",
                f"{issue.findings:,} findings in {issue.rounds:,} rounds, and later findings of "
                "this issue while it is open.",
                "Decisions and notes stay internal.",
                *(
                    f"They read: {each.heading}. {each.text}"
                    for each in thread_of(issue)
                    if each.text
                ),
            ),
        )

    def act(self, data: dict[str, Any]) -> None:
        release_issue(issue=self.subject, by=self.person)


class SplitIssue(IssueAction):
    """Split findings off into an issue of their own."""

    form_name = "split"
    success_message = "The part is an issue of its own now. You are looking at it."

    def get_form(self, data: Any = None, files: Any = None) -> SplitForm:
        return SplitForm(self.subject, data, prefix="split")

    def act(self, data: dict[str, Any]) -> Issue:
        """Split it, unless the issue has changed since the page was shown."""
        named = {name: data.get(name) for name in ("tables", "lines", "first", "last")}
        portion = Portion(**{name: value for name, value in named.items() if value})
        return split_issue(
            issue=self.subject,
            portion=portion,
            reason=data["reason"],
            by=self.person,
            edition=data["edition"],
        )

    def get_success_url(self, result: Issue) -> str:
        return reverse("issue", args=[result.uuid])


class MergeIssue(SplitIssue):
    """Merge an issue into another one."""

    form_name = "merge"
    success_message = "The issues are merged. You are looking at the one with all findings."

    def get_form(self, data: Any = None, files: Any = None) -> MergeForm:  # type: ignore[override]
        return MergeForm(merge_targets(self.subject), data, prefix="merge")

    def act(self, data: dict[str, Any]) -> Issue:
        """Merge it, unless the issue has changed since the page was shown."""
        del data["shown"]
        return merge_issue(issue=self.subject, by=self.person, **data)


class AgreeToProposal(IssueAction):
    """Approve a colleague's proposal."""

    form_class = EditionForm
    form_name = "agree"
    success_message = "The issue is decided."

    def act(self, data: dict[str, Any]) -> None:
        """Decide it, unless the issue has changed since the page was shown."""
        proposal = self.get_shown_proposal()
        second(proposal=proposal, by=self.person, edition=data["edition"])


class RefuseProposal(IssueAction):
    """Reject a proposal, or withdraw the user's own."""

    form_class = ReasonForm
    form_name = "refuse"
    success_message = "The proposal is rejected."

    def act(self, data: dict[str, Any]) -> None:
        """Reject it, with the reason."""
        refuse_proposal(proposal=self.get_shown_proposal(), by=self.person, **data)


class AnswerQuestion(IssueAction):
    """Answer the commission's question."""

    permission = Action.ANSWER_QUESTIONS
    form_class = AnswerForm
    form_name = "answer"
    success_message = "The commission has your answer."

    def act(self, data: dict[str, Any]) -> None:
        with receive_files(data.pop("papers")) as papers:
            answer_question(issue=self.subject, papers=papers, by=self.person, **data)


class AddNote(IssueAction):
    """Add a note for the commission alone."""

    form_class = NoteForm
    form_name = "note"
    success_message = "Note added."

    def act(self, data: dict[str, Any]) -> None:
        note(issue=self.subject, by=self.person, **data)
