"""Fees from the pots: no more than the rules and, by date, the law allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.families.versus.limits import legal_time
from games.findings import Finding, wrong_amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition.betting_model import Fee
    from games.families.versus.program import VersusProgram
    from games.families.versus.round import VersusRound
    from games.families.versus.settle import SettledRound
    from games.setup import Setup

CODE: Final = "fee.rake"
ALL: Final = "all"


def fee_findings(
    program: VersusProgram, played: VersusRound, setup: Setup, settled: SettledRound
) -> Iterator[Finding]:
    """Yield `fee.rake` for each fee above the least of its limits; players got too little."""
    fees = (
        ("rake", played.fees.rake, program.betting.rake, program.rake_base),
        ("jackpot", played.fees.jackpot, program.betting.jackpot, program.jackpot_base),
    )
    for name, charged, fee, base in fees:
        wagered = wagered_of(settled, base)
        limits = list(_by_rules(fee, wagered, program, name))
        if name == "rake":
            limits += _by_law(setup, played, wagered)
        if not limits:
            continue
        most = min(limit for limit, _ in limits)
        if charged > most:
            ids = tuple(id_ for limit, each in limits if limit < charged for id_ in each)
            found = wrong_amount(CODE, None, name, charged, most, ids)
            yield Finding(CODE, None, name, charged, most, -found.delta, found.cites)


def wagered_of(settled: SettledRound, base: str) -> int:
    """Return the money of which a fee is a part."""
    return sum(pot.amount for pot in settled.pots) + (settled.back if base == ALL else 0)


def _by_rules(
    fee: Fee | None, wagered: int, program: VersusProgram, name: str
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the limits of the rules, in cents, with their clauses; without a fee, it is 0."""
    if fee is None:
        yield 0, program.betting.pot_cites
        return
    ids = (*fee.cites, *program.cites(name))
    if fee.portion is not None:
        yield int(wagered * fee.portion), ids
    if fee.most is not None:
        yield fee.most, fee.cites


def _by_law(
    setup: Setup, played: VersusRound, wagered: int
) -> Iterator[tuple[int, tuple[str, ...]]]:
    law = setup.poker
    if law is None:
        return
    portion = law.at(law.rake_percent, legal_time(played))
    if portion is not None and portion.most is not None:
        yield wagered * portion.most // 100, portion.cites
    most = law.at(law.rake_cents, legal_time(played))
    if most is not None and most.most is not None:
        yield most.most, most.cites
