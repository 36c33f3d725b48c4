"""A game's definition: everything that its approval binds, as frozen data."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

Cites = tuple[str, ...]


ADDED: Final = MappingProxyType({"added": True})
"""Marks a field that definitions had no use for before: at its default, no digest has it."""


@dataclass(frozen=True)
class Source:
    """A filed document."""

    id: str
    title: str
    digest: str
    date: str | None


@dataclass(frozen=True)
class Span:
    """Where a filed document says something: characters `first` up to, not including, `end`."""

    source: str
    page: int | None
    first: int | None
    end: int | None


@dataclass(frozen=True)
class Clause:
    """A binding rule in plain words, and where the filed document says it."""

    id: str
    says: str
    source: Span
    unlogged: str = field(default="", metadata=ADDED)
    """Why no line of a log can show whether it was kept; empty if one can."""


@dataclass(frozen=True)
class Interpretation:
    """A question that the rules leave open, and its possible answers."""

    id: str
    asks: str
    readings: Mapping[str, str]
    default: str
    affects_money: bool
    cites: Cites


@dataclass(frozen=True)
class Decks:
    """How many 52-card decks, and how many jokers among them."""

    number: int
    jokers: int
    others: tuple[int, ...] = field(default=(), metadata=ADDED)
    """Other numbers of decks that the rules allow."""
    without: str = field(default="", metadata=ADDED)
    """Ranks that are removed from each deck."""


@dataclass(frozen=True)
class Rounding:
    """How a result is rounded: to a step in cents, in the house's or the player's favor."""

    step: int
    direction: str
    cites: Cites


@dataclass(frozen=True)
class Condition:
    """When an outcome, a choice or a decision applies: all of these, if there are any."""

    choices: Mapping[str, Cites]
    folded: bool | None
    """Whether the player gave up the hand; in the family `set`, whether the hand is fouled."""
    compares: Mapping[str, Cites]
    tests: Mapping[str, bool]
    readings: Mapping[str, Cites]

    @property
    def is_always(self) -> bool:
        """Return whether the condition holds in every round."""
        parts = (self.choices, self.compares, self.tests, self.readings)
        return self.folded is None and not any(parts)


@dataclass(frozen=True)
class Outcome:
    """What a wager comes to under a condition: odds to 1, or what its pay table says."""

    when: Condition
    odds: Fraction | None
    """None: the pay table."""
    hand: str | None
    no_line: Fraction
    rounding: Rounding | None
    cites: Cites
    commission: Fraction | None = field(default=None, metadata=ADDED)
    """The part of the winnings that the house keeps; `odds` are what is left."""


@dataclass(frozen=True)
class Multiple:
    """So many times another wager."""

    times: int
    of: str


@dataclass(frozen=True)
class Wager:
    """One wager of a hand, or a payout on another wager's amount."""

    id: str
    says: str
    mandatory: bool
    equals: str | None
    at_most: Multiple | None
    hand: str | None
    outcomes: tuple[Outcome, ...]
    cites: Cites
    of: str | None = None
    """The wager whose amount it is paid on, if it is no wager of its own."""
    into: str | None = None
    """The wager in whose logged result it is included."""
    pays_as: str | None = None
    """Another wager whose pay table it has."""

    @property
    def table(self) -> str:
        """Return the key of its pay tables."""
        return self.pays_as or self.id


@dataclass(frozen=True)
class PayLine:
    """One line of a pay table: a hand, the ranks it may have, and what it pays to 1."""

    id: str
    hand: str
    lowest: str
    highest: str
    pays: Fraction


@dataclass(frozen=True)
class PayTable:
    """A named pay table of a wager, best line first."""

    wager: str
    name: str
    lines: tuple[PayLine, ...]
    cites: Cites


@dataclass(frozen=True)
class DealtAfter:
    """Cards dealt only after a choice."""

    decision: str
    choices: Cites
    player: int
    dealer: int


@dataclass(frozen=True)
class Deal:
    """What is dealt."""

    player: int
    dealer: int
    dealer_up: int
    community: tuple[int, ...]
    after: tuple[DealtAfter, ...]
    cites: Cites


@dataclass(frozen=True)
class CardsOf:
    """Some of the player's, dealer's or community's cards: from `first`, counted from 0."""

    of: str
    first: int
    end: int


@dataclass(frozen=True)
class Ranking:
    """An order of hands: the best so many cards, and the names of hands, best first."""

    id: str
    cards: int
    order: tuple[str, ...]
    cites: Cites
    low_straight: str = field(default="lowest", metadata=ADDED)
    """Where the straight from the ace up ranks: `lowest`, `second`, or an interpretation's id."""


