"""Thirteen Card ("Chinese") Poker: settlement and findings of one played round (CP)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from .cards import JOKER, Card, as_dealt, as_set, dealt
from .findings import Judgment, Round, Seat, compare_balance, compare_results
from .ranking import FRONT, POKER, Strength, is_suited, name_of, strength, top_of_straight

if TYPE_CHECKING:
    from .setup import Setup

PARTS = ("front", "middle", "back")
SIZES = {"front": 3, "middle": 5, "back": 5}

# Units for winning two of three hands, and all three (CP-8, CP-9).
SCORING = {"2-4": (2, 4), "1-6": (1, 6)}


@dataclass
class Player:
    """A player who hasn't surrendered, with the hands as set."""

    seat: int
    hands: dict[str, list[Card]]
    natural: int | None
    fouled: bool

    def strength(self, part: str) -> Strength:
        return strength(self.hands[part], FRONT if part == "front" else POKER, POKER)

    def bonus(self, part: str, setup: Setup) -> int:
        """Return what one hand earns from each player who owes it (CP-10, CP-I11)."""
        name = name_of(self.hands[part], FRONT if part == "front" else POKER)
        if part == "front":
            return setup.bonuses.get("trips_front", 0) if name == "three_of_a_kind" else 0
        if name in ("straight_flush", "royal_flush"):
            return setup.bonuses.get("straight_flush", 0)
        if name == "four_of_a_kind":
            return setup.bonuses.get("four_of_a_kind", 0)
        if name == "full_house" and part == "middle":
            return setup.bonuses.get("full_house_middle", 0)
        return 0


def fouls(hands: dict[str, list[Card]], setup: Setup) -> bool:
    """CP-5, CP-I1, CP-I2."""
    front = strength(hands["front"], FRONT, POKER)
    middle, back = (strength(hands[part], POKER) for part in ("middle", "back"))
    if (
        middle <= front or back < middle
    ):  # five cards whose first three match the front's are longer
        return True
    return back == middle and setup.readings["CP-I1"] == "foul"


def makes_natural(natural: str, hands: dict[str, list[Card]]) -> bool:
    """Check straights, flushes by the hands, others by all cards (CP-11, CP-I9 to CP-I11)."""
    ranks = [card.rank for part in PARTS for card in hands[part]]
    match natural:
        case "three-straights":
            return all(top_of_straight(hands[part]) is not None for part in PARTS)
        case "three-flushes":
            return all(is_suited(hands[part]) for part in PARTS)
        case "six-pairs":
            return sum(ranks.count(rank) // 2 for rank in set(ranks)) >= 6
        case _:
            return len(set(ranks)) == 13


def hands_units(own: Player, other: Player, scoring: str) -> tuple[int, list[str], list[str]]:
    """Return the units that `own` wins for the three hands, and which hands each of them won."""
    if own.fouled and other.fouled:
        return 0, [], []  # CP-I3
    if other.fouled:
        won, lost = list(PARTS), []
    elif own.fouled:
        won, lost = [], list(PARTS)
    else:
        won = [part for part in PARTS if own.strength(part) > other.strength(part)]
        lost = [part for part in PARTS if own.strength(part) < other.strength(part)]
    if scoring == "unit":
        return len(won) - len(lost), won, lost  # CP-6
    two, three = SCORING[scoring]
    units = {2: two, 3: three}  # CP-I4, CP-I5: a single hand won pays nothing
    return units.get(len(won), 0) - units.get(len(lost), 0), won, lost


def bonus_units(player: Player, won: list[str], setup: Setup) -> int:
    """CP-I3, CP-I6."""
    if player.fouled:
        return 0
    owed = won if setup.readings["CP-I6"] == "winning_hand_only" else PARTS
    return sum(player.bonus(part, setup) for part in owed)


def units_between(own: Player, other: Player, scoring: str, setup: Setup) -> int:
    if own.natural is not None and other.natural is not None:
        return 0  # CP-I8
    if own.natural is not None:
        return own.natural  # CP-I7
    if other.natural is not None:
        return -other.natural
    units, won, lost = hands_units(own, other, scoring)
    return units + bonus_units(own, won, setup) - bonus_units(other, lost, setup)


def judge(round_: Round, setup: Setup) -> Judgment:
    judged = Judgment()
    seats = round_["seats"]
    audit_approvals(round_, setup, judged, played=True)
    broken = [seat["seat"] for seat in seats if is_broken(seat, judged)]
    live = [
        player_of(seat, setup, judged)
        for seat in seats
        if not surrendered(seat) and seat["seat"] not in broken
    ]
    unpriced = setup.surrender is None and any(surrendered(seat) for seat in seats)
    if broken or unpriced or len(seats) < 2:
        judged.cannot_settle("CP-I15" if unpriced else "CP-2")
        return judged
    units = {seat["seat"]: 0 for seat in seats}
    for own, other in combinations(live, 2):
        moved = units_between(own, other, round_["scoring"], setup)
        units[own.seat] += moved
        units[other.seat] -= moved
    for seat in seats:
        if surrendered(seat):  # CP-12, CP-I12, CP-I16
            for player in live:
                units[player.seat] += setup.surrender or 0
                units[seat["seat"]] -= setup.surrender or 0
    for number, won in units.items():
        judged.expected[number] = {"total": won * round_["unit"]}
    compare_results(round_, judged)
    compare_balance(judged, "total", [seat["result"]["total"] for seat in seats], "CP-7")
    return judged


def audit_approvals(
    round_: Round, setup: Setup, audited: Judgment, *, played: bool = False
) -> None:
    """One finding for a scoring or naturals that the controls don't name.

    Of a void round, or one that had to be, only the scoring is audited.
    """
    cites = [] if round_["scoring"] in setup.scorings else ["CP-14"]
    for seat in round_["seats"] if played else ():
        natural = seat.get("natural")
        if natural in setup.naturals or natural is None or surrendered(seat):
            continue
        hands = {part: as_set(seat.get(part, "")) for part in PARTS}
        whole = all(len(hands[part]) == SIZES[part] for part in PARTS)
        cards = [card for part in PARTS for card in hands[part]]
        if whole and JOKER not in as_dealt(cards) and makes_natural(natural, hands):
            cites.append("CP-I14")
    if cites:
        audited.add("approval.controls", None, None, *cites)


def surrendered(seat: Seat) -> bool:
    return "play" in seat


def player_of(seat: Seat, setup: Setup, judged: Judgment) -> Player:
    hands = {part: as_set(seat[part]) for part in PARTS}
    natural = None
    if "natural" in seat:
        if not makes_natural(seat["natural"], hands):
            judged.add("setting.natural", seat["seat"], None, "CP-11")
        else:
            natural = setup.naturals.get(seat["natural"])
    return Player(seat["seat"], hands, natural, natural is None and fouls(hands, setup))


def is_broken(seat: Seat, judged: Judgment) -> bool:
    if surrendered(seat):
        cards = dealt(seat["cards"])
        sizes_are_right = True
    else:
        hands = {part: as_set(seat[part]) for part in PARTS}
        cards = [card for part in PARTS for card in hands[part]]
        sizes_are_right = all(len(hands[part]) == SIZES[part] for part in PARTS)
    if len(cards) != 13:
        judged.add("deal.count", seat["seat"], None, "CP-2")
        return True
    if not sizes_are_right:
        judged.add("setting.cards", seat["seat"], None, "CP-4")
        return True
    return JOKER in as_dealt(cards)
