"""The manager of models that belong to an access scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from django.db import models
from django_scopes import get_scope
from django_scopes.manager import DisabledQuerySet

from compliance.changes import CurrentQuerySet
from compliance.history import HistoryQuerySet

if TYPE_CHECKING:
    from collections.abc import Collection


Row = TypeVar("Row", bound=models.Model, covariant=True)


class Scoped(models.Manager[Row]):
    """Find only rows whose `lookup` is a party in the access scope; raise if there is no scope.

    `shared` rows are visible to several parties and are returned once, even to a user who sees two
    of them. Rows without a party (`public_without`) belong to the commission and are open to
    everyone.
    """

    _queryset_class: ClassVar[type[models.QuerySet[Any]]] = CurrentQuerySet

    lookup: ClassVar[str] = "party"
    shared: ClassVar[bool] = False
    public_without: ClassVar[bool] = False

    def get_queryset(self) -> models.QuerySet[Row]:
        """Return the rows in the access scope."""
        seen = get_scope()
        if not seen.get("_enabled", True):
            return super().get_queryset()
        if "parties" not in seen:
            disabled = DisabledQuerySet(self.model, using=self._db, missing_scopes={"parties"})
            return cast("models.QuerySet[Row]", disabled)
        if self.shared:
            return super().get_queryset().filter(self._shown(seen["parties"]))
        theirs = models.Q(**{f"{self.lookup}__in": seen["parties"]})
        if self.public_without:
            theirs |= models.Q(**{f"{self.lookup}__isnull": True})
        return super().get_queryset().filter(theirs)

    def _shown(self, parties: Collection[int]) -> models.Exists:
        """Check whether a visibility row names one of these parties.

        A join would return a row visible to two of them twice, and count it twice in a sum.
        """
        *way, shown, party = self.lookup.split("__")
        model: Any = self.model
        for name in way:
            model = model._meta.get_field(name).related_model
        rows = model._meta.get_field(shown)
        object_shown = models.OuterRef("__".join((*way, "pk")))
        return models.Exists(
            rows.related_model._base_manager.filter(
                **{rows.field.name: object_shown, f"{party}__in": parties}
            )
        )


class ScopedHistory(Scoped[Row]):
    """The same for history, whose querysets never update or delete rows."""

    _queryset_class = HistoryQuerySet
