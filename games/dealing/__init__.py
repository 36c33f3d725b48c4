"""Round logs dealt by chance from a seed: realistic play of all five games, and what goes wrong.

A `Plan` names a game, tables, the opening and closing instant, and the `Setup` that is played
under; `deal_night` gives the lines in order of time, each with what was planted in it. A night of
an operator is one plan a game; whoever wants one log merges them by `at`, or hands in several.

    Plan(
        game="pyramid-poker",
        tables=("T1", "T2", "T3"),
        opening=datetime(2025, 7, 12, 10, tzinfo=zone),
        closing=datetime(2025, 7, 13, 4, tzinfo=zone),
        setup=before_midnight,  # read_setup(...), or what the controls on file say
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

The names of what can go wrong stand in `faults/catalogue.py`. A round has one irregularity at most,
what has a name before `all`. A rate is of rounds; of 1, it happens whenever it can. Some need a
set-up in which they can happen: limits, a cap, a maximum, void reasons, a number of players.
`compact=True` makes the cap a tribal compact's.
Rounds that are not planted in have no finding under the plan's own set-up; faults look to the
rounds of their own plan, so a table's night is one plan. Two rounds that follow each other are
never a gambling day apart, but a clock set back goes back some minutes: open after the cut-off.
"""

from games.dealing.night import deal_night
from games.dealing.plan import Dealt, FaultPlan, Plan, Planted

__all__ = ["Dealt", "FaultPlan", "Plan", "Planted", "deal_night"]
