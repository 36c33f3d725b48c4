"""Requests for approval: the list, a new one, and one with the steps open to whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from compliance.choices import PartyKind
from compliance.models import Approval, GameRequest, Party, Person, RequestAttachment, RuleVersion
from compliance.permissions import Action
from compliance.request_steps import STEPS, steps_from
from compliance.selectors.documents import papers_named
from compliance.selectors.games import approved_rule_versions, papers_of
from compliance.services.requests import comment_on, submit_request
from compliance.state import state_digest
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.comments import CommentForm
from compliance.web.lists import paged
from compliance.web.requests.conditions import MarkForm, withdrawal_forms
from compliance.web.requests.steps import (
    APPROVING,
    REFUSING,
    form_of,
    is_own,
    party_of,
    speaks_for,
    take,
)
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse


class Requests(tables.Table):  # type: ignore[misc]
    """Requests, the newest first."""

    rules = tables.Column(
        accessor="rule_version",
        order_by="rule_version__game__name",
        linkify=("request", {"uuid": tables.A("uuid")}),
    )
    path = tables.Column(accessor="get_path_display", order_by="path")
    asked_by = tables.Column(order_by="asked_by__name")
    state = tables.Column(accessor="get_state_display", order_by="state")
    due = tables.DateColumn(format="N j, Y", verbose_name="To be supplied by")
    caption = "Requests"

    class Meta:
        empty_text = "Nothing has been asked for."


class StateForm(forms.Form):
    """Which requests to show."""

    state = forms.ChoiceField(
        choices=[("", "Every state"), *GameRequest.State.choices], required=False
    )


class AskForm(forms.Form):
    """What is asked for, on which path, by whom."""

    path = forms.ChoiceField(choices=GameRequest.Path.choices)
    asked_by = forms.ChoiceField(label="Asked by")
    rule_version = forms.ChoiceField(label="Rules of play")

    def __init__(
        self, parties: dict[str, Party], versions: dict[str, RuleVersion], data: object = None
    ) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        chosen = {
            "asked_by": [(code, party.name) for code, party in parties.items()],
            "rule_version": [(uuid, str(version)) for uuid, version in versions.items()],
        }
        for name, choices in chosen.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101
            field.choices = choices


@login_required
@require_safe
def requests(request: HttpRequest) -> HttpResponse:
    """The requests one may see."""
    require_sight(request, Action.SEE_FILINGS)
    found = GameRequest.objects.select_related("rule_version__game", "asked_by")
    form = StateForm(request.GET)
    if form.is_valid() and form.cleaned_data["state"]:
        found = found.filter(state=form.cleaned_data["state"])
    context = {
        "form": form,
        "table": paged(request, Requests(found)),
        "asks": allows(request, Action.REQUEST_APPROVAL),
    }
    return render(request, "requests/requests.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    """Ask for approval of a rule version, on either path."""
    require_sight(request, Action.REQUEST_APPROVAL)
    parties = {
        each.code: each
        for each in Party.objects.exclude(kind=PartyKind.TRIBAL_AGENCY)
        if allows(request, Action.REQUEST_APPROVAL, each)
    }
    found = [*RuleVersion.objects.select_related("game"), *approved_rule_versions()]
    versions = {str(each.uuid): each for each in found}
    form = AskForm(parties, versions, request.POST if request.method == "POST" else None)
    made = None
    if form.is_bound:
        made = accepted(
            form,
            lambda said: submit_request(
                rule_version=versions[said["rule_version"]],
                path=GameRequest.Path(said["path"]),
                asked_by=parties[said["asked_by"]],
                by=person_of(request),
            ),
        )
    if made is None:
        context = {"form": form}
        status = 422 if form.is_bound else 200
        return render(request, "requests/ask.html", context, status=status)
    messages.success(request, "The request is submitted.")
    return redirect("request", uuid=made.uuid)


@login_required
@require_safe
def one(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One request: what is asked for, what was decided and said, what can be done next."""
    return page(request, found_request(request, uuid))


