"""Limits on single wagers and raises: the table's by the controls, and the law's by date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.definition.betting_build import BET
from games.findings import CONTROLS, Finding, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.families.versus.betting import Betting, Single
    from games.families.versus.round import VersusRound
    from games.law import DatedLimit
    from games.setup import Setup

ANTES: Final = "WAC 230-15-135(3)"


def raises_by_law(played: VersusRound, setup: Setup) -> DatedLimit | None:
    """Return the law's limit on raises, if it is applied and there is one."""
    law = setup.poker
    return None if law is None else law.at(law.raises, legal_time(played))


def limit_findings(
    betting: Betting, played: VersusRound, setup: Setup, table: tuple[int, int] | None
) -> Iterator[Finding]:
    """Yield wagers outside the limits, and raises beyond the number allowed."""
    if table is not None:
        yield from _of_table(betting, table)
    law = None
    if setup.poker is not None:
        law = setup.poker.at(setup.poker.wagers, legal_time(played))
    if law is not None:
        yield from _of_law(betting, law)
    yield from _of_raises(betting, raises_by_law(played, setup))


def _of_raises(betting: Betting, law: DatedLimit | None) -> Iterator[Finding]:
    raises, most = betting.program.betting.raises, betting.most_raises
    ids = list(raises.cites if raises.most == most else ())
    if law is not None and law.most == most:
        ids += law.cites
    for seat, logged in betting.extra_raises.items():
        expected = f"at most {most} raises on a street"
        every = cites(*ids, *betting.program.cites("opening", "short"))
        yield Finding("limit.raises", seat, logged=logged, expected=expected, cites=every)


def legal_time(played: VersusRound) -> int:
    """Return the time as of which legal limits apply."""
    return played.at if played.since is None else played.since


def _ids(betting: Betting, *more: str) -> tuple[str, ...]:
    return cites(*betting.program.betting.cites, *betting.program.cites("single"), *more)


def _of_table(betting: Betting, table: tuple[int, int]) -> Iterator[Finding]:
    low, high = table
    ids = _ids(betting, CONTROLS)
    chosen = [each for each in betting.singles if not each.is_forced]
    small = [each for each in chosen if 0 < each.amount < low and not each.is_all_in]
    for each in _one_per_seat(small, smallest=True):
        yield Finding("limit.table_min", each.seat, BET, each.amount, low, cites=ids)
    for each in _one_per_seat([each for each in chosen if each.amount > high]):
        yield Finding("limit.table_max", each.seat, BET, each.amount, high, cites=ids)


def _of_law(betting: Betting, law: DatedLimit) -> Iterator[Finding]:
    """Yield wagers above what the law allows, and those allowed only under a condition."""
    ids = _ids(betting, *law.cites)
    if law.most is not None:
        above = [each for each in betting.singles if each.amount > law.most]
        for each in _one_per_seat(above):
            yield Finding("limit.wac", each.seat, BET, each.amount, law.most, cites=ids)
        antes = sum(betting.antes.values())
        if antes > law.most:
            more = cites(*betting.program.betting.blind_cites, ANTES, *law.cites)
            yield Finding("limit.wac", None, "ante", antes, law.most, cites=more)
    if law.most is None or law.most != law.sure:
        sure = law.sure or 0
        between = [each for each in betting.singles if each.amount > sure]
        for each in _one_per_seat(between):
            if law.most is None or each.amount <= law.most:
                logged = str(each.amount)  # a notice says no cents
                yield Finding("limit.unverified", each.seat, BET, logged, cites=ids)


def _one_per_seat(singles: list[Single], *, smallest: bool = False) -> list[Single]:
    """Return the largest (or smallest) wager of each seat: a finding names no action."""
    found: dict[int, Single] = {}
    for each in singles:
        known = found.get(each.seat)
        is_worse = known is None or (each.amount < known.amount) == smallest
        if is_worse:
            found[each.seat] = each
    return list(found.values())
