"""Nobody can change history, on either database; every table declares which kind it is."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction

from compliance import history as guards
from compliance.checks import history_is_guarded
from compliance.event_log.models import Checkpoint, Leaf, Subtree
from compliance.events.models import Event, PersonalData
from compliance.history import Current, History, HistoryError, Recorded
from tests.compliance.log.made_up_row import insert_made_up_row

ROOMS = ("compliance", "audits", "reports")
OUR_MODELS = [
    model
    for model in apps.get_models(include_auto_created=True)
    if model.__module__.partition(".")[0] in ROOMS
]
HISTORY = guards.history_models()
ON_SQLITE = connection.vendor == "sqlite"
ATTACKS = ["UPDATE", "DELETE", "UPSERT", "REPLACE" if ON_SQLITE else "TRUNCATE"]


@pytest.mark.parametrize("model", OUR_MODELS, ids=lambda model: model._meta.label)
def test_every_table_says_whether_it_is_history_or_current(model):
    assert issubclass(model, History) != issubclass(model, Current), (
        f"{model._meta.label}: derive it from History or from Current; "
        "a many-to-many relation needs a model of its own (through=…)"
    )


@pytest.mark.parametrize("model", HISTORY, ids=lambda model: model._meta.label)
def test_every_history_table_says_how_its_rows_are_proven(model):
    by_the_tree = model in {Event, PersonalData, Leaf, Subtree, Checkpoint}
    assert by_the_tree + issubclass(model, Recorded) + bool(model.part_of) == 1, (
        f"{model._meta.label}: derive it from Recorded, or say what it is part_of"
    )
    if model.part_of:
        owner = model._meta.get_field(model.part_of).related_model
        assert issubclass(owner, History)


@pytest.mark.parametrize("model", HISTORY, ids=lambda model: model._meta.label)
@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.django_db
def test_database_rejects_each_attack_on_each_history_table(model, attack):
    table, key = model._meta.db_table, model._meta.pk.column
    columns = [field.column for field in model._meta.concrete_fields if not field.primary_key]
    column = columns[0] if columns else key
    upsert = f'ON CONFLICT ("{key}") DO UPDATE SET "{column}" = excluded."{column}"'
    again = f'INTO "{table}" SELECT * FROM "{table}"'
    statements = {
        "UPDATE": f'UPDATE "{table}" SET "{column}" = "{column}"',
        "DELETE": f'DELETE FROM "{table}"',
        "REPLACE": f"INSERT OR REPLACE {again}",
        "TRUNCATE": f'TRUNCATE "{table}" CASCADE',
        "UPSERT": f"INSERT {again} WHERE true {upsert}",
    }
    with transaction.atomic():
        if attack != "TRUNCATE":  # PostgreSQL truncates no table with pending checks
            insert_made_up_row(model)
        with connection.cursor() as cursor:
            if ON_SQLITE:  # as in the database's own shell
                cursor.execute("PRAGMA recursive_triggers = OFF")
            with pytest.raises(DatabaseError, match="is history"), transaction.atomic():
                cursor.execute(statements[attack])
            if ON_SQLITE:
                cursor.execute("PRAGMA recursive_triggers = ON")
        transaction.set_rollback(True)


@pytest.mark.django_db
def test_only_erasable_fields_can_be_erased():
    with transaction.atomic():
        key = insert_made_up_row(PersonalData)
        with connection.cursor() as cursor:
            for wrong in (
                "salt = NULL",
                "data = NULL",
                "salt = NULL, data = NULL, event_id = 1",
                "salt = salt, data = NULL",
            ):
                with pytest.raises(DatabaseError, match="is history"), transaction.atomic():
                    cursor.execute(f"UPDATE compliance_personaldata SET {wrong}")
            cursor.execute("UPDATE compliance_personaldata SET salt = NULL, data = NULL")
        erased = PersonalData.objects.get(pk=key)
        assert (erased.salt, erased.data) == (None, None)
        transaction.set_rollback(True)


@pytest.mark.django_db
def test_history_refuses_in_python_with_a_sentence_too():
    event = Event(type="x.y", at="2025-07-12T00:00Z", actor_kind="system")
    event.save()
    event.reason = "changed"
    for attempt in (
        event.save,
        event.delete,
        lambda: event.save(update_fields=["reason"]),
        lambda: Event.objects.update(reason="changed"),
        lambda: Event.objects.filter(pk=event.pk).delete(),
        lambda: Event.objects.bulk_update([event], ["reason"]),
    ):
        with pytest.raises(HistoryError, match="added to, never changed or removed"):
            attempt()


@pytest.mark.django_db
def test_migrate_restores_a_missing_guard():
    assert history_is_guarded(databases=["default"]) == []
    name = "compliance_leaf_history_delete" if ON_SQLITE else "history"
    place = "" if ON_SQLITE else " ON compliance_leaf"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{place}")
    (warning,) = history_is_guarded(databases=["default"])
    assert "compliance_leaf is history" in warning.msg
    assert "migrate" in warning.hint
    call_command("migrate", verbosity=0)
    assert history_is_guarded(databases=["default"]) == []


@pytest.mark.django_db
def test_a_guard_made_toothless_is_named():
    with connection.cursor() as cursor:
        if ON_SQLITE:
            cursor.execute("DROP TRIGGER compliance_leaf_history_update")
            cursor.execute(
                "CREATE TRIGGER compliance_leaf_history_update BEFORE UPDATE ON compliance_leaf"
                " BEGIN SELECT 1; END"
            )
        else:
            cursor.execute("ALTER TABLE compliance_leaf DISABLE TRIGGER history")
    assert guards.missing(connection) == ["compliance_leaf"]


@pytest.mark.django_db
def test_no_setting_of_a_connection_lets_history_be_changed():
    settings = (
        ("PRAGMA ignore_check_constraints = ON", "PRAGMA recursive_triggers = OFF")
        if ON_SQLITE
        else ("SET LOCAL session_replication_role = replica",)
    )
    with transaction.atomic(), connection.cursor() as cursor:
        for setting in settings:
            cursor.execute(setting)
        insert_made_up_row(Event)
        for attack in ("DELETE FROM compliance_event", "UPDATE compliance_event SET reason = ''"):
            with pytest.raises(DatabaseError, match="is history"), transaction.atomic():
                cursor.execute(attack)
        if ON_SQLITE:
            cursor.execute("PRAGMA ignore_check_constraints = OFF")
            cursor.execute("PRAGMA recursive_triggers = ON")
        transaction.set_rollback(True)


def test_replaceable_key_is_not_allowed_in_history():
    class Odd(History):
        name = models.CharField(max_length=3)

        class Meta:
            app_label = "nowhere"
            constraints = (
                models.UniqueConstraint(fields=["name"], condition=models.Q(name="a"), name="odd"),
            )

    with pytest.raises(TypeError, match="REPLACE through it could not be refused"):
        guards._keys(Odd)
