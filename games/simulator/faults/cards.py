"""Faults of hands: dealt short, set wrongly, or declared as what they are not."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Final

from games.cards import JACK, RANKS, as_set, dealt
from games.checks.void_reason import NAMED_BY_RULES
from games.chinese_poker.naturals import makes_natural
from games.chinese_poker.reasons import NATURALS
from games.pick_2_poker.settle import best_three
from games.planting import DECK, differences
from games.pyramid_poker.house_way import house_way
from games.pyramid_poker.settle import fouls, settle_main
from games.ranking.three_card import three_card

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.planting import Fault, Line, Scene


IRREGULAR_WITHOUT: Final = ("chinese-poker", "showdown")
"""Games in which nobody can be settled if one seat can't."""

SUITED: Final = 5
"""Cards of a hand 3 or a back."""


def _rank(card: str) -> int:
    return RANKS.index(card[0])


def dealer_set(*, pairs: bool) -> Callable[[Scene], Fault | None]:
    """Return a fault: the dealer breaks the House Way, and the table is paid by that set (PP-8).

    With `pairs`, the dealer splits a pair of jacks or better that stays together, or keeps one
    together that splits.
    """

    def plant(scene: Scene) -> Fault | None:
        if scene.banker is not None or scene.near_maximum():
            return None
        line = scene.altered()
        cards = line["house"]["cards"].split()
        split = scene.setup.reading("PP-I13") == "split_at_four"
        a, b, c = (_rank(card) for card in cards)
        wanted = house_way(a, b, c, split_at_four=split)
        pair = next((rank for rank in (a, b) if [a, b, c].count(rank) == 2), -1)
        if pairs and pair < JACK:
            return None
        lows = [card for card in cards if _rank(card) != wanted and not _fouls(cards, card)]
        if not lows:
            return None
        low = scene.chance.choice(lows)
        line["house"]["low"] = low
        _settle_against(scene, line, cards, low)
        what = f"the dealer's {' '.join(cards)} was set with {low} low, not by the House Way"
        found = [("setting.dealer", None, None)]
        return scene.fault(line, what, *found, *differences(scene.dealt, line))

    return plant


def _others(cards: list[str], low: str) -> tuple[int, int, int]:
    high = list(cards)
    high.remove(low)
    return _rank(low), _rank(high[0]), _rank(high[1])


def _fouls(cards: list[str], low: str) -> bool:
    return fouls(*_others(cards, low))


def _settle_against(scene: Scene, line: Line, cards: list[str], low: str) -> None:
    """Settle main against the dealer's set as it is on the table."""
    both_equal = -1 if scene.setup.reading("PP-I1") == "dealer_wins" else 0
    for seat in line["seats"]:
        seat["result"]["main"] = settle_main(
            *_others(seat["cards"].split(), seat["low"]),
            *_others(cards, low),
            seat["wagers"]["main"],
            both_equal=both_equal,
            wins_at_once=True,
        )[0]


def dealers_three(scene: Scene) -> Fault | None:
    """Show three dealer's cards that aren't a best three (P2-7)."""
    line = scene.altered()
    a, b, c, d, e = dealt(line["house"]["cards"])
    best = best_three(a, b, c, d, e)
    for three in combinations(line["house"]["cards"].split(), 3):
        if three_card(*dealt(" ".join(three))) != best:
            line["house"]["three"] = " ".join(three)
            what = f"the dealer showed {' '.join(three)} of {line['house']['cards']}"
            return scene.fault(line, what, ("setting.dealer", None, None))
    return None


def foreign_card(scene: Scene) -> Fault | None:
    """Set a hand with a card that it wasn't dealt."""
    if scene.near_maximum():
        return None
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        hand = seat.get("cards", "").split()
        card = scene.chance.choice([one for one in DECK if one not in hand])
        if "low" in seat:
            seat["low"] = card
        elif "three" in seat:
            seat["three"] = " ".join([card, *seat["three"].split()[1:]])
        elif "hands" in seat:
            last = seat["hands"][-1].split()
            seat["hands"][-1] = " ".join([card, *last[1:]])
        else:
            continue
        what = f"seat {seat['seat']} set {card}, which it was not dealt"
        found = [("setting.cards", seat["seat"], None)]
        if scene.game == "showdown":
            found.insert(0, ("irregular", None, None))
        return scene.fault(line, what, *found)
    return None


