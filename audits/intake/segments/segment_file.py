"""A segment's file: Parquet with one game's rounds, sorted by table and order of play."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from audits.intake.segments.place import Place
from audits.intake.segments.rejections import DamagedSegmentError
from games.log.columns import Texts
from games.log.digests import digest_of_line, digests_of
from games.log.parquet import (
    LINE,
    ROW_GROUP,
    Group,
    group_of,
    later_in,
    of_table,
    schema_of,
    table_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from games.log.columns import Columns


VERSION: Final = 1
HEADER: Final = b"segment"

BEFORE: Final = 1
"""In its log, a rejected line of the table is between this round and the one before it."""
AFTER: Final = 2
"""In its log, a rejected line of the table is between this round and the next one."""
AFTER_PREVIOUS: Final = 4
"""The previous round in order of play, from any log, has AFTER."""
FELL_BACK: Final = 8
"""In its log, the round ended before the one preceding it, which is of another day."""
TWO_DECKS: Final = 16
"""In its log, two decks alternate at the table, and its own deck is named (P2-I8)."""
THIRD_DECK: Final = 32
"""In its log, its deck is not one of the first two named at the table."""
OF_ITS_LOG: Final = BEFORE | AFTER | FELL_BACK | TWO_DECKS | THIRD_DECK
"""Marks that do not depend on the rounds of other logs."""

SOURCE: Final = [
    pa.field("source_log", pa.int32(), nullable=False),
    pa.field("source_line", pa.int64(), nullable=False),
    pa.field("disturbed", pa.uint8(), nullable=False),
]


@dataclass(frozen=True, slots=True)
class Header:
    """A segment's description of itself."""

    place: Place
    piece: int
    logs: tuple[str, ...]
    """SHA-256s of all logs with rounds at the place, in order of submission."""

    def written(self) -> bytes:
        """Serialize the header for the file."""
        return orjson.dumps(
            {
                "version": VERSION,
                "game": self.place.game,
                "day": self.place.day.isoformat(),
                "piece": self.piece,
                "logs": self.logs,
            }
        )

    @staticmethod
    def read(written: bytes) -> Header:
        """Parse the header of a file."""
        fields = orjson.loads(written)
        if fields["version"] != VERSION:
            message = f"segments of version {fields['version']} are not known here, only {VERSION}"
            raise ValueError(message)
        place = Place(fields["game"], date.fromisoformat(fields["day"]))
        return Header(place, fields["piece"], tuple(fields["logs"]))


@dataclass(frozen=True, slots=True)
class Rows:
    """Rounds of one game in segment order, both regular and odd ones."""

    columns: Columns
    """A round that does not fit the columns has only its IDs and times here, and no seats."""
    odd: Texts
    """The round's line as `line_of` writes it; absent for a regular round."""
    digests: NDArray[np.uint64]
    log: NDArray[np.int32]
    line: NDArray[np.int64]
    disturbed: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.columns)


@dataclass(frozen=True, slots=True)
class SegmentGroup:
    """A row group of a segment. Each array has an element for every row, regular or odd."""

    columns: Columns
    """The regular rounds; `lines` are their rows in the segment, from 1."""
    odd: tuple[tuple[int, bytes], ...]
    """Row (from 1) and canonical line of every odd round."""
    first_row: int
    """Row of the group's first round; a row's array index is `row - first_row`."""
    source_log: NDArray[np.int32]
    """Index in the header's logs of the log that contains each round."""
    source_line: NDArray[np.int64]
    disturbed: NDArray[np.bool_]
    """Whether a rejected line of the table is between the previous round and this one."""
    fell_back: NDArray[np.bool_]
    """Whether the clock in its log fell back to this round across a day boundary."""
    decks: NDArray[np.uint8]
    """The marks TWO_DECKS and THIRD_DECK."""

    def __len__(self) -> int:
        return len(self.source_log)


@cache
def _schema(game: str, later: tuple[str, ...]) -> pa.Schema:
    schema = schema_of(game, later)
    return pa.schema([*schema, *SOURCE], schema.metadata)


@cache
def _encodings(game: str, later: tuple[str, ...]) -> dict[str, Any]:
    """Use dictionaries for repeating values: every column except IDs and lines."""
    plain = {"round", "at", "source_line", "video"}
    names = [
        name
        for field in _schema(game, later)
        for name in (
            [f"seats.list.element.{part.name}" for part in field.type.value_type]
            if field.name == "seats"
            else [field.name]
        )
    ]
    deltas = {"at": "DELTA_BINARY_PACKED", "source_line": "DELTA_BINARY_PACKED"}
    return {
        "use_dictionary": [name for name in names if name not in plain],
        "column_encoding": deltas,
    }


def write_segment(path: Path, header: Header, rows: Rows) -> str:
    """Write a segment and return its identity."""
    game = header.place.game
    later = later_in(rows.columns.rounds.texts)
    schema = _schema(game, later)
    schema = schema.with_metadata({**schema.metadata, HEADER: header.written()})
    table = table_of(rows.columns, rows.odd, later)
    for field, column in zip(SOURCE, (rows.log, rows.line, rows.disturbed), strict=True):
        table = table.append_column(field, pa.array(column))
    with pq.ParquetWriter(
        path,
        schema,
        compression="lz4",
        write_statistics=False,
        write_page_checksum=True,
        **_encodings(game, later),
    ) as writer:
        writer.write_table(table.cast(schema), row_group_size=ROW_GROUP)
    identity = _begun(header)
    _take(identity, rows)
    return str(identity.hexdigest())


