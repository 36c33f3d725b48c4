"""A definition under terms: how the betting goes and how pots are won, with every way chosen."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from games.definition.betting_build import BEST
from games.definition.betting_form import CHIPS
from games.definition.betting_model import betting_of
from games.families.stud.program import DEFAULTS, Terms
from games.families.stud.strength import codes_of, hand_strength

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.cards import Cards
    from games.definition.betting_model import Betting, Fee, Option
    from games.definition.model import Definition, Hand


@dataclass(frozen=True)
class VersusProgram:
    """What the settlement of the family runs on."""

    definition: Definition
    betting: Betting
    hand: Hand
    names: tuple[int, ...]
    """The codes of the names of hands, best first."""
    structure: str
    single: str
    opening: str
    short: str
    chip: int
    odd: str
    rake_base: str
    jackpot_base: str
    asked: Mapping[str, str]
    """The interpretation that each of these was chosen by, if one was asked."""

    @property
    def streets(self) -> tuple[str, ...]:
        """Return the names of the streets, in order."""
        return tuple(street.id for street in self.betting.streets)

    def community_by(self, street: str) -> int:
        """Return how many community cards lie open on a street."""
        place = self.streets.index(street)
        return sum(each.community for each in self.betting.streets[: place + 1])

    def cites(self, *names: str) -> tuple[str, ...]:
        """Return the interpretations by which these were chosen."""
        return tuple(self.asked[name] for name in names if name in self.asked)

    def strength(self, own: Cards, community: Cards) -> int:
        """Return how strong a player's best hand is; higher is stronger."""
        if self.betting.own is None:
            return self._of(own + community)
        return max(
            self._of(bytes(mine + theirs))
            for mine in combinations(own, self.betting.own)
            for theirs in combinations(community, self.hand.ranking.cards - self.betting.own)
        )

    def _of(self, cards: Cards) -> int:
        return int(hand_strength(cards, range(len(cards)), self.hand.ranking.cards, self.names))


def compile_program(definition: Definition, terms: Terms = DEFAULTS) -> VersusProgram:
    """Return the program of a definition under terms."""
    betting = betting_of(definition)
    hand = definition.hands[BEST]
    options = dict(_options(betting))
    chosen = {name: _chosen(definition, terms, option) for name, option in options.items()}
    return VersusProgram(
        definition=definition,
        betting=betting,
        hand=hand,
        names=codes_of(hand.ranking),
        structure=chosen["structure"],
        single=chosen["single"],
        opening=chosen["opening"],
        short=chosen["short"],
        chip=CHIPS[chosen["chip"]],
        odd=chosen["odd"],
        rake_base=chosen.get("rake", ""),
        jackpot_base=chosen.get("jackpot", ""),
        asked={name: option.way for name, option in options.items() if option.is_asked},
    )


def _options(betting: Betting) -> Iterator[tuple[str, Option]]:
    yield "structure", betting.structure
    yield "single", betting.single
    yield "opening", betting.raises.opening
    yield "short", betting.raises.short
    yield "chip", betting.chip
    yield "odd", betting.odd
    fees: tuple[tuple[str, Fee | None], ...]
    fees = (("rake", betting.rake), ("jackpot", betting.jackpot))
    for name, fee in fees:
        if fee is not None:
            yield name, fee.base


def _chosen(definition: Definition, terms: Terms, option: Option) -> str:
    if not option.is_asked:
        return option.way
    return terms.readings.get(option.way, definition.interpretations[option.way].default)
