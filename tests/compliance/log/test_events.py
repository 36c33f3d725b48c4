"""Every event type has a text; an event is written with the change it records, or not at all."""

import pytest
from django.db import connections, transaction

from compliance.access.models import Party, Person
from compliance.event_log.events import EXPORTED, KEY_IN_USE, PERSONAL_DATA_REMOVED
from compliance.event_log.verifier import check_personal
from compliance.events.actor import ANYONE, SYSTEM
from compliance.events.canonical import NotCanonicalError
from compliance.events.digests import state_digest
from compliance.events.models import Event, PersonalData, Waiting
from compliance.events.record import is_sealed, record
from compliance.events.types import (
    EventType,
    EventTypeError,
    event_type,
    event_types,
    find_event_type,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> Person:
    return Person.objects.create(email="ada@example.org", name="Ada Example")


@pytest.fixture
def party() -> Party:
    return Party.objects.create(kind="card_room", code="lucky", name="Lucky Room")


def test_every_event_type_has_a_sentence():
    for kind in event_types():
        filled = kind.says.format_map(
            dict.fromkeys(
                {"actor", "object", "party", "reason", *kind.carries, *kind.personal}, "x"
            )
        )
        assert len(kind.says) > 10, kind.name
        assert "{" not in filled, kind.name
        assert all({**kind.carries, **kind.personal}.values()), kind.name


def test_sentence_with_unfilled_place_is_rejected():
    with pytest.raises(EventTypeError, match="color"):
        event_type("hat.bought", "{actor} bought a {color} hat")
    with pytest.raises(EventTypeError, match="nothing"):
        event_type("hat.bought", "")
    assert find_event_type("hat.bought") is None


@pytest.mark.parametrize("name", ["hat", "Hat.bought", "hat bought", "hat.", ""])
def test_event_type_is_named_by_subject_and_act(name):
    with pytest.raises(EventTypeError, match="named like"):
        event_type(name, "{actor} bought a hat")


def test_an_event_type_is_named_once():
    with pytest.raises(EventTypeError, match="already"):
        event_type(EXPORTED.name, "{actor} did something else")


def test_event_separates_personal_data_before_integration(person, party):
    event = record(
        KEY_IN_USE, by=person, about=party, party=party, reason="because", carries={"key": "k"}
    )
    stored = Event.objects.get()
    assert stored == event
    assert stored.content() == event.content()
    assert (stored.actor, stored.party, stored.object) == (person.uuid, party.uuid, party.uuid)
    assert stored.object_type == "compliance.party"
    assert stored.payload == {"key": "k", "object": "Lucky Room"}
    assert "Ada" not in str(stored.content())
    private = PersonalData.objects.get(event=stored)
    assert private.data == {"actor": "Ada Example"}
    check_personal(stored.content(), {"salt": bytes(private.salt).hex(), "data": private.data})
    assert Waiting.objects.filter(event=stored, refused=False).exists()


def test_what_is_recorded_reads_the_same_from_the_database(person):
    hard = {"key": {"text": 'é\U0001f600\u2028\\"', "n": -(2**53) + 1, "list": [None, True, {}]}}
    event = record(KEY_IN_USE, by=person, carries=hard)
    assert Event.objects.get().leaf() == event.leaf()
    assert is_sealed(Waiting.objects.get())


def test_an_event_goes_with_the_change_it_records(person):
    with transaction.atomic():
        record(KEY_IN_USE, by=person, carries={"key": "k"})
        transaction.set_rollback(True)
    assert not Event.objects.exists()
    assert not Waiting.objects.exists()


def test_an_event_without_a_transaction_is_refused(monkeypatch):
    monkeypatch.setattr(connections["default"], "in_atomic_block", False)
    with pytest.raises(transaction.TransactionManagementError, match="in the transaction"):
        record(KEY_IN_USE, by=SYSTEM, carries={"key": "k"})


@pytest.mark.parametrize("carries", [{}, {"key": "k", "more": 1}])
def test_event_has_exactly_the_fields_of_its_type(carries):
    with pytest.raises(EventTypeError, match="carries"):
        record(KEY_IN_USE, by=SYSTEM, carries=carries)


def test_a_required_reason_cannot_be_blank():
    with pytest.raises(EventTypeError, match="reason is required"):
        record(
            PERSONAL_DATA_REMOVED,
            by=SYSTEM,
            reason="  ",
            carries={"count": 0, "numbers": [], "rule": "r"},
        )


def test_unregistered_event_type_is_rejected():
    with pytest.raises(EventTypeError, match="not registered"):
        record(EventType("log.key_in_use", "a look-alike"), by=SYSTEM)


@pytest.mark.parametrize("value", [0.5, 2**60, "a\0b", "\ud800"])
def test_content_without_canonical_form_is_rejected(value):
    with pytest.raises(NotCanonicalError):
        record(KEY_IN_USE, by=SYSTEM, carries={"key": value})
    assert not Event.objects.exists()


def test_a_seal_fits_only_the_event_as_this_system_wrote_it(settings):
    record(KEY_IN_USE, by=ANYONE, carries={"key": "k"})
    waiting = Waiting.objects.get()
    assert is_sealed(waiting)
    former = settings.SECRET_KEY
    settings.SECRET_KEY = "another " * 9
    assert not is_sealed(waiting)
    settings.SECRET_KEY_FALLBACKS = [former]
    assert is_sealed(waiting)
    waiting.event.reason = "added later"
    assert not is_sealed(waiting)


def test_state_digest_covers_all_but_personal_fields(person, party):
    before = state_digest(party)
    party.name = "Luckier Room"
    assert state_digest(party) == before, "only what is stored counts"
    party.save()
    assert state_digest(party) != before
    before = state_digest(person)
    assert "name" in Person.personal_fields
    Person.objects.filter(pk=person.pk).update(name="Another name", email="other@example.org")
    assert state_digest(person) == before
    Person.objects.filter(pk=person.pk).update(is_active=False)
    assert state_digest(person) != before


def test_an_event_costs_three_statements(django_assert_num_queries, person):
    with django_assert_num_queries(3):
        record(KEY_IN_USE, by=person, carries={"key": "k"})
