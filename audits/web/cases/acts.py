"""What is done in a case: put in, taken out, written, recommended, noted, closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect

from audits.models import Case, CaseItem, Pattern
from audits.services.case_evidence import gather_papers
from audits.services.cases import (
    Gathered,
    close_case,
    gather,
    note_on_case,
    recommend,
    reopen_case,
    take_out,
    write_facts,
)
from audits.web.cases.forms import CaseNoteForm, FactsForm, GatherForm, LevelForm, TakeOutForm
from audits.web.cases.pages import found_case, page_of
from audits.web.from_page import from_page
from compliance.permissions import Action
from compliance.services.received import received
from compliance.web.acting import accepted, person_of
from compliance.web.fields import ReasonForm

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

from_its_page = from_page("case")


@from_its_page
def put_in(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Put a round, a paper or what somebody says into a case."""
    case = _kept(request, uuid)
    form = GatherForm(request.POST, request.FILES, prefix="gather")

    def act(said: dict[str, Any]) -> CaseItem:
        by = person_of(request)
        what = Gathered(kind=CaseItem.Kind(said["kind"]), text=said["text"], round=said["round"])
        if not said["papers"]:
            return gather(case=case, what=what, by=by)
        with received(said["papers"]) as papers:
            day = said["evidence_date"]
            return gather_papers(case=case, what=what, papers=papers, evidence_date=day, by=by)

    accepted(form, act)
    return _answer(request, case, "gather", form, "It is in the case.")


class PatternForm(forms.Form):
    """Which pattern."""

    pattern = forms.UUIDField(widget=forms.HiddenInput)


@from_its_page
def put_pattern(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Put a pattern into a case."""
    case = _kept(request, uuid)
    form = PatternForm(request.POST)

    def act(said: dict[str, Any]) -> CaseItem:
        pattern = get_object_or_404(Pattern.objects.select_related("party"), uuid=said["pattern"])
        what = Gathered(kind=CaseItem.Kind.PATTERN, pattern=pattern)
        return gather(case=case, what=what, by=person_of(request))

    accepted(form, act)
    return _answer(request, case, "act", form, "The pattern is in the case.")


@from_its_page
def remove(request: HttpRequest, uuid: UUID, item: UUID) -> HttpResponse:
    """Take something out of a case, with the reason."""
    case = _kept(request, uuid)
    found = get_object_or_404(CaseItem.objects.select_related("case__party"), case=case, uuid=item)
    form = TakeOutForm(found, request.POST)
    accepted(form, lambda said: take_out(item=found, by=person_of(request), **said))
    return _answer(request, case, f"take out {found.uuid}", form, "It is out of the case.")


@from_its_page
def write(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Write the facts."""
    case = _kept(request, uuid)
    form = FactsForm(request.POST, prefix="facts")
    accepted(form, lambda said: write_facts(case=case, by=person_of(request), **said))
    return _answer(request, case, "facts", form, "The facts are on file.")


@from_its_page
def level(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Recommend a level."""
    case = _kept(request, uuid)
    form = LevelForm(request.POST, prefix="level")

    def act(said: dict[str, Any]) -> Case:
        return recommend(
            case=case,
            level=Case.Level(said["level"]),
            reason=said["reason"],
            was=said["was"],
            by=person_of(request),
        )

    accepted(form, act)
    return _answer(request, case, "level", form, "The recommendation is on file.")


@from_its_page
def add_note(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Note something, for the commission alone."""
    case = _kept(request, uuid)
    form = CaseNoteForm(request.POST, prefix="note")
    accepted(form, lambda said: note_on_case(case=case, by=person_of(request), **said))
    return _answer(request, case, "note", form, "The note is on file.")


@from_its_page
def close(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Close a case."""
    case = _kept(request, uuid)
    form = ReasonForm(request.POST, prefix="close")
    accepted(form, lambda said: close_case(case=case, by=person_of(request), **said))
    return _answer(request, case, "close", form, f"{case} is closed.")


@from_its_page
def reopen(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Open a closed case again."""
    case = _kept(request, uuid)
    form = ReasonForm(request.POST, prefix="reopen")
    accepted(form, lambda said: reopen_case(case=case, by=person_of(request), **said))
    return _answer(request, case, "reopen", form, f"{case} is open again.")


def _kept(request: HttpRequest, uuid: UUID) -> Case:
    return found_case(request, uuid, Action.KEEP_CASES)


def _answer(
    request: HttpRequest, case: Case, name: str, form: forms.Form, done: str
) -> HttpResponse:
    if form.errors:
        case.refresh_from_db()
        return page_of(request, case, {name: form}, status=422)
    # The page forgets what it kept of the form by its name.
    messages.success(request, done, extra_tags=name)
    return redirect("case", uuid=case.uuid)
