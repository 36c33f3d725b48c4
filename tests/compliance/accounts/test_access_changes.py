"""Commission roles and lost second factors need two people, and limits on who approves."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from compliance.access.models import Membership, Person
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.notifications.models import Notice
from compliance.people.access_changes import (
    acts_alone,
    changes_to_decide,
    confirm,
    end_persons_role,
    propose,
    withdraw,
)
from compliance.people.access_changes import reverse as reverse_change
from compliance.people.models import AccessChange, Invitation
from compliance.people.writes import end_role, give_role, invite
from tests.compliance.accounts.access import (
    has_signed_in,
    invitation_of,
    role_of,
    two_administrators,
)
from tests.compliance.people import (
    PASSWORD,
    made_party,
    made_person,
    party_for,
    person_as,
    signed_in,
    with_second_factor,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _every_party() -> Iterator[None]:
    with without_access_scope():
        yield


def reset_of(owner: Person, by: Person) -> AccessChange:
    found = owner.memberships.select_related("party").first()
    if not Authenticator.objects.filter(user=owner).exists():
        with_second_factor(owner)
    return propose(
        what=AccessChange.What.RESET,
        party=found.party,
        person=owner,
        reason="The phone fell into the lake.",
        by=by,
    )


def test_reset_needs_someone_from_another_unit():
    proposer, _ = two_administrators()
    owner = person_as(Role.AGENT, "field")
    client = signed_in(Client(), owner)
    with_second_factor(owner)
    client.get(reverse("account"))
    assert UserSession.objects.filter(user=owner).exists()
    change = reset_of(owner, by=proposer)
    with pytest.raises(RefusedError, match="You proposed this change"):
        confirm(change=change, by=proposer)
    with pytest.raises(RefusedError, match="about your own access"):
        confirm(change=change, by=owner)
    with pytest.raises(RefusedError, match="both belong to The field"):
        confirm(change=change, by=person_as(Role.DIRECTOR, "field"))
    with pytest.raises(NotAllowedError):
        confirm(change=change, by=person_as(Role.AUDITOR, "licensing"))
    assert Authenticator.objects.filter(user=owner).exists()
    confirm(change=change, by=person_as(Role.SUPERVISOR, "licensing"))
    assert not Authenticator.objects.filter(user=owner).exists()
    assert client.get(reverse("account")).url.startswith(reverse("account_login"))


def test_someone_of_both_units_cannot_confirm_a_reset():
    proposer, second = two_administrators()
    give_role(person=second, party=party_for(Role.AGENT, "field"), role=Role.SUPERVISOR, by=None)
    change = reset_of(person_as(Role.AGENT, "field"), by=proposer)
    with pytest.raises(RefusedError, match="both belong to The field"):
        confirm(change=change, by=second)


def test_reset_notifies_the_owner_at_both_steps():
    proposer, second = two_administrators()
    owner = person_as(Role.OPERATOR_CLERK)
    change = reset_of(owner, by=proposer)
    assert [message.to for message in mail.outbox] == [[owner.email]]
    assert "Someone proposed to remove your second factors" in mail.outbox[0].body
    assert "lake" not in mail.outbox[0].body
    assert Notice.objects.filter(person=owner).count() == 1
    confirm(change=change, by=second)
    assert [message.to for message in mail.outbox] == [[owner.email]] * 2
    assert "were removed" in mail.outbox[1].body
    assert Notice.objects.filter(person=owner).count() == 2
    steps = ["access_change.proposed", "access_change.confirmed", "second_factor.reset"]
    assert [Event.objects.filter(type=step).count() for step in steps] == [1, 1, 1]


def test_reset_is_not_proposed_without_owner_email(settings):
    proposer, _ = two_administrators()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # no server listens there
    with pytest.raises(OSError, match="refused"):
        reset_of(person_as(Role.AGENT, "field"), by=proposer)
    assert not AccessChange.objects.exists()


def test_owner_stops_a_reset_on_the_account_page():
    proposer, second = two_administrators()
    owner = person_as(Role.OPERATOR_CLERK)
    change = reset_of(owner, by=proposer)
    client = signed_in(Client(), owner)
    assert "lake" in client.get(reverse("own_reset")).text
    client.post(reverse("own_reset"), {"reason": "I have my phone."})
    with pytest.raises(RefusedError, match="already decided this: withdrawn"):
        confirm(change=change, by=second)
    assert Authenticator.objects.filter(user=owner).exists()
    assert Event.objects.get(type="access_change.withdrawn").reason == "I have my phone."


def test_proposal_is_withdrawn_by_its_author_only():
    proposer, _ = two_administrators()
    change = reset_of(person_as(Role.AGENT, "field"), by=proposer)
    with pytest.raises(RefusedError):
        withdraw(change=change, reason="no", by=person_as(Role.AUDITOR, "licensing"))
    withdraw(change=change, reason="The phone was found.", by=proposer)
    change.refresh_from_db()
    assert change.state == "withdrawn"


def test_expired_proposal_cannot_be_confirmed():
    proposer, second = two_administrators()
    owner = person_as(Role.AGENT, "field")
    change = reset_of(owner, by=proposer)
    AccessChange.objects.update(expires=timezone.now() - timedelta(seconds=1))
    change.refresh_from_db()
    with pytest.raises(RefusedError, match="has expired"):
        confirm(change=change, by=second)
    assert Authenticator.objects.filter(user=owner).exists()
    assert changes_to_decide(second) == []


def test_proposer_must_still_have_the_role():
    proposer, second = two_administrators()
    owner = person_as(Role.AGENT, "field")
    change = reset_of(owner, by=proposer)
    Membership.objects.filter(person=proposer).update(ended=timezone.now())
    with pytest.raises(RefusedError, match="is no longer, allowed"):
        confirm(change=change, by=second)
    assert Authenticator.objects.filter(user=owner).exists()
    change.refresh_from_db()
    assert change.state == "proposed"


def test_closed_account_of_the_proposer_confirms_nothing():
    proposer, second = two_administrators()
    change = invitation_of("new@example.org", by=proposer)
    Person.objects.filter(pk=proposer.pk).update(is_active=False)
    change = AccessChange.objects.get(pk=change.pk)
    with pytest.raises(RefusedError, match="is no longer, allowed"):
        confirm(change=change, by=second)
    assert not mail.outbox


def test_second_person_must_still_have_the_role():
    proposer, second = two_administrators()
    change = reset_of(person_as(Role.AGENT, "field"), by=proposer)
    Membership.objects.filter(person=second).update(ended=timezone.now())
    with pytest.raises(NotAllowedError):
        confirm(change=change, by=second)


def test_reset_in_a_card_room_needs_someone_outside_it():
    _, second = two_administrators()
    manager = person_as(Role.OPERATOR_MANAGER)
    home = party_for(Role.OPERATOR_CLERK)
    change = reset_of(person_as(Role.OPERATOR_CLERK), by=manager)
    partner = made_person("partner", home, Role.OPERATOR_MANAGER)
    with pytest.raises(RefusedError, match="both belong to"):
        confirm(change=change, by=partner)
    elsewhere = made_party(PartyKind.CARD_ROOM, "elsewhere")
    stranger = made_person("stranger", elsewhere, Role.OPERATOR_MANAGER)
    with pytest.raises(NotAllowedError):
        confirm(change=change, by=stranger)
    confirm(change=change, by=second)


def test_manager_resets_nobody_with_other_roles():
    manager = person_as(Role.OPERATOR_MANAGER)
    clerk = person_as(Role.OPERATOR_CLERK)
    give_role(person=clerk, party=party_for(Role.AGENT, "field"), role=Role.AUDITOR, by=None)
    with_second_factor(clerk)
    with pytest.raises(RefusedError, match="no longer, allowed to change this person's access"):
        propose(
            what=AccessChange.What.RESET,
            party=party_for(Role.OPERATOR_CLERK),
            person=clerk,
            reason="The phone fell into the lake.",
            by=manager,
        )


def test_nobody_proposes_their_own_reset():
    proposer, _ = two_administrators()
    with pytest.raises(RefusedError, match="Another person must propose"):
        reset_of(proposer, by=proposer)


def test_reset_takes_two_people_even_at_the_beginning():
    first = has_signed_in(person_as(Role.ADMINISTRATOR, "field"))
    assert acts_alone(first)
    assert reset_of(person_as(Role.AGENT, "licensing"), by=first).state == "proposed"


def test_invitation_to_a_unit_goes_out_once_confirmed():
    proposer, _ = two_administrators()
    change = invitation_of("rosa@example.org", by=proposer)
    assert not mail.outbox
    assert not Invitation.objects.exists()
    with pytest.raises(RefusedError, match="You proposed this change"):
        confirm(change=change, by=proposer)
    confirm(change=change, by=person_as(Role.DIRECTOR, "field"))  # same unit: a role may
    assert [message.to for message in mail.outbox] == [["rosa@example.org"]]
    assert Invitation.objects.get().by == proposer


def test_person_invited_does_not_confirm_it():
    proposer, _ = two_administrators()
    supervisor = person_as(Role.SUPERVISOR, "licensing")
    change = invitation_of(
        supervisor.email.upper().replace("@", "+new@"), by=proposer, role=Role.ADMINISTRATOR
    )
    with pytest.raises(RefusedError, match="about your own access"):
        confirm(change=change, by=supervisor)


def test_role_in_a_unit_ends_once_confirmed():
    proposer, second = two_administrators()
    agent = person_as(Role.AGENT, "field")
    change = end_persons_role(membership=role_of(agent), reason="Left the agency.", by=proposer)
    assert role_of(agent) is not None
    with pytest.raises(RefusedError, match="already proposed"):
        end_persons_role(membership=role_of(agent), reason="Left the agency.", by=second)
    confirm(change=change, by=second)
    assert role_of(agent) is None
    assert Event.objects.get(type="role.ended").reason == "Left the agency."


def test_one_person_changes_no_role_in_a_unit():
    administrator, _ = two_administrators()
    unit, agent = party_for(Role.AGENT, "field"), person_as(Role.AGENT, "field")
    with pytest.raises(RefusedError, match="takes two people"):
        invite(party=unit, role=Role.AGENT, email="new@example.org", by=administrator)
    with pytest.raises(RefusedError, match="takes two people"):
        give_role(person=agent, party=unit, role=Role.AUDITOR, by=administrator)
    with pytest.raises(RefusedError, match="takes two people"):
        end_role(membership=role_of(agent), reason="gone", by=administrator)


def test_first_administrator_acts_alone_until_second():
    first = has_signed_in(person_as(Role.ADMINISTRATOR, "field"))
    has_signed_in(person_as(Role.DIRECTOR, "field"))
    assert invitation_of("one@example.org", by=first).state == "done_alone"
    second = person_as(Role.ADMINISTRATOR, "licensing")
    assert invitation_of("two@example.org", by=first).state == "done_alone"
    has_signed_in(second)
    assert invitation_of("three@example.org", by=first).state == "proposed"
    assert invitation_of("four@example.org", by=second).state == "proposed"
    assert [message.to for message in mail.outbox] == [["one@example.org"], ["two@example.org"]]
    assert Event.objects.filter(type="access_change.done_alone").count() == 2


def test_second_administrators_end_reopens_nothing():
    first, second = two_administrators()
    Membership.objects.filter(person=second).update(ended=timezone.now())
    Person.objects.filter(pk=second.pk).update(is_active=False)
    assert invitation_of("new@example.org", by=first).state == "proposed"


def test_acts_done_alone_wait_for_second_person():
    first = has_signed_in(person_as(Role.ADMINISTRATOR, "field"))
    agent = person_as(Role.AGENT, "field")
    ended = end_persons_role(membership=role_of(agent), reason="Left.", by=first)
    invited = invitation_of("rosa@example.org", by=first)
    second = has_signed_in(person_as(Role.ADMINISTRATOR, "licensing"))
    assert {each.pk for each in changes_to_decide(second)} == {ended.pk, invited.pk}
    assert changes_to_decide(first) == []
    with pytest.raises(RefusedError, match="You proposed this change"):
        reverse_change(change=ended, reason="mine", by=first)
    reverse_change(change=ended, reason="The agent did not leave.", by=second)
    assert role_of(agent) is not None
    confirm(change=invited, by=second)
    assert Invitation.objects.get().withdrawn is None
    assert len(mail.outbox) == 1
    assert changes_to_decide(second) == []
    with pytest.raises(RefusedError, match="only a change that was made alone"):
        reverse_change(change=invited, reason="too late", by=second)


@pytest.mark.parametrize("accepted", [False, True])
def test_reversed_invitation_leaves_no_role(accepted):
    first = has_signed_in(person_as(Role.ADMINISTRATOR, "field"))
    change = invitation_of("rosa@example.org", by=first)
    visitor, link = Client(), mail.outbox[0].body.split("http://localhost:8000")[1].split()[0]
    given = {"name": "Rosa", "password": PASSWORD, "again": PASSWORD}
    if accepted:
        assert visitor.post(link, given).status_code == 302
        assert role_of(Person.objects.get(email="rosa@example.org")) is not None
    second = has_signed_in(person_as(Role.ADMINISTRATOR, "licensing"))
    change = AccessChange.objects.get(pk=change.pk)
    reverse_change(change=change, reason="Nobody knows Rosa.", by=second)
    assert visitor.get(link).status_code == 404
    assert not Membership.objects.filter(person__email="rosa@example.org", ended=None).exists()
