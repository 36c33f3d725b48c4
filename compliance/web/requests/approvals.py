"""What becomes of an approval: its conditions are marked, it is withdrawn step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from compliance.models import Approval, ConditionMark, GameRequest
from compliance.permissions import Action
from compliance.selectors.conditions import requests_of
from compliance.services.approvals import (
    answer_condition,
    mark_condition,
    step_withdrawal,
    who_marks,
    who_withdraws,
)
from compliance.web.acting import accepted, person_of, require_sight
from compliance.web.requests.conditions import ENDINGS, ConditionAnswerForm, MarkForm
from compliance.web.requests.pages import page

if TYPE_CHECKING:
    from uuid import UUID

    from django import forms
    from django.http import HttpRequest, HttpResponse


@login_required
@require_POST
def mark(request: HttpRequest, uuid: UUID, place: int) -> HttpResponse:
    """Say how a condition stands."""
    approval, asked_for = _approved(request, uuid)
    require_sight(request, *who_marks(approval))
    condition = get_object_or_404(approval.conditions, place=place)
    form = MarkForm(request.POST, prefix=f"mark-{approval.pk}-{place}")

    def act(said: dict[str, Any]) -> object:
        return mark_condition(
            condition=condition,
            mark=ConditionMark.Mark(said["mark"]),
            reason=said["reason"],
            until=said["until"],
            by=person_of(request),
        )

    accepted(form, act)
    return _answer(request, asked_for, form, "The condition is marked.")


@login_required
@require_POST
def answer(request: HttpRequest, uuid: UUID, place: int) -> HttpResponse:
    """Say as the holder how a condition is met."""
    approval, asked_for = _approved(request, uuid)
    require_sight(request, Action.ANSWER_CONDITIONS, approval.party)
    condition = get_object_or_404(approval.conditions, place=place)
    form = ConditionAnswerForm(
        {approval.party}, request.POST, prefix=f"answer-{approval.pk}-{place}"
    )
    accepted(
        form, lambda said: answer_condition(condition=condition, by=person_of(request), **said)
    )
    return _answer(request, asked_for, form, "It is before whoever set the condition.")


@login_required
@require_POST
def withdraw(request: HttpRequest, uuid: UUID, name: str) -> HttpResponse:
    """Take a step of withdrawing an approval."""
    ending = ENDINGS[name]
    approval, asked_for = _approved(request, uuid)
    require_sight(request, *who_withdraws(approval, ending.step))
    form = ending.form(request.POST, prefix=f"{name}-{approval.pk}")
    accepted(
        form,
        lambda said: step_withdrawal(
            approval=approval, step=ending.step, by=person_of(request), **said
        ),
    )
    return _answer(request, asked_for, form, "The step is on file.")


def _approved(request: HttpRequest, uuid: UUID) -> tuple[Approval, GameRequest]:
    """An approval of a game that is visible to whoever asks, with the request that led to it."""
    require_sight(request, Action.SEE_FILINGS)
    approval = get_object_or_404(Approval.objects.select_related("party", "by_party"), uuid=uuid)
    asked_for = requests_of([approval]).get(approval.uuid)
    if asked_for is None:
        raise Http404
    return approval, asked_for


def _answer(
    request: HttpRequest, asked_for: GameRequest, form: forms.Form, done: str
) -> HttpResponse:
    if form.errors:
        return page(request, asked_for, {str(form.prefix): form}, status=422)
    messages.success(request, done)
    return redirect("request", uuid=asked_for.uuid)
