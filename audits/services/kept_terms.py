"""Terms of a gambling day, kept in the archive: what a replay judges by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.services.days import keep_day
from audits.services.terms import terms_of
from compliance.archive import current_archive
from compliance.archive.content import store_bytes

if TYPE_CHECKING:
    from datetime import date

    from compliance.models import Party


def keep_terms(*, operator: Party, game: str, day: date) -> str:
    """Store what bound an operator's rounds of a game on a gambling day; its digest."""
    kept = keep_day(party=operator, day=day)
    terms = terms_of(operator=operator, game=game, begin=kept.begins, end=kept.ends)
    return store_bytes(current_archive(), terms.canonical()).digest
