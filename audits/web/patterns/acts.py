"""What is done about a pattern: claimed, decided, agreed to, noted on, released."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.shortcuts import redirect

from audits.models import Case, Decision, Pattern, Proposal
from audits.review_steps import STEPS
from audits.selectors.desk import reviewers
from audits.services.answers import answer_question
from audits.services.release import release_pattern
from audits.services.review import Said, note, refuse_proposal, second, take_step
from audits.services.work import assign, claim, escalate
from audits.web.desk.forms import GiveForm
from audits.web.from_page import from_page
from audits.web.patterns.forms import AnswerForm, EditionForm, NoteForm, StepForm
from audits.web.patterns.pages import found_pattern, page_of
from compliance.permissions import Action
from compliance.services.received import received
from compliance.services.refused import RefusedError
from compliance.web.acting import accepted, person_of, require_sight
from compliance.web.fields import ReasonForm

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

GONE = "This proposal was decided on, or taken back, meanwhile."


from_its_page = from_page("pattern")


@from_its_page
def step(request: HttpRequest, uuid: UUID, name: str) -> HttpResponse:
    """Take a step on a pattern, or propose it where it needs a second person."""
    found = _reviewed(request, uuid)
    cases = list(Case.objects.filter(party=found.party_id, state=Case.State.OPEN))
    form = StepForm(STEPS[name], cases, request.POST, prefix=name)

    def act(said: dict[str, Any]) -> Decision | Proposal:
        return take_step(
            pattern=found,
            said=Said(
                step=name, reason=said["reason"], until=said.get("until"), case=said.get("case")
            ),
            by=person_of(request),
            edition=said["edition"],
        )

    taken = accepted(form, act)
    done = "It is on file."
    if isinstance(taken, Proposal):
        done = "It is proposed, and waits for somebody else of the commission to agree."
    return _answer(request, found, name, form, done)


@from_its_page
def take(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Put a pattern on one's own desk."""
    found = _reviewed(request, uuid)
    return _simply(
        request, found, lambda: claim(pattern=found, by=person_of(request)), "It is on your desk."
    )


@from_its_page
def give(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Hand a pattern over, assign it, or put it back where anybody takes it."""
    found = _reviewed(request, uuid)
    form = GiveForm(reviewers(), request.POST, prefix="give")
    accepted(
        form,
        lambda said: assign(
            pattern=found, to=said["to"], by=person_of(request), edition=said["edition"]
        ),
    )
    to = form.cleaned_data.get("to") if form.is_valid() else None
    done = f"It is on the desk of {to}." if to else "It is on nobody's desk."
    return _answer(request, found, "give", form, done)


@from_its_page
def put_before_supervisors(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Put a pattern before the supervisors, with the reason."""
    found = _reviewed(request, uuid)
    form = ReasonForm(request.POST, prefix="escalate")
    accepted(form, lambda said: escalate(pattern=found, by=person_of(request), **said))
    return _answer(request, found, "escalate", form, "It is before the supervisors.")


@from_its_page
def release(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show a pattern to the operator."""
    found = found_pattern(request, uuid)
    require_sight(request, Action.RELEASE_FINDINGS, found.party)
    done = f"{found.party} is shown this pattern from now on."
    return _simply(
        request, found, lambda: release_pattern(pattern=found, by=person_of(request)), done
    )


@from_its_page
def agree(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Decide what somebody else proposed."""
    found = _reviewed(request, uuid)
    form = EditionForm(request.POST, prefix="agree")
    accepted(
        form,
        lambda said: second(
            proposal=_proposed(request, found), by=person_of(request), edition=said["edition"]
        ),
    )
    return _answer(request, found, "agree", form, "It is decided.")


@from_its_page
def refuse(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Do not agree to what was proposed, or take one's own back."""
    found = _reviewed(request, uuid)
    form = ReasonForm(request.POST, prefix="refuse")
    accepted(
        form,
        lambda said: refuse_proposal(
            proposal=_proposed(request, found), by=person_of(request), **said
        ),
    )
    return _answer(request, found, "refuse", form, "The proposal is refused.")


@from_its_page
def answer(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Answer what the commission asked."""
    found = found_pattern(request, uuid)
    require_sight(request, Action.ANSWER_QUESTIONS, found.party)
    form = AnswerForm(request.POST, request.FILES, prefix="answer")

    def act(said: dict[str, Any]) -> Decision:
        with received(said["papers"]) as papers:
            return answer_question(
                pattern=found, text=said["text"], papers=papers, by=person_of(request)
            )

    accepted(form, act)
    return _answer(request, found, "answer", form, "The commission has your answer.")


@from_its_page
def add_note(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Note something, for the commission alone."""
    found = _reviewed(request, uuid)
    form = NoteForm(request.POST, prefix="note")
    accepted(form, lambda said: note(pattern=found, by=person_of(request), **said))
    return _answer(request, found, "note", form, "The note is on file.")


def _reviewed(request: HttpRequest, uuid: UUID) -> Pattern:
    found = found_pattern(request, uuid)
    require_sight(request, Action.REVIEW_FINDINGS, found.party)
    return found


def _proposed(request: HttpRequest, pattern: Pattern) -> Proposal:
    """What is proposed, as the page showed it: another proposal since is another decision."""
    shown = request.POST.get("proposal", "")
    found = Proposal.objects.filter(pattern=pattern).select_related("pattern__party").first()
    if found is None or str(found.uuid) != shown:
        raise RefusedError(GONE)
    return found


def _simply(
    request: HttpRequest, found: Pattern, act: Callable[[], object], done: str
) -> HttpResponse:
    """Do what needs no more to be said."""
    form = forms.Form(request.POST)
    accepted(form, lambda _: act())
    return _answer(request, found, "act", form, done)


def _answer(
    request: HttpRequest, found: Pattern, name: str, form: forms.Form, done: str
) -> HttpResponse:
    if form.errors:
        found.refresh_from_db()
        return page_of(request, found, {name: form}, status=422)
    messages.success(request, done, extra_tags=name)
    return redirect("pattern", uuid=found.uuid)
