"""Wrong numbers of cards, extra cards, invalid sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .planting import Round, any_card, any_seat, fault, recounted, swapped

if TYPE_CHECKING:
    from random import Random

from tests.games.rounds.shoe import RANKS
from tests.games.second_reading.cards import as_set
from tests.games.second_reading.chinese import makes_natural
from tests.games.second_reading.setup import NATURALS


@fault("setting.dealer", "pyramid-poker")
def dealer_set_otherwise(rng: Random, round_: Round) -> bool:
    cards = round_["house"]["cards"].split(" ")
    round_["house"]["low"] = rng.choice((*cards, *cards, any_card(rng), " ".join(cards[:2])))
    return True


@fault("setting.dealer", "pick-2-poker")
def dealers_three_not_the_best(rng: Random, round_: Round) -> bool:
    cards = round_["house"]["cards"].split(" ")
    three = rng.sample(cards, rng.choice((3, 3, 3, 2)))
    round_["house"]["three"] = " ".join(three)
    return True


@fault("setting.banker", "pyramid-poker")
def banker_set_anyhow(rng: Random, round_: Round) -> bool:
    for seat in round_["seats"]:
        if seat["seat"] == round_.get("banker"):
            cards = seat["cards"].split(" ")
            seat["low"] = max(cards, key=lambda card: RANKS.index(card[0]))
            return True
    return False


@fault("setting.cards", "pyramid-poker", "pick-2-poker")
def set_holds_another_card(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    for part in ("low", "three"):
        if part in seat:
            seat[part] = swapped(rng, seat[part], any_card(rng))
            return True
    return False


@fault("setting.cards", "pyramid-poker", "pick-2-poker")
def set_of_another_size(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    cards = seat["cards"].split(" ")
    if "low" in seat:
        seat["low"] = " ".join(cards[:2])
    elif "three" in seat:
        seat["three"] = " ".join(cards[: rng.choice((2, 4))])
    else:
        return False
    return True


@fault("setting.cards", "chinese-poker")
def split_otherwise(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    if "front" not in seat:
        return False
    middle = seat["middle"].split(" ")
    seat["front"] = f"{seat['front']} {middle[0]}"
    seat["middle"] = " ".join(middle[1:])
    return True


@fault("setting.cards", "casino-version", "showdown")
def hands_hold_another_card(rng: Random, round_: Round) -> bool:
    holders = [one for one in (round_.get("house", {}), *round_["seats"]) if "hands" in one]
    if not holders:
        return False
    hands = rng.choice(holders)["hands"]
    place = rng.randrange(len(hands))
    hands[place] = swapped(rng, hands[place], rng.choice((any_card(rng), f"Jo={any_card(rng)}")))
    return True


@fault("settlement", "showdown")
@fault("setting.cards", "casino-version")
def a_card_moved_between_hands(rng: Random, round_: Round) -> bool:
    """Move a card: never a legal size in Casino Version; in Showdown a foul, or no power hand."""
    holders = [one for one in (round_.get("house", {}), *round_["seats"]) if "hands" in one]
    if not holders:
        return False
    hands = rng.choice(holders)["hands"]
    giving, taking = rng.sample(range(1, len(hands)), 2)
    cards = hands[giving].split(" ")
    hands[taking] = f"{hands[taking]} {cards[0]}"
    hands[giving] = " ".join(cards[1:])
    return True


@fault("setting.cards", "showdown")
def too_few_used(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    if "hands" not in seat:
        return False
    place = rng.randint(1, 5)
    seat["hands"][place] = " ".join(seat["hands"][place].split(" ")[:-1])
    return True


@fault("settlement", "showdown")
def hands_in_another_order(rng: Random, round_: Round) -> bool:
    """Swap hands 5 and 6: mostly a foul, and an irregular round if all foul."""
    seat = any_seat(rng, round_)
    if "hands" not in seat:
        return False
    seat["hands"][4], seat["hands"][5] = seat["hands"][5], seat["hands"][4]
    return True


@fault("irregular", "casino-version")
def dealer_fouls(rng: Random, round_: Round) -> bool:
    """Swap the dealer's first card with one of the three, if that makes it the higher."""
    house = round_["house"]
    if "hands" not in house:
        return False
    hands = [hand.split(" ") for hand in house["hands"]]
    place = rng.randrange(3)
    hands[0][0], hands[1][place] = hands[1][place], hands[0][0]
    house["hands"] = [" ".join(hand) for hand in hands]
    return True