@dataclass(frozen=True)
class Hand:
    """Cards that are ranked together."""

    id: str
    parts: tuple[CardsOf, ...]
    ranking: Ranking

    @property
    def size(self) -> int:
        """Return how many cards there are to choose from."""
        return sum(part.end - part.first for part in self.parts)


@dataclass(frozen=True)
class HandSpec:
    """A hand by name and leading ranks."""

    hand: str
    ranks: str


@dataclass(frozen=True)
class Test:
    """A question about a hand: whether it is within bounds."""

    id: str
    hand: str
    at_least: HandSpec | None
    at_most: HandSpec | None
    cites: Cites


@dataclass(frozen=True)
class Comparison:
    """A comparison of the player's hand with the dealer's."""

    id: str
    player: str
    dealer: str
    cites: Cites


@dataclass(frozen=True)
class Choice:
    """What a player may choose, and what follows from it."""

    id: str
    folds: bool
    ends: bool
    takes_back: str | None
    wager: str | None
    least: int
    most: int
    of: str | None
    when: Condition
    cites: Cites


@dataclass(frozen=True)
class Decision:
    """A decision of the player."""

    id: str
    says: str
    sees: int
    when: Condition
    choices: tuple[Choice, ...]
    cites: Cites


@dataclass(frozen=True)
class StrategyRule:
    """What to choose at a decision under a condition."""

    decision: str
    when: Condition
    choose: str


@dataclass(frozen=True)
class Strategy:
    """A way to play."""

    id: str
    says: str
    rules: tuple[StrategyRule, ...]


@dataclass(frozen=True)
class VoidReason:
    """A reason that voids a round; with `required`, it must."""

    reason: str
    required: bool
    cites: Cites


@dataclass(frozen=True)
class Example:
    """A round worked by hand, in the log's own shape, and the terms it is settled under."""

    name: str
    round: Mapping[str, Any]
    pay_tables: Mapping[str, str]
    interpretations: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Points:
    """What a hand scores when it wins, if that isn't one point."""

    name: str
    clause: str
    lines: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Scoring:
    """What players of Chinese Poker win from each other, in units; they add up (CP-14)."""

    name: str
    says: str
    clause: str
    each_hand: int
    """For each hand won, less each hand lost."""
    two_hands: int
    """For winning two of the three hands, but not all three."""
    all_three: int


@dataclass(frozen=True, slots=True)
class Layout:
    """What a layout drawing prints where it differs from the rules: evidence, never a pay table."""

    table: str
    clause: str
    lines: Mapping[str, int]


@dataclass(frozen=True)
class NamedValues:
    """The values of a game that its family settles by name, beside its wagers and pay tables."""

    or_more_decks: bool
    points: Mapping[str, Points]
    scorings: Mapping[str, Scoring]
    layouts: Mapping[str, Layout]


@dataclass(frozen=True)
class Part:
    """A part into which a hand is set."""

    id: str
    ranking: Ranking


@dataclass(frozen=True)
class Joker:
    """What a joker may stand for: `wild`, or `limited` to an ace, a straight and a flush."""

    use: str
    cites: Cites


@dataclass(frozen=True)
class PartBounds:
    """The lowest and the highest hand that a part may be."""

    at_least: HandSpec | None
    at_most: HandSpec | None


@dataclass(frozen=True)
class HouseRule:
    """One rule of the house way: the first that some legal set satisfies applies."""

    says: str
    parts: Mapping[str, PartBounds]
    best: PartBounds
    """What the best hand of all the cards, by the highest part's ranking, must be."""
    prefer: Cites
    """The parts in the order in which the highest decides between sets that satisfy the rule."""
    readings: Mapping[str, Cites]
    cites: Cites


@dataclass(frozen=True)
class Bank:
    """How a player banks."""

    commission: Fraction
    """The part of what the bank wins in a round that the house keeps."""
    rounding: Rounding | None
    takes_turns: bool
    """Whether no player banks right after a player did."""
    cites: Cites


@dataclass(frozen=True)
class Envy:
    """Fixed amounts that a wager wins if another player's hand fits a line of its pay table."""

    id: str
    says: str
    of: str
    least: int
    """The smallest wager, in cents, that has it."""
    pays: Mapping[str, int]
    """By line: cents."""
    cites: Cites


@dataclass(frozen=True)
class FamilyPart:
    """What only definitions of one family have; each family that has any extends this."""

    @property
    def results(self) -> tuple[str, ...]:
        """Return the keys of a seat's `result` that are no wager and no payout on one."""
        return ()

    @property
    def is_between_players(self) -> bool:
        """Return whether players play each other; then wagers have no results of their own."""
        return False