@login_required
@require_POST
def step(request: HttpRequest, uuid: UUID, name: str) -> HttpResponse:
    """Take a step with a request."""
    found = found_request(request, uuid)
    party = party_of(STEPS[name], found)
    if party is None or not allows(request, STEPS[name].action, party):
        raise Http404
    form = form_of(name, found, request.POST)
    accepted(form, lambda _: take(name, found, form, person_of(request)))
    if form.errors:
        found.refresh_from_db()
        return page(request, found, {name: form}, status=422)
    messages.success(request, f"{found.rule_version}: {found.get_state_display().lower()}.")
    return redirect("request", uuid=found.uuid)


@login_required
@require_POST
def comment(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Say something of a request."""
    found = found_request(request, uuid)
    party = speaks_for(found, asked(request).memberships)
    if party is None:
        raise Http404
    form = CommentForm({party, found.asked_by}, request.POST, prefix="comment")
    accepted(
        form,
        lambda said: comment_on(request=found, by=person_of(request), by_party=party, **said),
    )
    if form.errors:
        return page(request, found, {"comment": form}, status=422)
    messages.success(request, "The comment is on file.")
    return redirect("request", uuid=found.uuid)


def found_request(request: HttpRequest, uuid: UUID) -> GameRequest:
    """A request that whoever asks may see: their party's, or of an operation of their tribe."""
    require_sight(request, Action.SEE_FILINGS)
    return get_object_or_404(
        GameRequest.objects.select_related("rule_version__game", "asked_by__agency"), uuid=uuid
    )


def page(
    request: HttpRequest,
    found: GameRequest,
    sent: dict[str, forms.Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of a request, with the forms that were sent and refused."""
    sent = sent or {}
    version = found.rule_version
    digest = state_digest(version)
    approvals = list(
        Approval.objects.filter(subject=version.uuid, party=found.asked_by).prefetch_related(
            "conditions__marks", "withdrawals"
        )
    )
    comments = list(found.comments.select_related("by_party"))
    papers = papers_named(RequestAttachment.objects.filter(comment__request=found))
    denials = list(found.denials.all())
    names = _names([*approvals, *comments, *denials])
    speaker = speaks_for(found, asked(request).memberships)
    context = {
        "asked_for": found,
        "version": version,
        "papers": papers_of(version),
        "findings": list(version.findings.all()),
        "digest": digest,
        "steps": _steps(request, found, digest, sent),
        "comment": sent.get("comment")
        or (speaker and CommentForm({speaker, found.asked_by}, prefix="comment")),
        "comments": [(each, names.get(each.by, ""), papers.get(each.pk, [])) for each in comments],
        "denials": [(each, names.get(each.by, "")) for each in denials],
        "approvals": [
            {
                "approval": each,
                "by": names.get(each.by, ""),
                "conditions": _conditions(request, each, sent),
                "withdrawals": withdrawal_forms(request, each, sent),
            }
            for each in approvals
        ],
        "sees_rules": RuleVersion.objects.filter(pk=version.pk).exists(),
    }
    return render(request, "requests/request.html", context, status=status)


def _steps(
    request: HttpRequest, found: GameRequest, digest: str, sent: dict[str, forms.Form]
) -> list[dict[str, Any]]:
    """Exactly the steps that the state and the roles allow, and one that was just refused."""
    own = is_own(found, asked(request).memberships)
    shown = []
    for name in STEPS:
        each = STEPS[name]
        party = party_of(each, found)
        open_now = (
            name in steps_from(found)
            and party is not None
            and allows(request, each.action, party)
            and not (own and name in APPROVING | REFUSING)
        )
        if open_now or name in sent:
            form = sent.get(name) or form_of(name, found, seen=digest)
            shown.append(
                {
                    "name": name,
                    "step": each,
                    "form": form,
                    "decides": name in APPROVING,
                    "url": f"request_{name}",
                }
            )
    return shown


def _conditions(
    request: HttpRequest, approval: Approval, sent: dict[str, forms.Form]
) -> list[dict[str, Any]]:
    marks = allows(request, Action.REVIEW_GAMES, approval.party)
    shown = []
    for condition in approval.conditions.all():
        prefix = f"mark-{approval.pk}-{condition.place}"
        form = sent.get(prefix) or (MarkForm(prefix=prefix) if marks else None)
        shown.append({"condition": condition, "marks": condition.marks.all(), "form": form})
    return shown


def _names(rows: list[Any]) -> dict[UUID, str]:
    found = Person.objects.filter(uuid__in={each.by for each in rows})
    return {each.uuid: each.name for each in found}
