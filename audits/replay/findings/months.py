"""Findings of a month as a Parquet file, made from the findings files and kept beside the data.

The archived findings files stay the only source. A month's file is named by the work units in it:
when a night of the month is audited again, the name changes and the file is made again, with the
rows of unchanged units copied. Nothing is lost when the folder is emptied.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING, Final

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from django.conf import settings
from django.db.models import Exists, OuterRef

from audits.intake.days.models import GamblingDay
from audits.replay.findings.files import dealers_of
from audits.replay.findings.models import CauseRoute
from audits.replay.findings.routes import findings_with_keys
from audits.replay.models import ReplaySegment
from compliance.access.scope import without_access_scope

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date


TEXT: Final = pa.dictionary(pa.int32(), pa.string())
SCHEMA: Final = pa.schema(
    [
        ("party", pa.int64()),
        ("day", pa.date32()),
        ("id", pa.string()),
        ("game", TEXT),
        ("cause", TEXT),
        ("table", TEXT),
        ("round", pa.string()),
        ("at", pa.int64()),
        ("code", TEXT),
        ("weight", TEXT),
        ("seat", pa.int64()),
        ("wager", TEXT),
        ("line", TEXT),
        ("player", pa.string()),
        ("dealer", TEXT),
        ("logged", pa.string()),
        ("expected", pa.string()),
        ("delta", pa.int64()),
        ("cites", pa.list_(pa.string())),
        ("unit", TEXT),
    ]
)
"""Columns of findings; `at` in microseconds, `logged` and `expected` as JSON."""
OF_LINE: Final = ("id", "table", "round", "at", "code", "weight", "seat", "wager", "line", "delta")
AT_ONCE: Final = 1 << 15
SECONDS: Final = 2.0
"""How long a page may make files for; at least one is made."""
STALE_SECONDS: Final = 3600


@dataclass(frozen=True)
class Unit:
    """A work unit with current findings, and the files that they are in."""

    work_unit: int
    party: int
    day: date
    findings: int
    files: tuple[str, ...]
    routes: tuple[int, ...] = ()
    """The operator's routes, by which people regrouped findings."""

    @property
    def month(self) -> tuple[int, int, int]:
        """Return the operator and the month that it belongs to."""
        return self.party, self.day.year, self.day.month

    @property
    def key(self) -> str:
        """Identify what the unit says; segments never change."""
        routes = map(str, self.routes)
        text = "\0".join((str(self.party), str(self.day), *self.files, *routes))
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Months:
    """The files with the findings asked for, and how many findings are in no file yet."""

    paths: tuple[Path, ...]
    left_out: int


def folder() -> Path:
    """Return where the files are."""
    return Path(settings.VAR) / "findings"


def units_with_findings(
    parties: Collection[int], first: date | None = None, last: date | None = None
) -> list[Unit]:
    """Return the work units of the current replays of days that have findings, by month."""
    current = GamblingDay.objects.filter(
        current=OuterRef("replay"), party=OuterRef("segment__party"), day=OuterRef("segment__day")
    )
    with without_access_scope():
        found = ReplaySegment.objects.filter(
            Exists(current), segment__party__in=parties, findings__gt=0
        )
        if first is not None:
            found = found.filter(segment__day__gte=first)
        if last is not None:
            found = found.filter(segment__day__lte=last)
        rows = found.order_by("segment__party", "segment__day", "position").values_list(
            "pk", "segment__party", "segment__day", "findings",
            "findings_file", "issues_file", "marks_file", "segment__sha256",
        )  # fmt: skip
        routes: dict[int, tuple[int, ...]] = defaultdict(tuple)
        of_parties = CauseRoute.objects.filter(source__party__in=parties).order_by("pk")
        for party, route in of_parties.values_list("source__party", "pk"):
            routes[party] += (route,)
        return [Unit(*row[:4], tuple(row[4:]), routes[row[1]]) for row in rows]


def months(units: Collection[Unit], *, seconds: float = SECONDS) -> Months:
    """Return the files of all months with these units, making those that are missing.

    `units` has all units of each month. After `seconds`, no further file is begun.
    """
    until = monotonic() + seconds
    paths, left_out, made = [], 0, 0
    for month, together in groupby(units, lambda each: each.month):
        of_month = list(together)
        path = _path(month, of_month)
        if not path.exists():
            if made and monotonic() > until:
                left_out += sum(each.findings for each in of_month)
                continue
            _make(path, month, of_month)
            made += 1
        paths.append(path)
    return Months(tuple(paths), left_out)


def _path(month: tuple[int, int, int], units: Collection[Unit]) -> Path:
    named = hashlib.sha256("\n".join(sorted(each.key for each in units)).encode()).hexdigest()
    return folder() / f"{_stem(month)}{named[:32]}.parquet"


def _stem(month: tuple[int, int, int]) -> str:
    party, year, of_year = month
    return f"{party}-{year:04}-{of_year:02}-"


def _make(path: Path, month: tuple[int, int, int], units: Collection[Unit]) -> None:
    """Write a month's file, and put it in its place when it is complete."""
    folder().mkdir(parents=True, exist_ok=True)
    missing = {each.key: each for each in units}
    handle, aside = tempfile.mkstemp(dir=folder(), suffix=".part")
    os.close(handle)
    try:
        with pq.ParquetWriter(aside, SCHEMA, compression="zstd") as writer:
            for table in _copied(month, missing):
                writer.write_table(table)
            for unit in missing.values():
                for table in _read(unit):
                    writer.write_table(table)
        Path(aside).replace(path)
    finally:
        Path(aside).unlink(missing_ok=True)
    for old in folder().glob(f"{_stem(month)}*"):
        # A query that began a moment ago may still read it.
        if old != path and old.stat().st_mtime < time() - STALE_SECONDS:
            old.unlink(missing_ok=True)


def _copied(month: tuple[int, int, int], missing: dict[str, Unit]) -> Iterator[pa.Table]:
    """Yield the rows that an earlier file of the month already has, and strike them off."""
    earlier = sorted(folder().glob(f"{_stem(month)}*.parquet"), key=lambda it: it.stat().st_mtime)
    for path in earlier[-1:]:
        wanted, found = pa.array(list(missing)), set()
        with pq.ParquetFile(path) as file:
            if not file.schema_arrow.equals(SCHEMA):
                return
            for number in range(file.num_row_groups):
                table = file.read_row_group(number, use_threads=False)
                units = table.column("unit").cast(pa.string())
                kept = table.filter(pc.is_in(units, wanted))
                found |= set(kept.column("unit").cast(pa.string()).unique().to_pylist())
                if len(kept):
                    yield kept
        for key in found:
            del missing[key]


def _read(unit: Unit) -> Iterator[pa.Table]:
    """Yield the findings of a unit as tables."""
    with without_access_scope():
        audited = ReplaySegment.objects.select_related("segment").get(pk=unit.work_unit)
        dealers = dealers_of(audited.segment)
    common = {"party": unit.party, "day": unit.day, "unit": unit.key}
    with findings_with_keys(audited) as lines:
        while some := list(islice(lines, AT_ONCE)):
            rows = []
            for text, key in some:
                line = orjson.loads(text)
                rows.append(
                    common
                    | {name: line[name] for name in OF_LINE}
                    | {
                        "game": key.game,
                        "cause": key.cause,
                        "player": line["player"],
                        "dealer": dealers.get(line["round"]),
                        "logged": orjson.dumps(line["logged"]).decode(),
                        "expected": orjson.dumps(line["expected"]).decode(),
                        "cites": line["cites"],
                    }
                )
            yield pa.Table.from_pylist(rows, SCHEMA)
