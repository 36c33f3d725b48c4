"""Whether a definition of the family `set` can be dealt, set and settled."""

from __future__ import annotations

from math import factorial, prod
from typing import TYPE_CHECKING, Final

from games.definition.check_bonuses import check_bonuses
from games.definition.check_lines import check_pay_tables, check_rounding
from games.definition.check_wagers import (
    check_conditions,
    check_examples,
    check_interpretations,
    check_wagers,
)
from games.definition.checks import check_cites, check_specs
from games.definition.hand_names import LEAST_CARDS
from games.definition.model import PartBounds, Sets
from games.definition.places import place_of, unknown
from games.definition.set_form import PLACES_OF_LOW_STRAIGHT

if TYPE_CHECKING:
    from games.definition.model import Definition, HouseRule, Ranking
    from games.definition.problems import Problems

MAIN: Final = "main"
"""The wager against a player's bank."""
MOST_WAYS: Final = 1_000
"""Ways to set a hand that the house way may choose from."""
MOST_CARDS: Final = 3
"""Cards of a hand that is dealt from several decks: more would need ranks for copies of a card."""


def sets_of(definition: Definition) -> Sets:
    """Return how hands are set by a definition of this family."""
    assert isinstance(definition.own, Sets)  # noqa: S101  built for this family
    return definition.own


def check_sets(definition: Definition, problems: Problems) -> None:
    """Record everything in a definition that can't be settled or that cites nothing."""
    sets = sets_of(definition)
    check_cites(definition, problems)
    _check_deal(definition, sets, problems)
    for hand in definition.hands.values():
        _check_ranking(definition, hand.ranking, hand.size, f"hand.{hand.id}", problems)
    check_specs(definition, problems)
    check_wagers(definition, problems)
    check_conditions(definition, problems)
    check_interpretations(definition, problems, _asked_elsewhere(definition))
    check_examples(definition, problems)
    _check_order(sets, problems)
    for place, rule in enumerate(sets.house_way):
        _check_rule(definition, sets, rule, f"setting.house_way[{place}]", problems)
    last = sets.house_way[-1]
    if last.parts or last.readings or last.best != PartBounds(None, None):
        problems.add(
            "setting.house_way",
            "The last rule must have no `parts`, `best` or `reading`: it sets every other hand.",
        )
    _check_bank(definition, sets, problems)
    check_commissions(definition, problems)
    if not problems:
        check_pay_tables(definition, problems)
        check_rounding(definition, problems)
        check_bonuses(definition, "envy", sets.envies, problems)


def _asked_elsewhere(definition: Definition) -> set[str]:
    """Return the questions that house rules and rankings ask."""
    asked = {id_ for rule in sets_of(definition).house_way for id_ in rule.readings}
    return asked | {hand.ranking.low_straight for hand in definition.hands.values()}


def _check_deal(definition: Definition, sets: Sets, problems: Problems) -> None:
    decks, dealt = definition.decks, definition.deal.player
    if decks.jokers > 1 or (decks.jokers and decks.number > 1):
        problems.add("game.deck.jokers", "The family `set` ranks one joker, in one deck.")
    if bool(decks.jokers) != (sets.joker is not None):
        problems.add("joker", "Write `joker` exactly if the deck has one.")
    sizes = [part.ranking.cards for part in sets.parts]
    if sum(sizes) != dealt:
        problems.add("part", f"The parts have {sum(sizes)} cards; `deal` gives {dealt}.")
    hands = (definition.players or 1) + 1
    total = 52 * decks.number + decks.jokers
    if hands * dealt > total:
        problems.add("deal", f"{hands} hands take {hands * dealt} cards; there are {total}.")
    ways = factorial(sum(sizes)) // prod(map(factorial, sizes))
    if ways > MOST_WAYS:
        problems.add("part", f"A hand can be set in {ways:,} ways; {MOST_WAYS:,} is the limit.")


