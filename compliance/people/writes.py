"""Parties, people and their roles: registered, invited by email, given and ended."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.utils import timezone

from compliance.access.models import Membership, Party, PartyVisibility, Person
from compliance.access.permissions import ROLES_OF_KIND, Action, PartyKind, Role, may
from compliance.access.reads import active_administrators, is_address_of, require
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.people import events
from compliance.people.models import Invitation
from compliance.text import canonical_address

if TYPE_CHECKING:
    from datetime import datetime

    from compliance.people.models import AccessChange


INVITATION_LASTS = timedelta(days=7)
TWO_PEOPLE = (
    "Changing a role in a commission unit takes two people. Propose it under “Access changes”."
)
NOT_ONESELF = (
    "You cannot give yourself a role, at any of your own addresses. Ask another manager to do it."
)


def _require_allowed(by: Person, party: Party, change: AccessChange | None) -> None:
    """Check that one person may give and end roles here; a `change` was already checked for two."""
    if change is not None:
        return
    require(by, Action.MANAGE_PEOPLE, party)
    if party.kind == PartyKind.COMMISSION_UNIT:
        raise RefusedError(TWO_PEOPLE)


def _require_role_fits(party: Party, role: Role) -> None:
    if role not in ROLES_OF_KIND[PartyKind(party.kind)]:
        msg = f"{role.label} is not a role in a {PartyKind(party.kind).label.lower()}."
        raise RefusedError(msg)


def _require_new_mailbox(address: str) -> None:
    """Raise `RefusedError` if a mailbox has an account: two would let one person act as two."""
    mailbox = canonical_address(address)
    for known in Person.objects.values_list("email", flat=True):
        if canonical_address(known) == mailbox:
            msg = (
                f"Your mailbox already has an account, {known}. "
                "Ask for an invitation to that address."
            )
            raise RefusedError(msg)


def _secret_digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def invite(
    *,
    party: Party,
    role: Role,
    email: str,
    by: Person,
    at: datetime | None = None,
    change: AccessChange | None = None,
) -> tuple[Invitation, str]:
    """Invite a person to a role; return the invitation, and the secret in its email.

    Rejects a role that the party does not have; a person who already has it; a second open
    invitation; the user's own address, however it is spelled.
    """
    _require_allowed(by, party, change)
    at = at or timezone.now()
    email = email.lower()
    if is_address_of(by, email):
        raise NotAllowedError(NOT_ONESELF)
    with without_access_scope():
        if Membership.objects.filter(
            party=party, role=role, person__email__iexact=email, ended__isnull=True
        ).exists():
            msg = f"{email} holds the role {role.label} already."
            raise RefusedError(msg)
        if Invitation.objects.filter(
            party=party,
            role=role,
            email__iexact=email,
            accepted__isnull=True,
            withdrawn__isnull=True,
            expires__gt=at,
        ).exists():
            msg = f"{email} is invited already. Withdraw that invitation to send another."
            raise RefusedError(msg)
    return issue_invitation(
        Invitation(
            party=party, role=role, email=email, by=by, made=at, expires=at + INVITATION_LASTS
        ),
        change,
    )


def issue_invitation(
    invitation: Invitation, change: AccessChange | None = None
) -> tuple[Invitation, str]:
    """Save an invitation and return it with its secret. Rejects a role the party does not have."""
    _require_role_fits(invitation.party, Role(invitation.role))
    secret = secrets.token_urlsafe(32)
    invitation.secret_sha256 = _secret_digest(secret)
    invitation.clean_fields()
    invitation.save()
    if change is not None:
        change.invitation = invitation
        change.save(update_fields=["invitation"])
    record(
        events.PERSON_INVITED,
        by=invitation.by or SYSTEM,
        party=invitation.party,
        about=invitation,
        carries={"role": Role(invitation.role).label},
        personal={"email": invitation.email},
    )
    return invitation, secret


@transaction.atomic
def withdraw_invitation(
    *, invitation: Invitation, by: Person, change: AccessChange | None = None
) -> None:
    """Withdraw an invitation. Rejects one that was accepted or withdrawn."""
    if change is None:
        require(by, Action.MANAGE_PEOPLE, invitation.party)
    with without_access_scope():
        changed = Invitation.objects.filter(
            pk=invitation.pk, accepted__isnull=True, withdrawn__isnull=True
        ).update(withdrawn=timezone.now())
    if not changed:
        msg = "This invitation was accepted or withdrawn before."
        raise RefusedError(msg)
    record(events.INVITATION_WITHDRAWN, by=by, party=invitation.party, about=invitation)


def open_invitation(secret: str) -> Invitation | None:
    """Return the invitation with this secret, if it is valid and its sender may still invite."""
    with without_access_scope():
        found = (
            Invitation.objects.filter(
                secret_sha256=_secret_digest(secret),
                accepted__isnull=True,
                withdrawn__isnull=True,
                expires__gt=timezone.now(),
            )
            .select_related("party", "by")
            .first()
        )
    if found is None:
        return None
    if found.by is None:  # created by `manage.py create_administrator`
        return None if active_administrators().exists() else found
    stands = found.by.is_active and may(memberships_of(found.by), Action.MANAGE_PEOPLE, found.party)
    return found if stands else None


@transaction.atomic
def accept_invitation(
    *, secret: str, name: str, password: str, signed_in: Person | None = None
) -> Person:
    """Accept the role in an invitation, as a new person or as the one with its address.

    An existing person confirms with their password; a new one sets theirs. Rejects an invitation
    that is no longer valid; a wrong password; the person who sent it, by address or by `signed_in`;
    a second account for one mailbox.
    """
    invitation = open_invitation(secret)
    if invitation is None:
        msg = "This invitation was used, withdrawn or has expired. Ask for a new one."
        raise RefusedError(msg)
    sender = invitation.by
    if sender is not None and (sender == signed_in or is_address_of(sender, invitation.email)):
        raise NotAllowedError(NOT_ONESELF)
    now = timezone.now()
    with without_access_scope():
        accepted = Invitation.objects.filter(
            pk=invitation.pk, accepted__isnull=True, withdrawn__isnull=True
        ).update(accepted=now)
    if not accepted:
        msg = "This invitation was used or withdrawn at this very moment."
        raise RefusedError(msg)
    person = Person.objects.filter(email__iexact=invitation.email).first()
    if person is None:
        _require_new_mailbox(invitation.email)
        person = Person(email=invitation.email, name=name)
        validate_password(password, person)
        person.set_password(password)
        person.full_clean()
        person.save()
        record(events.PERSON_JOINED, by=person, party=invitation.party, about=person)
    elif not person.is_active or not person.check_password(password):
        msg = "This address has an account. Accept with its password, or reset that first."
        raise RefusedError(msg)
    # Opening the link in the email proved that the address is theirs.
    EmailAddress.objects.get_or_create(
        user=person, email=invitation.email, defaults={"verified": True, "primary": True}
    )
    _hold(person=person, party=invitation.party, role=Role(invitation.role), by=invitation.by)
    return person


@transaction.atomic
def give_role(
    *,
    person: Person,
    party: Party,
    role: Role,
    by: Person | None,
    change: AccessChange | None = None,
) -> Membership:
    """Give a person a role in a party.

    `by` is None only during setup. Rejects a role that the party does not have; one that the person
    already has; the user's own promotion.
    """
    if by is not None:
        _require_allowed(by, party, change)
        if by == person or is_address_of(by, person.email):
            raise NotAllowedError(NOT_ONESELF)
    _require_role_fits(party, role)
    return _hold(person=person, party=party, role=role, by=by)


def _hold(*, person: Person, party: Party, role: Role, by: Person | None) -> Membership:
    with without_access_scope():
        membership, new = Membership.objects.get_or_create(
            person=person,
            party=party,
            role=role,
            ended=None,
            defaults={"since": timezone.now()},
        )
    if not new:
        msg = f"{person.name} holds the role {role.label} in {party.name} already."
        raise RefusedError(msg)
    record(
        events.ROLE_GIVEN,
        by=by or SYSTEM,
        party=party,
        about=person,
        carries={"role": role.label},
    )
    return membership


@transaction.atomic
def end_role(
    *, membership: Membership, reason: str, by: Person, change: AccessChange | None = None
) -> None:
    """End a person's role, with a reason.

    Rejects a role that has ended, and the last administrator of the commission ending their own.
    """
    _require_allowed(by, membership.party, change)
    if not reason.strip():
        msg = "Say why the role ends."
        raise RefusedError(msg)
    with without_access_scope():
        others = active_administrators().exclude(pk=membership.person_id)
        if membership.role == Role.ADMINISTRATOR and not others.exists():
            msg = "This is the last administrator. Give the role to another person first."
            raise RefusedError(msg)
        ended = Membership.objects.filter(pk=membership.pk, ended__isnull=True).update(
            ended=timezone.now()
        )
    if not ended:
        msg = "This role has ended before."
        raise RefusedError(msg)
    record(
        events.ROLE_ENDED,
        by=by,
        party=membership.party,
        about=membership.person,
        reason=reason,
        carries={"role": Role(membership.role).label},
    )


@transaction.atomic
def register_party(
    *, kind: PartyKind, code: str, name: str, agency: Party | None = None, by: Person | None
) -> Party:
    """Register a party and make it visible to itself, and to the agency of its tribe.

    `by` is None only during setup, before anyone can sign in. Rejects a code that is taken; a
    tribal operation without its agency; an agency for any other kind.
    """
    if by is not None:
        require(by, Action.REGISTER_PARTY)
    if (kind == PartyKind.TRIBAL_OPERATION) != (agency is not None):
        msg = "A tribal operation names the gaming agency of its tribe; no other party names one."
        raise RefusedError(msg)
    if agency is not None and agency.kind != PartyKind.TRIBAL_AGENCY:
        msg = f"{agency.name} is not a tribal gaming agency."
        raise RefusedError(msg)
    with without_access_scope():
        if Party.objects.filter(code=code).exists():
            msg = f"The code {code!r} belongs to another party. Choose one that is free."
            raise RefusedError(msg)
        party = Party(kind=kind, code=code, name=name, agency=agency)
        party.full_clean()
        party.save()
    PartyVisibility.objects.bulk_create(
        PartyVisibility(shown=party, party=viewer)
        for viewer in [party, *([agency] if agency else [])]
    )
    record(
        events.PARTY_REGISTERED,
        by=by or SYSTEM,
        party=party,
        about=party,
        carries={"code": code, "kind": kind.label},
    )
    return party


ADMINISTRATION = "administration"
"""The unit's code."""
FIRST_INVITATION_LASTS = timedelta(hours=24)


