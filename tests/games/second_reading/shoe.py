"""The shoe: how many decks there may be, and how often a card may occur in them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .cards import JOKER, Card, as_dealt, as_set, dealt

if TYPE_CHECKING:
    from .findings import Judgment, Round

OWN_DECKS = {
    "pyramid-poker": 6,
    "chinese-poker": 1,
    "pick-2-poker": 1,
    "showdown": 3,
    "casino-version": 2,
}
JOKERS = {"showdown": 4, "casino-version": 2}  # SD-1, CV-1
SHOE_CLAUSE = {
    "pyramid-poker": "PP-1",
    "chinese-poker": "CP-1",
    "pick-2-poker": "P2-1",
    "showdown": "SD-1",
    "casino-version": "CV-1",
}


def judge_shoe(round_: Round, judged: Judgment) -> None:
    game, decks = round_["game"], round_.get("decks")
    if decks is None:
        return
    allowed = decks >= 6 if game == "pyramid-poker" else decks == OWN_DECKS[game]
    if not allowed:
        judged.add("deal.shoe", None, None, SHOE_CLAUSE[game])


def judge_duplicates(round_: Round, judged: Judgment) -> None:
    game = round_["game"]
    decks = round_.get("decks", OWN_DECKS[game])
    for card, times in all_dealt(round_).items():
        if times > (JOKERS.get(game, 0) if card == JOKER else decks):
            judged.add("deal.duplicate", None, None, SHOE_CLAUSE[game])
            return


def all_dealt(round_: Round) -> Counter[Card]:
    counted: Counter[Card] = Counter()
    for hand in (round_.get("house", {}), *round_["seats"]):
        counted.update(dealt(hand.get("cards", "")))
        for part in ("front", "middle", "back"):
            counted.update(as_dealt(as_set(hand.get(part, ""))))
    return counted
