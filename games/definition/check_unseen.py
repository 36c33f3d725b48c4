"""Whether a player can know what a decision, a choice or a strategy depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition.model import Condition, Decision, Definition
    from games.definition.problems import Problems


def check_unseen(definition: Definition, problems: Problems) -> None:
    """Record conditions on cards that the player doesn't see, and on later decisions."""
    for place, decision in enumerate(definition.decisions):
        seen = cards_seen(definition, place)
        earlier = {each.id for each in definition.decisions[:place]}
        for where, when in _conditions(definition, place, decision):
            for key, name, asked in _hands_asked(definition, when):
                hidden = [of for hand in asked for of in _hidden(definition, hand, seen)]
                if hidden:
                    problems.add(
                        f"{where}.{key}",
                        f"`{name}` depends on a card of the {hidden[0]} that the player doesn't"
                        f" see at the decision `{decision.id}`.",
                    )
            for name in when.choices:
                if name not in earlier:
                    problems.add(f"{where}.choice", f"`{name}` is not an earlier decision.")


def cards_seen(definition: Definition, place: int) -> dict[str, int]:
    """Return how many of the player's, dealer's and community's cards a decision sees."""
    deal = definition.deal
    earlier = {each.id for each in definition.decisions[:place]}
    more = [each.player for each in deal.after if each.decision in earlier]
    return {
        "player": deal.player + max(more, default=0),
        "dealer": deal.dealer_up,
        "community": max(each.sees for each in definition.decisions[: place + 1]),
    }


def _conditions(
    definition: Definition, place: int, decision: Decision
) -> Iterator[tuple[str, Condition]]:
    yield f"decision[{place}].when", decision.when
    for number, choice in enumerate(decision.choices):
        yield f"decision[{place}].choices[{number}].when", choice.when
    for id_, strategy in definition.strategies.items():
        for number, rule in enumerate(strategy.rules):
            if rule.decision == decision.id:
                yield f"strategy.{id_}.rules[{number}].when", rule.when


def _hands_asked(
    definition: Definition, when: Condition
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield what a condition asks about hands: the key, the name, and the hands."""
    for name in when.compares:
        comparison = definition.comparisons[name]
        yield "compare", name, (comparison.player, comparison.dealer)
    for name in when.tests:
        yield "test", name, (definition.tests[name].hand,)


def _hidden(definition: Definition, hand: str, seen: dict[str, int]) -> Iterator[str]:
    for part in definition.hands[hand].parts:
        if part.end > seen[part.of]:
            yield part.of
