"""What a diagnosis says of a planted group, beside what was planted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.diagnosis import Alternative, Dealt, diagnose
from games.settlement.verdict import settle_round
from games.terms import NOTHING

if TYPE_CHECKING:
    from games.diagnosis import Diagnosis, Explanation
    from tests.games.diagnosis.planter import Group

NAMES = {"layout": "the table layout", "version": "version 1 of the rules"}


@dataclass(frozen=True)
class Measured:
    """How a diagnosis did on a group."""

    named: bool
    """Whether the planted cause was named, with at least 95 of 100 planted results."""
    false: tuple[Explanation, ...]
    """Explanations of another kind, or of results that were not planted."""


def diagnosis_of(group: Group) -> Diagnosis:
    rounds = [
        Dealt(each, group.setup, settle_round(each, group.setup, NOTHING),
              dealer=group.dealers.get(each.round, ""))
        for each in group.rounds
    ]  # fmt: skip
    others = [
        Alternative(kind=kind, name=NAMES[kind], pay_tables=tables)
        for kind, tables in group.other_tables.items()
    ]
    return diagnose(rounds, others)


def measured(group: Group) -> Measured:
    """Diagnose a group, and compare."""
    right, false = 0, []
    for each in diagnosis_of(group).explanations:
        found = {(one.dealt.round.round, one.seat, one.wager) for one in each.explained}
        if each.kind == group.cause and (found <= group.planted or each.kind == "limit"):
            right += len(found)
        else:
            false.append(each)
    planted = len(
        {place[0] for place in group.planted} if group.cause == "limit" else group.planted
    )
    return Measured(bool(group.cause) and right >= 0.95 * planted, tuple(false))
