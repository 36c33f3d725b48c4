"""Games by their filed definitions: reads their lines, and settles their rounds."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from games.families.stud.audit import audit_round
from games.families.stud.form import form_of_definition, read_round
from games.families.stud.program import Terms, compile_program
from games.families.stud.round import StudRound
from games.log.field_types import FormError
from games.log.form import read_line
from games.rule_set import Clause, Decks, Interpretation, RuleSet, Source, Wager
from games.settlement.verdict import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.definition import Definition
    from games.families.stud.program import Program
    from games.log.form import LineObject, Rejection
    from games.log.round import Round
    from games.settlement.verdict import Verdict
    from games.setup import Setup
    from games.terms import Before


class FiledGame:
    """A game by its definition."""

    def __init__(self, definition: Definition) -> None:
        self.definition: Final = definition
        self.rules: Final = as_rule_set(definition)
        self._form = form_of_definition(definition)
        self._programs: dict[int, tuple[Setup, Program]] = {}

    def read(self, line: LineObject) -> StudRound:
        """Check and parse a line whose game this is."""
        return read_round(self._form, line)

    def program(self, setup: Setup) -> Program:
        """Return the program of the definition under a set-up's terms."""
        known = self._programs.get(id(setup))
        if known is None or known[0] is not setup:
            known = setup, compile_program(self.definition, terms_of(self.definition, setup))
            self._programs[id(setup)] = known
        return known[1]

    def settle(
        self, played: Round, setup: Setup, before: Before, *, is_repeat: bool = False
    ) -> Verdict:
        """Settle a round of the game again under a set-up."""
        if not isinstance(played, StudRound):
            message = f"{played.round} is no round of the family `{self.definition.family}`."
            raise TypeError(message)
        program = self.program(setup)
        return audit_round(played, program, self.rules, setup, before, is_repeat=is_repeat)


def terms_of(definition: Definition, setup: Setup) -> Terms:
    """Return what a set-up chooses for a definition; anything else is the definition's default."""
    return Terms(
        pay_tables=setup.named_tables.get(definition.slug, {}),
        readings={
            id_: setup.interpretations[id_]
            for id_ in definition.interpretations
            if id_ in setup.interpretations
        },
        lines=setup.pay_tables.get(definition.slug, {}),
    )


class FiledGames:
    """The filed games of a call, by slug; a line of an unusable one is rejected with the reason."""

    def __init__(
        self,
        definitions: Mapping[str, Definition],
        unusable: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._games = {slug: FiledGame(each) for slug, each in definitions.items()}
        self._readers: Mapping[str, Callable[[LineObject], Round]] = MappingProxyType(
            {
                **{slug: partial(_reject, why) for slug, why in unusable.items()},
                **{slug: game.read for slug, game in self._games.items()},
            }
        )

    def read_line(self, line: bytes) -> Round | Rejection:
        """Check and parse a line; a filed game is found before a built-in one."""
        return read_line(line, self._readers)

    def run(self, setup: Setup) -> Run:
        """Return a run over logs in which filed and built-in games may mix."""
        return _Run(setup, self._games)


def _reject(why: str, _line: LineObject) -> Round:
    field = "game"
    raise FormError(field, why)


class _Run(Run):
    """A run that settles rounds of filed games by their definitions."""

    def __init__(self, setup: Setup, games: Mapping[str, FiledGame]) -> None:
        super().__init__(setup)
        self._games = games

    def _settle(self, line: Round, before: Before, *, is_repeat: bool) -> Verdict:
        game = self._games.get(line.game)
        if game is None:
            return super()._settle(line, before, is_repeat=is_repeat)
        return game.settle(line, self._setup, before, is_repeat=is_repeat)


def as_rule_set(definition: Definition) -> RuleSet:
    """Return a definition as the shared checks and pages know a game's rules."""
    titles = {id_: source.title for id_, source in definition.sources.items()}
    clauses = {
        id_: Clause(
            id_,
            clause.says,
            (Source(titles[clause.source.source], f"page {clause.source.page or 1}"),),
        )
        for id_, clause in definition.clauses.items()
    }
    return RuleSet(
        slug=definition.slug,
        name=definition.name,
        letters="",
        approved=True,
        banked_by="house",
        decks=Decks(definition.decks.number, or_more=False, jokers=definition.decks.jokers),
        clauses=clauses,
        wagers={
            key: Wager(key, each.says, each.mandatory, key in definition.pay_tables)
            for key, each in definition.wagers.items()
        },
        results=definition.results,
        pay_tables={},
        layouts={},
        points={},
        scorings={},
        interpretations={
            id_: Interpretation(id_, each.asks, each.default, each.readings)
            for id_, each in definition.interpretations.items()
        },
        digest=definition.digest,
    )
