"""The manager of models that stand behind the walls between parties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from django.db import models
from django_scopes import get_scope
from django_scopes.manager import DisabledQuerySet

from compliance.models.kinds import HistoryQuerySet

if TYPE_CHECKING:
    from collections.abc import Collection

Row = TypeVar("Row", bound=models.Model, covariant=True)


class Walled(models.Manager[Row]):
    """Finds only rows whose `lookup` is a party visible now; without walls around it, it raises.

    `shared` rows are shown to several parties, and found once by somebody who sees two of them.
    Rows of nobody (`public_without`) belong to the commission and are open to everyone.
    """

    lookup: ClassVar[str] = "party"
    shared: ClassVar[bool] = False
    public_without: ClassVar[bool] = False

    def get_queryset(self) -> models.QuerySet[Row]:
        """The rows that exist for whoever asks."""
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
        """Whether one of the rows that say to whom it is shown names one of these parties.

        Not by a join: what is shown to two of them would be there twice, and count twice in a sum.
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


class WalledHistory(Walled[Row]):
    """The same for history, whose querysets change and remove nothing."""

    _queryset_class = HistoryQuerySet
