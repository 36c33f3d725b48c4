"""Licences of parties and what became of them; compacts with their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from compliance.choices import PartyKind
from compliance.law.values import Grade
from compliance.models import Compact, CompactValue, Licence, LicenceChange, Party
from compliance.models.licence import LicenceClass
from compliance.permissions import Action
from compliance.services.checklist import add_compact_item
from compliance.services.licences import (
    add_compact_value,
    change_licence,
    enter_compact,
    grant_licence,
)
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.fields import DayField, LongField, NameField, ReasonForm
from compliance.web.licences.compact_today import said
from compliance.web.lists import paged

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

LARGEST = 10**12


class Licences(tables.Table):  # type: ignore[misc]
    """Licences, by their holders."""

    holder = tables.Column(order_by="holder__name")
    kind = tables.Column(accessor="get_kind_display", order_by="kind", verbose_name="Class")
    number = tables.Column(linkify=("licence", {"uuid": tables.A("uuid")}))
    from_date = tables.DateColumn(format="N j, Y", verbose_name="From")
    to_date = tables.DateColumn(format="N j, Y", verbose_name="Until")
    caption = "Licences"

    class Meta:
        empty_text = "No licence is on file here."


class GrantForm(forms.Form):
    """A licence as granted."""

    holder: forms.ModelChoiceField[Party] = forms.ModelChoiceField(None, to_field_name="code")
    kind = forms.ChoiceField(label="Class", choices=LicenceClass.choices)
    number = NameField(max_length=40)
    issuer: forms.ModelChoiceField[Party] = forms.ModelChoiceField(
        None, to_field_name="code", label="Who granted it"
    )
    from_date = DayField(label="From")
    to_date = DayField(label="Until", required=False)


class ChangeForm(ReasonForm):
    """What became of a licence, from when."""

    effect = forms.ChoiceField(label="It is", choices=LicenceChange.Effect.choices)
    from_date = DayField(label="From")
    field_order = ("effect", "from_date", "reason")


class CompactForm(forms.Form):
    """A compact or an amendment."""

    agency: forms.ModelChoiceField[Party] = forms.ModelChoiceField(None, to_field_name="code")
    title = NameField(max_length=120)
    from_date = DayField(label="From")
    source = LongField(label="Where it was read", rows=2)


class ValueForm(forms.Form):
    """A value of a compact."""

    compact: forms.ModelChoiceField[Compact] = forms.ModelChoiceField(None, to_field_name="uuid")
    rule = forms.ChoiceField(choices=CompactValue.Rule.choices)
    from_date = DayField(label="From")
    value = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text="A whole number; amounts in cents. Nothing, where nobody has read it.",
    )
    grade = forms.ChoiceField(
        label="How sure", choices=[(each.value, each.value) for each in Grade]
    )
    citation = NameField(max_length=120)


class ItemForm(forms.Form):
    """A line of a compact's checklist."""

    compact: forms.ModelChoiceField[Compact] = forms.ModelChoiceField(None, to_field_name="uuid")
    asks = LongField(label="What it asks of a filing", rows=2, max_length=1_000)
    citation = NameField(max_length=120, help_text="Where the compact says so.")


@login_required
@require_safe
def licences(request: HttpRequest) -> HttpResponse:
    """The licences and the compacts of the parties one may see."""
    require_sight(request, Action.SEE_FILINGS)
    seen = Party.objects.values("pk")
    found = Licence.objects.filter(holder__in=seen).select_related("holder")
    compacts = (
        Compact.objects.filter(agency__in=seen)
        .select_related("agency")
        .prefetch_related("values", "items")
    )
    context = {
        "table": paged(request, Licences(found)),
        "compacts": [(each, [_told(value) for value in each.values.all()]) for each in compacts],
        "keeps": allows(request, Action.KEEP_LICENCES),
    }
    return render(request, "licences/licences.html", context)


