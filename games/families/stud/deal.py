"""Deals a round of the family at random: cards, choices that the rules allow, and the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.cards import show
from games.families.bonuses import bonuses_of, with_bonuses
from games.families.stud.hand import DealtHand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from games.cards import Cards
    from games.definition import Definition
    from games.families.stud.hand import Settled
    from games.families.stud.program import Program

FOLDS: Final = 0.2
"""How often a player folds who may also play on."""
MOST_METER: Final = 10_000_000
"""What a meter shows at most, in cents."""
SIDE_WAGERS: Final = 0.5
"""How often a player places an optional wager."""


def deal_round(
    program: Program, seats: Sequence[int], stake: int, side: int, chance: Random
) -> dict[str, Any]:
    """Return the game's part of a line, settled right; wagers are multiples of the stakes."""
    definition = program.definition
    number = definition.decks.number
    deck = [card for card in range(52) for _ in range(number)]
    chance.shuffle(deck)
    dealer = _drawn(deck, program.dealer_most)
    community = _drawn(deck, sum(definition.deal.community))
    meters = {each.meter: chance.randrange(MOST_METER) for each in bonuses_of(definition).jackpots}
    found: list[dict[str, Any]] = []
    settled: list[Settled | None] = []
    for seat in seats:
        cards = _drawn(deck, program.player_most)
        choices = _choices(program, cards, dealer, community, chance)
        cards = cards[: _size(definition, choices)]
        wagers = _wagers(definition, choices, stake, side, chance)
        hand = DealtHand(program, cards, dealer, community, choices)
        settled.append(hand.settle(wagers))
        of_seat: dict[str, Any] = {"seat": seat, "cards": show(cards)}
        if definition.decisions:
            of_seat["choices"] = choices
        found.append({**of_seat, "wagers": wagers})
    placed = [of_seat["wagers"] for of_seat in found]
    for of_seat, each in zip(found, with_bonuses(program, placed, meters, settled), strict=True):
        due = {} if each is None else each.amounts
        of_seat["result"] = {key: due.get(key, 0) for key in definition.results}
    line: dict[str, Any] = {"seats": found}
    if meters:
        line["meters"] = meters
    if dealer:
        line["house"] = {"cards": show(dealer)}
    if community:
        line["community"] = show(community)
    return line


def _drawn(deck: list[int], count: int) -> Cards:
    return bytes(deck.pop() for _ in range(count))


def _size(definition: Definition, choices: Mapping[str, str]) -> int:
    later = [each for each in definition.deal.after if choices.get(each.decision) in each.choices]
    return definition.deal.player + sum(each.player for each in later)


def _choices(
    program: Program, cards: Cards, dealer: Cards, community: Cards, chance: Random
) -> dict[str, str]:
    """Make each decision that comes up, as the cards and the choices before it allow."""
    made: dict[str, str] = {}
    for decision in program.definition.decisions:
        hand = DealtHand(program, cards, dealer, community, made)
        if not hand.allows(decision.when):
            continue
        allowed = [choice for choice in decision.choices if hand.allows(choice.when)]
        plays = [choice for choice in allowed if not choice.folds]
        chosen = chance.choice(plays if plays and chance.random() >= FOLDS else allowed)
        made[decision.id] = chosen.id
        if chosen.ends or chosen.folds:
            break
    return made


def _wagers(
    definition: Definition, choices: Mapping[str, str], stake: int, side: int, chance: Random
) -> dict[str, int]:
    """Place the wagers: mandatory ones, those that the choices place, and some of the others."""
    placed = [
        (choice, choices.get(decision.id) == choice.id)
        for decision in definition.decisions
        for choice in decision.choices
        if choice.wager is not None
    ]
    of_choices = {choice.wager for choice, _ in placed}
    wagers: dict[str, int] = {}
    for key, wager in definition.wagers.items():
        if key in of_choices:
            made = [choice for choice, is_made in placed if is_made and choice.wager == key]
            wagers[key] = sum(each.least * wagers[each.of or ""] for each in made)
        elif wager.equals is not None:
            wagers[key] = wagers[wager.equals]
        elif wager.mandatory:
            wagers[key] = stake
        else:
            wagers[key] = side if chance.random() < SIDE_WAGERS else 0
    return wagers
