"""A row of history, in any table of any package, equals what its event recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import pytest
from django.conf import settings
from django.db import connection, models, transaction
from django.test.utils import isolate_apps

from compliance import history as guards
from compliance.event_log.verification import verify_log
from compliance.event_log.writes import erase_personal_data, integrate
from compliance.events import digests as state
from compliance.events import types as events
from compliance.events.actor import SYSTEM
from compliance.events.models import Event
from compliance.events.record import record
from compliance.events.types import event_type
from compliance.history import History, Recorded
from tests.compliance.log.attacker import attacker

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def tables(own_database, monkeypatch, tmp_path) -> Iterator[tuple[type, type]]:
    """Create two guarded tables as a package would have them: a ruling and its clauses."""
    # Naming an app here would run its `ready` again, and every later event would notify twice.
    with isolate_apps():

        class Ruling(Recorded):
            text = models.CharField(max_length=40)
            asked_by = models.CharField(max_length=40, null=True)  # noqa: DJ001 - may be erased
            on = models.DateField(null=True)
            personal_fields: ClassVar[tuple[str, ...]] = ("asked_by",)
            erasable_fields: ClassVar[tuple[str, ...]] = ("asked_by",)

            class Meta:
                app_label = "compliance"
                db_table = "ruling"

            def __str__(self) -> str:
                return f"ruling {self.pk}"

        class Clause(History):
            part_of: ClassVar[str] = "ruling"
            ruling = models.ForeignKey(Ruling, on_delete=models.PROTECT)
            cents = models.IntegerField()

            class Meta:
                app_label = "compliance"
                db_table = "clause"

        known = [*guards.history_models(), Ruling, Clause]
        monkeypatch.setattr(guards, "history_models", lambda: known)
        monkeypatch.setattr(settings, "KEPT_CHECKPOINT", tmp_path / "log.checkpoint")
        state.part_models.cache_clear()
        with connection.schema_editor() as editor:
            editor.create_model(Ruling)
            editor.create_model(Clause)
        guards.install(connection, [Ruling, Clause])
        yield Ruling, Clause
        state.part_models.cache_clear()


@pytest.fixture
def ruled(monkeypatch):
    monkeypatch.setattr(events, "_registered", dict(events._registered))
    return event_type("ruling.made", "{actor} made {object}")


@pytest.fixture
def ruling(tables, ruled, own_database):
    made, clause = tables
    with transaction.atomic():
        one = made(text="Aces are high.", asked_by="Ada", on="2025-07-12")
        one.save()
        for cents in (100, 200):
            clause(ruling=one, cents=cents).save()
        record(ruled, by=SYSTEM, about=one)
    integrate()
    return one


def problems() -> list[tuple[str, str]]:
    return [(each["where"], each["what"]) for each in verify_log().problems]


def test_rows_as_recorded_are_intact(ruling):
    answer = verify_log()
    assert answer.problems == []
    assert answer.checked == 2 + 2 + 1, "events, checkpoints, ruling"


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE ruling SET text = 'Aces are low.'",
        'UPDATE ruling SET "on" = NULL',
        "UPDATE clause SET cents = 300 WHERE cents = 200",
        "DELETE FROM clause WHERE cents = 200",
        "INSERT INTO clause (id, ruling_id, cents) VALUES (77, 1, 300)",
    ],
)
def test_a_changed_row_or_part_is_named(ruling, own_database, attack):
    with attacker(own_database) as execute:
        execute(attack)
    assert problems() == [(f"ruling 1 ({ruling.uuid})", "is not what its event recorded")]


def test_unreadable_row_hides_no_other_change(ruling, own_database):
    if connection.vendor != "sqlite":
        return  # PostgreSQL stores nothing that its type cannot represent
    with attacker(own_database) as execute:
        execute("UPDATE clause SET cents = 'many' WHERE cents = 200")
        execute("DELETE FROM compliance_personaldata WHERE event_id = 1")
    event = Event.objects.get(pk=1)
    assert problems() == [
        ("clause 2", "holds in cents what this system never writes"),
        (
            f"event 1 ({event.uuid}, ruling.made)",
            "its personal data is missing, not removed by rule",
        ),
    ]


def test_removed_row_is_named_with_its_event(ruling, own_database):
    with attacker(own_database) as execute:
        execute("DELETE FROM clause")
        execute("DELETE FROM ruling")
    assert problems() == [(f"ruling ({ruling.uuid})", "was removed; event 1 recorded it")]


def test_an_inserted_row_is_named(ruling, own_database):
    with attacker(own_database) as execute:
        execute(
            "INSERT INTO ruling (id, uuid, text, asked_by) VALUES"
            " (9, '11111111222233334444555555555555', 'Jokers are wild.', '')"
        )
    assert problems() == [
        ("ruling 9 (11111111-2222-3333-4444-555555555555)", "no event recorded this row")
    ]


def test_rows_that_changed_places_are_named(ruling, tables, ruled, own_database):
    with transaction.atomic():
        other = tables[0](text="Aces are low.")
        other.save()
        record(ruled, by=SYSTEM, about=other)
    assert problems() == []
    with attacker(own_database) as execute:
        for old, new in ((1, -1), (2, 1), (-1, 2)):
            execute(f"UPDATE ruling SET id = {new} WHERE id = {old}")
    assert {where for where, _ in problems()} == {
        f"ruling 2 ({ruling.uuid})",
        f"ruling 1 ({other.uuid})",
    }


def test_personal_data_of_a_row_cannot_be_changed(ruling, own_database):
    with attacker(own_database) as execute:
        execute("UPDATE ruling SET asked_by = 'Eve'")
    assert problems() == [
        (
            f"ruling 1 ({ruling.uuid})",
            "what it says about people is not what its event recorded",
        )
    ]


def test_personal_data_of_a_row_can_be_erased(ruling):
    type(ruling)._base_manager.update(asked_by=None)
    assert problems() == []
    erase_personal_data(
        events=Event.objects.filter(object=ruling.uuid), rule="people", by=SYSTEM, reason="Over."
    )
    assert problems() == []


def test_a_part_of_nothing_is_named(ruling, own_database):
    with attacker(own_database) as execute:
        execute("INSERT INTO clause (id, ruling_id, cents) VALUES (77, 999, 300)")
    assert problems() == [("clause 77", "belongs to nothing")]


def test_parts_are_read_with_one_query_a_table(ruling, tables, django_assert_num_queries):
    made, clause = tables
    for _ in range(20):
        one = made(text="Aces are high.")
        one.save()
        clause(ruling=one, cents=100).save()
    rulings = list(made.objects.all())
    with django_assert_num_queries(1):
        found = state.parts_of(rulings)
    assert len(found) == 21
    assert len(found[ruling.pk]["compliance.clause"]) == 2


def test_a_column_added_later_breaks_no_row_that_was_there(ruling, own_database, monkeypatch):
    later = models.CharField(max_length=9, null=True)
    later.set_attributes_from_name("later")
    fields = [*type(ruling)._meta.concrete_fields, later]
    before = state.digest_of(ruling, {})
    ruling.later = None
    monkeypatch.setitem(type(ruling)._meta.__dict__, "concrete_fields", tuple(fields))
    assert state.digest_of(ruling, {}) == before
    ruling.later = "known"
    assert state.digest_of(ruling, {}) != before