@dataclass(frozen=True)
class Jackpot:
    """Parts of a meter that a wager wins on the lines of its pay table."""

    id: str
    says: str
    of: str
    meter: str
    """Its id in the `meters` of a log line."""
    pays: Mapping[str, Fraction]
    """By line: the part of what the meter showed before the round."""
    cites: Cites


@dataclass(frozen=True)
class Maximum:
    """The most that results may win together, in one hand or in all hands of a round."""

    per: str
    most: int
    """In cents."""
    results: Cites
    """The keys that count and may be cut; none named, all of them."""
    cites: Cites


@dataclass(frozen=True)
class Bonuses(FamilyPart):
    """What the family `stud` settles after each hand by itself."""

    envies: tuple[Envy, ...]
    jackpots: tuple[Jackpot, ...]
    maximums: tuple[Maximum, ...]

    @property
    def results(self) -> tuple[str, ...]:
        """Return the keys of envy bonuses and jackpots."""
        return tuple(self.cites_by_result)

    @property
    def cites_by_result(self) -> Mapping[str, Cites]:
        """Return the clauses on each envy bonus and jackpot, by its key."""
        return {
            **{each.id: each.cites for each in self.envies},
            **{each.id: each.cites for each in self.jackpots},
        }


@dataclass(frozen=True)
class Sets(FamilyPart):
    """How hands are set into parts, lowest part first."""

    parts: tuple[Part, ...]
    joker: Joker | None
    cites: Cites
    """The clauses on setting, and on a hand whose parts are out of order."""
    house_way: tuple[HouseRule, ...]
    bank: Bank | None
    envies: tuple[Envy, ...]

    @property
    def results(self) -> tuple[str, ...]:
        """Return the keys of the envy bonuses."""
        return tuple(each.id for each in self.envies)


@dataclass(frozen=True)
class Definition:
    """One game, as approved."""

    slug: str
    name: str
    family: str
    decks: Decks
    players: int | None
    base: str
    cites: Cites
    sources: Mapping[str, Source]
    clauses: Mapping[str, Clause]
    interpretations: Mapping[str, Interpretation]
    deal: Deal
    hands: Mapping[str, Hand]
    comparisons: Mapping[str, Comparison]
    tests: Mapping[str, Test]
    decisions: tuple[Decision, ...]
    wagers: Mapping[str, Wager]
    other_results: Mapping[str, Wager]
    """Payouts on the amount of a wager."""
    pay_tables: Mapping[str, Mapping[str, PayTable]]
    """By wager, then by name; the first of a wager is used if none is chosen."""
    rounding: Rounding | None
    strategies: Mapping[str, Strategy]
    void_reasons: tuple[VoidReason, ...]
    examples: tuple[Example, ...]
    named: NamedValues | None = field(default=None, metadata=ADDED)
    """Of a game that its family settles by name; then hands and decisions are its code's."""
    own: FamilyPart | None = field(default=None, metadata=ADDED)
    """What only its family has; of the class that the family's build makes."""

    @property
    def results(self) -> tuple[str, ...]:
        """Return the keys of a seat's `result`."""
        others = (key for key, of in self.other_results.items() if of.into is None)
        if self.own and self.own.is_between_players:
            return self.own.results
        if self.named:
            return (*others, *self.wagers)
        return (*self.wagers, *others, *(self.own.results if self.own else ()))

    @cached_property
    def payouts(self) -> Mapping[str, Wager]:
        """Return everything that is settled: the wagers, and payouts on their amounts."""
        return MappingProxyType({**self.wagers, **self.other_results})

    @cached_property
    def tables_of_wagers(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names of each wager's pay tables; one that pays by several has each in all."""
        return MappingProxyType(
            {
                table.wager: tuple(names)
                for names in self.pay_tables.values()
                for table in names.values()
            }
        )

    @property
    def mandatory_wagers(self) -> tuple[str, ...]:
        """Return the wagers that every hand must have."""
        return tuple(key for key, wager in self.wagers.items() if wager.mandatory)

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of what the definition means, however its file is laid out."""
        text = json.dumps(_plain(self), ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Return a value as JSON: the order of items counts, because the first that applies decides."""
    if is_dataclass(value):
        return [
            _plain(getattr(value, each.name))
            for each in fields(value)
            if "added" not in each.metadata or getattr(value, each.name) != each.default
        ]
    if isinstance(value, dict | MappingProxyType):
        return [[key, _plain(item)] for key, item in value.items()]
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Fraction) else value
