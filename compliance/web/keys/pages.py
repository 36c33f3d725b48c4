"""Keys for a party's programs: listed, made, shown once, revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from compliance import clock
from compliance.models import ApiKey
from compliance.permissions import KeyScope
from compliance.selectors.api_keys import keys_of
from compliance.services.api_keys import LONGEST, make_key, revoke_key, scopes_open_to
from compliance.web.accounts.second_factor import second_factor_used
from compliance.web.acting import person_of
from compliance.web.fields import LongField, NameField
from compliance.web.programs import made_once, party_of, say_with_reason
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from compliance.models import Party

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
    return _page(request, party_of(request, code))


@login_required
@require_POST
def make(request: HttpRequest, code: str) -> HttpResponse:
    """Make a key and show its secret, this one time."""
    party = party_of(request, code)
    form = KeyForm(_scopes(request, party), request.POST)

    def act(said: dict[str, Any]) -> tuple[ApiKey, str]:
        return make_key(
            party=party,
            name=said["name"],
            scopes=[KeyScope(each) for each in said["scopes"]],
            networks=said["networks"].split(),
            days=said["days"],
            by=person_of(request),
        )

    made = made_once(request, form, act, what="a key")
    if made is None:
        return _page(request, party, form, status=422)
    key, secret = made
    return render(request, "keys/made.html", {"party": party, "key": key, "secret": secret})


@login_required
@require_POST
def revoke(request: HttpRequest, code: str, uuid: UUID) -> HttpResponse:
    """Make a key useless at once."""
    party = party_of(request, code)
    key = get_object_or_404(ApiKey.objects.select_related("party"), party=party, uuid=uuid)
    say_with_reason(
        request,
        lambda reason: revoke_key(key=key, reason=reason, by=person_of(request)),
        why=f"{key} is revoked",
        done=f"The key {key} opens nothing any more.",
    )
    return redirect("api_keys", code=code)


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
