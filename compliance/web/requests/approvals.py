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
from compliance.services.approvals import mark_condition, step_withdrawal
from compliance.web.acting import accepted, person_of, require_sight
from compliance.web.requests.conditions import ENDINGS, MarkForm
from compliance.web.requests.pages import page

if TYPE_CHECKING:
    from uuid import UUID

    from django import forms
    from django.http import HttpRequest, HttpResponse


@login_required
@require_POST
def mark(request: HttpRequest, uuid: UUID, place: int) -> HttpResponse:
    """Say how a condition stands."""
    approval, asked_for = _approved(request, uuid, Action.REVIEW_GAMES)
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
def withdraw(request: HttpRequest, uuid: UUID, name: str) -> HttpResponse:
    """Take a step of withdrawing an approval."""
    ending = ENDINGS[name]
    approval, asked_for = _approved(request, uuid, ending.action)
    form = ending.form(request.POST, prefix=f"{name}-{approval.pk}")
    accepted(
        form,
        lambda said: step_withdrawal(
            approval=approval, step=ending.step, by=person_of(request), **said
        ),
    )
    return _answer(request, asked_for, form, "The step is on file.")


def _approved(request: HttpRequest, uuid: UUID, action: Action) -> tuple[Approval, GameRequest]:
    """An approval of a game with the request that led to it, where the action is open on it."""
    approval = get_object_or_404(Approval.objects.select_related("party"), uuid=uuid)
    require_sight(request, action, approval.party)
    asked_for = (
        GameRequest.objects.filter(
            rule_version__uuid=approval.subject, path=approval.path, asked_by=approval.party
        )
        .select_related("rule_version__game", "asked_by__agency")
        .first()
    )
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
