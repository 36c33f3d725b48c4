"""A current row that is changed by hand contradicts its last event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from compliance.access.models import Membership, Party, Person
from compliance.access.permissions import PartyKind
from compliance.catalog import (
    DERIVED,
    EXCLUDED,
    LEFT_OUT,
    OF_LIBRARIES,
    UNDER_WAY,
    bound_models,
    find_binding,
)
from compliance.changes import Change, CurrentQuerySet, unbound_changes
from compliance.events.models import Event
from compliance.events.states import states_after
from compliance.history import History
from compliance.people.writes import register_party
from compliance.verification.states import find_differences
from tests.compliance.log.made_up_row import bind, insert_made_up_row, made_up

if TYPE_CHECKING:
    from collections.abc import Iterator

ALL = apps.get_models(include_auto_created=True)
BOUND = bound_models()
OURS = [model for model in BOUND if model._meta.label not in OF_LIBRARIES]


@pytest.fixture
def dangling() -> Iterator[None]:
    """Roll back before foreign keys of made-up rows are checked."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("model", ALL, ids=lambda model: model._meta.label)
def test_table_is_in_one_class_of_the_catalog(model: type[models.Model]) -> None:
    label = model._meta.label
    classes = [issubclass(model, History), model in BOUND, label in EXCLUDED, label in DERIVED]
    assert sum(classes) == 1, (
        f"{label} is in {sum(classes)} classes of compliance/catalog.py. Derive the model from "
        "History or Current; add a Current one to EXCLUDED or DERIVED only if no event can bind "
        "its rows, and say why; a table of a library goes into OF_LIBRARIES or EXCLUDED."
    )


def test_catalog_names_only_tables_and_fields_that_exist() -> None:
    labels = {model._meta.label for model in ALL}
    assert {*EXCLUDED, *DERIVED, *OF_LIBRARIES} <= labels
    named = {label: set(fields) for label, fields in LEFT_OUT.items()}
    for label, fields in OF_LIBRARIES.items():
        named.setdefault(label, set()).update(fields)
    for label, under_way in UNDER_WAY.items():
        named.setdefault(label, set()).update(under_way.fields)
    for label, fields in named.items():
        assert fields <= {each.name for each in apps.get_model(label)._meta.concrete_fields}
        assert find_binding(apps.get_model(label))


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_bulk_statements_of_a_bound_table_are_noted(model: type[models.Model]) -> None:
    assert model._default_manager._queryset_class is CurrentQuerySet  # type: ignore[attr-defined]


@pytest.mark.parametrize("model", BOUND, ids=lambda model: model._meta.label)
@pytest.mark.django_db
@pytest.mark.usefixtures("dangling")
def test_row_edited_by_hand_is_named(model: type[models.Model]) -> None:
    key = insert_made_up_row(model)
    bind(model, key)
    assert list(find_differences()) == []
    for field in model._meta.concrete_fields:
        with transaction.atomic():
            if edit(model, key, field):
                assert named(model, key), field.name
            transaction.set_rollback(True)
    with connection.cursor() as cursor:
        cursor.execute(f'DELETE FROM "{model._meta.db_table}"')
    assert [each.what for each in named(model, key)] == ["was deleted without an event"]
    bind(model, key)
    assert list(find_differences()) == []


@pytest.mark.django_db
@pytest.mark.usefixtures("dangling")
def test_row_inserted_by_hand_is_named() -> None:
    key = insert_made_up_row(Membership)
    assert [each.what for each in named(Membership, key)] == ["no event recorded this row"]


@pytest.mark.django_db
def test_event_keeps_digests_of_all_rows_of_the_act() -> None:
    party = register_party(kind=PartyKind.CARD_ROOM, code="lucky", name="Lucky", by=None)
    states = Event.objects.get().states
    assert states["rows"].keys() == {"compliance.party", "compliance.partyvisibility"}
    assert states["rows"]["compliance.party"].keys() == {str(party.pk)}
    assert list(find_differences()) == []


@pytest.mark.django_db
def test_edited_digest_changes_the_content_of_the_event() -> None:
    register_party(kind=PartyKind.CARD_ROOM, code="lucky", name="Lucky", by=None)
    event = Event.objects.get()
    before = event.content()
    event.states["rows"]["compliance.party"] = {}
    assert event.content() != before
    assert "rows" not in str(before)


@pytest.mark.django_db
def test_change_is_forgotten_with_its_savepoint() -> None:
    try:
        with transaction.atomic():
            register_party(kind=PartyKind.CARD_ROOM, code="lucky", name="Lucky", by=None)
            raise KeyError
    except KeyError:
        pass
    assert unbound_changes("default") == []


@pytest.mark.django_db
def test_new_rows_cost_an_event_no_query(django_assert_num_queries: Any) -> None:
    party = Party(kind=PartyKind.CARD_ROOM, code="lucky", name="Lucky")
    party.save()
    values = {each.attname: getattr(party, each.attname) for each in Party._meta.concrete_fields}
    with django_assert_num_queries(0):
        new = states_after([Change(Party, party.pk, values)])
    with django_assert_num_queries(1):
        stored = states_after(Change(Party, each, None) for each in (party.pk, party.pk + 1))
    table = "compliance.party"
    assert stored.digests[table] == new.digests[table] | {str(party.pk + 1): ""}


@pytest.mark.django_db
def test_personal_fields_are_kept_with_personal_data() -> None:
    person = Person.objects.create(email="ada@example.org", name="Ada")
    before = states_after([Change(Person, person.pk)])
    Person.objects.filter(pk=person.pk).update(name="Eve")
    after = states_after([Change(Person, person.pk)])
    assert before.digests == after.digests
    assert before.personal != after.personal


def named(model: type[models.Model], key: Any) -> list[Any]:
    return [
        each
        for each in find_differences()
        if (each.table, each.row) == (model._meta.label_lower, str(key))
    ]


def edit(model: type[models.Model], key: Any, field: Any) -> bool:
    """Edit one column by SQL; return whether the field is part of the row's state."""
    binding = find_binding(model)
    assert binding is not None
    states = binding.under_way.fields if binding.under_way else set()
    if field.primary_key or field.name in binding.left_out or field.name in states - {"state"}:
        return False
    if isinstance(field, models.BooleanField):
        value: Any = True
    elif field.is_relation or isinstance(field, models.IntegerField):
        value = 4_321
    elif field.choices:
        value = next(each for each, _ in reversed(field.choices) if each != made_up(field))
    elif isinstance(field, models.JSONField):
        value = {"edited": 1}
    elif isinstance(field, models.DateField):
        value = timezone.now() if isinstance(field, models.DateTimeField) else timezone.localdate()
    else:
        value = made_up(field)
    statement = f'UPDATE "{model._meta.db_table}" SET "{field.column}" = %s WHERE "id" = %s'
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, [field.get_db_prep_save(value, connection), key])
    except IntegrityError:  # a check refuses this edit
        return False
    return True
