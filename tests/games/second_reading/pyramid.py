"""Pyramid Poker: settlement and findings of one played round (PP)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from .aggregate import apply_per_deal, cut_together, sharing
from .cards import ACE, JACK, JOKER, KING, QUEEN, Card, as_set, dealt, is_part_of
from .findings import Expected, Finding, Judgment, Round, Seat, compare_balance, compare_results
from .ranking import copies, names_of

if TYPE_CHECKING:
    from .setup import Setup

WAGERS = ("main", "three_card", "six_card")

# PP-15: the smallest third card with which the pair is kept together.
KEPT_FROM = {JACK: 7, QUEEN: 8, KING: 9, ACE: 10}

Low = int
High = tuple[int, int]


class Set:
    """Three cards set as a low hand of one and a high hand of two (PP-5), by rank."""

    def __init__(self, ranks: list[int], low: int) -> None:
        rest = list(ranks)
        rest.remove(low)
        self.low = low
        self.high = (max(rest), min(rest))

    @property
    def is_pair(self) -> bool:
        return self.high[0] == self.high[1]

    @property
    def fouls(self) -> bool:
        """Return whether the low card is above both others, which are no pair (PP-6, PP-I4)."""
        return not self.is_pair and self.low > self.high[0]

    def high_strength(self) -> tuple[bool, int, int]:
        """Return any pair first, then the higher card, then the other (PP-12, PP-I3)."""
        return (self.is_pair, *self.high)


def is_trips(ranks: list[int]) -> bool:
    return len(set(ranks)) == 1


def house_way(ranks: list[int], setup: Setup) -> Set:
    """PP-14 to PP-17."""
    ordered = sorted(ranks, reverse=True)
    if is_trips(ordered):
        return Set(ordered, ordered[0])  # PP-14
    if len(set(ordered)) == 3:
        return Set(ordered, ordered[1])  # PP-17
    pair = max(ordered, key=ordered.count)
    third = min(ordered, key=ordered.count)
    if pair >= JACK:
        least = KEPT_FROM[pair] + (1 if setup.readings["PP-I13"] == "split_at_four" else 0)
        if third < least:
            return Set(ordered, pair)  # PP-15: split
    return Set(ordered, third)  # PP-15, PP-16: together


def main_outcome(own: Set, other: Set, setup: Setup) -> int:
    """Return +1, 0 or -1 for `own` (PP-9 to PP-11 and PP-I1)."""
    ahead = (own.low > other.low) + (own.high_strength() > other.high_strength())
    behind = (own.low < other.low) + (own.high_strength() < other.high_strength())
    if ahead and behind:
        return 0  # PP-11
    if ahead:
        return 1  # PP-9
    if behind:
        return -1  # PP-10
    return -1 if setup.readings["PP-I1"] == "dealer_wins" else 0


def main_won(stake: int, ranks: list[int], own: Set, other: Set, setup: Setup) -> int:
    """Return a player's main wager against the dealer or the banker."""
    if is_trips(ranks):
        return 3 * stake  # PP-7
    if own.fouls:
        return -stake  # PP-6
    return stake * main_outcome(own, other, setup)


def three_card_won(stake: int, cards: list[Card], setup: Setup) -> int:
    """PP-28, PP-I5, PP-I7."""
    pays = setup.pay_tables["pyramid-poker"]["three_card"]
    lines = names_of(cards)
    ranks = {card.rank for card in cards}
    if ranks == {ACE, KING, QUEEN} and "flush" in lines:
        lines.add("ace_king_queen_suited")
    fitting = [pay for line, pay in pays.items() if line in lines]
    if fitting:
        return stake * max(fitting)
    return 0 if max(ranks) <= 7 else -stake


def six_card_won(stake: int, cards: list[Card], setup: Setup) -> int:
    """Check any five of the six cards, and all six for six of a kind (PP-29, PP-I5, PP-I6)."""
    pays = setup.pay_tables["pyramid-poker"]["six_card"]
    lines = {line for five in combinations(cards, 5) for line in names_of(five)}
    if copies(cards)[0] == 6:
        lines.add("six_of_a_kind")
    fitting = [pay for line, pay in pays.items() if line in lines]
    return stake * max(fitting) if fitting else -stake


