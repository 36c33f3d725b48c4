"""A round in which something is to go wrong, and what that must lead to."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from games.cards import RANKS, SUITS
from games.dealing.aggregate import may_bind, resettled
from games.rule_set import rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from games.dealing.call import Line
    from games.setup import Setup

DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)


class Must(NamedTuple):
    """A finding that the judge must come to."""

    code: str
    seat: int | None
    wager: str | None
    delta: int
    what: str


class Wrong(NamedTuple):
    """The round with something wrong in it, and every finding of it."""

    line: Line
    findings: list[Must]


@dataclass(slots=True)
class Scene:
    """A round that was dealt and settled rightly, with what stands around it at its table."""

    game: str
    table: str
    dealt: Line
    """Not to be altered: `altered` gives a copy."""
    setup: Setup
    chance: Random
    before: Line | None
    """The table's last round that counted, as it was logged."""
    bank_next: bool
    """Whether a player banks in the next round that counts, or nobody knows yet."""
    deck_before: str | None
    """The deck of the round before, once two were in use."""
    minutes_since: int | None
    """How long ago the round before ended; None, there was none."""
    cap_code: str

    @property
    def banker(self) -> int | None:
        """The banker's seat."""
        number: int | None = self.dealt.get("banker")
        return number

    @property
    def others(self) -> list[int]:
        """Places of the seats that do not bank, in an order of chance."""
        places = [i for i, seat in enumerate(self.dealt["seats"]) if seat["seat"] != self.banker]
        self.chance.shuffle(places)
        return places

    def altered(self) -> Line:
        """A copy that may be altered."""
        return deepcopy(self.dealt)

    def settled(self, line: Line) -> Line:
        """An altered round with the results that the rules give it."""
        return resettled(self.game, line, self.setup)

    def near_maximum(self, line: Line | None = None) -> bool:
        """Whether a maximum aggregate binds, or nearly does."""
        return may_bind(self.game, line or self.dealt, self.setup, reached=True)

    def unused(self, line: Line, count: int) -> list[str]:
        """Cards that the shoe still holds after a round."""
        dealt = Counter(dealt_cards(line))
        decks = line.get("decks") or rule_set(self.game).decks.number
        left = [card for card in DECK for _ in range(decks - dealt[card])]
        return self.chance.sample(left, count)


def dealt_cards(line: Line) -> Iterator[str]:
    """Every card of a round as it was dealt."""
    for hand in (line.get("house", {}), *line["seats"]):
        keys = ("cards",) if "cards" in hand else ("front", "middle", "back")
        for key in keys:
            if key in hand:
                yield from ("Jo" if card.startswith("Jo") else card for card in hand[key].split())


def differences(right: Line, wrong: Line, what: str) -> list[Must]:
    """`settlement.<key>` for every result in which two settlements of a round differ."""
    found = []
    owed = right.get("house", {}).get("result", 0)
    paid = wrong.get("house", {}).get("result", 0)
    if owed != paid:
        found.append(Must("settlement.main", None, "house", paid - owed, what))
    for seat, other in zip(right["seats"], wrong["seats"], strict=True):
        for key, amount in seat["result"].items():
            if other["result"][key] != amount:
                delta = other["result"][key] - amount
                found.append(Must(f"settlement.{key}", seat["seat"], key, delta, what))
    return found
