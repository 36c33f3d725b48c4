"""Columns in Parquet and back: one row per round, its seats a list, each column as in memory.

A round that doesn't fit the columns is a row that contains its line as text, and no seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from games.log.columns import Columns, Level, Texts, absent_in
from games.log.field_types import ABSENT, Code
from games.log.gather import Gatherer, blanks
from games.log.layout import LATER_TEXTS, names_of
from games.log.schema import ROUND

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from games.log.round import Round


ROW_GROUP: Final = 128 * 1024
GAME_KEY: Final = b"game"
TIMES: Final = tuple(field.column for field in ROUND if field.type.code is Code.TIME)
LINE: Final = "line"
"""The text of a round that fits no columns; null for the others."""


@dataclass(frozen=True, slots=True)
class Group:
    """A row group: regular rounds, and the positions of the others among them."""

    columns: Columns
    """`lines` are the rows of the file, from 1."""
    odd: tuple[tuple[int, bytes], ...]
    rows: int


@cache
def schema_of(game: str, later: tuple[str, ...] = LATER_TEXTS) -> pa.Schema:
    """Return the schema of a game's file with these of `LATER_TEXTS`."""
    names = names_of(game)
    rounds = [
        *(pa.field(name, pa.string()) for name in names.round_texts + later),
        *(pa.field(name, _number_type(name)) for name in names.round_numbers),
        *(pa.field(name, pa.uint8(), nullable=False) for name in names.round_cards),
        pa.field(LINE, pa.string()),
    ]
    seats = [
        *(pa.field(name, pa.string()) for name in names.seat_texts),
        *(pa.field(name, pa.int64(), nullable=False) for name in names.seat_numbers),
        *(pa.field(name, pa.uint8(), nullable=False) for name in names.seat_cards),
    ]
    seat = pa.field("seat", pa.struct(seats), nullable=False)
    rounds.append(pa.field("seats", pa.list_(seat), nullable=False))
    return pa.schema(rounds, {GAME_KEY: game.encode()})


def later_in(names: Container[str]) -> tuple[str, ...]:
    """Return which of `LATER_TEXTS` are among the names of columns."""
    return tuple(name for name in LATER_TEXTS if name in names)


@cache
def words_of(game: str, later: tuple[str, ...] = LATER_TEXTS) -> list[str]:
    """Return the leaves of a game's file whose texts repeat a lot: tables, decks, players.

    Reading them as dictionaries avoids writing them out row by row, which saves a fifth of the
    time.
    """
    names = names_of(game)
    of_rounds = (name for name in names.round_texts + later if name not in ("round", "video"))
    return [*of_rounds, *(f"seats.list.element.{name}" for name in names.seat_texts)]


def _number_type(name: str) -> pa.DataType:
    return pa.timestamp("us", "UTC") if name in TIMES else pa.int64()


def to_table(
    game: str, columns: Columns | None, odd: Sequence[tuple[int, Round, bytes]] = ()
) -> pa.Table:
    """Return columns, and other rounds with their lines, as an Arrow table in line order.

    The round's content decides its row, not how its line was spelled. The table shares no memory
    with the columns.
    """
    tables = [] if columns is None else [table_of(columns)]
    lines = [] if columns is None else [columns.lines]
    if odd:
        gatherer = Gatherer(game)
        misfits = [item for item in odd if not gatherer.add(item[1], item[0])]
        tables.append(table_of(gatherer.columns()))
        texts = Texts.of([text.decode() for _, _, text in misfits])
        tables.append(table_of(blanks(game, [played for _, played, _ in misfits]), texts))
        lines.append(gatherer.columns().lines)
        lines.append(np.array([line for line, _, _ in misfits], np.int64))
    if len(tables) == 1:
        return tables[0]
    order = np.argsort(np.concatenate(lines), kind="stable")
    return pa.concat_tables(tables).take(pa.array(order))


def table_of(
    columns: Columns, lines: Texts | None = None, later: tuple[str, ...] = LATER_TEXTS
) -> pa.Table:
    """Return columns as an Arrow table, in order; `lines` has the texts of rounds that fit none."""
    schema, names = schema_of(columns.game, later), names_of(columns.game)
    texts = {name: columns.rounds.text(name).arrow() for name in names.round_texts + later}
    numbers = {
        name: _numbers(columns.rounds.numbers[name], schema.field(name).type)
        for name in names.round_numbers
    }
    cards = {name: pa.array(columns.rounds.cards[name].copy()) for name in names.round_cards}
    seat_type = schema.field("seats").type.value_type
    seats = pa.StructArray.from_arrays(
        [
            *(columns.seats.texts[name].arrow() for name in names.seat_texts),
            *(pa.array(columns.seats.numbers[name].copy()) for name in names.seat_numbers),
            *(pa.array(columns.seats.cards[name].copy()) for name in names.seat_cards),
        ],
        fields=list(seat_type),
    )
    lists = pa.ListArray.from_arrays(
        pa.array(columns.first_seat.astype(np.int32)), seats, type=schema.field("seats").type
    )
    odd = pa.nulls(len(columns), pa.string()) if lines is None else lines.arrow()
    arrays = [*texts.values(), *numbers.values(), *cards.values(), odd, lists]
    return pa.Table.from_arrays(arrays, schema=schema)


