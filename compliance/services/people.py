"""People and their roles: invited by mail, given and ended by whoever may manage them."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.utils import timezone

from compliance.actor import SYSTEM
from compliance.choices import ROLES_OF_KIND, PartyKind, Role
from compliance.event_types import people
from compliance.models import ApiKey, Invitation, Membership, Person
from compliance.permissions import Action, key_may, may
from compliance.services.own_deeds import OWN
from compliance.services.record import record
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.walls import memberships_of, without_walls

if TYPE_CHECKING:
    from datetime import datetime

    from compliance.actor import Asker
    from compliance.models import Party

INVITATION_LASTS = timedelta(days=7)
NOT_ONESELF = "Nobody gives themselves a role. Ask somebody else who may."


def require(by: Asker, action: Action, party: Party | None = None) -> None:
    """Raise `NotAllowedError` unless the roles, or the key, of `by` allow it (on the party)."""
    if isinstance(by, ApiKey):
        if not key_may(by, action, party):
            msg = f"This is not open to this key: {action.label.lower()}."
            raise NotAllowedError(msg)
    elif not may(held := memberships_of(by), action, party):
        msg = f"This is not open to your role: {action.label.lower()}."
        if party is not None and party.pk in {each.party_id for each in held} and may(held, action):
            msg = f"{OWN} You belong to {party} as well."
        raise NotAllowedError(msg)


def _require_role_fits(party: Party, role: Role) -> None:
    if role not in ROLES_OF_KIND[PartyKind(party.kind)]:
        msg = f"{role.label} is not a role in a {PartyKind(party.kind).label.lower()}."
        raise RefusedError(msg)


def _secret_digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def invite(
    *, party: Party, role: Role, email: str, by: Person, at: datetime | None = None
) -> tuple[Invitation, str]:
    """Invite somebody to a role: the invitation, and the secret its mail carries.

    Refuses: a role that the party does not have; somebody who holds it; a second open invitation;
    oneself.
    """
    require(by, Action.MANAGE_PEOPLE, party)
    _require_role_fits(party, role)
    at = at or timezone.now()
    email = email.lower()
    if email == by.email.lower():
        raise NotAllowedError(NOT_ONESELF)
    with without_walls():
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
    secret = secrets.token_urlsafe(32)
    invitation = Invitation(
        party=party,
        role=role,
        email=email,
        by=by,
        secret_sha256=_secret_digest(secret),
        made=at,
        expires=at + INVITATION_LASTS,
    )
    invitation.clean_fields()
    invitation.save()
    record(
        people.PERSON_INVITED,
        by=by,
        party=party,
        about=invitation,
        carries={"role": role.label},
        personal={"email": email},
    )
    return invitation, secret


@transaction.atomic
def withdraw_invitation(*, invitation: Invitation, by: Person) -> None:
    """Make an invitation useless. Refuses one that was accepted or withdrawn."""
    require(by, Action.MANAGE_PEOPLE, invitation.party)
    with without_walls():
        changed = Invitation.objects.filter(
            pk=invitation.pk, accepted__isnull=True, withdrawn__isnull=True
        ).update(withdrawn=timezone.now())
    if not changed:
        msg = "This invitation was accepted or withdrawn before."
        raise RefusedError(msg)
    record(people.INVITATION_WITHDRAWN, by=by, party=invitation.party, about=invitation)


def open_invitation(secret: str) -> Invitation | None:
    """The invitation of a secret, if it still serves: its sender may still invite, too."""
    with without_walls():
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
    if found is None or not found.by.is_active:
        return None
    stands = may(memberships_of(found.by), Action.MANAGE_PEOPLE, found.party)
    return found if stands else None


@transaction.atomic
def accept_invitation(*, secret: str, name: str, password: str) -> Person:
    """Take the role an invitation offers, as a new person or as the one of its address.

    A person who has an account proves it with its password; a new one sets theirs.
    Refuses: an invitation that does not serve any more; a wrong password.
    """
    invitation = open_invitation(secret)
    if invitation is None:
        msg = "This invitation was used, withdrawn or has expired. Ask for a new one."
        raise RefusedError(msg)
    now = timezone.now()
    with without_walls():
        taken = Invitation.objects.filter(
            pk=invitation.pk, accepted__isnull=True, withdrawn__isnull=True
        ).update(accepted=now)
    if not taken:
        msg = "This invitation was used or withdrawn at this very moment."
        raise RefusedError(msg)
    person = Person.objects.filter(email__iexact=invitation.email).first()
    if person is None:
        person = Person(email=invitation.email, name=name)
        validate_password(password, person)
        person.set_password(password)
        person.full_clean()
        person.save()
        record(people.PERSON_JOINED, by=person, party=invitation.party, about=person)
    elif not person.is_active or not person.check_password(password):
        msg = "This address has an account. Accept with its password, or reset that first."
        raise RefusedError(msg)
    _hold(person=person, party=invitation.party, role=Role(invitation.role), by=invitation.by)
    return person


@transaction.atomic
def give_role(*, person: Person, party: Party, role: Role, by: Person | None) -> Membership:
    """Give somebody a role in a party.

    `by` is nobody only while the system is set up.
    Refuses: a role that the party does not have; one that is held already; one's own promotion.
    """
    if by is not None:
        require(by, Action.MANAGE_PEOPLE, party)
        if by == person:
            raise NotAllowedError(NOT_ONESELF)
    _require_role_fits(party, role)
    return _hold(person=person, party=party, role=role, by=by)


def _hold(*, person: Person, party: Party, role: Role, by: Person | None) -> Membership:
    with without_walls():
        held, new = Membership.objects.get_or_create(
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
        people.ROLE_GIVEN,
        by=by or SYSTEM,
        party=party,
        about=person,
        carries={"role": role.label},
    )
    return held


@transaction.atomic
def end_role(*, membership: Membership, reason: str, by: Person) -> None:
    """End a role that somebody holds, with a reason.

    Refuses: a role that has ended; the last administrator of the commission ending their own.
    """
    require(by, Action.MANAGE_PEOPLE, membership.party)
    if not reason.strip():
        msg = "Say why the role ends."
        raise RefusedError(msg)
    with without_walls():
        others = Membership.objects.filter(
            role=Role.ADMINISTRATOR, ended__isnull=True, person__is_active=True
        ).exclude(person_id=membership.person_id)
        if membership.role == Role.ADMINISTRATOR and not others.exists():
            msg = "This is the last administrator: give the role to somebody else first."
            raise RefusedError(msg)
        ended = Membership.objects.filter(pk=membership.pk, ended__isnull=True).update(
            ended=timezone.now()
        )
    if not ended:
        msg = "This role has ended before."
        raise RefusedError(msg)
    record(
        people.ROLE_ENDED,
        by=by,
        party=membership.party,
        about=membership.person,
        reason=reason,
        carries={"role": Role(membership.role).label},
    )
