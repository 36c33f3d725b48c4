"""Checks every history table against the log: each row is what the event that recorded it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef

from compliance import guards
from compliance.models.event import Event, PersonalData
from compliance.models.kinds import Recorded
from compliance.proof.canonical import NotCanonicalError
from compliance.state import digest_of, parts_of, personal_state

if TYPE_CHECKING:
    from uuid import UUID

    from compliance.models.kinds import History
    from compliance.proof.verifier import Answer

CHUNK = 500


def recorded_models() -> list[type[Recorded]]:
    """List the history tables whose rows have an event each."""
    return [model for model in guards.history_models() if issubclass(model, Recorded)]


def check_history(answer: Answer) -> None:
    """Name each row of history that was changed, added or removed behind the log's back."""
    for model in recorded_models():
        _check_rows(model, answer)
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
    """Find what events say of these rows: digests, and what is personal in them, where kept."""
    found: dict[UUID, list[tuple[str, dict[str, Any]]]] = {}
    for uuid, after, private in Event.objects.filter(
        object_type=model._meta.label_lower, object__in=[row.uuid for row in rows]
    ).values_list("object", "after", "personal__data"):
        if uuid is not None:
            found.setdefault(uuid, []).append((after, private or {}))
    return found


def _is_personally(row: Recorded, kept: list[dict[str, Any]]) -> bool:
    """Compare what a row says about people with what events keep of it; erased is no difference."""
    states = [private["row"] for private in kept if "row" in private]
    if not states or not row.personal_fields:
        return True
    now = personal_state(row)
    fields = row._meta.concrete_fields
    erasable = {field.attname for field in fields if field.name in row.erasable_fields}
    left = {name for name, value in now.items() if value is not None or name not in erasable}
    return any(all(state.get(name) == now[name] for name in left) for state in states)


def _check_orphans(model: type[History], owner: str, answer: Answer) -> None:
    """Name rows that hang on a row that is not there: nothing vouches for them."""
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