def _numbers(column: Any, kind: pa.DataType) -> pa.Array:
    if not pa.types.is_timestamp(kind):
        return pa.array(column.copy())
    absent = column == ABSENT
    return pa.array(column.copy(), mask=absent if absent.any() else None).cast(kind)


class ColumnWriter:
    """Writes one game's rounds to a file, in row groups of 128 k."""

    def __init__(self, path: Path, game: str) -> None:
        self._writer = pq.ParquetWriter(path, schema_of(game), compression="lz4")
        self._tables: list[pa.Table] = []
        self._rows = 0

    def write(self, table: pa.Table) -> None:
        """Add rounds."""
        self._tables.append(table)
        self._rows += len(table)
        if self._rows >= ROW_GROUP:
            self._flush(ROW_GROUP)

    def close(self) -> None:
        """Write the rest and close the file."""
        if self._rows:
            self._flush(1)
        self._writer.close()

    def _flush(self, least: int) -> None:
        table = pa.concat_tables(self._tables)
        whole = len(table) if least == 1 else len(table) // ROW_GROUP * ROW_GROUP
        self._writer.write_table(table.slice(0, whole), row_group_size=ROW_GROUP)
        self._tables = [table.slice(whole)] if whole < len(table) else []
        self._rows = len(table) - whole


def read_groups(path: Path) -> Iterator[Group]:
    """Yield the rounds of a file, row group by row group, in bounded memory.

    Raises:
        ValueError: it isn't a file of this kind.
    """
    metadata = pq.read_metadata(path)
    game = (metadata.metadata or {}).get(GAME_KEY, b"").decode()
    if not game or not metadata.schema.to_arrow_schema().equals(schema_of(game)):
        message = f"{path} is Parquet, but not of rounds as this engine writes them."
        raise ValueError(message)
    with pq.ParquetFile(path, metadata=metadata, read_dictionary=words_of(game)) as file:
        first = 1
        for number in range(file.num_row_groups):
            # Nothing here keeps a reference to a group: its memory, warm and mapped, is reused for
            # the next.
            yield group_of(game, file.read_row_group(number, use_threads=False), first)
            first += file.metadata.row_group(number).num_rows


def group_of(game: str, table: pa.Table, first: int) -> Group:
    """Return the rows of a table, the first of which is row `first` of its file."""
    columns = of_table(game, table, np.arange(first, first + len(table)))
    texts = table.column(LINE)
    if texts.null_count == len(table):
        return Group(columns, (), len(table))
    spoken = ~absent_in(_one(texts))
    if np.diff(columns.first_seat)[spoken].any():
        message = "A row that holds a line has seats: it is not as this engine writes rounds."
        raise ValueError(message)
    texts_as_read = Texts.of_arrow(_one(texts))
    odd = tuple(
        (first + row, texts_as_read.encoded(row)) for row in np.flatnonzero(spoken).tolist()
    )
    return Group(_without_blanks(columns, ~spoken), odd, len(table))


def _without_blanks(columns: Columns, kept: NDArray[np.bool_]) -> Columns:
    """Return the columns without rows that have no seats; the other rows' seats stay in place."""
    rounds = columns.rounds
    return Columns(
        columns.game,
        Level(
            {name: column[kept] for name, column in rounds.numbers.items()},
            {name: column[kept] for name, column in rounds.cards.items()},
            {
                name: Texts(texts.data, texts.start[kept], texts.stop[kept])
                for name, texts in rounds.texts.items()
            },
        ),
        columns.seats,
        columns.first_seat[np.append(kept, True)],
        columns.lines[kept],
    )


def of_table(game: str, table: pa.Table, lines: Any) -> Columns:
    """Return the columns of regular rounds from Arrow, without a copy if there is one chunk."""
    names = names_of(game)
    batch = table.combine_chunks()
    lists = _one(batch.column("seats"))
    first_seat = lists.offsets.to_numpy().astype(np.int64)
    seats = lists.values.slice(first_seat[0], first_seat[-1] - first_seat[0])
    fields = dict(zip((field.name for field in seats.type), seats.flatten(), strict=True))
    return Columns(
        game,
        Level(
            {name: _array(_one(batch.column(name))) for name in names.round_numbers},
            {name: _view(_one(batch.column(name)), np.uint8) for name in names.round_cards},
            {
                name: Texts.of_arrow(_one(batch.column(name)))
                for name in names.round_texts + later_in(batch.column_names)
                if name not in LATER_TEXTS or batch.column(name).null_count < len(batch)
            },
        ),
        Level(
            {name: _view(fields[name], np.int64) for name in names.seat_numbers},
            {name: _view(fields[name], np.uint8) for name in names.seat_cards},
            {name: Texts.of_arrow(fields[name]) for name in names.seat_texts},
        ),
        first_seat - first_seat[0],
        lines,
    )


def _one(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _array(array: pa.Array) -> Any:
    numbers = _view(array, np.int64)
    return np.where(absent_in(array), ABSENT, numbers) if array.null_count else numbers


def _view(array: pa.Array, kind: type) -> Any:
    """Return the array's own memory.

    Arrow's `to_numpy` would return it read-only, which is another type to Numba: every kernel would
    be compiled a second time.
    """
    data = array.buffers()[1]
    if data is None:
        return np.empty(0, kind)
    return np.frombuffer(data, kind)[array.offset : array.offset + len(array)]
