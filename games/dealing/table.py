"""The course of one table: hours and pace, sittings, voids, and the deal batch by batch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import TYPE_CHECKING, Final, Protocol

from games.dealing import casino, chinese, pick_2, pyramid, showdown
from games.dealing.aggregate import may_bind, resettled
from games.dealing.call import Call, In, Line
from games.dealing.sittings import Sittings
from games.judge.void import WITH_A_SHUFFLER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from games.dealing.plan import Plan
    from games.setup import Setup

GAMES: Final[dict[str, ModuleType]] = {
    module.GAME: module for module in (pyramid, chinese, pick_2, showdown, casino)
}
BATCH: Final = 256
"""Rounds that are dealt at a time."""
VOIDS: Final = 1 / 400
CARDLESS: Final = frozenset({"power failure", "card face up", "shuffler fault"})
"""Reasons for which a round is stopped before anyone has seen cards: none are logged."""
DECKS: Final = ("red", "blue")


class Dealer(Protocol):
    """What deals one game at one table."""

    def stakes(self, setup: Setup, chance: Random) -> tuple[int, ...]:
        """What a player stakes who sits down."""

    def play(self, calls: Sequence[Call], setup: Setup) -> list[Line]:
        """Deal the rounds: all that a line holds behind its time."""


@dataclass(slots=True)
class Played:
    """A round as it was dealt and settled."""

    call: Call
    line: Line
    setup: Setup
    at: datetime
    bank_next: bool
    """Whether a player banks in the next round that counts, or nobody knows yet."""


class Table:
    """One table of a plan."""

    def __init__(self, plan: Plan, place: int) -> None:
        self.plan = plan
        self.name = plan.tables[place]
        self.chance = Random(f"{plan.seed} {plan.game} {self.name}")
        module = GAMES[plan.game]
        self._dealer: Dealer = module.Dealer(plan, self.name)
        self._pass_bank: Callable[[Call, Call | None, Setup, Random], None] | None = getattr(
            self._dealer, "pass_bank", None
        )
        house_banked = plan.game in {pyramid.GAME, pick_2.GAME}
        most = plan.seats or module.SEATS
        players = plan.setup.players
        self._terms = [
            (None if begin is None else begin.timestamp(), setup) for begin, setup in plan.terms()
        ]
        self._sittings = Sittings(
            self.chance,
            most if players is None or not house_banked else min(most, players),
            min(module.FEWEST, most),
            1000 * (place + 1),
            lambda chance: self._dealer.stakes(self._terms[0][1], chance),
            two_hands=house_banked,
        )
        self._now = int(plan.opening.timestamp()) + self.chance.randrange(3 * plan.pace)
        self._until_break = self.chance.randint(60, 90)
        self._before: Call | None = None
        self.shuffler = plan.game == pick_2.GAME and self.chance.random() < 0.8
        self.two_decks = self.shuffler and self.chance.random() < 0.9

    def rounds(self) -> Iterator[Played]:
        """Rounds in order of play until the plan's closing."""
        zone = self.plan.opening.tzinfo
        while calls := self._batch():
            setup = self._terms[0][1]
            banks = _banks_next(calls, self.plan.game)
            dealt_now = self._dealer.play(calls, setup)
            for call, dealt, bank_next in zip(calls, dealt_now, banks, strict=True):
                line = dealt
                at = datetime.fromtimestamp(call.at, zone)
                if call.void is not None:
                    line = _voided(line, call.void)
                elif may_bind(self.plan.game, line, setup):
                    line = resettled(self.plan.game, line, setup)
                yield Played(call, line, setup, at, bank_next)

    def _batch(self) -> list[Call]:
        """The next rounds under the set-up that holds."""
        closing = self.plan.closing
        end = None if closing is None else closing.timestamp()
        if len(self._terms) > 1 and self._now >= (self._terms[1][0] or 0):
            del self._terms[0]
            self._sittings.restake()
        until = self._terms[1][0] if len(self._terms) > 1 else None
        calls: list[Call] = []
        while len(calls) < BATCH and (end is None or self._now < end):
            if until is not None and self._now >= until:
                return calls or self._batch()
            calls.append(self._call())
            self._advance()
        return calls

    def _call(self) -> Call:
        setup = self._terms[0][1]
        sittings = self._sittings.next_round()
        call = Call(self._now, [In(s.seat, s.player, s.stakes) for s in sittings])
        if self._pass_bank is not None:
            self._pass_bank(call, self._before, setup, self.chance)
        if self.chance.random() < VOIDS and (reasons := self._reasons(setup)):
            call.void = self.chance.choice(reasons)
        else:
            self._before = call
        return call

    def _reasons(self, setup: Setup) -> list[str]:
        by_rules = (
            WITH_A_SHUFFLER.get(self.plan.game, frozenset()) if self.shuffler else frozenset()
        )
        return sorted(setup.void_reasons | by_rules)

    def _advance(self) -> None:
        """The next round ends: a steady pace, and a break when the dealer changes."""
        pace = self.plan.pace
        self._now += self.chance.randint(max(1, pace * 2 // 3), pace * 4 // 3)
        self._until_break -= 1
        if self._until_break == 0:
            self._now += self.chance.randint(60, 180)
            self._until_break = self.chance.randint(60, 90)


def _banks_next(calls: list[Call], game: str) -> list[bool]:
    """For each round, whether a player banks in the next that counts; True where nobody knows."""
    banks = []
    bank = game == pyramid.GAME
    for call in reversed(calls):
        banks.append(bank)
        if call.void is None:
            bank = call.banker >= 0
    return banks[::-1]


def _voided(line: Line, reason: str) -> Line:
    """The round stopped: nothing won or lost; cards that nobody saw are not logged."""
    kept = {**line, "void": reason, "seats": [dict(seat) for seat in line["seats"]]}
    for seat in kept["seats"]:
        seat["result"] = dict.fromkeys(seat["result"], 0)
    if "result" in kept.get("house", {}):
        kept["house"] = {**kept["house"], "result": 0}
    if reason in CARDLESS:
        kept.pop("house", None)
        kept["seats"] = [
            {key: seat[key] for key in ("seat", "player", "wagers", "result") if key in seat}
            for seat in kept["seats"]
        ]
        for seat in kept["seats"]:
            if "play" in seat.get("wagers", {}):
                seat["wagers"] = {**seat["wagers"], "play": 0}
    return kept
