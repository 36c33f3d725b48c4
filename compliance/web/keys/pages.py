"""Keys for a party's programs: listed, made, shown once, revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from compliance import clock
from compliance.models import ApiKey, Party
from compliance.permissions import Action, KeyScope
from compliance.selectors.api_keys import keys_of
from compliance.services.api_keys import LONGEST, make_key, revoke_key, scopes_open_to
from compliance.services.refused import RefusedError
from compliance.web.accounts.second_factor import second_factor_used
from compliance.web.acting import person_of, require_sight
from compliance.web.fields import LongField, NameField, ReasonForm
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

FIRST_DAYS = 90


class KeyForm(forms.Form):
    """What a program is called, what its key is good for, from where and how long."""

    name = NameField(
        label="Program", max_length=60, help_text="What it is called here: Night upload."
    )
    scopes = forms.MultipleChoiceField(
        label="Good for",
        widget=forms.CheckboxSelectMultiple,
        help_text="No more than it needs. A second program gets a key of its own.",
    )
    networks = LongField(
        label="Only from these addresses",
        rows=2,
        required=False,
        max_length=1000,
        help_text="One a line: 203.0.113.7 or 203.0.113.0/24. Leave it empty for any address.",
    )
    days = forms.IntegerField(
        label="Days until it expires",
        min_value=1,
        max_value=LONGEST,
        initial=FIRST_DAYS,
        help_text="A year at most; make the next one before it ends.",
    )

    def __init__(self, scopes: list[KeyScope], data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["scopes"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [(each.value, each.label) for each in scopes]


@login_required
@require_safe
def keys(request: HttpRequest, code: str) -> HttpResponse:
    """The keys of a party: what each is good for, when it was used, until when it serves."""
    return _page(request, _party(request, code))


@login_required
@require_POST
def make(request: HttpRequest, code: str) -> HttpResponse:
    """Make a key and show its secret, this one time."""
    party = _party(request, code)
    person = person_of(request)
    form = KeyForm(_scopes(request, party), request.POST)
    if not second_factor_used(request, person):
        form.add_error(None, "Sign in with a second factor to make a key.")
    if not form.is_valid():
        return _page(request, party, form, status=422)
    said = form.cleaned_data
    try:
        key, secret = make_key(
            party=party,
            name=said["name"],
            scopes=[KeyScope(each) for each in said["scopes"]],
            networks=said["networks"].split(),
            days=said["days"],
            by=person,
        )
    except RefusedError as refused:
        form.add_error(None, str(refused))
        return _page(request, party, form, status=422)
    return render(request, "keys/made.html", {"party": party, "key": key, "secret": secret})


@login_required
@require_POST
def revoke(request: HttpRequest, code: str, uuid: UUID) -> HttpResponse:
    """Make a key useless at once."""
    party = _party(request, code)
    key = get_object_or_404(ApiKey.objects.select_related("party"), party=party, uuid=uuid)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"Say why {key} is revoked. {form.errors['reason'][0]}")
        return redirect("api_keys", code=party.code)
    try:
        revoke_key(key=key, reason=form.cleaned_data["reason"], by=person_of(request))
    except RefusedError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"The key {key} opens nothing any more.")
    return redirect("api_keys", code=party.code)


def _party(request: HttpRequest, code: str) -> Party:
    party = get_object_or_404(Party, code=code)
    require_sight(request, Action.MANAGE_KEYS, party)
    return party


def _scopes(request: HttpRequest, party: Party) -> list[KeyScope]:
    own = [held for held in asked(request).memberships if held.party_id == party.pk]
    return scopes_open_to(own)


def _page(
    request: HttpRequest, party: Party, form: KeyForm | None = None, status: int = 200
) -> HttpResponse:
    now = clock.now()
    found = list(keys_of(party))
    scopes = _scopes(request, party)
    context = {
        "party": party,
        "serving": [each for each in found if each.revoked is None and each.expires > now],
        "ended": [each for each in found if each.revoked is not None or each.expires <= now],
        "form": (form or KeyForm(scopes)) if scopes else None,
        "used_second_factor": second_factor_used(request, person_of(request)),
    }
    return render(request, "keys/keys.html", context, status=status)
