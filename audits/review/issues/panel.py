"""The side panel of an issue: its assignee, the decisions, and the available steps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django.utils.formats import date_format
from django.utils.timezone import localtime

from audits.review.issues.assignments import STALE, next_on_queue, reviewers
from audits.review.issues.decisions import needs_second
from audits.review.issues.forms import AnswerForm, EditionForm, GiveForm, NoteForm, StepForm
from audits.review.issues.presentation import Inside
from audits.review.issues.questions import questions_on
from audits.review.issues.steps import ANSWER, STEPS, steps_from
from compliance import clock
from compliance.access.permissions import Action
from compliance.ui.forms import ReasonForm

if TYPE_CHECKING:
    from datetime import datetime

    from django import forms

    from compliance.ui.pages import Page


def panel_of(page: Page) -> dict[str, Any]:
    """Return what only the commission sees, and what the user may do about the issue."""
    issue, inside = page.subject, Inside.of(page.subject)
    panel: dict[str, Any] = {
        "inside": inside,
        "two": needs_second(issue),
        "unread": issue.state in ANSWER.of and issue.released is None,
        "refused": _without_a_place(inside, page.refused),
        "meanwhile": _meanwhile(inside, page.refused),
    }
    return panel | (_actions(page, inside) if page.allows(Action.REVIEW_FINDINGS) else {})


def _without_a_place(inside: Inside, refused: forms.Form | None) -> forms.Form | None:
    """Return a refused form that has no place of its own on the page."""
    homeless = {"act", "agree"} if inside.proposal else {"act", "agree", "refuse"}
    return refused if refused and refused.prefix in homeless else None


def questions_of(page: Page) -> dict[str, Any]:
    """Return the commission's questions to the operator, and the form for the answer."""
    questions = questions_on(page.subject)
    is_open = page.subject.state in ANSWER.of and page.allows(Action.ANSWER_QUESTIONS)
    answers = (is_open and questions) or _is_refused(page, "answer")
    return {
        "questions": questions,
        "answer": page.form(AnswerForm, "answer") if answers else None,
    }


def _is_refused(page: Page, name: str) -> bool:
    return page.refused is not None and page.refused.prefix == name


def _actions(page: Page, inside: Inside) -> dict[str, Any]:
    """Return what a reviewer may do now."""
    issue, person = page.subject, page.person
    now = int(clock.now().timestamp())
    shown = {"edition": inside.edition, "shown": now}
    if isinstance(page.refused, EditionForm):
        page.refused.decide_on(inside.edition, now)
    steps = [
        (
            step,
            page.form(partial(StepForm, step, inside.cases), name, **shown),
            f"issue_{name}",
            step.wants_case and not inside.cases,
        )
        for name, step in STEPS.items()
        if name in steps_from(issue) or _is_refused(page, name)
    ]
    holder = inside.work.assigned_to if inside.work else None
    escalated = inside.work is not None and inside.work.escalated is not None
    offered = {
        "give": issue.open and (holder == person or page.allows(Action.ASSIGN_FINDINGS)),
        "escalate": issue.open and not escalated,
        "agree": inside.proposal is not None,
        "refuse": inside.proposal is not None,
    }
    forms = {
        "give": partial(page.form, partial(GiveForm, reviewers()), "give", **shown),
        "escalate": partial(page.form, ReasonForm, "escalate"),
        "agree": partial(page.form, EditionForm, "agree", **shown),
        "refuse": partial(page.form, ReasonForm, "refuse"),
    }
    return {
        "reviews": True,
        "steps": steps,
        "claims": issue.open and holder is None,
        **{
            name: make() if offered[name] or _is_refused(page, name) else None
            for name, make in forms.items()
        },
        "note": page.form(NoteForm, "note"),
        "keeps_cases": page.allows(Action.KEEP_CASES),
        "releases": issue.released is None and page.allows(Action.RELEASE_FINDINGS),
        "next": next_on_queue(person, issue),
    }


def _meanwhile(inside: Inside, refused: forms.Form | None) -> list[str]:
    """Return what others did since the page on which the user decided was shown."""
    if not isinstance(refused, EditionForm) or STALE not in refused.non_field_errors():
        return []
    since = refused.cleaned_data.get("shown") or 0
    changes: list[tuple[datetime, str]] = [
        (each.at, f"{by}: {each.get_state_display()}. “{each.reason}”")
        for each, by, _ in inside.decisions
    ]
    if proposal := inside.proposal:
        proposed = f"{proposal.by} proposed: {inside.proposed}. “{proposal.reason}”"
        changes.append((proposal.at, proposed))
    if inside.work and inside.work.assigned:
        changes.append((inside.work.assigned, f"Assigned to {inside.work.assigned_to}."))
    if inside.work and inside.work.escalated:
        changes.append((inside.work.escalated, "Escalated to the supervisors."))
    return [
        f"{date_format(localtime(at), 'g:i A')}, {what}"
        for at, what in sorted(changes)
        if at.timestamp() >= since
    ]
