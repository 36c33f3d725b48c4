"""Irregularities planted along one table's course, at the rates of the plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from games.dealing.faults.catalogue import FAULTS
from games.dealing.faults.scene import Scene
from games.dealing.plan import ALL, Planted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.dealing.call import Line
    from games.dealing.faults.scene import Must
    from games.dealing.plan import FaultPlan, Plan
    from games.dealing.table import Played


@dataclass(frozen=True, slots=True)
class Planting:
    """A round in which something is wrong, and what."""

    line: Line
    name: str
    found: Sequence[Must]

    def planted(self, round_: str) -> tuple[Planted, ...]:
        """What must be found, in the order in which findings stand."""
        return tuple(
            Planted(round_, must.code, must.seat, must.wager, must.delta, self.name, must.what)
            for must in sorted(
                self.found, key=lambda must: (must.seat or 0, must.wager or "", must.code)
            )
        )


class Planter:
    """What goes wrong at one table."""

    def __init__(self, plan: Plan, table: str) -> None:
        self._table = table
        self._game = plan.game
        self._cap_code = "limit.compact" if plan.compact else "limit.wac"
        self._chance = Random(f"{plan.seed} {plan.game} {table} faults")
        here = [fault for fault in plan.faults if fault.table in (None, table)]
        self._plans = sorted(here, key=lambda fault: fault.name == ALL)
        self._names = list(FAULTS[plan.game])
        self._chance.shuffle(self._names)
        self._counts: Counter[str] = Counter()
        self._before: Line | None = None
        self._at: int | None = None

    def plant(self, played: Played, line: Line, deck_before: str | None) -> Planting | None:
        """Perhaps something goes wrong in a round; the next call is told of the next round."""
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
                deck_before=deck_before,
                minutes_since=None if self._at is None else (played.call.at - self._at) // 60,
                cap_code=self._cap_code,
            )
            planting = self._first(scene, wanted)
        logged = line if planting is None else planting.line
        if "void" not in logged:
            self._before = logged
        # A clock set back is no place to set the next one back from.
        back = planting is not None and planting.name == "clock_backwards"
        self._at = None if back else played.call.at
        return planting

    def _wanted(self, played: Played) -> list[str]:
        """Names that may be planted in this round: the first that can happen is."""
        wanted: list[str] = []
        for plan in self._plans:
            if _holds(plan, played) and (plan.rate >= 1 or self._chance.random() < plan.rate):
                wanted += [plan.name] if plan.name != ALL else self._rarest_first()
        return wanted

    def _rarest_first(self) -> list[str]:
        return sorted(self._names, key=self._counts.__getitem__)

    def _first(self, scene: Scene, names: list[str]) -> Planting | None:
        for name in names:
            wrong = FAULTS[self._game][name](scene)
            if wrong is not None:
                self._counts[name] += 1
                return Planting(wrong.line, name, wrong.findings)
        return None


def _holds(plan: FaultPlan, played: Played) -> bool:
    """Whether a round lies in the plan's span."""
    return (plan.begin is None or played.at >= plan.begin) and (
        plan.end is None or played.at < plan.end
    )
