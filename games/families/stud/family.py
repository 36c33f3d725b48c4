"""What the family `stud` provides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.definition.build import build
from games.definition.checks import check
from games.definition.families import DefinitionForm
from games.definition.form import DEFINITION
from games.families.family import Family
from games.families.stud.audit import audit_round
from games.families.stud.deal import deal_round
from games.families.stud.explain import explain_seats
from games.families.stud.form import form_of_definition, read_round
from games.families.stud.program import compile_program
from games.families.stud.round import StudRound
from games.families.stud.schema import line_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition import Definition
    from games.families.stud.figures import WagerOdds
    from games.families.stud.program import Program, Terms
    from games.families.stud.screen import StudScreen
    from games.setup import Setup


def _find_odds(definition: Definition, terms: Terms) -> Iterator[WagerOdds]:
    from games.families.stud.odds import find_odds  # NumPy and Numba load slowly

    return find_odds(definition, terms)


def _make_screen(program: Program, setup: Setup) -> StudScreen:
    from games.families.stud.screen import StudScreen  # NumPy and Numba load slowly

    return StudScreen(program, setup)


FAMILY: Final = Family(
    definition=DefinitionForm(table=DEFINITION, build=build, check=check, reference=""),
    round_type=StudRound,
    form_of_definition=form_of_definition,
    read_round=read_round,
    line_schema=line_schema,
    compile_program=compile_program,
    audit_round=audit_round,
    explain_seats=explain_seats,
    find_odds=_find_odds,
    make_screen=_make_screen,
    deal_round=deal_round,
)
