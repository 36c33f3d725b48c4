"""What the family `baccarat` provides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.definition.families import DefinitionForm
from games.families.baccarat.audit import audit_round
from games.families.baccarat.deal import break_draw, deal_round
from games.families.baccarat.definition_build import build_baccarat, check_baccarat
from games.families.baccarat.definition_form import BACCARAT_DEFINITION, REFERENCE
from games.families.baccarat.explain import explain_seats
from games.families.baccarat.form import form_of_definition, read_round
from games.families.baccarat.program import compile_program
from games.families.baccarat.round import BaccaratRound
from games.families.baccarat.schema import line_schema
from games.families.family import Family

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition import Definition
    from games.families.baccarat.program import BaccaratProgram
    from games.families.baccarat.screen import BaccaratScreen
    from games.families.stud.figures import WagerOdds
    from games.families.stud.program import Terms
    from games.setup import Setup


def _find_odds(definition: Definition, terms: Terms) -> Iterator[WagerOdds]:
    from games.families.baccarat.odds import find_odds  # NumPy and Numba load slowly

    return find_odds(definition, terms)


def _make_screen(program: BaccaratProgram, setup: Setup) -> BaccaratScreen:
    from games.families.baccarat.screen import BaccaratScreen  # NumPy and Numba load slowly

    return BaccaratScreen(program, setup)


FAMILY: Final = Family(
    definition=DefinitionForm(
        table=BACCARAT_DEFINITION,
        build=build_baccarat,
        check=check_baccarat,
        reference=REFERENCE,
    ),
    round_type=BaccaratRound,
    form_of_definition=form_of_definition,
    read_round=read_round,
    line_schema=line_schema,
    compile_program=compile_program,
    audit_round=audit_round,
    explain_seats=explain_seats,
    find_odds=_find_odds,
    make_screen=_make_screen,
    deal_round=deal_round,
    break_draw=break_draw,
)