@login_required
@require_safe
def licence(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One licence, and what became of it."""
    return _page(request, _licence(request, uuid, Action.SEE_FILINGS))


@login_required
@require_http_methods(["POST"])
def change(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Suspend, restore, revoke or end a licence."""
    found = _licence(request, uuid, Action.KEEP_LICENCES)
    form = ChangeForm(request.POST)
    made = accepted(
        form,
        lambda said: change_licence(
            licence=found,
            by=person_of(request),
            **(said | {"effect": LicenceChange.Effect(said["effect"])}),
        ),
    )
    if made is None:
        return _page(request, found, form, status=422)
    messages.success(request, f"{made}.")
    return redirect("licence", uuid=found.uuid)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def grant(request: HttpRequest) -> HttpResponse:
    """Put a licence on file."""
    require_sight(request, Action.KEEP_LICENCES)
    form = GrantForm(_sent(request))
    for name in ("holder", "issuer"):
        _offer(form, name, Party.objects.all())

    def act(said: dict[str, Any]) -> Licence:
        return grant_licence(by=person_of(request), **(said | {"kind": LicenceClass(said["kind"])}))

    return _entered(request, form, act, "Put a licence on file")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest) -> HttpResponse:
    """Enter a compact."""
    require_sight(request, Action.KEEP_LICENCES)
    form = CompactForm(_sent(request))
    _offer(form, "agency", Party.objects.filter(kind=PartyKind.TRIBAL_AGENCY))
    return _entered(
        request,
        form,
        lambda said: enter_compact(by=person_of(request), **said),
        "Enter a compact",
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def add_value(request: HttpRequest) -> HttpResponse:
    """Add a value of a compact."""
    require_sight(request, Action.KEEP_LICENCES)
    form = ValueForm(_sent(request))
    _offer(form, "compact", Compact.objects.all())

    def act(said: dict[str, Any]) -> CompactValue:
        closed = {"rule": CompactValue.Rule(said["rule"]), "grade": Grade(said["grade"])}
        return add_compact_value(by=person_of(request), **(said | closed))

    return _entered(request, form, act, "Add a value of a compact")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def add_item(request: HttpRequest) -> HttpResponse:
    """Add a line to a compact's checklist."""
    require_sight(request, Action.KEEP_LICENCES)
    form = ItemForm(_sent(request))
    _offer(form, "compact", Compact.objects.all())
    return _entered(
        request,
        form,
        lambda said: add_compact_item(by=person_of(request), **said),
        "Add a line to a compact's checklist",
    )


def _sent(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _offer(form: forms.Form, name: str, rows: Any) -> None:
    """Set the rows that a field offers, as whoever asks may see them."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)  # noqa: S101
    field.queryset = rows


def _entered(request: HttpRequest, form: forms.Form, act: Any, heading: str) -> HttpResponse:
    made = accepted(form, act) if form.is_bound else None
    if made is None:
        context = {"form": form, "heading": heading}
        status = 422 if form.is_bound else 200
        return render(request, "licences/enter.html", context, status=status)
    messages.success(request, f"{made} is on file.")
    return redirect("licences")


def _licence(request: HttpRequest, uuid: UUID, action: Action) -> Licence:
    found: Licence = get_object_or_404(
        Licence.objects.filter(holder__in=Party.objects.values("pk")).select_related(
            "holder", "issuer"
        ),
        uuid=uuid,
    )
    # What one sees of an operation of one's own tribe is for its walls to say.
    require_sight(request, action, None if action == Action.SEE_FILINGS else found.holder)
    return found


def _page(
    request: HttpRequest, found: Licence, form: ChangeForm | None = None, status: int = 200
) -> HttpResponse:
    keeps = allows(request, Action.KEEP_LICENCES, found.holder)
    context = {
        "licence": found,
        "changes": found.changes.all(),
        "form": (form or ChangeForm()) if keeps else None,
    }
    return render(request, "licences/licence.html", context, status=status)


def _told(value: CompactValue) -> dict[str, Any]:
    rule = value.get_rule_display().removesuffix(", in cents")
    return {"value": value, "rule": rule, "says": said(value)}
