"""Rounds of filed games in an export: what their definitions say of it, and what they determine."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

from audits.intake.mapping.fields import ACTION, field_of
from games.cards import CardError, dealt, show
from games.families.filed import schema_of
from games.families.stud.program import Terms
from games.families.versus.pots import make_pots, not_called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.cards import Cards
    from games.definition import Definition
    from games.definition.model import Choice, Decision

    Made = dict[str, Any]
    Known = Callable[[str], Sequence[Definition] | None]
    """Returns the approved definitions of a game, the newest first; None if it is no game."""

MOST_READINGS: Final = 64
"""How many ways to read a game's rules are compared before a set counts as not determined."""


def nothing_filed(_slug: str) -> None:
    """Return that no game is filed."""


def definition_for(made: Made, known: Sequence[Definition]) -> Definition | None:
    """Return the newest definition that has the wagers of a round; the newest if none has."""
    used = {key for seat in made["seats"] for key in seat["wagers"]}
    fitting = (each for each in known if used <= each.wagers.keys())
    return next(fitting, known[0] if known else None)


def complete_filed(made: Made, definition: Definition | None) -> list[str]:
    """Write 0 for wagers that were not placed, and add what the rules determine; say what."""
    made["v"] = 2
    if definition is None:
        return []
    added = list(_DERIVE[definition.family](made, definition))
    for seat in made["seats"]:
        if definition.family == "versus":
            del seat["wagers"]
            continue
        for key in definition.wagers:
            if not seat["wagers"].setdefault(key, 0):
                seat["result"].setdefault(key, 0)
        for key in definition.results:
            if key not in definition.wagers:
                seat["result"].setdefault(key, 0)
    return added


def _derive_nothing(_made: Made, _definition: Definition) -> Iterator[str]:
    return iter(())


def _derive_choices(made: Made, definition: Definition) -> Iterator[str]:
    """Add decisions that the wagers show: a raise by its amount, a fold by its absence."""
    if not definition.decisions or made.get("void") is not None:
        return
    for seat in made["seats"]:
        given = seat.setdefault("choices", {})
        found = _choices(seat["wagers"], given, definition.decisions)
        given.update(found)
        for name in found:
            yield f"seat {seat.get('seat')} {name}"


def _choices(
    wagers: Mapping[str, int], given: Mapping[str, str], decisions: Sequence[Decision]
) -> dict[str, str]:
    """Return the decisions that are missing; none unless all amounts are accounted for."""
    found: dict[str, str] = {}
    placed = set()
    for decision in decisions:
        chosen = _chosen(wagers, given, decision)
        if chosen is None:
            break
        placed.add(chosen.wager)
        if decision.id not in given:
            found[decision.id] = chosen.id
        if chosen.ends or chosen.folds:
            break
    every = {choice.wager for decision in decisions for choice in decision.choices if choice.wager}
    return found if all(key in placed for key in every if wagers.get(key)) else {}


def _chosen(
    wagers: Mapping[str, int], given: Mapping[str, str], decision: Decision
) -> Choice | None:
    """Return what was chosen, as given or as the wagers show it; None if they don't."""
    if decision.id in given:
        return next((each for each in decision.choices if each.id == given[decision.id]), None)
    if any(each.takes_back for each in decision.choices):
        return None
    fitting = [each for each in decision.choices if each.wager and _is_placed(wagers, each)]
    if not fitting and decision.when.is_always:
        fitting = [each for each in decision.choices if not each.wager]
    return fitting[0] if len(fitting) == 1 else None


def _is_placed(wagers: Mapping[str, int], choice: Choice) -> bool:
    amount, of = wagers.get(choice.wager or "", 0), wagers.get(choice.of or "", 0)
    return amount > 0 and choice.least * of <= amount <= choice.most * of


def _derive_parts(made: Made, definition: Definition) -> Iterator[str]:
    """Add how the dealer's hand is set, where every reading of the house way sets it alike."""
    house = made.get("house")
    if not isinstance(house, dict) or "parts" in house or "banker" in made:
        return
    cards = _cards(house)
    if made.get("void") is None and len(cards) == definition.deal.player:
        sets = _house_sets(definition, cards)
        if len(sets) == 1:
            house["parts"] = [show(part) for part in sets.pop()]
            yield "house.parts"


