"""Access changes that take two people: commission roles, and lost second factors."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NoReturn

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from compliance.access.models import Membership, Person
from compliance.access.permissions import Action, PartyKind, Role, may
from compliance.access.reads import is_address_of, require, who_may
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.record import record
from compliance.people import events
from compliance.people.accounts import end_sessions
from compliance.people.mails import invitation_mail, second_factor_mail, send
from compliance.people.models import AccessChange, Invitation
from compliance.people.writes import end_role, give_role, invite, withdraw_invitation

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from compliance.access.models import Party
    from compliance.events.models import Event


State, What = AccessChange.State, AccessChange.What
NOT_THEIRS = "Your role does not allow you to decide this."


def undecided_changes() -> QuerySet[AccessChange]:
    """Return open proposals, and changes done alone that are not confirmed yet."""
    open_until = Q(state=State.PROPOSED, expires__gt=timezone.now())
    return _with_names().filter(open_until | Q(state=State.DONE_ALONE))


def past_changes() -> QuerySet[AccessChange]:
    """Return decided changes, and proposals that expired."""
    expired = Q(state=State.PROPOSED, expires__lte=timezone.now())
    return _with_names().filter(Q(decided__isnull=False) | expired)


def _with_names() -> QuerySet[AccessChange]:
    return AccessChange.objects.select_related("party", "person", "proposed_by", "decided_by")


def changes_to_decide(person: Person) -> list[AccessChange]:
    """Return undecided changes that this person may confirm."""
    return [change for change in undecided_changes() if not why_not_decide(change, person)]


def reset_of(person: Person) -> AccessChange | None:
    """Return the newest reset of a person's second factor, in any party."""
    with without_access_scope():
        return _with_names().filter(what=What.RESET, person=person).first()


def has_expired(change: AccessChange) -> bool:
    """Return whether a proposal expired without a decision."""
    return change.state == State.PROPOSED and change.expires <= timezone.now()


def why_not_decide(change: AccessChange, by: Person) -> str:
    """Return why a person may not confirm or reverse a change; empty if they may.

    The second person is neither the proposer nor the person concerned. A reset needs a person from
    another unit or party than the proposer's: a whole unit may owe someone a favor.
    """
    if by.pk == change.proposed_by_id:
        return "You proposed this change. A second person must decide it."
    if by.pk == change.person_id or (change.email and is_address_of(by, change.email)):
        return "This change is about your own access. Another person must decide it."
    roles = memberships_of(by)
    if not all(may(roles, Action.CONFIRM_ACCESS, party) for party in parties_of(change)):
        return NOT_THEIRS
    if change.what == What.RESET:
        theirs = {each.party_id for each in memberships_of(change.proposed_by)}
        for each in roles:
            if each.party_id in theirs:
                return (
                    f"You and {change.proposed_by} both belong to {each.party}. "
                    "A person from another unit must confirm a reset."
                )
    return ""


def parties_of(change: AccessChange) -> list[Party]:
    """Return the parties affected by a change: a reset affects everything its person may do."""
    if change.what != What.RESET or change.person is None:
        return [change.party]
    return [change.party, *(role.party for role in memberships_of(change.person))]


def deciders_of(change: AccessChange) -> list[Membership]:
    """Return the roles of everyone who may confirm a change now."""
    with without_access_scope():
        candidates = list(who_may(Action.CONFIRM_ACCESS))
        if change.party.kind != PartyKind.COMMISSION_UNIT:
            candidates += who_may(Action.CONFIRM_ACCESS, change.party)
        return [each for each in candidates if not why_not_decide(change, each.person)]


def acts_alone(person: Person) -> bool:
    """Return whether a person changes commission roles alone, as the first administrator does.

    Once a second administrator has signed in, nobody does, even if that one leaves: closing the
    second one's account must not give all power back to the first.
    """
    with without_access_scope():
        others = Membership.objects.filter(
            role=Role.ADMINISTRATOR, person__last_login__isnull=False
        ).exclude(person=person)
        return not others.exists()


def open_invitations(party: Party) -> QuerySet[Invitation]:
    """Return the invitations that can still be accepted."""
    return Invitation.objects.filter(
        party=party,
        accepted__isnull=True,
        withdrawn__isnull=True,
        expires__gt=timezone.now(),
    ).select_related("by", "party")


LASTS = timedelta(days=7)
"""How long a proposal can be confirmed."""


EVENTS = {
    State.PROPOSED: events.PROPOSED,
    State.DONE_ALONE: events.DONE_ALONE,
    State.CONFIRMED: events.CONFIRMED,
    State.WITHDRAWN: events.WITHDRAWN,
    State.REVERSED: events.REVERSED,
}


