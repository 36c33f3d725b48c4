"""The families of play that execute any definition of theirs: what each one does, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from games.families.set import audit as set_audit
from games.families.set import explain as set_explain
from games.families.set import form as set_form
from games.families.set import program as set_program
from games.families.set.round import SetRound
from games.families.stud import audit as stud_audit
from games.families.stud import deal as stud_deal
from games.families.stud import explain as stud_explain
from games.families.stud import form as stud_form
from games.families.stud import program as stud_program
from games.families.stud.round import StudRound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.definition import Definition
    from games.explanation.model import Section
    from games.families.stud.figures import WagerOdds
    from games.log.round import Round
    from games.settlement.verdict import Verdict


@dataclass(frozen=True)
class Family:
    """What a family does; a form and a program are its own, made from a definition."""

    round_type: type[Round]
    form_of_definition: Callable[[Definition], Any]
    read_round: Callable[..., Round]
    compile_program: Callable[..., Any]
    audit_round: Callable[..., Verdict]
    explain_seats: Callable[..., Iterator[Section]]
    deal_round: Callable[..., dict[str, Any]] | None = None
    """Deals a round at random, for simulated nights."""


FAMILIES: Final = {
    "stud": Family(
        StudRound,
        stud_form.form_of_definition,
        stud_form.read_round,
        stud_program.compile_program,
        stud_audit.audit_round,
        stud_explain.explain_seats,
        stud_deal.deal_round,
    ),
    "set": Family(
        SetRound,
        set_form.form_of_definition,
        set_form.read_round,
        set_program.compile_program,
        set_audit.audit_round,
        set_explain.explain_seats,
    ),
}


def family_of(definition: Definition) -> Family:
    """Return what settles a definition."""
    return FAMILIES[definition.family]


def line_schema(definition: Definition) -> dict[str, Any]:
    """Return the JSON Schema of the lines of a definition's game."""
    if definition.sets is not None:
        from games.families.set.schema import line_schema as of_sets

        return of_sets(definition)
    from games.families.stud.schema import line_schema as of_stud

    return of_stud(definition)


def find_odds(
    definition: Definition, terms: stud_program.Terms = stud_program.DEFAULTS
) -> Iterator[WagerOdds]:
    """Yield the odds of a definition's game, then of each wager beside it."""
    if definition.sets is not None:
        from games.families.set.odds import find_odds as of_sets  # Numba loads slowly

        return of_sets(definition, terms)
    from games.families.stud.odds import find_odds as of_stud

    return of_stud(definition, terms)
