"""Whether envy bonuses, jackpots and maximum payouts lead to wagers, lines and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.definition.model import Bonuses
from games.definition.places import unknown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.definition.model import Definition, Envy, Jackpot
    from games.definition.problems import Problems


def check_own(definition: Definition, problems: Problems) -> None:
    """Record what is wrong with the bonuses of the family `stud`."""
    own = definition.own
    if not isinstance(own, Bonuses):
        return
    check_bonuses(definition, "envy", own.envies, problems)
    check_bonuses(definition, "jackpot", own.jackpots, problems)
    envies = {each.id for each in own.envies}
    for jackpot in own.jackpots:
        if jackpot.id in envies:
            where = f"jackpot.{jackpot.id}"
            problems.add(where, f"There is an envy bonus `{jackpot.id}`. Use another name.")
        for line, part in jackpot.pays.items():
            if not 0 < part <= 1:
                where = f"jackpot.{jackpot.id}.pays.{line}"
                problems.add(where, f"A line wins a part of the meter, up to 1, not {part}.")
    for place, maximum in enumerate(own.maximums):
        for key in maximum.results:
            unknown(problems, f"maximum[{place}].of", "result", key, definition.results)


def check_bonuses(
    definition: Definition, table: str, bonuses: Iterable[Envy | Jackpot], problems: Problems
) -> None:
    """Record bonuses on a wager or line that isn't there, or with the name of another result."""
    for each in bonuses:
        where = f"{table}.{each.id}"
        if each.id in definition.payouts:
            problems.add(where, f"There is a wager or result `{each.id}`. Use another name.")
        if unknown(problems, f"{where}.of", "wager", each.of, definition.wagers):
            continue
        tables = definition.pay_tables.get(definition.wagers[each.of].table, {})
        lines = [line.id for table_ in tables.values() for line in table_.lines]
        for line_id in each.pays:
            unknown(problems, f"{where}.pays", "line", line_id, dict.fromkeys(lines))
