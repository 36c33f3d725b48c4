"""A row for any table, so that a test can attack tables it doesn't know."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.db import connection, models
from django.utils import timezone

from compliance.changes import Change
from compliance.events.models import Event
from compliance.events.states import states_after
from compliance.history import Current


def insert_made_up_row(model: type[models.Model]) -> Any:
    """Insert a row by SQL and return its key. Foreign keys dangle: roll back before they count."""
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, AUTOMATIC)]
    values = [field.get_db_prep_save(made_up(field), connection) for field in fields]
    quoted = ", ".join(f'"{field.column}"' for field in fields)
    places = ", ".join(["%s"] * len(fields))
    table, key = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{table}" ({quoted}) VALUES ({places}) RETURNING "{key}"', values
        )
        return cursor.fetchone()[0]


AUTOMATIC = (models.AutoField, models.BigAutoField)


def made_up(field: Any) -> Any:
    if str(field) in MADE_UP_OF:
        return MADE_UP_OF[str(field)]
    if field.null and isinstance(field, models.DateField):  # an end, which has to be later
        return None
    if field.null and field.is_relation and issubclass(field.model, Current):
        return None  # checks of current rows may forbid it
    if field.is_relation:
        return 987_654
    if field.choices:
        return field.choices[0][0]
    for kind, value in MADE_UP:
        if isinstance(field, kind):
            return value()
    message = f"{field}: add a value for this kind of field to MADE_UP."
    raise TypeError(message)


MADE_UP_OF = {
    "compliance.Interest.portion": 2_500,  # at most the whole
    "reports.Delivery.way": "folder",  # any other way needs a person
}
MADE_UP = [
    (models.UUIDField, uuid4),
    (models.DateTimeField, lambda: datetime(2025, 7, 12, tzinfo=UTC)),
    (models.DateField, lambda: date(2025, 7, 12)),
    (models.BooleanField, lambda: False),
    (models.IntegerField, lambda: 987_654 % 32_000),
    (models.JSONField, dict),
    (models.BinaryField, lambda: b"\1" * 32),
    (models.Field, lambda: uuid4().hex[:8]),
]


def bind(model: type[models.Model], key: Any) -> None:
    """Write an event that keeps the state of a row."""
    states = states_after([Change(model, key)])
    event = Event(type="x.y", at=timezone.now(), actor_kind="system", states=states.salted())
    event.save()
    if states.personal:
        event_data = apps.get_model("compliance.PersonalData")
        event_data(event=event, salt=b"", data={"states": states.personal}).save()
