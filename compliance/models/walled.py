"""The manager of models that stand behind the walls between parties."""

from typing import ClassVar, TypeVar, cast

from django.db import models
from django_scopes import get_scope
from django_scopes.manager import DisabledQuerySet

from compliance.models.kinds import HistoryQuerySet

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
        theirs = models.Q(**{f"{self.lookup}__in": seen["parties"]})
        if self.public_without:
            theirs |= models.Q(**{f"{self.lookup}__isnull": True})
        found = super().get_queryset().filter(theirs)
        return found.distinct() if self.shared else found


class WalledHistory(Walled[Row]):
    """The same for history, whose querysets change and remove nothing."""

    _queryset_class = HistoryQuerySet
