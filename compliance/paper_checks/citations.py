"""`document.citation`: a section that is cited for a rule, against where that rule stood that day.

Section numbers move: a citation is right or wrong on a day, never by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.paper_checks.found import Found

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from compliance.law.values import LawRule


@dataclass(frozen=True)
class Citation:
    """A section that a paper cites, and the rules of the law it may be cited for."""

    section: str
    rules: tuple[str, ...]


def citations_that_do_not_hold(
    citations: Iterable[Citation], law: Mapping[str, LawRule], on: date
) -> list[Found]:
    """Every cited section under which none of its rules stood on the day."""
    found = []
    for cited in citations:
        stood = [value for name in cited.rules if (value := law[name].on(on))]
        if not stood or any(_holds(cited.section, value.citation) for value in stood):
            continue
        says = law[cited.rules[0]].says.lower()
        where = ", ".join(value.citation for value in stood)
        found.append(
            Found(
                "document.citation",
                f"{cited.section} is cited for {says}; on {on} that stood in {where}.",
                (cited.section, *(value.citation for value in stood)),
            )
        )
    return found


def _holds(section: str, citation: str) -> bool:
    return any(part.strip().split("(")[0] == section for part in citation.split(","))
