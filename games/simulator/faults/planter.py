"""Every fault by name, planted in one table's rounds at the rates of the plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from games.checks import CHECKS
from games.planting import Scene
from games.simulator.faults import cards, money
from games.simulator.plan import ALL, Planted
from games.simulator.rounds import settle_again

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.planting import Fault, Line
    from games.simulator.decks import Decks
    from games.simulator.night import Played
    from games.simulator.plan import FaultPlan, Plan

    Plant = Callable[[Scene], Fault | None]

_HOUSE: Final[dict[str, Plant]] = {
    "short_hand": cards.short_hand,
    "dealer_short": cards.dealer_short,
    "foreign_card": cards.foreign_card,
}

FAULTS: Final[Mapping[str, Mapping[str, Plant]]] = {
    "pyramid-poker": {
        **_HOUSE,
        **{f"wrong_{key}": money.wrong(key) for key in ("main", "three_card", "six_card")},
        "wrong_house_result": money.house_result,
        "layout_pays": money.layout_pays,
        "paid_for_one": money.paid_for_one,
        "copies_otherwise": money.other_reading(
            "PP-I1", ("push", "dealer_wins"), "two equal hands were not settled as approved"
        ),
        "maximum_ignored": money.maximum_ignored,
        "dealer_set": cards.dealer_set(pairs=False),
        "dealer_pair": cards.dealer_set(pairs=True),
        "banker_fouls": cards.banker_fouls,
    },
    "chinese-poker": {
        "short_hand": cards.short_hand,
        "wrong_total": money.wrong("total"),
        "moved_total": money.moved("total"),
        "wrong_sizes": cards.wrong_sizes,
        "false_natural": cards.false_natural,
        "natural_not_approved": cards.natural_not_approved,
        "surrender_not_approved": cards.surrender_not_approved,
    },
    "pick-2-poker": {
        **_HOUSE,
        **{f"wrong_{key}": money.wrong(key) for key in ("ante", "bonus_3_5", "bonus_5", "play")},
        "layout_pays": money.layout_pays,
        "paid_for_one": money.paid_for_one,
        "unqualified_otherwise": money.other_reading(
            "P2-I1", ("ante_wins", "both_push"), "a dealer without ace-king high settled wrongly"
        ),
        "maximum_ignored": money.maximum_ignored,
        "dealers_three": cards.dealers_three,
        "wrong_number": cards.wrong_number,
    },
    "showdown": {
        "short_hand": cards.short_hand,
        **{f"wrong_{key}": money.wrong(key) for key in ("showdown", "surrender", "pot")},
        **{f"moved_{key}": money.moved(key) for key in ("showdown", "surrender", "pot")},
        "foreign_card": cards.foreign_card,
        "everyone_surrenders": cards.everyone_surrenders,
    },
    "casino-version": {
        **_HOUSE,
        **{f"wrong_{key}": money.wrong(key) for key in ("points", "ante", "buy_in")},
        "dealer_fouls": cards.dealer_fouls,
    },
}
"""The faults of each game; each needs a round, and perhaps a set-up, in which it can happen.

Besides them, any round can break a check that all games share, under the name of its code.
"""


@dataclass(frozen=True, slots=True)
class Planting:
    """A round with a fault, and the fault's name."""

    name: str
    fault: Fault

    @property
    def line(self) -> Line:
        """Return the round with the fault."""
        return self.fault.line

    def planted(self, round_: str) -> tuple[Planted, ...]:
        """Return the findings that must appear, in the order in which findings are reported."""
        found = sorted(
            self.fault.findings, key=lambda each: (each.seat or 0, each.wager or "", each.code)
        )
        return tuple(Planted(round_, *each, self.name, self.fault.what) for each in found)


class Planter:
    """Plants the faults of one table."""

    def __init__(self, plan: Plan, table: str) -> None:
        self._table = table
        self._game = plan.game
        self._cap_code = "limit.compact" if plan.compact else "limit.wac"
        self._chance = Random(f"{plan.seed} {plan.game} {table} faults")
        here = [fault for fault in plan.faults if fault.table in (None, table)]
        self._plans = sorted(here, key=lambda fault: fault.name == ALL)
        self._plants = {
            **{check.code: check.plant for check in CHECKS},
            **FAULTS[plan.game],
        }
        self._names = list(self._plants)
        self._chance.shuffle(self._names)
        self._counts: Counter[str] = Counter()
        self._before: Line | None = None
        self._at: int | None = None

    def plant(self, played: Played, line: Line, decks: Decks) -> Planting | None:
        """Plant a fault in a round, or none; pass the rounds in order."""
        planting = None
        if "void" not in line and (wanted := self._wanted(played)):
            scene = Scene(
                game=self._game,
                table=self._table,
                dealt=line,
                setup=played.setup,
                chance=self._chance,
                before=self._before,
                bank_next=played.bank_next,
                deck_before=decks.before,
                decks_replaced=decks.replaced(played.at),
                minutes_since=None if self._at is None else (played.call.at - self._at) // 60,
                cap_code=self._cap_code,
                settle=settle_again,
            )
            planting = self._first(scene, wanted)
        logged = line if planting is None else planting.line
        if "void" not in logged:
            self._before = logged
        # A clock set back is the wrong basis for setting the next one back.
        back = planting is not None and planting.name == "log.sequence"
        self._at = None if back else played.call.at
        return planting

    def _wanted(self, played: Played) -> list[str]:
        """Return the faults that may be planted in this round; the first possible one is."""
        wanted: list[str] = []
        for plan in self._plans:
            if _holds(plan, played) and (plan.rate >= 1 or self._chance.random() < plan.rate):
                wanted += [plan.name] if plan.name != ALL else self._rarest_first()
        return wanted

    def _rarest_first(self) -> list[str]:
        return sorted(self._names, key=self._counts.__getitem__)

    def _first(self, scene: Scene, names: list[str]) -> Planting | None:
        for name in names:
            fault = self._plants[name](scene)
            if fault is not None:
                self._counts[name] += 1
                return Planting(name, fault)
        return None


def _holds(plan: FaultPlan, played: Played) -> bool:
    """Return whether a round is within the plan's time span."""
    return (plan.begin is None or played.at >= plan.begin) and (
        plan.end is None or played.at < plan.end
    )
