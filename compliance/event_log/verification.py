"""`verify log`: guards, checkpoints, leaves, events, personal data, and every history table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection, models
from django.db.models import Exists, OuterRef

from compliance import history as guards
from compliance.event_log.cosigning import check_cosignatures
from compliance.event_log.models import Checkpoint, Leaf, Subtree
from compliance.event_log.tree import trusted_keys
from compliance.event_log.tree_check import TreeCheck, problem_of_personal_data
from compliance.event_log.verifier import Answer, BrokenError, read_checkpoint
from compliance.events.canonical import NotCanonicalError
from compliance.events.digests import digest_of, parts_of, personal_state
from compliance.events.models import Event, PersonalData, Waiting
from compliance.events.record import is_sealed
from compliance.history import Recorded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from uuid import UUID

    from compliance.history import History


CHUNK = 500


def recorded_models() -> list[type[Recorded]]:
    """List the history tables whose rows each have an event."""
    return [model for model in guards.history_models() if issubclass(model, Recorded)]


def check_history(answer: Answer, *, without: Collection[type[models.Model]] = ()) -> None:
    """Report each history row that was changed, added or removed without an event.

    The tables in `without` have rows that cannot be read, and are left out with what has parts in
    them.
    """
    parts = {
        part._meta.get_field(part.part_of).related_model
        for part in guards.history_models()
        if part in without and part.part_of
    }
    for model in recorded_models():
        if model not in parts and model not in without:
            _check_rows(model, answer)
        if model not in without:
            _check_removed(model, answer)
    _check_orphans(PersonalData, "event", answer)
    for part in guards.history_models():
        if part.part_of:
            _check_orphans(part, part.part_of, answer)


def _check_rows(model: type[Recorded], answer: Answer) -> None:
    last: Any = None
    rows = model._base_manager.order_by("pk")
    while chunk := list((rows if last is None else rows.filter(pk__gt=last))[:CHUNK]):
        recorded = _recorded(model, chunk)
        parts = parts_of(chunk)
        for row in chunk:
            answer.checked += 1
            where = f"{model._meta.verbose_name} {row.pk} ({row.uuid})"
            events = recorded.get(row.uuid, [])
            digest = _digest(row, parts.get(row.pk, {}))
            if not events:
                answer.broken("no event recorded this row", where)
            elif digest not in {after for after, _ in events}:
                answer.broken("is not what its event recorded", where)
            elif not _is_personally(row, [private for _, private in events]):
                answer.broken("what it says about people is not what its event recorded", where)
        last = chunk[-1].pk


def _recorded(
    model: type[Recorded], rows: list[Recorded]
) -> dict[UUID, list[tuple[str, dict[str, Any]]]]:
    """Return what events record about these rows: digests, and personal data where it is kept."""
    found: dict[UUID, list[tuple[str, dict[str, Any]]]] = {}
    for uuid, after, private in Event.objects.filter(
        object_type=model._meta.label_lower, object__in=[row.uuid for row in rows]
    ).values_list("object", "after", "personal__data"):
        if uuid is not None:
            found.setdefault(uuid, []).append((after, private or {}))
    return found


def _is_personally(row: Recorded, kept: list[dict[str, Any]]) -> bool:
    """Compare a row's personal data with what its events keep; erased data counts as equal."""
    states = [private["row"] for private in kept if "row" in private]
    if not states or not row.personal_fields:
        return True
    now = personal_state(row)
    fields = row._meta.concrete_fields
    erasable = {field.attname for field in fields if field.name in row.erasable_fields}
    left = {name for name, value in now.items() if value is not None or name not in erasable}
    return any(all(state.get(name) == now[name] for name in left) for state in states)


def _check_orphans(model: type[History], owner: str, answer: Answer) -> None:
    """Report rows whose parent row is missing: nothing proves them."""
    owners: Any = model._meta.get_field(owner).related_model
    there = owners._base_manager.filter(pk=OuterRef(f"{owner}_id"))
    for key in model._base_manager.filter(~Exists(there)).values_list("pk", flat=True).iterator():
        answer.broken("belongs to nothing", f"{model._meta.verbose_name} {key}")


def _check_removed(model: type[Recorded], answer: Answer) -> None:
    recorded = (
        Event.objects.filter(object_type=model._meta.label_lower)
        .exclude(after="")
        .order_by("id")
        .values_list("object", "id")
    )
    waiting: dict[UUID, int] = {}

    def compare() -> None:
        there = set(
            model._base_manager.filter(uuid__in=list(waiting)).values_list("uuid", flat=True)
        )
        for uuid, number in waiting.items():
            if uuid not in there:
                where = f"{model._meta.verbose_name} ({uuid})"
                answer.broken(f"was removed; event {number} recorded it", where)
        waiting.clear()

    for uuid, number in recorded.iterator():
        if uuid is not None:
            waiting.setdefault(uuid, number)
        if len(waiting) >= CHUNK:
            compare()
    compare()