def _begun(header: Header) -> Any:
    digest = hashlib.sha256()
    written = header.written()
    digest.update(len(written).to_bytes(8, "little") + written)
    return digest


def _take(digest: Any, rows: Rows) -> None:
    """Hash each row: the digest of its round, then its place in the logs."""
    kind = np.dtype([("round", "<u8", 4), ("log", "<i4"), ("line", "<i8"), ("disturbed", "u1")])
    fields = np.empty(len(rows), kind)
    fields["round"], fields["log"], fields["line"] = rows.digests, rows.log, rows.line
    fields["disturbed"] = rows.disturbed
    digest.update(fields.data)


def read_header(path: Path) -> Header:
    """Read a segment's header.

    Raises:
        DamagedSegmentError: the file cannot be read as a segment.
    """
    with _opened(path) as (_, header):
        return header


def read_segment(path: Path) -> Iterator[SegmentGroup]:
    """Yield a segment's rounds by row group, in bounded memory.

    Raises:
        DamagedSegmentError: the file cannot be read as it was written.
    """
    with _opened(path, words=True) as (file, header):
        first = 1
        for number in range(file.num_row_groups):
            # Keep no reference to a group: its warm, mapped memory is reused for the next one.
            yield _group(_row_group(file, number, path), header.place.game, first)
            first += file.metadata.row_group(number).num_rows


def read_group_with(path: Path, row: int) -> SegmentGroup:
    """Return the row group that contains a row (from 0), without reading earlier groups.

    Raises:
        DamagedSegmentError: the file cannot be read as it was written, or has no such row.
    """
    with _opened(path, words=True) as (file, header):
        first = 0
        for number in range(file.num_row_groups):
            end = first + file.metadata.row_group(number).num_rows
            if first <= row < end:
                return _group(_row_group(file, number, path), header.place.game, first + 1)
            first = end
    raise DamagedSegmentError(path, f"there is no row {row}")


def read_rows(path: Path) -> tuple[Header, Rows]:
    """Read a whole segment, to rebuild it with more rounds.

    Raises:
        DamagedSegmentError: the file cannot be read as it was written.
    """
    with _opened(path) as (file, header):
        tables = [_row_group(file, number, path) for number in range(file.num_row_groups)]
    table = pa.concat_tables(tables)
    return header, _rows(header.place.game, table)


def read_source_logs(path: Path) -> NDArray[np.int32]:
    """Return the index in the header's logs for each round of a segment.

    Raises:
        DamagedSegmentError: the file cannot be read as it was written.
    """
    with _opened(path) as (file, _):
        try:
            found: NDArray[np.int32] = file.read(["source_log"]).column(0).to_numpy()
        except (pa.ArrowException, OSError) as error:
            raise DamagedSegmentError(path, error) from None
    return found


def identity_of(path: Path) -> str:
    """Recompute the identity of a segment from its rows.

    Raises:
        DamagedSegmentError: the file cannot be read as it was written.
    """
    with _opened(path) as (file, header):
        digest = _begun(header)
        for number in range(file.num_row_groups):
            rows = _rows(header.place.game, _row_group(file, number, path))
            _take(digest, rows)
    return str(digest.hexdigest())


class _opened:  # noqa: N801
    """A segment's file and header, open for reading.

    With `words`, repetitive texts are read as dictionaries.
    """

    def __init__(self, path: Path, *, words: bool = False) -> None:
        self._path = path
        self._words = words

    def __enter__(self) -> tuple[pq.ParquetFile, Header]:
        try:
            metadata = pq.read_metadata(self._path)
            header = Header.read((metadata.metadata or {})[HEADER])
            game = header.place.game
            columns = metadata.schema.to_arrow_schema()
            later = later_in(columns.names)
            if not columns.equals(_schema(game, later)):
                message = "its columns are not those of a segment of its game"
                raise ValueError(message)
            self._file = pq.ParquetFile(
                self._path,
                metadata=metadata,
                read_dictionary=words_of(game, later) if self._words else None,
                page_checksum_verification=True,
            )
        except FileNotFoundError:
            raise
        except (pa.ArrowException, OSError, ValueError, KeyError) as error:
            raise DamagedSegmentError(self._path, error) from None
        return self._file, header

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _row_group(file: pq.ParquetFile, number: int, path: Path) -> pa.Table:
    try:
        return file.read_row_group(number, use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise DamagedSegmentError(path, error) from None


def _group(table: pa.Table, game: str, first: int) -> SegmentGroup:
    log, line, disturbed = (table.column(field.name).to_numpy() for field in SOURCE)
    group: Group = group_of(game, _rounds_of(game, table), first)
    return SegmentGroup(
        group.columns, group.odd, first, log, line,
        (disturbed & (BEFORE | AFTER_PREVIOUS)) != 0, (disturbed & FELL_BACK) != 0,
        disturbed & np.uint8(TWO_DECKS | THIRD_DECK),
    )  # fmt: skip


def _rounds_of(game: str, table: pa.Table) -> pa.Table:
    return table.select(schema_of(game, later_in(table.column_names)).names)


def _rows(game: str, table: pa.Table) -> Rows:
    log, line, disturbed = (table.column(field.name).to_numpy() for field in SOURCE)
    plain = _rounds_of(game, table)
    odd = Texts.of_arrow(plain.column(LINE).combine_chunks())
    columns = of_table(game, plain, line)
    digests = digests_of(columns)
    for row in np.flatnonzero(odd.start >= 0).tolist():
        digests[row] = np.frombuffer(digest_of_line(odd[row].encode()), "<u8")  # type: ignore[union-attr]
    return Rows(columns, odd, digests, log, line, disturbed)
