"""One mailbox under many spellings, and no one assigning a role to themselves."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from compliance.access.models import Membership, Person
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.people.writes import accept_invitation, give_role, invite
from compliance.text import canonical_address
from tests.compliance.people import PASSWORD, made_person, party_for, person_as, signed_in

ANN = "annlee@gmail.com"


@pytest.mark.parametrize(
    "spelled",
    [
        "AnnLee@Gmail.com",
        "ann.lee+night@gmail.com",
        "annlee@googlemail.com",
        '"ann.lee"@gmail.com',
        "ａｎｎｌｅｅ@gmail.com",
        "annlee@gmail.com.",
    ],
)
def test_spellings_of_one_mailbox_are_the_same(spelled):
    assert canonical_address(spelled) == ANN


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("annlee@gmail.com", "annlee@example.org"),
        ("ann@example.org", "anna@example.org"),
        ("+ann@example.org", "+bea@example.org"),
        ("ann@gmail.com", "ann@mail.gmail.com"),
    ],
)
def test_different_mailboxes_stay_different(one, other):
    assert canonical_address(one) != canonical_address(other)


def test_domain_is_compared_as_dns_has_it():
    assert canonical_address("ann@bücher.example") == canonical_address("ann@xn--bcher-kva.example")


@pytest.fixture
def manager(db):
    return person_as(Role.OPERATOR_MANAGER)  # operator_manager-one@example.org


PARTY = {"role": Role.OPERATOR_CLERK}


@pytest.mark.parametrize(
    "alias", ["operator_manager-one+x@example.org", "Operator_Manager-O.ne@example.org"]
)
def test_alias_of_the_sender_is_not_invited(manager, alias):
    with pytest.raises(NotAllowedError, match="your own addresses"):
        invite(party=party_for(Role.OPERATOR_MANAGER), email=alias, by=manager, **PARTY)


def test_second_address_of_the_sender_is_not_invited(manager):
    EmailAddress.objects.create(user=manager, email="m@elsewhere.example", verified=True)
    with pytest.raises(NotAllowedError):
        invite(
            party=party_for(Role.OPERATOR_MANAGER),
            email="m+1@elsewhere.example",
            by=manager,
            **PARTY,
        )


def test_role_is_not_given_to_own_second_account(manager):
    double = made_person("operator_manager-one+x")
    with pytest.raises(NotAllowedError):
        give_role(person=double, party=party_for(Role.OPERATOR_MANAGER), by=manager, **PARTY)


def test_sender_cannot_accept_at_another_address(manager):
    party = party_for(Role.OPERATOR_MANAGER)
    _, secret = invite(party=party, email="hidden@elsewhere.example", by=manager, **PARTY)
    answer = signed_in(Client(), manager).post(
        reverse("accept_invitation", args=[secret]),
        {"name": "Hidden", "password": PASSWORD, "again": PASSWORD},
    )
    assert answer.status_code == 302  # to set up the second factor, which this manager lacks
    with pytest.raises(NotAllowedError):
        accept_invitation(secret=secret, name="Hidden", password=PASSWORD, signed_in=manager)
    assert not Person.objects.filter(name="Hidden").exists()


def test_mailbox_with_an_account_gets_no_second_one(manager):
    made_person("known.person")
    party = party_for(Role.OPERATOR_MANAGER)
    _, secret = invite(party=party, email="knownperson+2@example.org", by=manager, **PARTY)
    with pytest.raises(RefusedError, match=r"known\.person@example\.org"):
        accept_invitation(secret=secret, name="Known", password=PASSWORD)
    with without_access_scope():
        assert Membership.objects.filter(role=Role.OPERATOR_CLERK).count() == 0
    assert not mail.outbox
