"""Performance beside conformance: handle, win, hold and pace of each table, and results by chance.

Handle is what players wagered against the house, and win is what the house kept of it. Rounds that
a player banks, and games that players settle among themselves, have neither.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from audits.intake.reads import current_segments
from audits.intake.segments.segment_file import read_segment
from audits.replay.findings.reads import units_of
from audits.watch.filed import known_chances
from audits.watch.gather import gather_statistics
from audits.watch.statistics import TABLE
from audits.watch.streams import RESULTS, streams_of, sum_statistics
from compliance.files.archive import current_archive
from compliance.filings.requests.reads import game_names
from games.log.form import read_written
from games.log.round import Round
from games.screens.words import Words as Codes
from games.statistics.chances import EXACT
from reports.documents.wording import counted, dollars
from reports.rendering.blocks import Align, Column, Heading, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from audits.intake.days.models import GamblingDay
    from audits.intake.segments.segment_file import SegmentGroup
    from reports.rendering.blocks import Block

HOUR = 3_600_000_000
"""Microseconds."""
BAND = 2
"""Standard deviations on each side of what is expected: chance stays inside on 19 of 20 nights."""
WAGER, RESULT = "wager_", "result_"
PLAYED_AMONG_PLAYERS = frozenset({"chinese-poker", "showdown"})


@dataclass
class Table:
    """One table's rounds of one game."""

    rounds: int = 0
    hands: int = 0
    handle: int = 0
    win: int = 0
    first: int = 0
    last: int = 0

    def pace(self, at: int, until: int, rounds: int, hands: int) -> None:
        """Count rounds that ended between two instants."""
        self.first = min(self.first or at, at)
        self.last = max(self.last, until)
        self.rounds += rounds
        self.hands += hands

    @property
    def per_hour(self) -> int:
        """Return hands per hour between the first round and the last."""
        return round(self.hands * HOUR / max(self.last - self.first, HOUR))


def performance_of(day: GamblingDay) -> dict[str, Any]:
    """Return what each table took, and how its results compare with the odds as approved."""
    names = game_names()
    tables: dict[tuple[str, str], Table] = defaultdict(Table)
    statistics = defaultdict(list)
    for segment in current_segments(day.party, day=day.day):
        with current_archive().fetch(segment.sha256) as path:
            _add(tables, segment.game, path)
            statistics[segment.game].append(gather_statistics(path))
    findings = _findings_by_table(day)
    return {
        "tables": [
            {
                "game": names.get(game, game),
                "table": table,
                "banked": game not in PLAYED_AMONG_PLAYERS,
                "rounds": it.rounds,
                "hands": it.hands,
                "per_hour": it.per_hour,
                "handle": it.handle if game not in PLAYED_AMONG_PLAYERS else 0,
                "win": it.win if game not in PLAYED_AMONG_PLAYERS else 0,
                "findings": findings.get((game, table), 0),
            }
            for (game, table), it in sorted(tables.items())
        ],
        "results": [
            {
                "game": names.get(game, game),
                "table": stream.subject.name,
                "wager": stream.about,
                "counts": stream.figures.statistic,
                "exact": stream.assumes == EXACT,
                "observed": round(stream.figures.observed),
                "expected": round(stream.figures.expected),
                "band": round(BAND * stream.figures.deviation),
            }
            for game, parts in sorted(statistics.items())
            for stream in sorted(
                streams_of(game, sum_statistics(parts), {}, known_chances),
                key=lambda it: (it.subject, it.about),
            )
            if stream.kind == RESULTS and stream.subject.scope == TABLE
        ],
    }


def _add(tables: dict[tuple[str, str], Table], game: str, path: Path) -> None:
    for group in read_segment(path):
        if len(group.columns):
            _add_regular(tables, game, group)
        for _, line in group.odd:
            round_ = read_written(line)
            if isinstance(round_, Round) and round_.played:
                found = tables[game, round_.table]
                found.pace(round_.at, round_.at, 1, len(round_.seats))
                if round_.banker is None:
                    found.handle += sum(sum(each.wagers.values()) for each in round_.seats)
                    found.win -= sum(sum(each.result.values()) for each in round_.seats)