def judge(round_: Round, setup: Setup) -> Judgment:
    judged = Judgment()
    dealer = dealt(round_["house"]["cards"])
    if len(dealer) != 3:
        judged.add("deal.count", None, None, "PP-4")
    hands = {seat["seat"]: dealt(seat["cards"]) for seat in round_["seats"]}
    broken = {
        seat["seat"] for seat in round_["seats"] if is_broken(seat, hands[seat["seat"]], judged)
    }
    dealer_is_known = len(dealer) == 3 and JOKER not in dealer
    if dealer_is_known:
        judge_dealers_set(round_, dealer, setup, judged)
    banker = round_.get("banker")
    if banker is not None:
        judge_cover(round_, setup, judged)
    sets = {
        seat["seat"]: Set(ranks_of(hands[seat["seat"]]), as_set(seat["low"])[0].rank)
        for seat in round_["seats"]
        if seat["seat"] not in broken
    }
    if banker in sets and sets[banker].fouls:
        judged.add("setting.banker", banker, None, "PP-27")
        sets[banker] = house_way(ranks_of(hands[banker]), setup)
    if not dealer_is_known or banker in broken:
        judged.cannot_settle("PP-8" if banker is None else "PP-23")
        return judged
    settle(round_, setup, judged, dealer, hands, sets)
    cut = apply_maximum(round_, setup, judged)
    compare_results(round_, judged, cut)
    if banker is not None:
        house = round_["house"]
        judged.compare(
            "settlement.main", None, "house", house["result"], judged.house or 0, "PP-23"
        )
        results = [seat["result"]["main"] for seat in round_["seats"]]
        compare_balance(judged, "main", [house["result"], *results], "PP-23")
    return judged


def ranks_of(cards: list[Card]) -> list[int]:
    return [card.rank for card in cards]


def is_broken(seat: Seat, hand: list[Card], judged: Judgment) -> bool:
    """Record why a hand can't be settled; return whether that is so."""
    low = as_set(seat["low"])
    wrong_count = len(hand) != 3
    if wrong_count:
        judged.add("deal.count", seat["seat"], None, "PP-4")
    wrong_set = len(low) != 1 or not is_part_of(low, hand)
    if wrong_set:
        judged.add("setting.cards", seat["seat"], None, "PP-5")
    return wrong_count or wrong_set or JOKER in hand


def judge_dealers_set(round_: Round, dealer: list[Card], setup: Setup, judged: Judgment) -> None:
    low = as_set(round_["house"]["low"])
    is_own = len(low) == 1 and is_part_of(low, dealer)
    if not is_own or low[0].rank != house_way(ranks_of(dealer), setup).low:
        judged.add("setting.dealer", None, None, "PP-8", "PP-I13")


def judge_cover(round_: Round, setup: Setup, judged: Judgment) -> None:
    """PP-24, PP-I10."""
    against = [
        seat["wagers"]["main"] for seat in round_["seats"] if seat["seat"] != round_["banker"]
    ]
    needed = sum(against) + round_["house"]["wager"]
    if setup.readings["PP-I10"] == "max_payout":
        needed *= 3
    if round_["bank"] < needed:
        judged.findings.append(
            Finding("bank.cover", None, None, round_["bank"], needed, cites=("PP-24", "PP-I10"))
        )


def settle(
    round_: Round,
    setup: Setup,
    judged: Judgment,
    dealer: list[Card],
    hands: dict[int, list[Card]],
    sets: dict[int, Set],
) -> None:
    banker = round_.get("banker")
    dealers_set = house_way(ranks_of(dealer), setup)
    opposing = dealers_set if banker is None else sets[banker]
    from_bank = 0
    for seat in round_["seats"]:
        number, stakes = seat["seat"], seat["wagers"]
        if number not in sets:
            judged.expected[number] = None
            # The correct amount of this hand is unknown; the bank's own total uses the logged one.
            from_bank += seat["result"]["main"]
            continue
        hand = hands[number]
        expected: Expected = {"main": 0}
        if number != banker:
            expected["main"] = main_won(
                stakes["main"], ranks_of(hand), sets[number], opposing, setup
            )
            from_bank += expected["main"]
        expected["three_card"] = three_card_won(stakes["three_card"], hand, setup)
        expected["six_card"] = six_card_won(stakes["six_card"], hand + dealer, setup)
        judged.expected[number] = expected
    if banker is not None:
        judged.house = house_won(round_, setup, ranks_of(dealer), dealers_set, opposing)
        bankers = judged.expected[banker]
        assert bankers is not None
        bankers["main"] = -(from_bank + judged.house)


def house_won(round_: Round, setup: Setup, ranks: list[int], own: Set, bank: Set) -> int:
    """Return the house's own main wager against the bank (PP-23, PP-I11)."""
    stake = round_["house"]["wager"]
    if is_trips(ranks) and setup.readings["PP-I11"] == "no":
        return int(stake * main_outcome(own, bank, setup))
    return main_won(stake, ranks, own, bank, setup)


def apply_maximum(round_: Round, setup: Setup, judged: Judgment) -> set[tuple[int, str]]:
    """PP-19, PP-I8."""
    cut = apply_per_deal(round_, setup, judged)
    if setup.most_as_read is not None:
        reading = setup.readings["PP-I8"]
        with_main = reading == "all_wagers" and round_.get("banker") is None
        wagers = WAGERS if with_main else WAGERS[1:]
        for seats, named in sharing(round_["seats"], reading):
            cut |= cut_together(seats, named, judged, setup.most_as_read, wagers)
    return cut
