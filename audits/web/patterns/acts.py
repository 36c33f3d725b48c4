"""What is done about a pattern: claimed, decided, agreed to, noted on, released."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from audits.models import Case, Decision, Pattern, Proposal
from audits.review_steps import STEPS
from audits.services.release import release_pattern
from audits.services.review import Said, note, refuse_proposal, second, take_step
from audits.services.work import claim
from audits.web.patterns.forms import NoteForm, StepForm
from audits.web.patterns.pages import found_pattern, page_of
from compliance.permissions import Action
from compliance.services.refused import RefusedError
from compliance.web.acting import accepted, person_of, require_sight
from compliance.web.fields import ReasonForm

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

GONE = "This proposal was decided on, or taken back, meanwhile."


@login_required
@require_POST
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


@login_required
@require_POST
def take(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Put a pattern on one's own desk."""
    found = _reviewed(request, uuid)
    return _simply(
        request, found, lambda: claim(pattern=found, by=person_of(request)), "It is on your desk."
    )


@login_required
@require_POST
def release(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show a pattern to the operator."""
    found = found_pattern(request, uuid)
    require_sight(request, Action.RELEASE_FINDINGS, found.party)
    done = f"{found.party} is shown this pattern from now on."
    return _simply(
        request, found, lambda: release_pattern(pattern=found, by=person_of(request)), done
    )


@login_required
@require_POST
def agree(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Decide what somebody else proposed."""
    found = _reviewed(request, uuid)

    def act() -> Decision:
        return second(proposal=_proposed(request, found), by=person_of(request))

    return _simply(request, found, act, "It is decided.")


@login_required
@require_POST
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


@login_required
@require_POST
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
    messages.success(request, done)
    return redirect("pattern", uuid=found.uuid)
