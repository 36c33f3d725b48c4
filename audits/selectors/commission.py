"""The unit of the commission for which replays are made and to which patterns are shown first."""

from __future__ import annotations

from compliance.choices import PartyKind
from compliance.models import Party
from compliance.walls import without_walls


def commission_unit() -> Party:
    """The unit that was registered first; people of any unit see what any unit sees.

    Raises `Party.DoesNotExist` where none is registered: then there is nobody to audit for.
    """
    with without_walls():
        return Party.objects.filter(kind=PartyKind.COMMISSION_UNIT).order_by("pk")[:1].get()
