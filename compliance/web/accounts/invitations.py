"""Accepting an invitation: the only way to an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django import forms
from django.contrib import messages
from django.contrib.auth.password_validation import password_validators_help_texts
from django.core.exceptions import ValidationError
from django.db import transaction
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from compliance.models import Person
from compliance.services.people import accept_invitation, open_invitation
from compliance.services.refused import RefusedError
from compliance.web.fields import NameField

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from compliance.models import Invitation


class AcceptForm(forms.Form):
    """Name and password of somebody who is new; the password alone of somebody who is not."""

    name = NameField(label="Your name", max_length=120)
    password = forms.CharField(
        label="Password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=" ".join(password_validators_help_texts()),
    )
    again = forms.CharField(
        label="Password again",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, known: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if known:
            del self.fields["name"], self.fields["again"]
            self.fields["password"].help_text = "The password of your account."
            self.fields["password"].widget.attrs["autocomplete"] = "current-password"

    def clean(self) -> dict[str, Any]:
        """Both passwords are the same."""
        given = super().clean() or {}
        if "again" in self.fields and given.get("password") != given.get("again"):
            self.add_error("again", "The two passwords differ. Type the same one twice.")
        return given


@never_cache
@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "POST"])
def accept(request: HttpRequest, secret: str) -> HttpResponse:
    """Show what is offered; on POST take it."""
    invitation = open_invitation(secret)
    if invitation is None:
        return render(request, "accounts/invitation_gone.html", status=404)
    known = Person.objects.filter(email__iexact=invitation.email).exists()
    form = AcceptForm(request.POST or None, known=known)
    if request.method == "POST" and form.is_valid():
        try:
            _take(request, secret, form.cleaned_data, invitation, known=known)
        except RefusedError as refusal:
            form.add_error(None, str(refusal))
        except ValidationError as invalid:
            form.add_error("password", invalid)
        else:
            messages.success(request, "Your role is yours now. Sign in to begin.")
            return redirect("account_login")
    context = {"invitation": invitation, "form": form, "known": known}
    return render(request, "accounts/invitation.html", context)


def _take(
    request: HttpRequest, secret: str, given: dict[str, Any], invitation: Invitation, *, known: bool
) -> None:
    if known:
        # As at the sign-in: guesses are counted, and each is an event.
        get_adapter(request).authenticate(
            request, email=invitation.email, password=given["password"]
        )
    with transaction.atomic():
        person = accept_invitation(
            secret=secret, name=given.get("name", ""), password=given["password"]
        )
        # Whoever opened the mail's link has shown that the address is theirs.
        EmailAddress.objects.get_or_create(
            user=person, email=invitation.email, defaults={"verified": True, "primary": True}
        )
