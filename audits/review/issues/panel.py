"""The side panel of an issue: its assignee, the decisions, and the available steps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from audits.replay.findings.models import Issue
from audits.review.issues.activity import activity_of
from audits.review.issues.assignments import STALE, next_on_queue, reviewers
from audits.review.issues.decisions import needs_second, warnings_of
from audits.review.issues.forms import (
    AnswerForm,
    EditionForm,
    GiveForm,
    MergeForm,
    NoteForm,
    SplitForm,
    StepForm,
)
from audits.review.issues.presentation import Inside, owner_of
from audits.review.issues.questions import is_question_open, thread_of
from audits.review.issues.regrouping import may_regroup, merge_targets
from audits.review.issues.steps import ANSWER, APPEAL, OUTCOMES, STEPS, steps_from
from compliance import clock
from compliance.access.permissions import Action
from compliance.ui.forms import ReasonForm
from compliance.ui.lists import dollars
from games.findings import MoneyOwner

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django import forms

    from audits.review.issues.activity import Activity
    from compliance.ui.pages import Page


def panel_of(page: Page) -> dict[str, Any]:
    """Return what only the commission sees, and what the user may do about the issue."""
    issue, inside = page.subject, Inside.of(page.subject)
    activity = activity_of(issue)
    panel: dict[str, Any] = {
        "inside": inside,
        "activity": activity,
        "next_steps": next_steps(page, issue),
        "two": needs_second(issue),
        "unread": issue.state in ANSWER.of and issue.released is None,
        "refused": _without_a_place(inside, page.refused),
        "meanwhile": _meanwhile(activity, page.refused),
    }
    return panel | (_actions(page, inside) if page.allows(Action.REVIEW_FINDINGS) else {})


def next_steps(page: Page, issue: Issue) -> list[tuple[str, str, str]]:
    """Return what usually follows a decision: why, the label, and the address of each."""
    if issue.state not in FOLLOWED:
        return []
    operator = issue.party
    steps = []
    if issue.released is None and page.allows(Action.RELEASE_FINDINGS):
        why = f"{operator} does not see the issue or your decision yet."
        steps.append((why, "Release it to the operator", "#release"))
    elif issue.released is not None:
        why = f"{operator} sees the decision and was notified."
        steps.append((why, "", ""))
    if issue.under and owner_of(issue) is MoneyOwner.PLAYERS:
        why = f"Players are owed {dollars(abs(issue.under))}."
        steps.append((why, "Follow the restitution", reverse("restitution_days")))
    if page.allows(Action.KEEP_CASES) and issue.state != Issue.State.REFERRED:
        address = f"{reverse('new_case')}?issue={issue.uuid}"
        steps.append(("If it happened before, or on purpose:", "Add it to a case", address))
    if page.allows(Action.VISIT):
        address = f"{reverse('visits')}?operator={operator.code}"
        steps.append(("To see that the cause is corrected:", "Plan a visit", address))
    return steps


FOLLOWED = frozenset({Issue.State.CONFIRMED, Issue.State.CORRECTED, Issue.State.REFERRED})


def _without_a_place(inside: Inside, refused: forms.Form | None) -> forms.Form | None:
    """Return a refused form that has no place of its own on the page."""
    homeless = {"act", "agree"} if inside.proposal else {"act", "agree", "refuse"}
    return refused if refused and refused.prefix in homeless else None


def questions_of(page: Page) -> dict[str, Any]:
    """Return the thread with the commission, what it came to, and the form for an answer."""
    issue = page.subject
    answers = issue.released is not None and page.allows(Action.ANSWER_QUESTIONS)
    outcome = OUTCOMES[Issue.State(issue.state)]
    return {
        "thread": thread_of(issue),
        "outcome": outcome,
        "appeal": APPEAL if outcome.may_lead_to_charges else "",
        "is_asked": is_question_open(issue),
        "answer": page.form(AnswerForm, "answer")
        if answers or _is_refused(page, "answer")
        else None,
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
            page.form(
                partial(StepForm, step, inside.cases, warnings_of(issue, step, inside.proposal)),
                name,
                **shown,
            ),
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
        **_regrouping(page, shown),
        "keeps_cases": page.allows(Action.KEEP_CASES),
        "releases": issue.released is None and page.allows(Action.RELEASE_FINDINGS),
        "next": next_on_queue(person, issue),
    }


def _regrouping(page: Page, shown: dict[str, int]) -> dict[str, Any]:
    """Return the forms to split an issue, and to merge it into another."""
    issue = page.subject
    is_free = may_regroup(issue)
    others = list(merge_targets(issue)[:MOST_TARGETS]) if is_free else []
    offered: dict[str, tuple[bool, Callable[..., forms.Form]]] = {
        "split": (is_free, partial(SplitForm, issue)),
        "merge": (bool(others), partial(MergeForm, others)),
    }
    return {
        name: page.form(make, name, **shown) if is_offered or _is_refused(page, name) else None
        for name, (is_offered, make) in offered.items()
    }


MOST_TARGETS: Final = 100


def _meanwhile(activity: Sequence[Activity], refused: forms.Form | None) -> list[str]:
    """Return what others did since the page on which the user decided was shown."""
    if not isinstance(refused, EditionForm) or STALE not in refused.non_field_errors():
        return []
    since = refused.cleaned_data.get("shown") or 0
    return [
        f"{date_format(localtime(each.at), 'g:i A')}, {each.who} {each.what}."
        + (f" “{each.text}”" if each.text else "")
        for each in reversed(activity)
        if each.at.timestamp() >= since
    ]
