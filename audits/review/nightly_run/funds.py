"""Reconcile the funds of jackpots: with themselves, the day before, the law, and the rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from audits.intake.filed_forms import filed_definitions
from audits.intake.reads import current_segments
from audits.intake.segments.segment_file import read_segment
from audits.intake.table_records.reads import fund_before, funds_of_day
from audits.review.nightly_run.cash import CONTROLS
from compliance.access.scope import without_access_scope
from compliance.files.archive import current_archive
from compliance.law.reads import law_rules
from games.cents import clamp_cents, in_dollars
from games.definition.model import Bonuses
from games.log.schema import PLAYER_SUPPORTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from audits.intake.days.models import GamblingDay
    from audits.intake.table_records.models import TableRecord
    from compliance.law.values import LawValue


FEE: Final = "jackpot_fee_percent"
RECONCILED: Final = "progressive_reconciled"
RULES: Final = {PLAYER_SUPPORTED: FEE}
"""By kind of fund: the rule on its money; of every other kind, that of progressives."""


Part = tuple[str, str, int]
"""What is on record, what should be, and by how much the one exceeds the other."""


@dataclass(frozen=True, kw_only=True)
class FundFault:
    """Something in which a fund does not reconcile."""

    record: TableRecord
    says: str
    awaited: str
    delta: int
    """What is on record minus what it should be, in cents."""
    cites: tuple[str, ...]


def faults_of_funds(day: GamblingDay) -> list[FundFault]:
    """Return where the funds recorded for a day do not reconcile.

    Rounds are compared where the day has rounds of the fund's game that name its money: what the
    pots paid into player-supported jackpots, and what a meter paid out. A progressive's share of a
    wager is not in the log, so its contributions aren't compared.
    """
    records = funds_of_day(day.party, day.day)
    if not records:
        return []
    with without_access_scope():
        rules = law_rules()
    cites, law = {}, {}
    for kind in {each.kind for each in records}:
        law[kind] = rules[RULES.get(kind, RECONCILED)].on(day.day)
        cites[kind] = _cites(law[kind], RULES.get(kind, RECONCILED), day.day)
    parts = [
        (each, part)
        for each in records
        for part in (*_by_itself(each, law[each.kind]), *_by_former(day, each))
    ]
    parts += _by_rounds(day, records)
    return [_fault(each, part, cites[each.kind]) for each, part in parts]


def _fault(record: TableRecord, part: Part, cites: tuple[str, ...]) -> FundFault:
    says, awaited, delta = part
    return FundFault(
        record=record,
        says=f"fund {record.fund}: {says}",
        awaited=awaited,
        delta=clamp_cents(delta),
        cites=cites,
    )


def _cites(law: LawValue | None, rule: str, day: date) -> tuple[str, ...]:
    """Return the section that the law of the day has on such a fund, or that none was verified."""
    if law is None:
        return (CONTROLS, f"No verified law on file for {day}: {rule}")
    return (law.citation, CONTROLS)


def _by_itself(row: TableRecord, law: LawValue | None) -> Iterator[Part]:
    before, paid_in, paid_out, fee, after = _amounts(row)
    balance = before + paid_in - paid_out - fee
    if after != balance:
        yield (
            f"a balance of {in_dollars(after)}",
            f"{in_dollars(balance)}: {in_dollars(before)} before and {in_dollars(paid_in)} of "
            f"contributions, less {in_dollars(paid_out)} of prizes and {in_dollars(fee)} of fees",
            after - balance,
        )
    if row.kind != PLAYER_SUPPORTED or law is None or not isinstance(law.value, int):
        return
    most = paid_in * law.value // 100
    if fee > most:
        yield (
            f"a fee of {in_dollars(fee)}",
            f"at most {in_dollars(most)}, {law.value} % of {in_dollars(paid_in)}",
            fee - most,
        )


def _by_former(day: GamblingDay, row: TableRecord) -> Iterator[Part]:
    former = fund_before(day.party, row)
    before, ended = row.before or 0, former.after or 0 if former else 0
    if former is not None and before != ended:
        yield (
            f"a balance of {in_dollars(before)} when the day began",
            f"{in_dollars(ended)}, as recorded at the end of {former.day}",
            before - ended,
        )


def _by_rounds(day: GamblingDay, records: list[TableRecord]) -> Iterator[tuple[TableRecord, Part]]:
    """Compare what the rounds of a day name; funds of one game that pots fill are one sum."""
    for game in sorted({each.game for each in records}):
        of_game = [each for each in records if each.game == game]
        pots, meters = _named_by_rounds(day, game)
        pooled = [each for each in of_game if each.kind == PLAYER_SUPPORTED]
        if pooled and pots is not None:
            recorded = sum(each.contributions or 0 for each in pooled)
            if recorded != pots:
                others = f" with the other funds of {game}" if len(pooled) > 1 else ""
                says = f"{in_dollars(recorded)} of contributions{others}"
                awaited = f"{in_dollars(pots)}, taken for jackpots from the pots of its rounds"
                yield pooled[0], (says, awaited, recorded - pots)
        for each in of_game:
            won = meters.get(each.fund) if each.kind != PLAYER_SUPPORTED else None
            if won is not None and won != each.payouts:
                paid = each.payouts or 0
                awaited = f"{in_dollars(won)}, won from this meter by its rounds"
                yield each, (f"{in_dollars(paid)} of prizes", awaited, paid - won)


def _named_by_rounds(day: GamblingDay, game: str) -> tuple[int | None, Mapping[str, int]]:
    """Return what the pots of a game paid into jackpots, and what was won by each meter.

    None, or no meter, where no round of the day names it.
    """
    definition = filed_definitions().get(game)
    own = definition.own if definition is not None else None
    jackpots = own.jackpots if isinstance(own, Bonuses) else ()
    pots: int | None = None
    won: dict[str, int] = {}
    for line in _lines(day, game):
        fees = line.get("fees")
        if fees is not None:
            pots = (pots or 0) + int(fees["jackpot"])
        for each in jackpots:
            results = [seat.get("result", {}).get(each.id, 0) for seat in line["seats"]]
            won[each.meter] = won.get(each.meter, 0) + sum(results)
    return pots, won


def _lines(day: GamblingDay, game: str) -> Iterator[Mapping[str, Any]]:
    """Yield a day's rounds of a filed game, whose rounds are all kept as lines."""
    for segment in current_segments(day.party, day=day.day):
        if segment.game != game:
            continue
        with current_archive().fetch(segment.sha256) as path:
            for group in read_segment(path):
                for _, line in group.odd:
                    yield orjson.loads(line)


def _amounts(row: TableRecord) -> tuple[int, int, int, int, int]:
    return (
        row.before or 0,
        row.contributions or 0,
        row.payouts or 0,
        row.fee or 0,
        row.after or 0,
    )
