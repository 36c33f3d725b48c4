"""Pages of the user's own account: accepting an invitation, roles, ways of signing in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from allauth.account.adapter import get_adapter
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.views import ListUserSessionsView
from django import forms
from django.contrib import messages
from django.contrib.auth.password_validation import password_validators_help_texts
from django.core.exceptions import ValidationError
from django.shortcuts import redirect, render
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from compliance.access.models import Person
from compliance.errors import RefusedError
from compliance.people.access_changes import reset_of
from compliance.people.second_factor import owes_second_factor
from compliance.people.writes import accept_invitation, open_invitation
from compliance.ui.access import asked
from compliance.ui.errors import in_turn
from compliance.ui.filters import browser_name, when
from compliance.ui.forms import NameField
from compliance.ui.pages import Page
from compliance.ui.tables import ListTable, WhenColumn, show_state

if TYPE_CHECKING:
    from datetime import datetime

    from allauth.usersessions.models import UserSession
    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

    from compliance.people.models import Invitation


class AcceptForm(forms.Form):
    """Name and password of a new person; only the password of an existing one."""

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
        """Require that both passwords match."""
        data = super().clean() or {}
        if "again" in self.fields and data.get("password") != data.get("again"):
            self.add_error("again", "The two passwords differ. Type the same one twice.")
        return data


@in_turn("invitation", a_minute=30)
@never_cache
@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "POST"])
def accept(request: HttpRequest, secret: str) -> HttpResponse:
    """Show an invitation; accept it on POST."""
    invitation = open_invitation(secret)
    if invitation is None:
        return render(request, "accounts/invitation_gone.html", status=404)
    known = Person.objects.filter(email__iexact=invitation.email).exists()
    form = AcceptForm(request.POST or None, known=known, initial={"name": invitation.name})
    if request.method == "POST" and form.is_valid():
        try:
            _accept_invitation(request, secret, form.cleaned_data, invitation, known=known)
        except RefusedError as refusal:
            form.add_error(None, str(refusal))
        except ValidationError as invalid:
            form.add_error("password", invalid)
        else:
            messages.success(request, "You have the role now. Sign in to begin.")
            return redirect("account_login")
    context = {"invitation": invitation, "form": form, "known": known}
    return render(request, "accounts/invitation.html", context)


def _accept_invitation(
    request: HttpRequest, secret: str, data: dict[str, Any], invitation: Invitation, *, known: bool
) -> None:
    if known:
        # The same as at sign-in: guesses are counted, and each is an event.
        get_adapter(request).authenticate(
            request, email=invitation.email, password=data["password"]
        )
    accept_invitation(
        secret=secret,
        name=data.get("name", ""),
        password=data["password"],
        signed_in=asked(request).person,
    )


class OwnAccount(Page):
    """The user's roles, and settings for signing in."""

    template_name = "accounts/own.html"

    def get_context(self) -> dict[str, Any]:
        """Collect the roles and the state of the second factor."""
        memberships = asked(self.request).memberships
        return {
            "memberships": memberships,
            "owes_second_factor": owes_second_factor(self.person, memberships),
            "has_second_factor": is_mfa_enabled(self.person),
            "reset": reset_of(self.person),
        }


class SessionTable(ListTable):
    """Where the user is signed in."""

    created_at = WhenColumn(verbose_name="Since")
    ip = tables.Column(verbose_name="From")
    user_agent = tables.Column(verbose_name="Browser")
    caption = "Sessions"

    def render_created_at(self, value: datetime, record: UserSession) -> SafeString:
        mark = show_state("working", "This session") if record.is_current() else ""
        return format_html("{} {}", when(value), mark)

    def render_user_agent(self, value: str) -> str:
        return browser_name(value)


class SessionList(ListUserSessionsView):  # type: ignore[misc]
    """Where the user is signed in, and the button to sign out everywhere else."""

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Add the table."""
        context: dict[str, Any] = super().get_context_data(**more)
        return context | {"table": SessionTable(context["sessions"])}
