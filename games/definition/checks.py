"""What a definition must get right beyond its form: names, clauses, lines, rounding, order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.definition.build import LENGTH_NAMES
from games.definition.check_bonuses import check_own
from games.definition.check_lines import check_pay_tables, check_rounding
from games.definition.check_unseen import check_unseen
from games.definition.check_wagers import (
    check_conditions,
    check_examples,
    check_interpretations,
    check_strategies,
    check_wagers,
)
from games.definition.hand_names import LEAST_CARDS
from games.definition.places import place_of, unknown

if TYPE_CHECKING:
    from games.definition.model import (
        Decision,
        Definition,
        Hand,
        HandSpec,
        Ranking,
    )
    from games.definition.problems import Problems


def check(definition: Definition, problems: Problems) -> None:
    """Record everything in a definition that can't be settled or that cites nothing."""
    check_cites(definition, problems)
    _check_deal(definition, problems)
    _check_hands(definition, problems)
    _check_decisions(definition, problems)
    check_wagers(definition, problems)
    check_conditions(definition, problems)
    check_interpretations(definition, problems)
    check_strategies(definition, problems)
    check_examples(definition, problems)
    if not problems:
        check_unseen(definition, problems)
        check_own(definition, problems)
        check_pay_tables(definition, problems)
        check_rounding(definition, problems)


def check_cites(definition: Definition, problems: Problems) -> None:
    """Record clauses that lead nowhere, and what a finding could cite nothing about."""
    for id_, clause in definition.clauses.items():
        span = clause.source
        where = f"clause `{id_}`, source"
        unknown(problems, where, "source", span.source, definition.sources)
        if span.first is not None and span.end is not None and span.end <= span.first:
            problems.add(where, f"The span ends at {span.end:,}, before it begins.")
    for where, cites in (("game", definition.cites), ("deal", definition.deal.cites)):
        if not cites:
            problems.add(
                f"{where}.clause", "Name the clause: a finding about the cards must cite it."
            )
    _check_cited_wagers(definition, problems)


def _check_cited_wagers(definition: Definition, problems: Problems) -> None:
    """Record wagers and outcomes on which a finding could cite nothing."""
    for wager in definition.payouts.values():
        if wager.of is None and not wager.cites:
            problems.add(f"wager.{wager.id}.clause", "Name the clause on placing this wager.")
        tables = definition.pay_tables.get(wager.table, {}).values()
        for place, outcome in enumerate(wager.outcomes):
            cites_table = outcome.odds is None and all(table.cites for table in tables)
            if not outcome.cites and not cites_table:
                where = f"{place_of(wager)}.outcomes[{place}].clause"
                problems.add(where, "Name the clause: a finding about this result must cite it.")
    for place, decision in enumerate(definition.decisions):
        if not decision.cites:
            problems.add(f"decision[{place}].clause", "Name the clause on this decision.")


def _check_deal(definition: Definition, problems: Problems) -> None:
    decks, deal = definition.decks, definition.deal
    if decks.jokers:
        problems.add("game.deck.jokers", "The family `stud` has no jokers. The family `set` does.")
    if deal.dealer_up > deal.dealer:
        problems.add("deal.dealer_up", f"The dealer has {deal.dealer} cards.")
    later = sum(more.player for more in deal.after)
    hands = definition.players or 1
    dealt = hands * (deal.player + later) + deal.dealer + sum(deal.community)
    dealt += sum(more.dealer for more in deal.after)
    if dealt > 52 * decks.number:
        problems.add("deal", f"{hands} hands take {dealt} cards; there are {52 * decks.number}.")
    decisions = {decision.id: decision for decision in definition.decisions}
    for place, more in enumerate(deal.after):
        where = f"deal.after[{place}].choice"
        if not unknown(problems, where, "decision", more.decision, decisions):
            known = [choice.id for choice in decisions[more.decision].choices]
            for choice in more.choices:
                unknown(problems, where, "choice", choice, known)


def _check_hands(definition: Definition, problems: Problems) -> None:
    for each in definition.hands.values():
        _check_hand(each, definition, problems)
    for id_, comparison in definition.comparisons.items():
        names = (comparison.player, comparison.dealer)
        where = f"compare.{id_}"
        if any(unknown(problems, where, "hand", each, definition.hands) for each in names):
            continue
        first, second = (definition.hands[each].ranking.id for each in names)
        if first != second:
            problems.add(where, f"Both hands need one ranking, not `{first}` and `{second}`.")
    check_specs(definition, problems)


