"""Pages of an investigation: its lead, people, alleged violations, tasks, video and exhibits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, resolve_url

from audits.review.cases.exhibits import read_seal, record_seal_export, seal_exhibits
from audits.review.cases.forms import (
    ComplaintAnswerForm,
    ComplaintForm,
    LeadForm,
    PersonForm,
    RoundOfComplaintForm,
    TaskForm,
    VideoForm,
    ViolationForm,
)
from audits.review.cases.investigation import (
    add_task,
    answer_complaint,
    finish_task,
    lead_case,
    open_complaint,
    resolve_round,
)
from audits.review.cases.models import Case, CaseItem, CaseSeal, CaseTask, Complaint
from audits.review.cases.pages import CaseAction, CasePage
from audits.review.cases.presentation import PHOTOS
from audits.review.cases.writes import Gathered, gather
from compliance.access.permissions import Action
from compliance.files.archive import current_archive, read_bytes
from compliance.files.downloads import as_file
from compliance.filings.documents.models import DocumentFile
from compliance.ui.pages import ActionPage

if TYPE_CHECKING:
    from django import forms
    from django.http import HttpRequest


class LeadCase(CaseAction):
    """Name the lead agent."""

    form_class = LeadForm
    form_name = "lead"
    success_message = "{result.lead} leads the case."

    def act(self, data: dict[str, Any]) -> Case:
        return lead_case(case=self.subject, lead=data["lead"], by=self.person)


class AddNamed(CaseAction):
    """Add an item of a kind that has its own form."""

    kind: ClassVar[CaseItem.Kind]

    def act(self, data: dict[str, Any]) -> CaseItem:
        """Add it to the case."""
        return gather(case=self.subject, what=Gathered(kind=self.kind, **data), by=self.person)


class AddPerson(AddNamed):
    """Add a person."""

    kind = CaseItem.Kind.PERSON
    form_class: ClassVar[type[forms.Form]] = PersonForm
    form_name = "person"
    success_message = "The person was added to the case."


class AddViolation(AddNamed):
    """Add an alleged violation."""

    kind = CaseItem.Kind.VIOLATION
    form_class: ClassVar[type[forms.Form]] = ViolationForm
    form_name = "violation"
    success_message = "The alleged violation was added to the case."


class AddVideo(AddNamed):
    """Add a reference to a video."""

    kind = CaseItem.Kind.VIDEO
    form_class: ClassVar[type[forms.Form]] = VideoForm
    form_name = "video"
    success_message = "The video was added to the case."


class AddTask(CaseAction):
    """Add a task."""

    form_class = TaskForm
    form_name = "task"
    success_message = "The task was added."

    def act(self, data: dict[str, Any]) -> CaseTask:
        return add_task(case=self.subject, by=self.person, **data)


class FinishTask(CaseAction):
    """Mark a task as done."""

    success_message = "The task is done."

    def act(self, data: dict[str, Any]) -> CaseTask:
        """Mark it as done."""
        found = CaseTask.objects.select_related("case__party").filter(case=self.subject)
        task = get_object_or_404(found, uuid=self.kwargs["task"])
        return finish_task(task=task, by=self.person)


class NewComplaint(ActionPage):
    """Open a case with a player's complaint."""

    permission = Action.KEEP_CASES
    template_name = "audits/cases/complaint.html"
    form_class = ComplaintForm
    kept_as = "opened"
    success_message = "{result} is open. Next, find the round."

    def act(self, data: dict[str, Any]) -> Case:
        return open_complaint(party=data.pop("operator"), by=self.person, **data)

    def get_success_url(self, result: Case) -> str:
        return resolve_url("case", uuid=result.uuid)


class ComplaintAction(CaseAction):
    """An action on the complaint of a case."""

    @property
    def complaint(self) -> Complaint:
        """Return the complaint of the case in the address."""
        found = Complaint.objects.select_related("case__party")
        return get_object_or_404(found, case=self.subject)


class ResolveRound(ComplaintAction):
    """Record the round of a complaint, or that none is on file."""

    form_class = RoundOfComplaintForm
    form_name = "round"

    def act(self, data: dict[str, Any]) -> Complaint:
        return resolve_round(complaint=self.complaint, by=self.person, **data)

    def get_success_message(self, result: Complaint) -> str:
        if result.round:
            return f"Round {result.round} is the round of this complaint."
        return "It is recorded that no such round is on file."


class AnswerComplaint(ComplaintAction):
    """Answer a complaint."""

    form_class = ComplaintAnswerForm
    form_name = "reply"
    success_message = "The answer is on file. Send it to the player."

    def act(self, data: dict[str, Any]) -> Complaint:
        return answer_complaint(complaint=self.complaint, by=self.person, **data)


class SealExhibits(CaseAction):
    """Seal the exhibits of a case in one file."""

    success_message = "The exhibits are sealed: {result.exhibits} in one file."

    def act(self, data: dict[str, Any]) -> CaseSeal:
        """Seal them as they are now."""
        return seal_exhibits(case=self.subject, by=self.person)


class SealedFile(CasePage):
    """A sealed file of exhibits; the download is an event."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Send the file, verified."""
        found = CaseSeal.objects.select_related("case__party").filter(case=self.subject)
        seal = get_object_or_404(found, uuid=self.kwargs["seal"])
        response = HttpResponse(read_seal(seal), content_type="application/zip")
        recorded = record_seal_export(seal=seal, by=self.person)
        name = f"{self.subject.number.replace(' ', '-')}-exhibits-{seal.sha256[:8]}.zip"
        return as_file(response, name, recorded=recorded)


class CasePhoto(CasePage):
    """A photo among the evidence, shown on the page of the case."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Send a photo; any other file is downloaded from its document."""
        items = CaseItem.objects.filter(case=self.subject, paper__isnull=False)
        item = get_object_or_404(items, uuid=self.kwargs["item"])
        file = get_object_or_404(DocumentFile, version=item.paper_id, place=self.kwargs["place"])
        if file.media_type not in PHOTOS:
            raise Http404
        content = read_bytes(current_archive(), file.sha256)
        return HttpResponse(content, content_type=file.media_type)
