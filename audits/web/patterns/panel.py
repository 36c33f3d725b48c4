"""The panel beside a pattern: whose desk it is on, what was decided, the steps open to one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.formats import date_format
from django.utils.timezone import localtime

from audits.review_steps import ANSWER, STEPS, steps_from
from audits.selectors.desk import next_on_desk, reviewers
from audits.selectors.questions import questions_on
from audits.services.review import needs_second
from audits.services.work import STALE
from audits.web.desk.forms import GiveForm
from audits.web.patterns.forms import AnswerForm, EditionForm, NoteForm, StepForm
from audits.web.patterns.shown import Inside
from compliance import clock
from compliance.permissions import Action
from compliance.web.acting import allows, person_of
from compliance.web.fields import ReasonForm

if TYPE_CHECKING:
    from datetime import datetime

    from django import forms
    from django.http import HttpRequest

    from audits.models import Pattern


def panel_of(request: HttpRequest, pattern: Pattern, sent: dict[str, forms.Form]) -> dict[str, Any]:
    """What only the commission sees, and what one may do about it."""
    known = Inside.of(pattern)
    panel: dict[str, Any] = {
        "inside": known,
        "two": needs_second(pattern),
        "unread": pattern.state in ANSWER.of and pattern.released is None,
        "refused": _without_a_place(known, sent),
        "meanwhile": _meanwhile(known, sent),
    }
    if allows(request, Action.REVIEW_FINDINGS, pattern.party):
        panel |= _open_to(request, pattern, known, sent)
    return panel


def _without_a_place(known: Inside, sent: dict[str, forms.Form]) -> forms.Form | None:
    """What was refused and has no form of its own on the page, now or any more."""
    of_proposal = None if known.proposal else sent.get("refuse")
    return sent.get("act") or sent.get("agree") or of_proposal


def asked_of(request: HttpRequest, pattern: Pattern, sent: dict[str, forms.Form]) -> dict[str, Any]:
    """What the commission asked of whoever is not of it, and the form of the answer."""
    questions = questions_on(pattern)
    waits = pattern.state in ANSWER.of and allows(request, Action.ANSWER_QUESTIONS, pattern.party)
    form = sent.get("answer") or (AnswerForm(prefix="answer") if waits and questions else None)
    return {"questions": questions, "answer": form}


def _open_to(
    request: HttpRequest, pattern: Pattern, known: Inside, sent: dict[str, forms.Form]
) -> dict[str, Any]:
    """What somebody who reviews findings may do now."""
    person = person_of(request)
    now = int(clock.now().timestamp())
    shown = {"edition": known.edition, "shown": now}
    for form in sent.values():
        if isinstance(form, EditionForm):
            form.decide_on(known.edition, now)
    names = steps_from(pattern).keys() | (sent.keys() & STEPS.keys())
    steps = [
        {
            "name": name,
            "step": STEPS[name],
            "form": sent.get(name)
            or StepForm(STEPS[name], known.cases, prefix=name, initial=shown),
            "url": f"pattern_{name}",
        }
        for name in STEPS
        if name in names
    ]
    holder = known.work.assigned_to if known.work else None
    gives = pattern.open and (holder == person or allows(request, Action.ASSIGN_FINDINGS))
    return {
        "reviews": True,
        "steps": steps,
        "claims": pattern.open and holder is None,
        "give": sent.get("give")
        or (gives and GiveForm(reviewers(), prefix="give", initial=shown))
        or None,
        "escalate": sent.get("escalate")
        or (
            pattern.open
            and not (known.work and known.work.escalated)
            and ReasonForm(prefix="escalate")
        )
        or None,
        "keeps_cases": allows(request, Action.KEEP_CASES, pattern.party),
        "releases": pattern.released is None
        and allows(request, Action.RELEASE_FINDINGS, pattern.party),
        "note": sent.get("note") or NoteForm(prefix="note"),
        "agree": sent.get("agree")
        or (known.proposal and EditionForm(prefix="agree", initial=shown)),
        "refuse": sent.get("refuse") or (known.proposal and ReasonForm(prefix="refuse")),
        "next": next_on_desk(person, pattern),
    }


def _meanwhile(known: Inside, sent: dict[str, forms.Form]) -> list[str]:
    """What others did between the page on which something was decided and now."""
    [form] = sent.values() or [None]
    if not isinstance(form, EditionForm) or STALE not in form.non_field_errors():
        return []
    since = form.cleaned_data.get("shown") or 0
    told: list[tuple[datetime, str]] = [
        (each.at, f"{by}: {each.get_state_display()}. “{each.reason}”")
        for each, by, _ in known.decisions
    ]
    if known.proposal:
        said = f"{known.proposal.by} proposed: {known.proposed}. “{known.proposal.reason}”"
        told.append((known.proposal.at, said))
    if known.work and known.work.assigned:
        told.append((known.work.assigned, f"It came onto the desk of {known.work.assigned_to}."))
    if known.work and known.work.escalated:
        told.append((known.work.escalated, "It was put before the supervisors."))
    return [
        f"{date_format(localtime(at), 'g:i A')}, {what}"
        for at, what in sorted(told)
        if at.timestamp() >= since
    ]
