"""A night of simulated play: the rounds of each table, and all tables in order of time."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Final, Protocol

import orjson

from games.checks.void_reason import NAMED_BY_RULES
from games.families.filed import FiledGame
from games.planting import may_bind
from games.simulator import casino, chinese, pick_2, pyramid, showdown
from games.simulator.decks import Decks
from games.simulator.faults.planter import Planter
from games.simulator.filed import deal_filed_night
from games.simulator.plan import Dealt
from games.simulator.players import Sittings
from games.simulator.rounds import Call, In, settle_again

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from games.planting import Line
    from games.setup import Setup
    from games.simulator.plan import Plan


GAMES: Final[dict[str, ModuleType]] = {
    module.GAME: module for module in (pyramid, chinese, pick_2, showdown, casino)
}
BATCH: Final = 256
"""Rounds dealt at a time."""
VOIDS: Final = 1 / 400
CARDLESS: Final = frozenset({"power failure", "card face up", "shuffler fault"})
"""Reasons for stopping a round before anyone has seen cards, so none are logged."""


class Dealer(Protocol):
    """Deals one game at one table."""

    def stakes(self, setup: Setup, chance: Random) -> tuple[int, ...]:
        """Return the stakes of a player who sits down."""

    def play(self, calls: Sequence[Call], setup: Setup) -> list[Line]:
        """Deal the rounds and return the part of each line after its time."""


@dataclass(slots=True)
class Played:
    """A round as dealt and settled."""

    call: Call
    line: Line
    setup: Setup
    at: datetime
    bank_next: bool
    """Whether a player banks, or may bank, in the next round that counts."""


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
        in_turn = self.shuffler and self.chance.random() < 0.9
        self.decks = Decks(
            Random(f"{plan.seed} {plan.game} {self.name} decks"),
            shuffler=self.shuffler,
            in_turn=in_turn,
            by_hand=plan.game == pick_2.GAME and not self.shuffler,
        )

    def rounds(self) -> Iterator[Played]:
        """Yield rounds in order of play until the plan's closing."""
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
                    line = settle_again(self.plan.game, line, setup)
                yield Played(call, line, setup, at, bank_next)

    def _batch(self) -> list[Call]:
        """Return the next rounds under the set-up in effect."""
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
        by_rules = NAMED_BY_RULES.get(self.plan.game, frozenset()) if self.shuffler else frozenset()
        return sorted(setup.void_reasons | by_rules)

    def _advance(self) -> None:
        """Advance to the next round's end: a steady pace, with a break when the dealer changes."""
        pace = self.plan.pace
        self._now += self.chance.randint(max(1, pace * 2 // 3), pace * 4 // 3)
        self._until_break -= 1
        if self._until_break == 0:
            self._now += self.chance.randint(60, 180)
            self._until_break = self.chance.randint(60, 90)


def _banks_next(calls: list[Call], game: str) -> list[bool]:
    """Return, for each round, if a player banks in the next that counts; True if unknown."""
    banks = []
    bank = game == pyramid.GAME
    for call in reversed(calls):
        banks.append(bank)
        if call.void is None:
            bank = call.banker >= 0
    return banks[::-1]


def _voided(line: Line, reason: str) -> Line:
    """Return the round as stopped: nothing won or lost; cards that nobody saw aren't logged."""
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


HEAD: Final = '{"v":%d,"round":"%s","game":"%s","table":"%s","at":"%s",'


def deal_night(plan: Plan) -> Iterator[Dealt]:
    """Yield every round of a plan as a log line, in order of time, and what was planted in it."""
    filed = plan.setup.filed.get(plan.game)
    if isinstance(filed, FiledGame):
        yield from deal_filed_night(plan, filed)
        return
    tables = [_dealt(Table(plan, place), place) for place in range(len(plan.tables))]
    for _, _, dealt in heapq.merge(*tables):
        yield dealt


def _dealt(table: Table, place: int) -> Iterator[tuple[int, int, Dealt]]:
    """Yield one table's rounds, each with the time that sets its turn among the tables."""
    planter = Planter(table.plan, table.name)
    for number, played in enumerate(table.rounds(), start=1):
        round_ = f"{table.plan.ids}{table.name}-{number:06d}"
        fields = table.decks.fields()
        planting = planter.plant(played, {**fields, **played.line}, table.decks)
        line = {**fields, **played.line} if planting is None else planting.line
        if "deck" in line:
            table.decks.use(line["deck"], played.at)
        at = played.at - timedelta(minutes=line.pop("minutes_back", 0))
        head = HEAD % (line.pop("v", 1), round_, table.plan.game, table.name, at.isoformat())
        written = head.encode() + orjson.dumps(line)[1:]
        planted = () if planting is None else planting.planted(round_)
        yield played.call.at, place, Dealt(written, planted)
