"""Simulated round logs from a seed: realistic play of all five games, with faults.

A `Plan` names a game, tables, the opening and closing instant, and the `Setup` in effect;
`deal_night` yields the lines in order of time, each with what was planted in it. An operator's
night is one plan per game; for one log, merge them by `at`, or submit several.

    Plan(
        game="pyramid-poker",
        tables=("T1", "T2", "T3"),
        opening=datetime(2025, 7, 12, 10, tzinfo=zone),
        closing=datetime(2025, 7, 13, 4, tzinfo=zone),
        setup=before_midnight,  # read_setup(...), or the controls on file
        later=((midnight, after_midnight),),  # controls that change that night
        seed="demonstration cedar",
        pace=40,  # seconds between two rounds of a table
        ids="cedar-",  # before the table's name and number in every round's id
        faults=(
            FaultPlan(rate=Fraction(1, 500)),  # everything that can happen, now and then
            FaultPlan(name="layout_pays", rate=Fraction(1), table="T3"),
            FaultPlan(name="dealer_pair", rate=Fraction(1), table="T2", begin=two, end=four),
        ),
    )

The names of the faults are in `faults/planter.py`. A round has one irregularity at most, and faults
with a name come before `all`. A rate is the fraction of rounds; with 1, the fault is planted
whenever possible. Some faults need a set-up in which they can happen: limits, a cap, a maximum,
void reasons, a number of players. `compact=True` makes the cap a tribal compact's.
Rounds without a fault have no findings under the plan's own set-up. Faults depend on the rounds of
their own plan, so a table's night is one plan. Two consecutive rounds are never a gambling day
apart, but a clock set back goes back some minutes: open after the cut-off.
"""

from games.simulator.night import deal_night
from games.simulator.plan import Dealt, FaultPlan, Plan, Planted

__all__ = ["Dealt", "FaultPlan", "Plan", "Planted", "deal_night"]
