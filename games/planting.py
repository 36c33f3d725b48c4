"""A simulated round to break, and the findings that the fault must cause."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from games.cards import RANKS, SUITS
from games.cents import in_dollars

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from games.setup import Setup

Line = dict[str, Any]
"""A round as it is written: one object of the log."""

DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)

FREE: Final = {
    "pyramid-poker": ("main", "three_card", "six_card"),
    "pick-2-poker": ("bonus_3_5", "bonus_5"),
    "casino-version": ("ante",),
}
"""Wagers that may be altered; in Casino Version the buy-in follows the ante, and in Pick 2 one of
the bonuses does (P2-I10)."""


class Expected(NamedTuple):
    """A finding that settlement must return."""

    code: str
    seat: int | None
    wager: str | None
    delta: int = 0


class Fault(NamedTuple):
    """A round with a fault, what it is, and every finding it causes."""

    line: Line
    what: str
    findings: tuple[Expected, ...]


@dataclass(slots=True)
class Scene:
    """A round that was dealt and settled correctly, with its context at the table."""

    game: str
    table: str
    dealt: Line
    """Don't alter it; `altered` returns a copy."""
    setup: Setup
    chance: Random
    before: Line | None
    """The table's last round that counted, as it was logged."""
    bank_next: bool
    """Whether a player banks, or may bank, in the next round that counts."""
    deck_before: str | None
    """The deck of the round before, once two were in use."""
    decks_replaced: tuple[str, ...]
    """Decks used earlier on that day at a table without a machine, and replaced since."""
    minutes_since: int | None
    """How long ago the round before ended; None, there was none."""
    cap_code: str
    settle: Callable[[str, Line, Setup], Line]
    """The engine: returns a round with the results that the rules give it."""

    @property
    def banker(self) -> int | None:
        """Return the banker's seat."""
        number: int | None = self.dealt.get("banker")
        return number

    @property
    def others(self) -> list[int]:
        """Return the places of the seats that don't bank, in random order."""
        places = [i for i, seat in enumerate(self.dealt["seats"]) if seat["seat"] != self.banker]
        self.chance.shuffle(places)
        return places

    def banker_in(self, line: Line) -> Line:
        """Return the banker's seat of an altered round."""
        seat: Line = next(seat for seat in line["seats"] if seat["seat"] == line["banker"])
        return seat

    def altered(self) -> Line:
        """Return a copy that may be altered."""
        return deepcopy(self.dealt)

    def settled(self, line: Line) -> Line:
        """Return an altered round with the results that the rules give it."""
        return self.settle(self.game, line, self.setup)

    def voided(self, reason: str) -> Line:
        """Return the round as a void one."""
        line = self.altered()
        line["void"] = reason
        if "result" in line.get("house", {}):
            line["house"]["result"] = 0
        for seat in line["seats"]:
            seat["result"] = dict.fromkeys(seat["result"], 0)
        return line

    def fault(self, line: Line, what: str, *found: tuple[Any, ...]) -> Fault:
        """Return a fault; each finding is a code, a seat, a wager and, if not 0, a delta."""
        return Fault(line, what, tuple(Expected(*each) for each in found))

    def free_wagers(self) -> Iterator[tuple[int, str]]:
        """Yield the places of seats with one of their wagers that may be altered, at random."""
        keys = list(FREE.get(self.game, ()))
        if self.bank_next and "main" in keys:
            keys.remove("main")
        if self.game == "pick-2-poker":
            equal = self.setup.reading("P2-I10")
            keys = [key for key in keys if key != equal]
        self.chance.shuffle(keys)
        for place in self.others:
            for key in keys:
                yield place, key

    def restaked(self, place: int, key: str, amount: int) -> Line:
        """Return the round with another wager at a seat, settled, and with a bank to cover it."""
        line = self.altered()
        wagers = line["seats"][place]["wagers"]
        if key == "main" and "bank" in line:
            line["bank"] += 3 * max(0, amount - wagers[key])
        wagers[key] = amount
        if self.game == "casino-version":
            wagers["buy_in"] = amount
        return self.settled(line)

    def with_wager(self, place: int, key: str, amount: int, where: str) -> Fault:
        """Return the fault of another wager, with every limit that the amount is outside of."""
        line = self.restaked(place, key, amount)
        number = line["seats"][place]["seat"]
        what = f"seat {number} wagered {in_dollars(amount)} on {key}, {where}"
        found: list[tuple[str, int, str]] = []
        for name in ("ante", "buy_in") if key == "ante" else (key,):
            least, most = self.setup.limits.get(self.table, {}).get(name, (0, 10**12))
            if amount < least:
                found.append(("limit.table_min", number, name))
            if amount > most:
                found.append(("limit.table_max", number, name))
            if self.setup.cap is not None and amount > self.setup.cap:
                found.append((self.cap_code, number, name))
        return self.fault(line, what, *found)

    def bounds(self, key: str) -> tuple[int, int]:
        """Return the limits of a wager in effect; if there are none, enough room."""
        least, most = self.setup.limits.get(self.table, {}).get(key, (1, 10**9))
        return least, most if self.setup.cap is None else min(most, self.setup.cap)

    def near_maximum(self, line: Line | None = None) -> bool:
        """Return whether a maximum aggregate applies, or nearly does."""
        return may_bind(self.game, line or self.dealt, self.setup, reached=True)

    def cards(self, line: Line) -> Iterator[str]:
        """Yield every card of a round as it was dealt."""
        for holder in (line.get("house", {}), *line["seats"]):
            keys = ("cards",) if "cards" in holder else ("front", "middle", "back")
            for text in (holder[key] for key in keys if key in holder):
                yield from ("Jo" if card.startswith("Jo") else card for card in text.split())

    def unused(self, line: Line, count: int) -> list[str]:
        """Return cards that the shoe still has after a round."""
        dealt = Counter(self.cards(line))
        decks = line.get("decks") or self.setup.rules(self.game).decks.number
        left = [card for card in DECK for _ in range(decks - dealt[card])]
        return self.chance.sample(left, count)


def may_bind(game: str, line: Line, setup: Setup, *, reached: bool = False) -> bool:
    """Return if the seats' winnings exceed a maximum of the set-up; with `reached`, or equal it."""
    most = setup.max_aggregate
    spare = 1 if reached else 0
    if most is not None and game == "pyramid-poker" and game not in setup.max_per_deal:
        hands = [sum(won for won in seat["result"].values() if won > 0) for seat in line["seats"]]
        if setup.reading("PP-I8") in {"per_player", "per_table"}:
            hands = [sum(hands)]
        return any(won + spare > most for won in hands)
    return any(
        sum(seat["result"][key] for seat in line["seats"] if seat["result"][key] > 0) + spare > most
        for key, most in setup.max_per_deal.get(game, {}).items()
    )


def differences(right: Line, wrong: Line) -> list[Expected]:
    """Return `settlement.<key>` for every result in which two settlements of a round differ."""
    found = []
    owed = right.get("house", {}).get("result", 0)
    paid = wrong.get("house", {}).get("result", 0)
    if owed != paid:
        found.append(Expected("settlement.main", None, "house", paid - owed))
    for seat, other in zip(right["seats"], wrong["seats"], strict=True):
        for key, amount in seat["result"].items():
            delta = other["result"][key] - amount
            if delta:
                found.append(Expected(f"settlement.{key}", seat["seat"], key, delta))
    return found
