"""Cards as they are read out, for those who do not see them."""

from __future__ import annotations

RANKS = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def card_in_words(card: str) -> str:
    """Say a card as it is read out: `Td` is the ten of diamonds, `Jo=Kd` a joker as that king."""
    if card == "Jo":
        return "joker"
    if card.startswith("Jo="):
        return f"joker as {card_in_words(card[3:])}"
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def cards_in_words(cards: tuple[str, ...]) -> str:
    """Say cards in their order."""
    return ", ".join(map(card_in_words, cards)) or "no cards"