def _house_sets(definition: Definition, cards: Cards) -> set[tuple[Cards, ...]]:
    from games.families.set.hand import HouseSet
    from games.families.set.program import compile_program

    asked = definition.interpretations
    ways = list(product(*(each.readings for each in asked.values())))
    if len(ways) > MOST_READINGS:
        return set()
    terms = (Terms(readings=dict(zip(asked, way, strict=True))) for way in ways)
    return {HouseSet(compile_program(definition, each), cards).parts for each in terms}


def _cards(hand: Mapping[str, Any]) -> Cards:
    try:
        return dealt(hand.get("cards") or "")
    except CardError:
        return b""


def _derive_hands(made: Made, definition: Definition) -> Iterator[str]:
    """Add the opening wager, which the first hand has unless it was doubled, and a single split."""
    for seat in made["seats"]:
        hands = seat.get("hands") or []
        if len(hands) == 2 and "split_from" not in hands[1]:
            hands[1]["split_from"] = 0
            yield f"seat {seat.get('seat')} split_from"
        if definition.base in seat["wagers"] or not hands or "wager" not in hands[0]:
            continue
        if not {"double", "redouble"} & set(hands[0].get("actions", ())):
            seat["wagers"][definition.base] = hands[0]["wager"]
            yield f"seat {seat.get('seat')} wagers.{definition.base}"


def _derive_pot(made: Made, _definition: Definition) -> Iterator[str]:
    """Add the pot where all players who stayed could win all of it, and blanks of the table."""
    for seat in made["seats"]:
        seat.setdefault("cards", None)
    if made.get("void") is not None:
        return
    made.setdefault("community", "")
    made["fees"] = {"rake": 0, "jackpot": 0, **made.get("fees", {})}
    if "pots" in made or "actions" not in made:
        return
    paid, live = _paid(made["actions"])
    pots = make_pots(paid, live) if live else []
    results = {seat.get("seat"): seat["result"].get("pot") for seat in made["seats"]}
    if len(pots) != 1 or None in results.values() or not paid.keys() <= results.keys():
        return
    won = {seat: results[seat] + paid.get(seat, 0) for seat in results}
    made["pots"] = [
        {
            "amount": pots[0].amount,
            "seats": list(pots[0].seats),
            "won": {str(seat): cents for seat, cents in won.items() if cents > 0},
        }
    ]
    yield "pots"


def _paid(actions: Sequence[Mapping[str, Any]]) -> tuple[dict[int, int], list[int]]:
    """Return what each seat has in the pots, and who stayed, by what the players did."""
    paid: dict[int, int] = {}
    streets: dict[str, dict[int, int]] = {}
    folded = set()
    for each in actions:
        seat, amount = each["seat"], each.get("to", 0)
        paid.setdefault(seat, 0)
        if each["act"] == "ante":
            paid[seat] += amount
        elif amount:
            streets.setdefault(each["street"], {})[seat] = amount
        if each["act"] == "fold":
            folded.add(seat)
    for wagers in streets.values():
        seat, returned = not_called(wagers)
        for each_seat, amount in wagers.items():
            paid[each_seat] += amount - (returned if each_seat == seat else 0)
    return paid, [seat for seat in paid if seat not in folded]


_DERIVE: Final = {
    "stud": _derive_choices,
    "set": _derive_parts,
    "baccarat": _derive_nothing,
    "blackjack": _derive_hands,
    "versus": _derive_pot,
}


def fields_of(definition: Definition) -> dict[str, str]:
    """Return what a mapping can fill in rounds of a game, by name, and what each is."""
    found: dict[str, str] = {}
    for schema in schema_of(definition)["anyOf"]:
        found |= dict(_leaves(schema, ""))
    if definition.family == "versus":
        found |= dict.fromkeys(ACTION, "what a player did")
    if any(name.startswith("seat.hands.") for name in found):
        found["seat.hands.result"] = "what the hand won or lost; they add up to the seat's result"
    return found


def _leaves(schema: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for key, each in schema.get("properties", {}).items():
        name = f"{prefix}{key}"
        if key == "seats":
            yield from _leaves(each["items"], "seat.")
        elif key == "meters":
            yield from ((f"{name}.{id_}", "what it showed") for id_ in each.get("required", ()))
        elif "properties" in each.get("items", {}) and field_of(f"{name}.cards"):
            yield from _leaves(each["items"], f"{name}.")
        elif "properties" in each:
            yield from _leaves(each, f"{name}.")
        elif field_of(name) is not None:
            yield name, each.get("description", "")