@transaction.atomic
def invite_first_administrator(*, name: str, email: str) -> tuple[Invitation, str]:
    """Invite the first administrator; return the invitation and its secret.

    The commission's administration unit is registered if there is none. An earlier invitation of
    this kind is withdrawn. Rejects a system with an active administrator, and a closed account.
    """
    known = active_administrators().first()
    if known is not None:
        msg = (
            f"{known.name} is already an administrator. Ask {known.name} to invite others from "
            "the People page."
        )
        raise RefusedError(msg)
    if Person.objects.filter(email__iexact=email, is_active=False).exists():
        msg = f"The account of {email} is closed. Use another email address."
        raise RefusedError(msg)
    now = timezone.now()
    with without_access_scope():
        earlier = Invitation.objects.filter(by=None, accepted=None, withdrawn=None)
        for each in earlier.select_related("party"):
            Invitation.objects.filter(pk=each.pk).update(withdrawn=now)
            record(events.INVITATION_WITHDRAWN, by=SYSTEM, party=each.party, about=each)
        unit = Party.objects.filter(code=ADMINISTRATION).first()
    if unit is None:
        unit = register_party(
            kind=PartyKind.COMMISSION_UNIT, code=ADMINISTRATION, name="Administration", by=None
        )
    return issue_invitation(
        Invitation(
            party=unit,
            role=Role.ADMINISTRATOR,
            email=email.lower(),
            name=name,
            made=now,
            expires=now + FIRST_INVITATION_LASTS,
        )
    )