@transaction.atomic
def invite_person(
    *, party: Party, role: Role, email: str, reason: str, by: Person
) -> AccessChange | None:
    """Invite a person to a role; in a commission unit, by an access change."""
    if party.kind == PartyKind.COMMISSION_UNIT:
        return propose(what=What.INVITE, party=party, role=role, email=email, reason=reason, by=by)
    invitation, secret = invite(party=party, role=role, email=email, by=by)
    send(invitation_mail(invitation, secret))
    return None


@transaction.atomic
def end_persons_role(*, membership: Membership, reason: str, by: Person) -> AccessChange | None:
    """End a role; in a commission unit, by an access change."""
    if membership.party.kind == PartyKind.COMMISSION_UNIT:
        return propose(
            what=What.END_ROLE,
            party=membership.party,
            role=Role(membership.role),
            person=membership.person,
            reason=reason,
            by=by,
        )
    end_role(membership=membership, reason=reason, by=by)
    return None


@transaction.atomic
def propose(
    *,
    what: AccessChange.What,
    party: Party,
    reason: str,
    by: Person,
    role: Role | None = None,
    person: Person | None = None,
    email: str = "",
) -> AccessChange:
    """Propose a change, or make it right away if its proposer is the first administrator.

    Rejects a change that could not be made now; one already proposed; a reset of one's own second
    factor, or of a person who has none.
    """
    require(by, Action.MANAGE_PEOPLE, party)
    if not reason.strip():
        msg = "Give a reason. The person who confirms this will read it."
        raise RefusedError(msg)
    now = timezone.now()
    change = AccessChange(
        what=what,
        party=party,
        role=role or "",
        person=person,
        email=email.lower(),
        reason=reason.strip(),
        proposed_by=by,
        proposed=now,
        expires=now + LASTS,
    )
    _require_new(change)
    alone = what != What.RESET and acts_alone(by)
    change.state = State.DONE_ALONE if alone else State.PROPOSED
    change.clean_fields(exclude=["person", "invitation", "decided_by", "decided"])
    change.save()
    if alone:
        _record(change, by=by, reason=change.reason)
        _make(change, by=by)
        return change
    _require_possible(change)
    event = _record(change, by=by, reason=change.reason)
    if what == What.RESET:
        send(second_factor_mail(change, uuid=event.uuid))
    return change


@transaction.atomic
def confirm(*, change: AccessChange, by: Person) -> None:
    """Confirm a change as the second person; a proposal is carried out in the same transaction.

    Rejects the proposer or the person concerned; for a reset, a member of the proposer's unit; a
    change whose proposer may not propose it any more; one that expired or was decided.
    """
    _require_second_person(change, by)
    made_already = change.state == State.DONE_ALONE
    _decide(change, State.CONFIRMED, by=by)
    if not made_already:
        _require_proposer(change)
        _make(change, by=by)


@transaction.atomic
def withdraw(*, change: AccessChange, reason: str, by: Person) -> None:
    """Stop a proposal: its proposer, anyone who could confirm it, or the factor's owner may.

    Rejects anyone else, and a proposal that expired or was decided.
    """
    owner = change.what == What.RESET and by.pk == change.person_id
    if not owner and by.pk != change.proposed_by_id:
        _require_second_person(change, by)
    if change.state == State.DONE_ALONE:
        msg = "This change was already made. Reverse it instead."
        raise RefusedError(msg)
    _decide(change, State.WITHDRAWN, by=by, reason=reason)


@transaction.atomic
def reverse(*, change: AccessChange, reason: str, by: Person) -> None:
    """Undo what the first administrator did alone.

    Rejects the person who did it or whom it concerns, and anything except an undecided change that
    was made alone.
    """
    _require_second_person(change, by)
    if change.state != State.DONE_ALONE:
        msg = "You can reverse only a change that was made alone. Propose the opposite instead."
        raise RefusedError(msg)
    _decide(change, State.REVERSED, by=by, reason=reason)
    if change.what == What.END_ROLE:
        assert change.person is not None  # noqa: S101
        give_role(
            person=change.person,
            party=change.party,
            role=Role(change.role),
            by=by,
            change=change,
        )
        return
    assert change.invitation is not None  # noqa: S101
    if change.invitation.accepted is None:
        if change.invitation.withdrawn is None:
            withdraw_invitation(invitation=change.invitation, by=by, change=change)
        return
    membership = _membership(change, Person.objects.filter(email__iexact=change.email).first())
    if membership is not None:
        end_role(membership=membership, reason=reason, by=by, change=change)


def _require_new(change: AccessChange) -> None:
    with without_access_scope():
        if AccessChange.objects.filter(
            what=change.what,
            party=change.party,
            role=change.role,
            person=change.person,
            email=change.email,
            state=State.PROPOSED,
            expires__gt=change.proposed,
        ).exists():
            msg = "This change is already proposed and is waiting for a second person."
            raise RefusedError(msg)


