"""Pay-table lines that can't be paid, and payouts that aren't whole cents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cards import RANKS
from games.definition.hand_names import unreachable_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from games.definition.model import Definition, Hand, PayTable
    from games.definition.problems import Problems


def check_pay_tables(definition: Definition, problems: Problems) -> None:
    """Record lines that no hand fits, and lines that others hide."""
    for wager, tables in definition.pay_tables.items():
        for name, table in tables.items():
            rankings = list(_hands_paid(definition, wager))
            if len(rankings) > 1:
                names = " and ".join(f"`{paid.ranking.id}`" for paid in rankings)
                where = f"pay_table.{wager}"
                problems.add(where, f"One pay table reads hands of one ranking, not of {names}.")
            for paid in rankings:
                _check_table(f"pay_table.{wager}.{name}.lines", table, paid, problems)


def _hands_paid(definition: Definition, wager_id: str) -> Iterator[Hand]:
    """Yield every hand that a wager's pay table reads, each ranking once."""
    rankings = set()
    for wager in definition.payouts.values():
        for outcome in wager.outcomes if wager.table == wager_id else ():
            if outcome.odds is None:
                hand = definition.hands[outcome.hand or wager.hand or ""]
                if hand.ranking.id not in rankings:
                    rankings.add(hand.ranking.id)
                    yield hand


def _check_table(where: str, table: PayTable, hand: Hand, problems: Problems) -> None:
    order = hand.ranking.order
    unknown = [line for line in table.lines if line.hand not in order]
    for line in unknown:
        names = ", ".join(f"`{name}`" for name in order)
        problems.add(
            f"{where}.{line.id}",
            f"The hand `{hand.id}` is never `{line.hand}`. Remove the line, or name one of"
            f" {names} as its `hand`.",
        )
    for line in table.lines:
        low, high = line.lowest[:1], line.highest[:1]
        if low and high and RANKS.index(low) > RANKS.index(high):
            problems.add(f"{where}.{line.id}", f"`from` {low} is above `to` {high}.")
    if not unknown:
        reasons = unreachable_lines(table, hand.ranking, hand.size)
        for id_, reason in reasons.items():
            problems.add(f"{where}.{id_}", reason)


def check_rounding(definition: Definition, problems: Problems) -> None:
    """Record a payout that may not be whole cents where nothing says how to round it."""
    if definition.rounding is not None:
        return
    for where, odds in _unrounded(definition):
        if odds.denominator > 1:
            problems.add(
                where,
                f"{odds} to 1 isn't always whole cents. Write `rounding` with a step and a"
                " direction.",
            )


def _unrounded(definition: Definition) -> Iterator[tuple[str, Fraction]]:
    for id_, wager in definition.payouts.items():
        for place, outcome in enumerate(wager.outcomes):
            if outcome.rounding is None:
                where = f"wager.{id_}.outcomes[{place}]"
                yield where, outcome.no_line
                if outcome.odds is not None:
                    yield where, outcome.odds
        if any(each.odds is None and each.rounding is None for each in wager.outcomes):
            for name, table in definition.pay_tables.get(wager.table, {}).items():
                for line in table.lines:
                    yield f"pay_table.{wager.table}.{name}.lines.{line.id}", line.pays