def _check_ranking(
    definition: Definition, ranking: Ranking, size: int, where: str, problems: Problems
) -> None:
    where, order = f"{where}.ranking", ranking.order
    if size < ranking.cards:
        problems.add(where, f"There are {size} cards; `{ranking.id}` takes {ranking.cards}.")
    if "high_card" not in order:
        problems.add(where, f"Add `high_card` to `{ranking.id}`: some hands are no more.")
    if len(set(order)) != len(order):
        problems.add(where, f"A name appears twice in `{ranking.id}`. Remove one.")
    for name in order:
        if LEAST_CARDS.get(name, 1) > ranking.cards:
            problems.add(where, f"A hand of {ranking.cards} cards is never `{name}`. Remove it.")
    if definition.decks.number > 1 and ranking.cards > MOST_CARDS:
        problems.add(
            where,
            f"With more than one deck, the family `set` ranks hands of up to {MOST_CARDS} cards:"
            " larger ones could have copies of a card, which no ranking here places.",
        )
    _check_fives(definition, ranking, where, problems)
    place = ranking.low_straight
    if place not in PLACES_OF_LOW_STRAIGHT:
        asked = definition.interpretations.get(place)
        if asked is None or set(asked.readings) != set(PLACES_OF_LOW_STRAIGHT):
            problems.add(
                f"ranking.{ranking.id}.low_straight",
                "Write `lowest`, `second`, or the id of an interpretation with exactly these two"
                " readings.",
            )


def _check_fives(definition: Definition, ranking: Ranking, where: str, problems: Problems) -> None:
    can_have = bool(definition.decks.jokers) and ranking.cards >= LEAST_CARDS["five_of_a_kind"]
    if can_have and "five_of_a_kind" not in ranking.order:
        problems.add(where, f"Add `five_of_a_kind` to `{ranking.id}`: the joker can make it.")
    if not definition.decks.jokers:
        for name in ("five_of_a_kind", "all_straight_flush_with_joker"):
            if name in ranking.order:
                problems.add(where, f"Without a joker, no hand is `{name}`. Remove it.")


def _check_order(sets: Sets, problems: Problems) -> None:
    """Record hands of lower parts that have no place among those of the highest."""
    last = sets.parts[-1]
    for part in sets.parts[:-1]:
        for name in part.ranking.order:
            if name not in last.ranking.order:
                problems.add(
                    f"ranking.{part.ranking.id}.order",
                    f"`{last.id}` is never `{name}`, so it can't be compared with `{part.id}`."
                    " Remove the name.",
                )


def _check_rule(
    definition: Definition, sets: Sets, rule: HouseRule, where: str, problems: Problems
) -> None:
    parts = {part.id: part for part in sets.parts}
    for id_, bounds in rule.parts.items():
        here = f"{where}.parts.{id_}"
        if not unknown(problems, here, "part", id_, parts):
            _check_bounds(bounds, parts[id_].ranking, here, problems)
    _check_bounds(rule.best, sets.parts[-1].ranking, f"{where}.best", problems)
    for id_ in rule.prefer:
        unknown(problems, f"{where}.prefer", "part", id_, parts)
    for id_, readings in rule.readings.items():
        asked = definition.interpretations
        if not unknown(problems, f"{where}.reading", "interpretation", id_, asked):
            for reading in readings:
                known = asked[id_].readings
                unknown(problems, f"{where}.reading", "reading", reading, known)


def _check_bounds(bounds: PartBounds, ranking: Ranking, where: str, problems: Problems) -> None:
    for key, spec in (("at_least", bounds.at_least), ("at_most", bounds.at_most)):
        if spec is not None:
            unknown(problems, f"{where}.{key}", "hand", spec.hand, ranking.order)


def _check_bank(definition: Definition, sets: Sets, problems: Problems) -> None:
    bank = sets.bank
    if bank is None:
        return
    if MAIN not in definition.wagers:
        problems.add("bank", f"Name the wager against the bank `{MAIN}`: findings on banks do.")
    if not 0 <= bank.commission < 1:
        problems.add("bank.commission", "A commission is a part from 0 to 1.")
    if bank.commission and (bank.rounding or definition.rounding) is None:
        problems.add("bank.rounding", "Say how the bank's commission is rounded.")


def check_commissions(definition: Definition, problems: Problems) -> None:
    """Record commissions that aren't a part of what a wager wins at odds."""
    for wager in definition.payouts.values():
        for place, outcome in enumerate(wager.outcomes):
            where = f"{place_of(wager)}.outcomes[{place}].commission"
            if outcome.commission is None:
                continue
            if not 0 < outcome.commission < 1:
                problems.add(where, 'A commission is a part of the winnings such as "1/20".')
            elif outcome.odds is None or outcome.odds <= 0:
                problems.add(where, "Only a result that wins at odds has a commission.")