def _digest(row: Recorded, parts: dict[str, list[str]]) -> str:
    try:
        return digest_of(row, parts)
    except (NotCanonicalError, TypeError):
        return "unreadable"


# Fractions of a second are left out: SQLite's own functions would round them.
INSTANT = (
    "typeof({0}) = 'text' AND ltrim(substr({0}, 20), '.+:0123456789') = '' "
    "AND strftime('%Y-%m-%d %H:%M:%S', substr({0}, 1, 19), '+0 days') = substr({0}, 1, 19)"
)
READABLE: tuple[tuple[type[models.Field[Any, Any]], str], ...] = (
    (models.BinaryField, "typeof({0}) = 'blob'"),
    (models.DateTimeField, INSTANT),
    (models.DateField, "typeof({0}) = 'text' AND date({0}, '+0 days') = {0}"),
    (
        models.UUIDField,
        "typeof({0}) = 'text' AND length({0}) = 32 AND {0} NOT GLOB '*[^0-9a-f]*'",
    ),
    (models.IntegerField, "typeof({0}) = 'integer'"),
    (models.BooleanField, "typeof({0}) = 'integer'"),
    (models.JSONField, "json_valid({0})"),
)


def unreadable_rows(tables: Iterable[type[models.Model]]) -> Iterator[tuple[str, str]]:
    """Report each row that cannot be read, by its key, with the column at fault."""
    if connection.vendor != "sqlite":
        return
    for model in tables:
        for field in model._meta.concrete_fields:
            if readable := _readable(field):
                for key in _without(model, field, readable):
                    yield str(key), str(field.column)


def _readable(field: models.Field[Any, Any]) -> str:
    stored = field.target_field if isinstance(field, models.ForeignKey) else field
    return next((says for kind, says in READABLE if isinstance(stored, kind)), "")


def _without(
    model: type[models.Model], field: models.Field[Any, Any], readable: str
) -> list[object]:
    name = connection.ops.quote_name
    column = name(str(field.column))
    key = name(str(model._meta.pk.column))
    empty = f"{column} IS NOT NULL AND " if field.null else ""
    # All names come from the models, none from user input.
    asked = (
        f"SELECT {key} FROM {name(model._meta.db_table)} "  # noqa: S608
        f"WHERE {empty}NOT coalesce({readable.format(column)}, FALSE)"
    )
    with connection.cursor() as cursor:
        cursor.execute(asked.replace("%", "%%"), [])
        return [row[0] for row in cursor.fetchall()]


def verify_log(stored: Mapping[str, str] | None = None) -> Answer:
    """Check everything; `held` has signed checkpoints kept elsewhere, by where they were kept."""
    answer = Answer()
    keys = trusted_keys()
    for table in guards.missing(connection):
        answer.broken("triggers that keep this history are missing", f"table {table}")
    kept = {}
    for where, note in (stored or {}).items():
        try:
            kept[where] = read_checkpoint(note, keys)
        except BrokenError as broken:
            answer.broken(broken.what, where)
    kept_tables: list[type[models.Model]] = [*guards.history_models(), Waiting]
    unreadable: set[type[models.Model]] = set()
    for model in kept_tables:
        for key, column in unreadable_rows([model]):
            unreadable.add(model)
            what = f"holds in {column} what this system never writes"
            answer.broken(what, f"{model._meta.verbose_name} {key}")
    if unreadable.isdisjoint({Event, PersonalData, Leaf, Subtree, Checkpoint, Waiting}):
        TreeCheck(keys, kept, answer).run()
        _check_waiting(answer)
        check_cosignatures(answer)
        check_history(answer, without=unreadable)
    return answer


def _check_waiting(answer: Answer) -> None:
    """Check that each event without a leaf waits for one and was written by this system."""
    rows = Event.objects.filter(placed=None).order_by("id").select_related("waiting", "personal")
    for event in rows.iterator():
        answer.checked += 1
        name = f"event {event.pk} ({event.uuid}, {event.type})"
        if not hasattr(event, "waiting"):
            answer.broken("has no place in the log and does not wait for one", name)
        elif not is_sealed(event.waiting):
            answer.broken("was not written by this system", name)
        elif event.waiting.refused:
            answer.broken("is kept from its place, though this system wrote it", name)
        if problem := problem_of_personal_data(event, getattr(event, "personal", None)):
            answer.broken(problem, name)
