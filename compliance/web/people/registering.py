"""A party comes in: registered by the commission, which then invites its first person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from compliance.choices import PartyKind
from compliance.models import Party
from compliance.permissions import Action
from compliance.services.parties import register_party
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.fields import NameField

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


class PartyForm(forms.Form):
    """What kind of party it is, and what it is called."""

    kind = forms.TypedChoiceField(choices=PartyKind.choices, coerce=PartyKind)
    name = NameField(max_length=120, help_text="As its licence or compact has it.")
    code = forms.SlugField(
        max_length=32,
        help_text="Short and lower case, as cedar-ridge: it stands in addresses and in the names "
        "of files, and never changes.",
    )
    agency = forms.TypedChoiceField(
        label="Gaming agency of the tribe",
        required=False,
        empty_value=None,
        help_text="For a tribal gaming operation alone.",
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        known = {each.code: each for each in Party.objects.filter(kind=PartyKind.TRIBAL_AGENCY)}
        field = self.fields["agency"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        field.choices = [("", "None"), *((code, each.name) for code, each in known.items())]
        field.coerce = known.__getitem__

    def clean_code(self) -> str:
        """In lower case, however it was typed."""
        code: str = self.cleaned_data["code"].lower()
        return code


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    """Register a party, and go on to its people."""
    require_sight(request, Action.REGISTER_PARTY)
    form = PartyForm(request.POST if request.method == "POST" else None)
    party = None
    if form.is_bound:
        party = accepted(form, lambda said: register_party(by=person_of(request), **said))
    if party is None:
        status = 422 if form.is_bound else 200
        return render(request, "people/register.html", {"form": form}, status=status)
    invites = allows(request, Action.MANAGE_PEOPLE, party)
    then = "Invite its first person below." if invites else "An administrator invites its people."
    messages.success(request, f"{party} is registered. {then}")
    return redirect("people", code=party.code)
