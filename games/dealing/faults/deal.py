"""Dealt wrongly: too few cards, a card too many times, strange shoes, a deck out of turn."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from games.dealing.faults.scene import Must, Scene, Wrong, dealt_cards
from games.rule_set import rule_set

if TYPE_CHECKING:
    from games.dealing.call import Line

IRREGULAR_WITHOUT: Final = ("chinese-poker", "showdown")
"""Games in which nobody can be settled when one seat cannot."""


def _named(cards: str) -> list[str]:
    return cards.split(" ")


def short_hand(scene: Scene) -> Wrong | None:
    """A player has a card too few."""
    if scene.near_maximum():
        return None
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        if not _drop_card(scene.game, seat):
            continue
        what = f"seat {seat['seat']} was dealt a card too few"
        found = [Must("deal.count", seat["seat"], None, 0, what)]
        if scene.game in IRREGULAR_WITHOUT:
            found.insert(0, Must("irregular", None, None, 0, what))
        return Wrong(line, found)
    return None


def _drop_card(game: str, seat: Line) -> bool:
    """Takes a card that is not set out of a hand, or out of what is set too."""
    if game == "chinese-poker":
        if "front" not in seat or "natural" in seat:
            return False
        seat["front"] = " ".join(_named(seat["front"])[:2])
        return True
    cards = _named(seat["cards"])
    if game == "casino-version" and seat["play"] == "play":
        last = _named(seat["hands"][2])
        dropped = last.pop()
        cards.remove("Jo" if dropped.startswith("Jo") else dropped)
        seat["hands"][2] = " ".join(last)
        seat["cards"] = " ".join(cards)
        return True
    laid = [seat.get("low", ""), *_named(seat.get("three", ""))]
    for hand in seat.get("hands", ()):
        laid += ["Jo" if card.startswith("Jo") else card for card in _named(hand)]
    spare = Counter(cards) - Counter(laid)
    if not spare:
        return False
    cards.remove(next(iter(spare)))
    seat["cards"] = " ".join(cards)
    return True


def dealer_short(scene: Scene) -> Wrong:
    """The dealer has a card too few: nobody can be settled."""
    line = scene.altered()
    house = line["house"]
    cards = _named(house["cards"])
    if "hands" in house:
        last = _named(house["hands"][2])
        dropped = last.pop()
        house["hands"][2] = " ".join(last)
        cards.remove("Jo" if dropped.startswith("Jo") else dropped)
    else:
        cards.pop()
    house["cards"] = " ".join(cards)
    what = "the dealer was dealt a card too few"
    return Wrong(
        line, [Must("deal.count", None, None, 0, what), Must("irregular", None, None, 0, what)]
    )


def card_twice(scene: Scene) -> Wrong | None:
    """One card more often than the shoe holds it."""
    decks = rule_set(scene.game).decks.number
    dealt = Counter(card for card in dealt_cards(scene.dealt) if card != "Jo")
    complete = [card for card, times in dealt.items() if times == decks]
    scene.chance.shuffle(complete)
    for card in complete:
        for place in scene.others:
            line = scene.altered()
            seat = line["seats"][place]
            if _swap_card(seat, card):
                line = scene.settled(line)
                if scene.near_maximum() or scene.near_maximum(line):
                    return None
                what = f"{card} was dealt {decks + 1} times out of {decks} deck(s)"
                return Wrong(line, [Must("deal.duplicate", None, None, 0, what)])
    return None


def _swap_card(seat: Line, card: str) -> bool:
    """Puts a card in the place of another one of a hand, and of what is set of it."""
    if "natural" in seat:
        return False
    keys = [key for key in ("cards", "front", "middle", "back", "three") if key in seat]
    first = "cards" if "cards" in seat else "front"
    hand = _named(seat[first])
    old = next((other for other in hand if other not in (card, "Jo")), None)
    if old is None or card in " ".join(seat[key] for key in keys):
        return False
    for key in keys:
        cards = _named(seat[key])
        if old in cards:
            cards[cards.index(old)] = card
            seat[key] = " ".join(cards)
    for place, laid in enumerate(seat.get("hands", ())):
        cards = _named(laid)
        if old in cards:
            cards[cards.index(old)] = card
            seat["hands"][place] = " ".join(cards)
            break
    return True


def joker_dealt(scene: Scene) -> Wrong | None:
    """A joker lay in the shoe of a game without: whoever was dealt it cannot be settled."""
    if scene.near_maximum():
        return None
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        what = f"seat {seat['seat']} was dealt a joker in a game without"
        found = [Must("deal.duplicate", None, None, 0, what)]
        if scene.game == "chinese-poker":
            if "front" not in seat or "natural" in seat:
                continue
            front = _named(seat["front"])
            seat["front"] = " ".join([f"Jo={front[0]}", *front[1:]])
            return Wrong(line, [*found, Must("irregular", None, None, 0, what)])
        cards = _named(seat["cards"])
        laid = [seat.get("low", ""), *_named(seat.get("three", ""))]
        spare = [card for card in cards if card not in laid]
        if spare:
            cards[cards.index(spare[0])] = "Jo"
            seat["cards"] = " ".join(cards)
            return Wrong(line, found)
    return None


def strange_shoe(scene: Scene) -> Wrong | None:
    """The shoe holds a number of decks that the rules do not allow."""
    line = scene.altered()
    rules = rule_set(scene.game).decks
    decks = rules.number - 1 if rules.or_more else rules.number + 1
    if max(Counter(card for card in dealt_cards(line) if card != "Jo").values()) > decks:
        return None
    line["decks"] = decks
    return Wrong(line, [Must("deal.shoe", None, None, 0, f"dealt from {decks} decks")])


def same_deck(scene: Scene) -> Wrong | None:
    """The deck of the round before once more, where two take turns (P2-1)."""
    if scene.deck_before is None:
        return None
    line = scene.altered()
    line["deck"] = scene.deck_before
    what = f"the {scene.deck_before} deck was used twice running"
    return Wrong(line, [Must("deal.alternation", None, None, 0, what)])


def third_deck(scene: Scene) -> Wrong | None:
    """A third deck, where two take turns."""
    if scene.deck_before is None:
        return None
    line = scene.altered()
    line["deck"] = "green"
    what = "a third deck was used, beside the two that take turns"
    return Wrong(line, [Must("deal.alternation", None, None, 0, what)])


def clock_backwards(scene: Scene) -> Wrong | None:
    """A round that ends before the one dealt before it."""
    if scene.minutes_since is None:
        return None
    line = scene.altered()
    line["minutes_back"] = scene.minutes_since + 2
    what = "logged as ended before the round that was dealt before it"
    return Wrong(line, [Must("log.sequence", None, None, 0, what)])