@fault("irregular", "showdown")
def nobody_can_have_stayed(rng: Random, round_: Round) -> bool:
    for seat in round_["seats"]:
        if seat["play"] in ("showdown", "last"):
            seat.pop("hands", None)
            cards = seat["cards"].split(" ")
            seat["play"] = "surrender-23" if len(cards) >= 23 else "surrender-20"
            seat["cards"] = " ".join(cards[: 23 if len(cards) >= 23 else 20])
    return True


@fault("irregular", "showdown")
def last_beside_others(rng: Random, round_: Round) -> bool:
    staying = [seat for seat in round_["seats"] if seat["play"] == "showdown"]
    if len(staying) < 2:
        return False
    staying[0]["play"] = "last"
    del staying[0]["hands"]
    return True


@fault("setting.natural", "chinese-poker")
def natural_declared(rng: Random, round_: Round) -> bool:
    """Declare a natural that the cards don't make, or the controls don't name."""
    seat = any_seat(rng, round_)
    if "front" not in seat:
        return False
    hands = {part: as_set(seat[part]) for part in ("front", "middle", "back")}
    made = [natural for natural in NATURALS if makes_natural(natural, hands)]
    seat["natural"] = rng.choice(made or NATURALS)
    return True


@fault("deal.count")
def another_number_of_cards(rng: Random, round_: Round) -> bool:
    holders = [one for one in (round_.get("house", {}), *round_["seats"]) if "cards" in one]
    if not holders:
        return False
    holder = rng.choice(holders)
    holder["cards"] = recounted(rng, holder["cards"])
    return True


@fault("deal.count", "chinese-poker")
def another_number_of_set_cards(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    if "front" not in seat:
        return False
    part = rng.choice(("front", "middle", "back"))
    seat[part] = recounted(rng, seat[part])
    return True


@fault("deal.duplicate", "chinese-poker", "pick-2-poker", "pyramid-poker")
def a_card_twice(rng: Random, round_: Round) -> bool:
    """Deal a card that is already elsewhere; settled as logged."""
    one, other = any_seat(rng, round_), any_seat(rng, round_)
    part = "cards" if "cards" in other else "front"
    card = rng.choice(one["cards" if "cards" in one else "front"].split(" "))
    if round_["game"] == "pyramid-poker":
        round_["decks"] = rng.randint(1, 3)
        round_["house"]["cards"] = " ".join([card] * 3)
        round_["house"]["low"] = card
    other[part] = swapped(rng, other[part], card)
    return True


@fault("deal.duplicate", "chinese-poker", "pick-2-poker", "pyramid-poker")
def a_joker_where_there_is_none(rng: Random, round_: Round) -> bool:
    holder = rng.choice([round_.get("house", {}), *round_["seats"]])
    if "cards" in holder:
        holder["cards"] = swapped(rng, holder["cards"], "Jo")
    elif "front" in holder:
        holder["front"] = swapped(rng, holder["front"], f"Jo={any_card(rng)}")
    else:
        return False
    return True


@fault("deal.duplicate", "showdown", "casino-version")
def more_jokers_than_there_are(rng: Random, round_: Round) -> bool:
    """Put every joker that could be named into a single hand."""
    for seat in round_["seats"]:
        if "hands" in seat:
            cards = [card for hand in seat["hands"] for card in hand.split(" ")][1:6]
            left = seat["cards"].split(" ")
            for card in cards:
                if not card.startswith("Jo"):
                    left[left.index(card)] = "Jo"
                    seat["hands"] = named_once(seat["hands"], card)
            seat["cards"] = " ".join(left)
            return True
    return False


def named_once(hands: list[str], card: str) -> list[str]:
    """Turn the first such card of the hands into a joker that names it."""
    done = False
    changed = []
    for hand in hands:
        cards = []
        for held in hand.split(" "):
            cards.append(f"Jo={held}" if held == card and not done else held)
            done = done or held == card
        changed.append(" ".join(cards))
    return changed


@fault("deal.shoe")
def another_number_of_decks(rng: Random, round_: Round) -> bool:
    round_["decks"] = rng.choice((1, 2, 3, 5, 100))
    return True


@fault("deal.duplicate", "pick-2-poker", "chinese-poker")
def one_card_many_times(rng: Random, round_: Round) -> bool:
    """Deal hands that no deck can deal, which are settled as logged: five of a kind, suited."""
    holder = rng.choice([round_.get("house", {}), *round_["seats"]])
    part = rng.choice(
        [key for key in ("cards", "front", "middle", "back") if key in holder] or [""]
    )
    if not part:
        return False
    cards = holder[part].split(" ")
    for place in rng.sample(range(len(cards)), rng.randint(2, len(cards))):
        cards[place] = cards[0]
    holder[part] = " ".join(cards)
    if "three" in holder:
        holder["three"] = " ".join(rng.sample(cards, 3))
    return True
