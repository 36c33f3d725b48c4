"""Performance beside conformance: handle, win, hold and pace by table, game, shift and dealer.

Handle is what players wagered against the house, and win is what the house kept of it. Rounds that
a player banks, and games that players settle among themselves, have neither. Void rounds are not
counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
from django.utils import timezone

from audits.instants import microseconds
from audits.intake.reads import current_segments
from audits.intake.segments.segment_file import read_segment
from audits.replay.findings.files import findings_of
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
from reports.documents.wording import clock, counted, dollars
from reports.rendering.blocks import Align, Column, Heading, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.intake.days.models import GamblingDay
    from audits.intake.segments.segment_file import SegmentGroup
    from games.log.columns import Columns
    from reports.rendering.blocks import Block

HOUR = 3_600_000_000
"""Microseconds."""
BAND = 2
"""Standard deviations on each side of what is expected: chance stays inside on 19 of 20 nights."""
WAGER, RESULT = "wager_", "result_"
PLAYED_AMONG_PLAYERS = frozenset({"chinese-poker", "showdown"})
THIRD = timedelta(hours=8)
"""Length of a shift where the log names none."""
LENGTH = THIRD // timedelta(microseconds=1)
MOST_DEALERS = 12
"""Dealers printed, those with the most findings first; the data has all."""
FIGURES = tuple(
    Column(title, Align.NUMBERS)
    for title in ("Rounds", "Hands an hour", "Handle", "House win", "Hold", "Findings", "Per 1,000")
)


@dataclass
class Sums:
    """Rounds at one table, of one shift, or by one dealer."""

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

    def figures(self, findings: int) -> dict[str, int]:
        """Return the sums as data; hands per hour are between the first round and the last."""
        hours = max(self.last - self.first, HOUR)
        return {
            "rounds": self.rounds,
            "hands": self.hands,
            "per_hour": round(self.hands * HOUR / hours),
            "handle": self.handle,
            "win": self.win,
            "findings": findings,
        }


@dataclass
class Night:
    """The rounds of a gambling day by table, shift and dealer, while they are read."""

    thirds: list[str]
    begins: int
    flagged: set[str]
    tables: dict[tuple[str, str], Sums] = field(default_factory=lambda: defaultdict(Sums))
    shifts: dict[str, Sums] = field(default_factory=lambda: defaultdict(Sums))
    dealers: dict[str, Sums] = field(default_factory=lambda: defaultdict(Sums))
    worked: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Dealer and shift that the log names, of each round with findings."""

    def third(self, at: int) -> int:
        """Return in which third of the day an instant is."""
        return min(max((at - self.begins) // LENGTH, 0), len(self.thirds) - 1)

    def count(self, findings: Sequence[Mapping[str, Any]]) -> tuple[Counter[str], Counter[str]]:
        """Return the findings by shift and by dealer, each finding once."""
        shifts: Counter[str] = Counter()
        dealers: Counter[str] = Counter()
        for each in findings:
            dealer, shift = self.worked.get(each["round"], ("", ""))
            shifts[shift or self.thirds[self.third(each["at"])]] += 1
            dealers[dealer] += 1
        return shifts, dealers


def _night(day: GamblingDay, findings: Sequence[Mapping[str, Any]]) -> Night:
    begins = timezone.localtime(day.begins)
    ends = [begins + THIRD, begins + 2 * THIRD, timezone.localtime(day.ends)]
    return Night(
        thirds=[f"{clock(a)} to {clock(b)}" for a, b in zip([begins, *ends], ends, strict=False)],
        begins=microseconds(day.begins),
        flagged={each["round"] for each in findings},
    )


def performance_of(day: GamblingDay) -> dict[str, Any]:
    """Return what each table took, and how its results compare with the odds as approved."""
    names = game_names()
    findings = list(_findings(day))
    night = _night(day, findings)
    statistics = defaultdict(list)
    for segment in current_segments(day.party, day=day.day):
        with current_archive().fetch(segment.sha256) as path:
            _add(night, segment.game, path)
            statistics[segment.game].append(gather_statistics(path))
    by_table = Counter((each["game"], each["table"]) for each in findings)
    by_shift, by_dealer = night.count(findings)
    return {
        "tables": [
            {
                "game": names.get(game, game),
                "table": table,
                "banked": game not in PLAYED_AMONG_PLAYERS,
                **it.figures(by_table[game, table]),
            }
            for (game, table), it in sorted(night.tables.items())
        ],
        "shifts": [
            {"name": name, **night.shifts[name].figures(by_shift[name])} for name in _ordered(night)
        ],
        "dealers": [
            {"name": name, **it.figures(by_dealer[name])}
            for name, it in sorted(night.dealers.items(), key=lambda it: (-by_dealer[it[0]], it[0]))
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


def _findings(day: GamblingDay) -> Iterator[dict[str, Any]]:
    for unit in units_of(day) if day.current is not None else ():
        with findings_of(unit) as lines:
            yield from map(orjson.loads, lines)


def _ordered(night: Night) -> list[str]:
    """Return the shifts in the order in which they began."""
    return sorted(night.shifts, key=lambda name: (night.shifts[name].first, name))


def _add(night: Night, game: str, path: Path) -> None:
    for group in read_segment(path):
        if len(group.columns):
            _add_regular(night, game, group)
        for _, line in group.odd:
            round_ = read_written(line)
            if isinstance(round_, Round):
                _add_odd(night, game, round_)


def _add_odd(night: Night, game: str, round_: Round) -> None:
    dealer, shift = round_.dealer_id or "", round_.shift or ""
    if round_.round in night.flagged:
        night.worked[round_.round] = (dealer, shift)
    if not round_.played:
        return
    by_house = round_.banker is None and game not in PLAYED_AMONG_PLAYERS
    for found in (
        night.tables[game, round_.table],
        night.shifts[shift or night.thirds[night.third(round_.at)]],
        *([night.dealers[dealer]] if dealer else []),
    ):
        found.pace(round_.at, round_.at, 1, len(round_.seats))
        if by_house:
            found.handle += sum(sum(each.wagers.values()) for each in round_.seats)
            found.win -= sum(sum(each.result.values()) for each in round_.seats)


def _add_regular(night: Night, game: str, group: SegmentGroup) -> None:
    """Add a row group's regular rounds, none of which is void."""
    columns = group.columns
    texts, at = columns.rounds.texts, columns.rounds.numbers["at"]
    dealers, shifts = columns.rounds.text("dealer_id"), columns.rounds.text("shift")
    for row in range(len(columns)):
        if (id_ := texts["round"][row]) in night.flagged:
            night.worked[str(id_)] = (dealers[row] or "", shifts[row] or "")
    seats = np.diff(columns.first_seat)
    banker = columns.rounds.numbers.get("banker")
    by_house = np.ones(len(columns), np.bool_) if banker is None else banker == 0
    counted = np.repeat(by_house & (game not in PLAYED_AMONG_PLAYERS), seats)
    sums = {
        prefix: sum(
            np.where(counted, column, 0)
            for name, column in columns.seats.numbers.items()
            if name.startswith(prefix)
        )
        + np.zeros(len(counted), np.int64)
        for prefix in (WAGER, RESULT)
    }
    for codes, places in _places(night, game, columns):
        of_seat = np.repeat(codes, seats)
        for code, found in enumerate(places):
            rounds, hands = codes == code, of_seat == code
            if not rounds.any():
                continue
            found.pace(
                int(at[rounds].min()), int(at[rounds].max()), int(rounds.sum()), int(hands.sum())
            )
            found.handle += sum(sums[WAGER][hands].tolist())  # Python's integers have no largest
            found.win -= sum(sums[RESULT][hands].tolist())


def _places(
    night: Night, game: str, columns: Columns
) -> Iterator[tuple[NDArray[np.int64], list[Sums]]]:
    """Yield the number of each round's table, shift and dealer, and the sums by that number."""
    words = Codes()
    codes = words.codes(columns.rounds.texts["table"])
    yield codes, [night.tables[game, name] for name in words.words()]
    words = Codes()
    codes = words.codes(columns.rounds.text("dealer_id"))
    yield codes, [night.dealers[name] for name in words.words()]
    words = Codes()
    codes = words.codes(columns.rounds.text("shift"))
    named, at = words.words(), columns.rounds.numbers["at"]
    third = np.clip((at - night.begins) // LENGTH, 0, len(night.thirds) - 1)
    names = [*named, *night.thirds]
    codes = np.where(codes < 0, third + len(named), codes)
    used = np.isin(np.arange(len(names)), codes)
    yield codes, [night.shifts[it] if is_ else Sums() for it, is_ in zip(names, used, strict=True)]


def performance_blocks(performance: Mapping[str, Any], rounds: int) -> Iterator[Block]:
    """Yield the tables of an annex; `rounds` are the night's, with void ones."""
    tables = performance["tables"]
    if not tables:
        return
    void = rounds - sum(each["rounds"] for each in tables)
    yield Heading("Performance of the tables")
    yield Rows(
        "performance",
        "By table; handle, win and hold are of wagers against the house"
        + (f"; {counted(void, 'void round')} not counted" if void else ""),
        (Column("Table"), *FIGURES),
        tuple(
            _row(each, ", ".join(filter(None, (each["table"], each["game"])))) for each in tables
        ),
    )
    rows = [*_groups(performance), ("All", "", _sum(tables))]
    yield Rows(
        "groups",
        "By game, shift and dealer; " + _says(performance),
        (Column("By"), Column("Which"), *FIGURES),
        tuple((by, *_row(each, name)) for by, name, each in rows),
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


def _groups(performance: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    games: dict[str, list[Mapping[str, Any]]] = {}
    for each in performance["tables"]:
        games.setdefault(each["game"], []).append(each)
    for name, tables in games.items():
        if len(tables) > 1:
            yield "Game", name, _sum(tables)
    for name in ("shift", "dealer"):
        found = performance.get(f"{name}s", ())
        for each in found[:MOST_DEALERS]:
            yield name.capitalize(), each["name"], each
        if len(found) > MOST_DEALERS:
            yield (
                name.capitalize(),
                f"{len(found) - MOST_DEALERS:,} more",
                _sum(found[MOST_DEALERS:]),
            )


def _says(performance: Mapping[str, Any]) -> str:
    named = performance.get("dealers")
    dealers = "dealers with the most findings first" if named else "no log names a dealer"
    return (
        f"games with one table are above; shifts that no log names are thirds of the day; {dealers}"
    )


def _row(each: Mapping[str, Any], name: str) -> tuple[str, ...]:
    money = ("–", "–", "–")
    if each.get("banked", each["handle"]):
        money = (dollars(each["handle"]), dollars(each["win"]), _hold(each))
    return (
        name,
        f"{each['rounds']:,}",
        f"{each['per_hour']:,}",
        *money,
        f"{each['findings']:,}",
        f"{each['findings'] * 1000 / each['rounds']:,.1f}" if each["rounds"] else "–",
    )


def _sum(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = ("rounds", "per_hour", "handle", "win", "findings")
    return {name: sum(each[name] for each in parts) for name in names}


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
