"""What the wagers of a filed game may come to, from its definition.

A wager that no choice makes a difference to hits or misses with the odds of its pay table. The game
itself is bounded by the best way to play it, if every deal can be looked at. Whatever controls may
choose, a pay table or a reading, is one more game that may be played.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.families.stud.bounds import LEVELS, Net, game_bound, net_of
from games.families.stud.odds import find_odds, find_side_wagers
from games.families.stud.plan import base_payouts
from games.families.stud.program import Terms, compile_program
from games.statistics.by_odds import chances_by_odds, net_of_family
from games.statistics.chances import Chance, keep_chances
from games.statistics.evidence import TILTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from games.definition.model import Condition, Definition

MOST_GAMES: Final = 16
"""Combinations of pay tables and readings of one wager that are counted."""


@dataclass(frozen=True)
class Watched:
    """How the results and decisions of a game of the family `stud` are read."""

    net: Net | None
    hits: tuple[str, ...]
    """Wagers that hit or miss whatever the player chooses."""
    folds: frozenset[tuple[str, str]]
    """Decisions with the choices that give up the hand."""
    hidden: tuple[int, int]
    """The first and the end of the dealer's cards that nobody sees; none if they are equal."""
    fewest: int = 0
    most: int = 0
    """The fewest and the most cards of a seat, if they depend on its choices."""


def watched_of(definition: Definition) -> Watched:
    """Return what of a definition's rounds is watched beside its cards.

    Outside the family `stud`, that is the net result of the main wager, or hits of every wager.
    """
    if definition.family != "stud":
        net = net_of_family(definition)
        hits = tuple(key for key in definition.wagers if net is None or key != net.base)
        return Watched(net, hits, frozenset(), (0, 0))
    deal = definition.deal
    folds = frozenset(
        (decision.id, choice.id)
        for decision in definition.decisions
        for choice in decision.choices
        if choice.folds
    )
    hidden = (0, 0) if deal.after or not folds else (deal.dealer_up, deal.dealer)
    later = max((each.player for each in deal.after), default=0)
    cards = (deal.player, deal.player + later) if later else (0, 0)
    return Watched(net_of(definition), tuple(find_side_wagers(definition)), folds, hidden, *cards)


def games_to_count(definition: Definition) -> Iterator[tuple[str, Terms]]:
    """Yield each wager with all terms under which it is counted; none if they are too many."""
    if definition.family != "stud":
        return
    watched = watched_of(definition)
    if watched.net is not None:
        base = base_payouts(definition)
        asked = _readings(each.when for each in definition.decisions)
        asked |= _readings(of.when for each in definition.decisions for of in each.choices)
        yield from _terms(definition, definition.base, base, asked)
    for wager in watched.hits:
        yield from _terms(definition, wager, (wager,), set())


def _terms(
    definition: Definition, wager: str, keys: Sequence[str], asked: set[str]
) -> Iterator[tuple[str, Terms]]:
    payouts = [definition.payouts[key] for key in keys]
    asked |= _readings(outcome.when for payout in payouts for outcome in payout.outcomes)
    asked |= {hand.ranking.low_straight for hand in definition.hands.values()}
    ids = sorted(asked & set(definition.interpretations))
    tables = sorted({each.table for each in payouts} & set(definition.pay_tables))
    readings = [definition.interpretations[id_].readings for id_ in ids]
    names = [definition.pay_tables[table] for table in tables]
    if int(np.prod([len(each) for each in (*readings, *names)])) > MOST_GAMES:
        return
    for chosen in product(*readings, *names):
        yield (
            wager,
            Terms(
                readings=dict(zip(ids, chosen, strict=False)),
                pay_tables=dict(zip(tables, chosen[len(ids) :], strict=True)),
            ),
        )


def _readings(conditions: Iterable[Condition]) -> set[str]:
    return {id_ for each in conditions for id_ in each.readings}


def count_game(definition: Definition, wager: str, terms: Terms) -> Mapping[str, Chance]:
    """Return the chance of a wager under terms, counted once; empty if there are too many deals."""
    chosen = repr((wager, sorted(terms.readings.items()), sorted(terms.pay_tables.items())))
    name = hashlib.sha256(f"{definition.digest} {chosen}".encode()).hexdigest()[:32]
    return keep_chances(name, lambda: dict(_counted(definition, wager, terms)))


def _counted(definition: Definition, wager: str, terms: Terms) -> Iterator[tuple[str, Chance]]:
    if wager == definition.base:
        bounds = game_bound(compile_program(definition, terms), TILTS)
        if bounds is not None:
            yield wager, Chance.bounded(bounds, LEVELS)
        return
    for figure in find_odds(definition, terms, only=wager):
        if figure.exact is not None:
            hit = np.array([[[0.0, 1 - figure.hit, figure.hit]]])
            yield wager, Chance.of([hit], is_exact=True, by_table=True)


def filed_chances(
    definitions: Iterable[Definition],
    odds: Callable[[Definition], Sequence[Mapping[str, Any]]] = lambda _: (),
) -> dict[str, Chance]:
    """Return the chances of wagers whichever of the definitions, with any terms, is played.

    `odds` are what was counted of a definition outside the family `stud`.
    """
    found: dict[str, Chance] = {}
    unknown: set[str] = set()
    for definition in definitions:
        of_this: dict[str, Chance] = {}
        if definition.family != "stud":
            of_this = chances_by_odds(definition, odds(definition))
        for wager, terms in games_to_count(definition):
            counted = count_game(definition, wager, terms)
            unknown |= {wager} - counted.keys()
            for key, chance in counted.items():
                of_this[key] = chance.joined(of_this.get(key, chance))
        unknown |= found.keys() - of_this.keys()
        for key, chance in of_this.items():
            found[key] = chance.joined(found.get(key, chance))
    return {key: chance for key, chance in found.items() if key not in unknown}
