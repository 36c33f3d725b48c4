"""Games by their filed definitions: reads their lines, and settles their rounds."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from games.definition.named_games import PLAYERS
from games.families.family import family_of
from games.families.stud.program import Terms
from games.families.unsettled import audit_without
from games.log.field_types import FormError
from games.log.form import LineObject, read_filed, read_line
from games.log.reference import game_schema
from games.log.round import FiledRound
from games.rule_set import Decks, RuleSet, as_rule_set
from games.settlement.verdict import Run
from games.terms import NOTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from random import Random

    from games.definition import Definition
    from games.explanation.model import Section
    from games.families.family import Broken
    from games.families.screen import FamilyScreen
    from games.families.stud.program import Program
    from games.log.form import Rejection
    from games.log.round import Round
    from games.settlement.verdict import Verdict
    from games.setup import ByDefinition, Setup
    from games.terms import Before


USUAL_STAKE: Final = 500
"""What is wagered at a simulated table without limits, in cents."""
MOST_STAKES: Final = 60
"""How many times that players bet against each other at most."""


class FiledGame:
    """A game by its definition."""

    def __init__(self, definition: Definition) -> None:
        self.definition: Final = definition
        self.rules: Final = as_rule_set(definition)
        self._family = family_of(definition)
        self._form = self._family.form_of_definition(definition)
        self._programs: dict[object, Program] = {}

    def read(self, line: LineObject) -> Round:
        """Check and parse a line whose game this is."""
        return self._family.read_round(self._form, line)

    def program(self, setup: Setup) -> Program:
        """Return the program of the definition under a set-up's terms."""
        terms = terms_of(self.definition, setup)
        key = _key(terms.pay_tables), _key(terms.readings), tuple(map(_key, terms.lines.values()))
        if key not in self._programs:
            self._programs[key] = self._family.compile_program(self.definition, terms)
        return self._programs[key]

    def settle(
        self, played: Round, setup: Setup, before: Before, *, is_repeat: bool = False
    ) -> Verdict:
        """Settle a round of the game again under a set-up.

        A round that was read by another version of the definition may have no settlement by this.
        """
        try:
            read = self.as_defined(played)
        except FormError as error:
            return audit_without(played, self.rules, setup, before, is_repeat=is_repeat,
                                 irregular=f"{error.field}: {error.reason}")  # fmt: skip
        program = self.program(setup)
        return self._family.audit_round(
            read, program, self.rules, setup, before, is_repeat=is_repeat
        )

    def screen(self, setup: Setup) -> FamilyScreen[Any] | None:
        """Return what finds the rounds that are certainly as logged; None for other families."""
        make = self._family.make_screen
        return None if make is None else make(self.program(setup), setup)

    def under(self, setup: Setup) -> Setup:
        """Return a set-up in which this settles the game."""
        return replace(setup, filed={**setup.filed, self.definition.slug: self})

    def sections(self, played: Round, setup: Setup, verdict: Verdict) -> Iterator[Section]:
        """Explain each place of a round with its verdict; nothing if it has another form."""
        if not isinstance(played, self._family.round_type):
            return iter(())
        return self._family.explain_seats(played, self.program(setup), verdict)

    def deal(
        self, setup: Setup, seats: Sequence[int], table: str, chance: Random
    ) -> dict[str, Any]:
        """Return the game's part of a random line within a table's limits, settled right."""
        if self._family.deal_round is None:
            message = f"Games of the family `{self.definition.family}` can't be simulated yet."
            raise NotImplementedError(message)
        limits = setup.limits.get(table, {})
        if self.rules.banked_by == PLAYERS:
            (bet,) = self.definition.wagers
            low, high = limits.get(bet, (USUAL_STAKE, MOST_STAKES * USUAL_STAKE))
            return self._family.deal_round(self.program(setup), seats, low, high, chance)
        lows = {
            key: limits[key][0] if key in limits else USUAL_STAKE for key in self.definition.wagers
        }
        mandatory = self.definition.mandatory_wagers or (self.definition.base,)
        stake = max(lows[key] for key in mandatory)
        sides = [lows[key] for key in lows if not self.definition.wagers[key].mandatory]
        times = chance.choice((1, 1, 2, 5))
        side = max(sides, default=USUAL_STAKE) * times
        return self._family.deal_round(self.program(setup), seats, stake * times, side, chance)

    def break_draw(self, line: dict[str, Any], setup: Setup, chance: Random) -> str:
        """Break a drawing rule in such a line, settled as dealt; say what was done."""
        if self._family.break_draw is None:
            message = f"Games of the family `{self.definition.family}` have no drawing rules."
            raise NotImplementedError(message)
        return self._family.break_draw(self.program(setup), line, chance)

    def plant(self, fault: str, line: dict[str, Any]) -> Sequence[Broken] | None:
        """Break a line that was settled right; None if the family has no such fault."""
        plant = self._family.faults.get(fault)
        return None if plant is None else plant(line)

    def due(self, line: Mapping[str, Any], setup: Setup) -> dict[int, Mapping[str, int]]:
        """Return what each seat of a line should win."""
        verdict = self.settle(read_filed(LineObject(dict(line), "", 1)), setup, NOTHING)
        return {seat: due or {} for seat, due in verdict.seats}

    def lines_reached(self, line: Mapping[str, Any], setup: Setup) -> dict[int, Mapping[str, str]]:
        """Return the line that each wager of each seat reached."""
        verdict = self.settle(read_filed(LineObject(dict(line), "", 1)), setup, NOTHING)
        outcomes = verdict.settled.seats if verdict.settled is not None else ()
        return {
            seat: (outcome.lines if outcome is not None else None) or {}
            for (seat, _), outcome in zip(verdict.seats, outcomes, strict=False)
        }

    def as_defined(self, played: Round) -> Round:
        """Return a round as this definition reads it.

        Raises:
            FormError: it has another form.
        """
        if isinstance(played, FiledRound):
            return self.read(LineObject(played.line, "", 1))
        if not isinstance(played, self._family.round_type):
            message = f"{played.round} is no round of the family `{self.definition.family}`."
            raise TypeError(message)
        return played


