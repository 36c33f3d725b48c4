"""The two kinds of tables. Every model of ours says which it is; a test finds one that does not.

History is added to and never changed: triggers of the database refuse UPDATE, DELETE, REPLACE and
TRUNCATE, whoever asks (`compliance.guards`). Current is where things stand now: services alone
write it, each write with its event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn
from uuid import uuid4

from django.db import models

if TYPE_CHECKING:
    from collections.abc import Iterable


class HistoryError(Exception):
    """Somebody tried to change or remove what is history."""


class HistoryQuerySet(models.QuerySet[Any]):
    """Refuses in Python, with a better sentence, what the database refuses anyway."""

    def update(self, **_: Any) -> NoReturn:
        """Refuse."""
        _refuse(self.model)

    def delete(self) -> NoReturn:
        """Refuse."""
        _refuse(self.model)

    def bulk_update(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse."""
        _refuse(self.model)


class Kind(models.Model):
    """What history and current have in common: which of their fields are about a person."""

    personal_fields: ClassVar[tuple[str, ...]] = ()
    """Left out of digests in the log, so that they can be removed one day without breaking it."""

    class Meta:
        abstract = True


class History(Kind):
    """Rows that are added and never change: derive from `Recorded`, or name what it is `part_of`.

    `part_of` is the name of the foreign key to the row that this one belongs to and is proven with.
    """

    part_of: ClassVar[str] = ""
    erasable_fields: ClassVar[tuple[str, ...]] = ()
    """What may be set to NULL when the time to keep it is over; all else in the row stays."""

    objects = models.Manager.from_queryset(HistoryQuerySet)()

    class Meta:
        abstract = True

    def save(
        self,
        *,
        force_insert: Any = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """Add the row; saving it a second time is refused."""
        if not self._state.adding or force_update or update_fields is not None:
            _refuse(type(self))
        super().save(force_insert=force_insert or True, using=using)

    def delete(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse."""
        _refuse(type(self))


class Recorded(History):
    """Rows of history that are proven one by one.

    The event that recorded a row keeps the digest of the row and its parts (`compliance.state`);
    `verify log` compares them.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)

    class Meta:
        abstract = True


class Current(Kind):
    """Rows that say how things stand; written by services, each write with its event."""

    class Meta:
        abstract = True


def _refuse(model: type[models.Model]) -> NoReturn:
    message = (
        f"{model._meta.verbose_name} is history: it is added to, never changed or removed. "
        "Record what is new as a new row."
    )
    raise HistoryError(message)
