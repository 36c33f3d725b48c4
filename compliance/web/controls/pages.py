"""Internal controls as submitted: the list, one version with what can be done, two compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from compliance.choices import OPERATOR_KINDS
from compliance.models import ControlsFiling, ControlsVersion, Party, Person
from compliance.permissions import Action
from compliance.selectors.controls import why_decided
from compliance.selectors.remarks import remarks_on_controls
from compliance.services.controls import approvals_of, is_own
from compliance.state import state_digest
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.comments import SectionForm
from compliance.web.controls.deeds import DEEDS, speaks_for
from compliance.web.controls.told import HEADINGS, compared, sections_of
from compliance.web.lists import paged
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse


State = ControlsFiling.State


class Versions(tables.Table):  # type: ignore[misc]
    """Submitted versions, the newest first."""

    version = tables.Column(
        accessor="number",
        verbose_name="Version",
        linkify=("controls_version", {"uuid": tables.A("uuid")}),
    )
    operator = tables.Column(order_by="operator__name")
    state = tables.Column(
        accessor="filing__get_state_display", order_by="filing__state", verbose_name="State"
    )
    submitted = tables.DateTimeColumn(
        accessor="at", verbose_name="Submitted", format="N j, Y, g:i A"
    )
    due = tables.DateColumn(accessor="filing__due", format="N j, Y", verbose_name="Answer due")
    caption = "Versions"

    class Meta:
        empty_text = "Nothing has been submitted."

    def render_version(self, value: int) -> str:
        """The number as a link's words."""
        return f"Version {value}"


class StateForm(forms.Form):
    """Which versions to show."""

    state = forms.ChoiceField(
        choices=[("", "Every state"), *ControlsFiling.State.choices], required=False
    )


class CompareForm(forms.Form):
    """Which two versions to lay beside each other."""

    before = forms.ModelChoiceField(ControlsVersion.objects.none(), to_field_name="number")
    after = forms.ModelChoiceField(ControlsVersion.objects.none(), to_field_name="number")

    def __init__(self, versions: Any, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        for name in ("before", "after"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)  # noqa: S101
            field.queryset = versions


@login_required
@require_safe
def versions(request: HttpRequest) -> HttpResponse:
    """The versions one may see, and the drafts one may write."""
    require_sight(request, Action.SEE_CONTROLS)
    found = ControlsVersion.objects.select_related("operator", "filing").order_by("-at", "-pk")
    form = StateForm(request.GET)
    if form.is_valid() and form.cleaned_data["state"]:
        found = found.filter(filing__state=form.cleaned_data["state"])
    operators = list(
        Party.objects.filter(kind__in=OPERATOR_KINDS).annotate(
            submitted=Count("controls_versions", distinct=True)
        )
    )
    context = {
        "form": form,
        "table": paged(request, Versions(found)),
        "writes": [each for each in operators if allows(request, Action.WRITE_CONTROLS, each)],
        "several": [each for each in operators if each.submitted > 1],
    }
    return render(request, "controls/versions.html", context)


@login_required
@require_safe
def version(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One version: what it says, what was said of it, what can be done with it."""
    return _page(request, _version(request, uuid, Action.SEE_CONTROLS))


@login_required
@require_POST
def do(request: HttpRequest, uuid: UUID, name: str) -> HttpResponse:
    """Comment on a version, or take a step with it."""
    deed = DEEDS[name]
    filed = _version(request, uuid, deed.action)
    form = _form(request, name, filed, request.POST)
    by = person_of(request)
    accepted(form, lambda said: deed.act(filed, said, by))
    if form.errors:
        return _page(request, filed, {name: form}, status=422)
    messages.success(request, deed.done)
    return redirect("controls_version", uuid=filed.uuid)


@login_required
@require_safe
def compare(request: HttpRequest, code: str) -> HttpResponse:
    """Two versions of an operator, section by section."""
    operator = get_object_or_404(Party.objects.select_related("agency"), code=code)
    _require_sight(request, Action.SEE_CONTROLS, operator)
    form = CompareForm(ControlsVersion.objects.filter(operator=operator), request.GET or None)
    chosen = form.is_bound and form.is_valid()
    sections = (
        compared(form.cleaned_data["before"].content, form.cleaned_data["after"].content)
        if chosen
        else []
    )
    context = {
        "operator": operator,
        "form": form,
        "chosen": chosen,
        "before": form.cleaned_data.get("before") if chosen else None,
        "after": form.cleaned_data.get("after") if chosen else None,
        "changed": [each for each in sections if each.changed],
        "same": [each for each in sections if not each.changed],
    }
    status = 422 if form.is_bound and not chosen else 200
    return render(request, "controls/compare.html", context, status=status)


def _version(request: HttpRequest, uuid: UUID, action: Action) -> ControlsVersion:
    found = get_object_or_404(
        ControlsVersion.objects.select_related("operator__agency", "filing"), uuid=uuid
    )
    _require_sight(request, action, found.operator)
    return found


def _require_sight(request: HttpRequest, action: Action, operator: Party) -> None:
    """An agency sees what the operations of its tribe submit, without a role in them."""
    agency = operator.agency if action == Action.SEE_CONTROLS else None
    if agency is None or not allows(request, action, agency):
        require_sight(request, action, operator)


def _page(
    request: HttpRequest,
    filed: ControlsVersion,
    forms_sent: dict[str, forms.Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    sent = forms_sent or {}
    state = State(filed.filing.state)
    digest = state_digest(filed)
    approvals = approvals_of(filed)
    own = is_own(filed, person_of(request))
    deeds = []
    for name, deed in DEEDS.items():
        allowed = allows(request, deed.action, filed.operator) and not (own and deed.judges)
        open_now = allowed and deed.is_open(state, approvals)
        if open_now or name in sent:
            form = sent.get(name) or _form(
                request,
                name,
                filed,
                initial={"seen": digest, "section": request.GET.get("section")},
            )
            if not form.is_bound and not (filed.games_swap_only and state == State.SUBMITTED):
                form.fields.pop("verbally", None)
            deeds.append({"name": name, "deed": deed, "form": form, "url": f"controls_{name}"})
    said = remarks_on_controls(filed)
    visits = list(filed.visits.all())
    names = _names([*(each.by for each in approvals), *(each.by for each in visits)])
    context = {
        "version": filed,
        "state": state,
        "why": why_decided(filed),
        "digest": digest,
        "deeds": deeds,
        "several": ControlsVersion.objects.filter(operator=filed.operator_id).count() > 1,
        "approvals": [(each, names.get(each.by, "")) for each in approvals],
        "visits": [(each, names.get(each.by, "")) for each in visits],
        "sections": [
            (section, said.get(section.key, [])) for section in sections_of(filed.content)
        ],
    }
    return render(request, "controls/version.html", context, status=status)


def _form(
    request: HttpRequest, name: str, filed: ControlsVersion, data: Any = None, **more: Any
) -> forms.Form:
    form = DEEDS[name].form
    if issubclass(form, SectionForm):
        parties = {speaks_for(filed, asked(request).memberships), filed.operator}
        return form(HEADINGS.items(), parties, data, prefix=name, **more)
    return form(data, prefix=name, **more)


def _names(people: list[UUID]) -> dict[UUID, str]:
    return {each.uuid: each.name for each in Person.objects.filter(uuid__in=set(people))}
