"""The families of play by name, and how a definition of each is written.

A new family is a package in `games/families/` whose `family.py` has a `FAMILY`, and its name here.
It is found by its name, because definitions are read without what settles them.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.definition.model import Definition
    from games.definition.problems import Problems
    from games.definition.shape import Table

STUD: Final = "stud"
FAMILIES: Final = (STUD, "set", "baccarat", "blackjack", "versus")
"""The form of a definition that names no family is that of the first."""


@dataclass(frozen=True, kw_only=True)
class DefinitionForm:
    """How a definition of a family is written: its form, and what is beyond its form."""

    table: Table
    build: Callable[[dict[str, Any], Problems], Definition]
    """Builds the model of values whose form was checked."""
    check: Callable[[Definition, Problems], None]
    """Records everything that can't be settled or that cites nothing."""
    reference: str
    """What the reference of definitions says before the family's tables, in Markdown."""


def definition_form(family: str) -> DefinitionForm:
    """Return how a definition of a family is written."""
    form: DefinitionForm = import_module(f"games.families.{family}.family").FAMILY.definition
    return form
