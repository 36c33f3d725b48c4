"""A shoe that deals rare hands: kinds, runs, flushes, and hands equal to others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

RANKS = "23456789TJQKA"
SUITS = "shdc"
PATTERNS = ("kind", "kind", "run", "flush", "straight", "pairs", "any", "any")


class Shoe:
    """The cards that are left, as the log spells them."""

    def __init__(self, rng: Random, decks: int, jokers: int = 0) -> None:
        self.rng = rng
        self.left = Counter({rank + suit: decks for rank in RANKS for suit in SUITS})
        self.jokers = jokers

    def has(self, card: str) -> bool:
        return self.left[card] > 0

    def take(self, card: str) -> str:
        assert self.has(card), card
        self.left[card] -= 1
        return card

    def give_back(self, card: str) -> None:
        self.left[card] += 1

    def any_card(self) -> str:
        cards = [card for card, times in self.left.items() if times > 0]
        weights = [self.left[card] for card in cards]
        return self.take(self.rng.choices(cards, weights)[0])

    def joker(self) -> bool:
        """Take a joker, if one is left."""
        if self.jokers:
            self.jokers -= 1
            return True
        return False

    def group(self, size: int, pattern: str | None = None) -> list[str]:
        """Return `size` cards of a pattern; others replace those that the shoe lacks."""
        pattern = pattern or self.rng.choice(PATTERNS)
        wanted = self.wanted(size, pattern)
        group = [self.take(card) for card in wanted if self.has(card)]
        while len(group) < size:
            group.append(self.any_card())
        self.rng.shuffle(group)
        return group

    def wanted(self, size: int, pattern: str) -> list[str]:
        rng = self.rng
        if pattern == "kind":
            return self.kind(rng.choice(RANKS), rng.randint(2, size) if size > 1 else 1)
        if pattern == "whole_kind":
            return self.kind(rng.choice(RANKS), size)
        if pattern in ("run", "straight"):
            # The ace is at both ends; runs at the ends are the ones to get wrong.
            ladder = "A" + RANKS
            start = rng.choice((0, len(ladder) - size, rng.randint(0, len(ladder) - size)))
            suit = rng.choice(SUITS)
            return [
                rank + (suit if pattern == "run" else rng.choice(SUITS))
                for rank in ladder[start : start + size]
            ]
        if pattern == "flush":
            suit = rng.choice(SUITS)
            return [rank + suit for rank in rng.sample(RANKS, size)]
        if pattern == "pairs":
            high = self.kind(rng.choice(RANKS), 2 + (size > 3 and rng.random() < 0.5))
            return [*high, *self.kind(rng.choice(RANKS), 2)][:size]
        return []

    def kind(self, rank: str, times: int) -> list[str]:
        left = [rank + suit for suit in SUITS for _ in range(self.left[rank + suit])]
        return self.rng.sample(left, min(times, len(left)))

    def like(self, cards: list[str]) -> list[str]:
        """Return the same ranks again as far as they are left, suits together if possible."""
        moved = dict(zip(SUITS, self.rng.sample(SUITS, 4), strict=True))
        group: list[str] = []
        for card in cards:
            rank, suit = card[-2], card[-1]
            for choice in (moved[suit], suit, *SUITS):
                if self.has(rank + choice):
                    group.append(self.take(rank + choice))
                    break
            else:
                group.append(self.any_card())
        return group

    def name_jokers(self, group: list[str], chance: float) -> list[str]:
        """Turn some of the cards into jokers that name them; the cards go back to the shoe."""
        named = []
        for card in group:
            if self.rng.random() < chance and self.joker():
                self.give_back(card)
                named.append(f"Jo={card}")
            else:
                named.append(card)
        return named


def spelled(cards: list[str]) -> str:
    return " ".join(cards)


def as_dealt(cards: list[str]) -> list[str]:
    return ["Jo" if card.startswith("Jo") else card for card in cards]