def wrong_sizes(scene: Scene) -> Fault | None:
    """Set thirteen cards four, four and five (CP-4), so nobody can be settled."""
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        if "front" in seat and "natural" not in seat:
            middle = seat["middle"].split()
            seat["front"] += f" {middle.pop()}"
            seat["middle"] = " ".join(middle)
            what = f"seat {seat['seat']} set four cards in front"
            return scene.fault(
                line, what, ("irregular", None, None), ("setting.cards", seat["seat"], None)
            )
    return None


def false_natural(scene: Scene) -> Fault | None:
    """Declare a natural that the cards don't make; the hands are played as set."""
    return _declared(scene, made=False)


def natural_not_approved(scene: Scene) -> Fault | None:
    """Declare a natural that the controls don't name; the hands are played as set (CP-I14)."""
    return _declared(scene, made=True)


def _declared(scene: Scene, *, made: bool) -> Fault | None:
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        if "front" not in seat or "natural" in seat:
            continue
        cards = as_set(" ".join(seat[key] for key in ("front", "middle", "back")))
        for number, name in enumerate(NATURALS):
            if makes_natural(number, cards, 0) != made:
                continue
            if made and name in scene.setup.chinese.naturals:
                continue
            seat["natural"] = name
            if made:
                what = f"seat {seat['seat']} declared {name}, which is not approved"
                return scene.fault(line, what, ("approval.controls", None, None))
            what = f"seat {seat['seat']} declared {name}, which the cards do not make"
            return scene.fault(line, what, ("setting.natural", seat["seat"], None))
    return None


def surrender_not_approved(scene: Scene) -> Fault | None:
    """Surrender where no amount is approved, so nobody can be settled (CP-I15)."""
    if scene.setup.chinese.surrender is not None:
        return None
    line = scene.altered()
    seat = line["seats"][scene.others[0]]
    if "natural" in seat:
        return None
    seat["cards"] = " ".join(seat.pop(key) for key in ("front", "middle", "back"))
    seat["play"] = "surrender"
    what = f"seat {seat['seat']} surrendered, for which no amount is approved"
    return scene.fault(line, what, ("irregular", None, None))


def everyone_surrenders(scene: Scene) -> Fault:
    """Let everyone surrender before the showdown (SD-I8)."""
    line = scene.altered()
    for seat in line["seats"]:
        seat["play"] = "surrender-20"
        seat["cards"] = " ".join(seat["cards"].split()[:20])
        seat.pop("hands", None)
        seat["result"] = dict.fromkeys(seat["result"], 0)
    what = "everyone surrendered after twenty cards"
    return scene.fault(line, what, ("irregular", None, None))


def dealer_fouls(scene: Scene) -> Fault | None:
    """Set the dealer's three hands out of order (CV-I7)."""
    line = scene.altered()
    cards = " ".join(line["house"]["hands"]).split()
    top = max(cards, key=lambda card: RANKS.index(card[-2]))
    ordered = sorted(cards, key=lambda card: RANKS.index(card[-2]))
    ranks = [card[-2] for card in ordered]
    low = [card for card in ordered if ranks.count(card[-2]) == 1 and card != top][:3]
    if len(low) < 3 or RANKS.index(low[2][-2]) >= RANKS.index(top[-2]):
        return None
    rest = [card for card in ordered if card not in (*low, top)]
    if len(rest) != SUITED:
        return None
    # Three cards without a pair rank above a higher single: a flush or straight among them is fine.
    if len({card[-1] for card in low}) == 1 or _sequence(low):
        return None
    line["house"]["hands"] = [top, " ".join(low), " ".join(rest)]
    what = "the dealer's set is fouled"
    return scene.fault(line, what, ("irregular", None, None))