def _add_regular(tables: dict[tuple[str, str], Table], game: str, group: SegmentGroup) -> None:
    """Add a row group's regular rounds, none of which is void."""
    columns = group.columns
    words = Codes()
    table = words.codes(columns.rounds.texts["table"])
    seats = np.diff(columns.first_seat)
    of_seat = np.repeat(table, seats)
    banker = columns.rounds.numbers.get("banker")
    by_house = np.ones(len(columns), np.bool_) if banker is None else banker == 0
    counted = np.repeat(by_house, seats)
    at = columns.rounds.numbers["at"]
    sums = {
        prefix: sum(
            np.where(counted, column, 0)
            for name, column in columns.seats.numbers.items()
            if name.startswith(prefix)
        )
        + np.zeros(len(of_seat), np.int64)
        for prefix in (WAGER, RESULT)
    }
    for code, name in enumerate(words.words()):
        rounds, hands = table == code, of_seat == code
        found = tables[game, name]
        first, last = int(at[rounds].min()), int(at[rounds].max())
        found.pace(first, last, int(rounds.sum()), int(hands.sum()))
        found.handle += sum(sums[WAGER][hands].tolist())  # Python's integers have no largest
        found.win -= sum(sums[RESULT][hands].tolist())


def _findings_by_table(day: GamblingDay) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    units = units_of(day) if day.current is not None else ()
    for unit in units:
        for table, _, _, findings in unit.by_hour:
            counts[unit.segment.game, table] += findings
    return dict(counts)


def performance_blocks(performance: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the tables of an annex."""
    tables = performance["tables"]
    if not tables:
        return
    yield Heading("Performance of the tables")
    yield Rows(
        "performance",
        "By table; handle, win and hold are of wagers against the house",
        (
            Column("Table"),
            *(
                Column(title, Align.NUMBERS)
                for title in (
                    *("Rounds", "Hands an hour", "Handle", "House win", "Hold"),
                    *("Findings", "Per 1,000"),
                )
            ),
        ),
        (*map(_row, tables), *_total(tables)),
    )
    results = sorted(performance["results"], key=lambda it: _in_band(it) == INSIDE)
    if not results:
        return
    outside = sum(_in_band(each) != INSIDE for each in results)
    yield Words(
        f"Of {counted(len(results), 'wager')} at these tables whose chances are known, {outside:,} "
        f"came out outside a band of {BAND} standard deviations around the odds of the approved "
        "rules. A fair table is inside on 19 of 20 nights. “At most” is by the play that favors "
        "the player most."
    )
    if outside:
        yield Rows(
            "results",
            "Wagers outside the band; the attached data has all",
            (
                Column("Table"),
                Column("Wager"),
                Column("Counted"),
                *(Column(title, Align.NUMBERS) for title in ("Logged", "Expected", "Band")),
                Column("In the band"),
            ),
            tuple(
                (
                    each["table"],
                    each["wager"],
                    each["counts"].capitalize(),
                    _number(each["observed"]),
                    ("" if each["exact"] else "at most ") + _number(each["expected"]),
                    f"±{each['band']:,}",
                    _in_band(each),
                )
                for each in results
            ),
            printed=outside,
        )


def _row(each: Mapping[str, Any]) -> tuple[str, ...]:
    money = ("–", "–", "–")
    if each["banked"]:
        money = (dollars(each["handle"]), dollars(each["win"]), _hold(each))
    return (
        ", ".join(filter(None, (each["table"], each["game"]))),
        f"{each['rounds']:,}",
        f"{each['per_hour']:,}",
        *money,
        f"{each['findings']:,}",
        f"{each['findings'] * 1000 / each['rounds']:,.1f}" if each["rounds"] else "–",
    )


def _total(tables: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    if len(tables) > 1:
        names = ("rounds", "per_hour", "handle", "win", "findings")
        sums = {name: sum(each[name] for each in tables) for name in names}
        banked = any(each["banked"] for each in tables)
        yield _row({"table": "All", "game": "", "banked": banked, **sums})


def _hold(each: Mapping[str, Any]) -> str:
    return f"{each['win'] / each['handle']:.2%}".replace("-", "−") if each["handle"] else "–"


def _in_band(each: Mapping[str, Any]) -> str:
    off = each["observed"] - each["expected"]
    if off > each["band"]:
        return "No: above"
    return "No: below" if each["exact"] and off < -each["band"] else INSIDE


INSIDE = "Yes"


def _number(count: int) -> str:
    return f"{count:,}".replace("-", "−")