def _require_possible(change: AccessChange) -> None:
    """Reject a change that could not be made when it is confirmed."""
    if change.what == What.RESET:
        _require_proposer(change)
        if change.person == change.proposed_by:
            msg = "Another person must propose the reset of your second factor."
            raise RefusedError(msg)
        if not Authenticator.objects.filter(user=change.person).exists():
            msg = f"{change.person} has no second factor. There is nothing to reset."
            raise RefusedError(msg)
        return
    # Making the change is the one full check; a savepoint undoes it.
    with transaction.atomic():
        _change_role(change, by=change.proposed_by)
        transaction.set_rollback(True)
    change.invitation = None


def _require_proposer(change: AccessChange) -> None:
    """Check the proposer's permission again: it may have ended since."""
    roles = memberships_of(change.proposed_by)
    if change.proposed_by.is_active and all(
        may(roles, Action.MANAGE_PEOPLE, party) for party in parties_of(change)
    ):
        return
    msg = (
        f"{change.proposed_by} is not, or is no longer, allowed to change this person's access. "
        "An administrator can propose the change."
    )
    raise RefusedError(msg)


def _require_second_person(change: AccessChange, by: Person) -> None:
    if why_not := why_not_decide(change, by):
        raise (NotAllowedError if why_not == NOT_THEIRS else RefusedError)(why_not)


def _decide(
    change: AccessChange, state: AccessChange.State, *, by: Person, reason: str = ""
) -> None:
    """Decide a change once. The second of two concurrent decisions gets an error."""
    if state != State.CONFIRMED and not reason.strip():
        msg = "Give a reason. It goes on record."
        raise RefusedError(msg)
    now = timezone.now()
    with without_access_scope():
        still_open = AccessChange.objects.filter(pk=change.pk, state=change.state)
        if change.state == State.PROPOSED:
            still_open = still_open.filter(expires__gt=now)
        if change.decided is not None or not still_open.update(
            state=state, decided_by=by, decided=now, decision_reason=reason.strip()
        ):
            _say_what_happened(change)
        change.refresh_from_db()
    _record(change, by=by, reason=reason)


def _record(change: AccessChange, *, by: Person, reason: str = "") -> Event:
    carries = {"what": change.get_what_display(), "role": change.get_role_display()}
    if change.state == State.PROPOSED:
        carries["expires"] = change.expires.isoformat()
    return record(
        EVENTS[State(change.state)],
        by=by,
        party=change.party,
        about=change,
        reason=reason,
        carries=carries,
    )


def _say_what_happened(change: AccessChange) -> NoReturn:
    change.refresh_from_db()
    if has_expired(change):
        msg = "This proposal has expired. Propose it again if it is still needed."
    else:
        msg = (
            f"{change.decided_by} already decided this: {change.get_state_display().lower()}. "
            "Nothing was changed."
        )
    raise RefusedError(msg)


def _make(change: AccessChange, *, by: Person) -> None:
    """Make a change that two people agreed on, or that the first administrator made alone."""
    if change.what == What.RESET:
        _reset_second_factor(change, by=by)
    else:
        secret = _change_role(change, by=change.proposed_by)
        if change.invitation is not None:
            send(invitation_mail(change.invitation, secret))


def _change_role(change: AccessChange, *, by: Person) -> str:
    """Invite or end the role; return the invitation's secret."""
    if change.what == What.INVITE:
        _, secret = invite(
            party=change.party, role=Role(change.role), email=change.email, by=by, change=change
        )
        return secret
    with without_access_scope():  # two who end each other's roles at once leave one administrator
        list(Membership.objects.select_for_update().filter(role=Role.ADMINISTRATOR, ended=None))
    membership = _membership(change, change.person)
    if membership is None:
        msg = "This role has already ended."
        raise RefusedError(msg)
    end_role(membership=membership, reason=change.reason, by=by, change=change)
    return ""


def _membership(change: AccessChange, person: Person | None) -> Membership | None:
    with without_access_scope():
        found = Membership.objects.filter(
            person=person, party=change.party, role=change.role, ended=None
        )
        return found.select_related("party", "person").first()


def _reset_second_factor(change: AccessChange, *, by: Person) -> None:
    """Remove every second factor, end every session, and require the owner to set up a new one."""
    owner = change.person
    assert owner is not None  # noqa: S101
    if not owner.is_active:
        msg = f"The account of {owner} is closed."
        raise RefusedError(msg)
    Authenticator.objects.filter(user=owner).delete()
    end_sessions(owner)
    Person.objects.filter(pk=owner.pk).update(needs_second_factor=True)
    event = record(events.SECOND_FACTOR_RESET, by=by, party=change.party, about=owner)
    send(second_factor_mail(change, uuid=event.uuid))