def check_specs(definition: Definition, problems: Problems) -> None:
    """Record tests of hands that aren't there, or for what a hand never is."""
    for id_, test in definition.tests.items():
        if unknown(problems, f"test.{id_}.hand", "hand", test.hand, definition.hands):
            continue
        order = definition.hands[test.hand].ranking.order
        if test.at_least is None and test.at_most is None:
            problems.add(f"test.{id_}", "Write `at_least`, `at_most` or both.")
        for key, spec in (("at_least", test.at_least), ("at_most", test.at_most)):
            _check_spec(f"test.{id_}.{key}", spec, order, problems)


def _check_hand(hand: Hand, definition: Definition, problems: Problems) -> None:
    ranking = hand.ranking
    if hand.size < ranking.cards:
        problems.add(
            f"hand.{hand.id}",
            f"This hand has {hand.size} cards; the ranking `{ranking.id}` takes the best"
            f" {ranking.cards}.",
        )
    cards = [(part.of, place) for part in hand.parts for place in range(part.first, part.end)]
    if len(set(cards)) < len(cards):
        problems.add(f"hand.{hand.id}.from", "A card appears twice. Name each card once.")
    if definition.decks.number > 1 and ranking.id != "one_card":
        problems.add(
            f"hand.{hand.id}.ranking",
            "The family `stud` ranks hands of several cards from one deck only: with more"
            " decks, a hand could have five of a kind, which no ranking here places.",
        )
    if ranking.id not in LENGTH_NAMES:
        _check_order(ranking, problems)


def _check_order(ranking: Ranking, problems: Problems) -> None:
    where = f"ranking.{ranking.id}.order"
    if "high_card" not in ranking.order:
        problems.add(where, "Add `high_card`: some hands are no more.")
    if len(set(ranking.order)) != len(ranking.order):
        problems.add(where, "A name appears twice. Remove one.")
    for each in ranking.order:
        if LEAST_CARDS.get(each, 1) > ranking.cards:
            problems.add(where, f"A hand of {ranking.cards} cards is never `{each}`. Remove it.")


def _check_spec(
    where: str, spec: HandSpec | None, order: tuple[str, ...], problems: Problems
) -> None:
    if spec is not None:
        unknown(problems, where, "hand", spec.hand, order)


def _check_decisions(definition: Definition, problems: Problems) -> None:
    ids: set[str] = set()
    for place, decision in enumerate(definition.decisions):
        where = f"decision[{place}]"
        if decision.id in ids:
            problems.add(f"{where}.id", f"There are two decisions `{decision.id}`.")
        ids.add(decision.id)
        if decision.sees > sum(definition.deal.community):
            problems.add(
                f"{where}.sees", f"There are {sum(definition.deal.community)} community cards."
            )
        _check_choices(definition, decision, where, problems)
    ways = _ways_to_decide(definition)
    if ways > MOST_WAYS:
        problems.add(
            "decision",
            f"These decisions can be combined in {ways:,} ways; {MOST_WAYS:,} is the limit.",
        )


MOST_WAYS: Final = 100
"""Ways to decide from first to last, a range of multiples counted at its ends."""


def _ways_to_decide(definition: Definition) -> int:
    open_, over = 1, 0
    for decision in definition.decisions:
        goes_on, ends = 0, 0
        for choice in decision.choices:
            ways = 2 if choice.wager is not None and choice.least != choice.most else 1
            goes_on += 0 if choice.ends else ways
            ends += ways if choice.ends else 0
        over += open_ * ends
        open_ *= goes_on + (not decision.when.is_always)
    return open_ + over


def _check_choices(
    definition: Definition, decision: Decision, where: str, problems: Problems
) -> None:
    seen: set[str] = set()
    for number, choice in enumerate(decision.choices):
        here = f"{where}.choices[{number}]"
        if choice.id in seen:
            problems.add(f"{here}.id", f"There are two choices `{choice.id}`.")
        seen.add(choice.id)
        for key, name in (
            ("wager", choice.wager),
            ("of", choice.of),
            ("takes_back", choice.takes_back),
        ):
            unknown(problems, f"{here}.{key}", "wager", name, definition.wagers)
        if (choice.wager is None) != (choice.of is None):
            problems.add(here, "Write `wager` and `of` together: the wager and what it multiplies.")
        if choice.wager is not None and choice.wager == choice.of:
            problems.add(f"{here}.of", "A wager can't be a multiple of itself.")
        if choice.least > choice.most:
            problems.add(f"{here}.times", f"{choice.least} is more than {choice.most}.")
        placed = definition.wagers.get(choice.wager or "")
        if placed is not None and placed.mandatory:
            problems.add(
                f"wager.{placed.id}.mandatory",
                f"This wager is placed by the choice `{choice.id}`, so it isn't mandatory.",
            )
