"""What a family of play provides; `games/definition/families.py` names them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.definition import Definition
    from games.definition.families import DefinitionForm
    from games.explanation.model import Section
    from games.families.screen import FamilyScreen
    from games.families.stud.figures import WagerOdds
    from games.families.stud.program import Terms
    from games.log.round import Round
    from games.settlement.verdict import Verdict
    from games.setup import Setup


@dataclass(frozen=True, slots=True)
class Broken:
    """What an audit finds in a line with a planted fault."""

    code: str
    seat: int | None
    wager: str | None
    delta: int


@dataclass(frozen=True, kw_only=True)
class Family:
    """What a family does; a form and a program are its own, made from a definition."""

    definition: DefinitionForm
    round_type: type[Round]
    form_of_definition: Callable[[Definition], Any]
    read_round: Callable[..., Round]
    line_schema: Callable[[Definition], dict[str, Any]]
    """Returns the JSON Schema of the lines of a definition's game."""
    compile_program: Callable[..., Any]
    audit_round: Callable[..., Verdict]
    explain_seats: Callable[..., Iterator[Section]]
    find_odds: Callable[[Definition, Terms], Iterator[WagerOdds]]
    """Yields the odds of a definition's game, then of each wager beside it."""
    make_screen: Callable[[Any, Setup], FamilyScreen[Any]] | None = None
    """Makes what finds, over columns, the rounds that are certainly as logged under a set-up."""
    deal_round: Callable[..., dict[str, Any]] | None = None
    """Deals a round at random, for simulated nights."""
    break_draw: Callable[..., str] | None = None
    """Breaks a drawing rule in such a round, settles it as dealt, and says what it did."""
    faults: Mapping[str, Callable[..., Sequence[Broken]]] = field(default_factory=dict)
    """By name: breaks a line that was settled right, and says what an audit then finds."""


def family_of(definition: Definition) -> Family:
    """Return what settles a definition."""
    family: Family = import_module(f"games.families.{definition.family}.family").FAMILY
    return family