def _sequence(cards: list[str]) -> bool:
    ranks = [RANKS.index(card[-2]) for card in cards]
    return ranks[2] - ranks[0] == 2


def wrong_number(scene: Scene) -> Fault | None:
    """Deal a wrong number of cards from a machine and play on, though that voids it (P2-15)."""
    if not voids_miscounts(scene):
        return None
    line = scene.altered()
    holder = scene.chance.choice([line["house"], *line["seats"]])
    number = holder.get("seat")
    cards = holder["cards"].split()
    if scene.chance.random() < 0.5:
        cards += scene.unused(line, 1)
    else:
        cards.pop()
    holder["cards"] = " ".join(cards)
    found: list[tuple[str, int | None, str | None, int]] = [
        ("void.missing", None, None, 0),
        ("deal.count", number, None, 0),
    ]
    for seat in line["seats"]:
        for key, amount in seat["result"].items():
            if amount:
                found.append((f"settlement.{key}", seat["seat"], key, amount))
    what = f"{len(cards)} cards were dealt from the shuffling machine, and the round was played"
    return scene.fault(line, what, *found)


def voids_miscounts(scene: Scene) -> bool:
    """Return whether a wrong number of cards voids this round (P2-15)."""
    return scene.game in NAMED_BY_RULES and bool(scene.dealt.get("shuffler"))


def short_hand(scene: Scene) -> Fault | None:
    """Deal a player one card too few."""
    if scene.near_maximum() or voids_miscounts(scene):
        return None
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        if not _drop_card(scene.game, seat):
            continue
        what = f"seat {seat['seat']} was dealt a card too few"
        found = [("deal.count", seat["seat"], None)]
        if scene.game in IRREGULAR_WITHOUT:
            found.insert(0, ("irregular", None, None))
        return scene.fault(line, what, *found)
    return None


def _drop_card(game: str, seat: Line) -> bool:
    """Remove a card from a hand: one that isn't set, or from what is set too."""
    if game == "chinese-poker":
        if "front" not in seat or "natural" in seat:
            return False
        seat["front"] = " ".join(seat["front"].split()[:2])
        return True
    cards = seat["cards"].split()
    if game == "casino-version" and seat["play"] == "play":
        last = seat["hands"][2].split()
        dropped = last.pop()
        cards.remove("Jo" if dropped.startswith("Jo") else dropped)
        seat["hands"][2] = " ".join(last)
        seat["cards"] = " ".join(cards)
        return True
    laid = [seat.get("low", ""), *seat.get("three", "").split()]
    for cards_set in seat.get("hands", ()):
        laid += ["Jo" if card.startswith("Jo") else card for card in cards_set.split()]
    spare = Counter(cards) - Counter(laid)
    if not spare:
        return False
    cards.remove(next(iter(spare)))
    seat["cards"] = " ".join(cards)
    return True


def dealer_short(scene: Scene) -> Fault | None:
    """Deal the dealer one card too few, so nobody can be settled."""
    if voids_miscounts(scene):
        return None
    line = scene.altered()
    house = line["house"]
    cards = house["cards"].split()
    if "hands" in house:
        last = house["hands"][2].split()
        dropped = last.pop()
        house["hands"][2] = " ".join(last)
        cards.remove("Jo" if dropped.startswith("Jo") else dropped)
    else:
        cards.pop()
    house["cards"] = " ".join(cards)
    what = "the dealer was dealt a card too few"
    return scene.fault(line, what, ("deal.count", None, None), ("irregular", None, None))


def banker_fouls(scene: Scene) -> Fault | None:
    """Leave the banker's fouled hand without resetting it (PP-27)."""
    if scene.banker is None:
        return None
    line = scene.altered()
    banker = scene.banker_in(line)
    lowest, middle, highest = sorted(banker["cards"].split(), key=_rank)
    if middle[0] in (lowest[0], highest[0]):
        return None
    banker["low"] = highest
    what = f"seat {banker['seat']} banked with a fouled hand"
    return scene.fault(scene.settled(line), what, ("setting.banker", banker["seat"], None))
