"""The people of a party: who holds which role, who is invited."""

from __future__ import annotations

from smtplib import SMTPException
from typing import TYPE_CHECKING

import structlog
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.mail import send_mail
from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from compliance.choices import ROLES_OF_KIND, PartyKind, Role
from compliance.models import Invitation, Membership, Party
from compliance.permissions import ROLES_OF_ACTION, SECOND_FACTOR_ROLES, Action, may
from compliance.selectors.people import open_invitations, people_of
from compliance.sending import why
from compliance.services.people import end_role, invite, withdraw_invitation
from compliance.services.refused import RefusedError
from compliance.web.fields import ReasonForm
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


log = structlog.get_logger(__name__)
NOT_SENT = (
    "The mail could not be sent, and nobody was invited. Try again, or tell whoever runs this "
    "system what follows."
)


class InviteForm(forms.Form):
    """Whom to invite, to which of the party's roles."""

    email = forms.EmailField(label="Mail address", max_length=254)
    role = forms.ChoiceField(label="Role")

    def __init__(self, party: Party, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        roles = sorted(ROLES_OF_KIND[PartyKind(party.kind)])
        field = self.fields["role"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(role.value, role.label) for role in roles]


def _party(request: HttpRequest, code: str, action: Action) -> Party:
    party = get_object_or_404(Party, code=code)
    if not may(asked(request).memberships, action, party):
        raise Http404
    return party


@login_required
@require_GET
def parties(request: HttpRequest) -> HttpResponse:
    """The parties whose people one may see; straight to it where it is one."""
    memberships = asked(request).memberships
    shown = [p for p in Party.objects.all() if may(memberships, Action.SEE_PEOPLE, p)]
    registers = may(memberships, Action.REGISTER_PARTY)
    if len(shown) == 1 and not registers:
        return redirect("people", code=shown[0].code)
    context = {"parties": shown, "registers": registers}
    return render(request, "people/parties.html", context)


@login_required
@require_GET
def people(request: HttpRequest, code: str) -> HttpResponse:
    """Roles held and invitations open in a party."""
    return _page(request, _party(request, code, Action.SEE_PEOPLE))


def _page(
    request: HttpRequest, party: Party, form: InviteForm | None = None, status: int = 200
) -> HttpResponse:
    manages = may(asked(request).memberships, Action.MANAGE_PEOPLE, party)
    context = {
        "party": party,
        "held": people_of(party),
        "invitations": open_invitations(party),
        "manages": manages,
        "keys": may(asked(request).memberships, Action.MANAGE_KEYS, party),
        "form": (form or InviteForm(party)) if manages else None,
        "roles": [
            (role.label, [each.label for each in Action if role in ROLES_OF_ACTION[each]])
            for role in sorted(ROLES_OF_KIND[PartyKind(party.kind)])
        ],
    }
    return render(request, "people/people.html", context, status=status)


@login_required
@require_POST
def invite_person(request: HttpRequest, code: str) -> HttpResponse:
    """Invite somebody by mail."""
    party = _party(request, code, Action.MANAGE_PEOPLE)
    form = InviteForm(party, request.POST)
    if not form.is_valid():
        return _page(request, party, form, status=422)
    who = asked(request).person
    assert who is not None  # noqa: S101
    try:
        with transaction.atomic():  # nobody stands as invited who has no mail with the way in
            invitation, secret = invite(
                party=party,
                role=Role(form.cleaned_data["role"]),
                email=form.cleaned_data["email"],
                by=who,
            )
            link = request.build_absolute_uri(reverse("accept_invitation", args=[secret]))
            told = {
                "agency": settings.AGENCY_NAME,
                "invitation": invitation,
                "link": link,
                "second_factor": invitation.role in SECOND_FACTOR_ROLES,
            }
            send_mail(
                f"{settings.AGENCY_NAME}: you are invited to {party.name}",
                render_to_string("people/invitation.txt", told),
                None,
                [invitation.email],
            )
    except RefusedError as refusal:
        form.add_error(None, str(refusal))
        return _page(request, party, form, status=422)
    except (OSError, SMTPException) as failure:
        log.exception("an invitation could not be sent")
        form.add_error(None, f"{NOT_SENT} {why(failure)}")
        return _page(request, party, form, status=422)
    messages.success(request, f"{invitation.email} is invited and has a mail with the way in.")
    return redirect("people", code=party.code)


@login_required
@require_POST
def withdraw(request: HttpRequest, code: str, uuid: str) -> HttpResponse:
    """Withdraw an open invitation."""
    party = _party(request, code, Action.MANAGE_PEOPLE)
    invitation = get_object_or_404(Invitation, party=party, uuid=uuid)
    who = asked(request).person
    assert who is not None  # noqa: S101
    try:
        withdraw_invitation(invitation=invitation, by=who)
    except RefusedError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, f"The invitation of {invitation.email} serves no more.")
    return redirect("people", code=party.code)


@login_required
@require_POST
def end(request: HttpRequest, code: str, membership: int) -> HttpResponse:
    """End a role, with a reason."""
    party = _party(request, code, Action.MANAGE_PEOPLE)
    held = get_object_or_404(
        Membership.objects.select_related("person", "party"), party=party, pk=membership
    )
    who = asked(request).person
    assert who is not None  # noqa: S101
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"Say why {held.person}'s role ends. {form.errors['reason'][0]}")
        return redirect("people", code=party.code)
    try:
        end_role(membership=held, reason=form.cleaned_data["reason"], by=who)
    except RefusedError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, f"{held.person} holds {held.get_role_display()} no more.")
    return redirect("people", code=party.code)