class UnsettledGame:
    """A game that no family settles: audited for everything that needs no settlement."""

    def __init__(self, slug: str, name: str, *, is_house_banked: bool) -> None:
        self.rules: Final = RuleSet(
            slug=slug,
            name=name,
            letters="",
            banked_by="house" if is_house_banked else "players",
            decks=Decks(1, or_more=True, jokers=0),
            clauses={},
            wagers={},
            results=(),
            pay_tables={},
            layouts={},
            points={},
            scorings={},
            interpretations={},
            digest="",
        )

    def settle(
        self, played: Round, setup: Setup, before: Before, *, is_repeat: bool = False
    ) -> Verdict:
        """Audit a round for what needs no settlement."""
        return audit_without(played, self.rules, setup, before, is_repeat=is_repeat)

    def sections(self, _played: Round, _setup: Setup, _verdict: Verdict) -> Iterator[Section]:
        """Explain nothing: there is no settlement."""
        return iter(())

    def as_defined(self, played: Round) -> Round:
        """Return the round as logged."""
        return played


def _key(values: Mapping[str, object]) -> tuple[tuple[str, object], ...]:
    return tuple(sorted(values.items()))


class GameByName:
    """A game that its family settles by name: its kernels with the values of a definition."""

    def __init__(self, definition: Definition) -> None:
        self.definition: Final = definition

    def under(self, setup: Setup) -> Setup:
        """Return a set-up in which this settles the game, by the pay tables chosen."""
        slug = self.definition.slug
        rules = as_rule_set(self.definition, setup.named_tables.get(slug, {}))
        return replace(setup, rule_sets={**setup.rule_sets, slug: rules})


def game_of(definition: Definition) -> FiledGame | GameByName:
    """Return the game of a definition, as its family settles it."""
    return GameByName(definition) if definition.named else FiledGame(definition)


def with_definition(setup: Setup, definition: Definition) -> Setup:
    """Return a set-up in which a definition settles its game, by the pay tables chosen."""
    return game_of(definition).under(setup)


def schema_of(definition: Definition) -> dict[str, Any]:
    """Return the JSON Schema of the lines of a definition's game."""
    return (
        game_schema(definition.slug)
        if definition.named
        else family_of(definition).line_schema(definition)
    )


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


def readers_of(definitions: Iterable[Definition]) -> dict[str, Callable[[LineObject], Round]]:
    """Return what reads the lines of games that only their definitions describe, by slug."""
    return {each.slug: FiledGame(each).read for each in definitions if not each.named}


class FiledGames:
    """The filed games of a call, by slug; a line of an unusable one is rejected with the reason.

    `built_in` reads the definition of a game that comes with the engine: it is read with the first
    line of that game, because reading all of them takes longer than settling a round.
    """

    def __init__(
        self,
        definitions: Mapping[str, Definition],
        unusable: Mapping[str, str] = MappingProxyType({}),
        built_in: Mapping[str, Callable[[], Definition]] = MappingProxyType({}),
    ) -> None:
        self._definitions = definitions
        self._built_in = built_in
        self._filed: dict[str, ByDefinition] = {}
        self._readers: dict[str, Callable[[LineObject], Round]] = {
            **{slug: partial(self._read_built_in, slug) for slug in built_in},
            **{slug: partial(_reject, why) for slug, why in unusable.items()},
            **readers_of(definitions.values()),
        }

    def read_line(self, line: bytes) -> Round | Rejection:
        """Check and parse a line; a filed game is found before a built-in one."""
        return read_line(line, self._readers)

    def in_setup(self, setup: Setup) -> Setup:
        """Return a set-up in which these games are settled by their definitions."""
        for definition in self._definitions.values():
            setup = with_definition(setup, definition)
        self._filed = {**setup.filed}
        return replace(setup, filed=self._filed)

    def _read_built_in(self, slug: str, line: LineObject) -> Round:
        game = FiledGame(self._built_in[slug]())
        self._filed[slug] = game
        self._readers[slug] = game.read
        return game.read(line)

    def run(self, setup: Setup) -> Run:
        """Return a run over logs in which filed and built-in games may mix."""
        return Run(self.in_setup(setup))


def _reject(why: str, _line: LineObject) -> Round:
    field = "game"
    raise FormError(field, why)
