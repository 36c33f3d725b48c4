"""Rows into rounds: join them, fill the fields as a mapping says, and write round-log lines."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

import orjson

from audits.intake.mapping.cards import read_cards
from audits.intake.mapping.definition import (
    BET,
    CASH,
    base_of,
    cash_targets,
    columns_of,
    targets,
)
from audits.intake.mapping.derived import derive_sets
from audits.intake.mapping.errors import RowError, TableError
from audits.intake.mapping.values import (
    Clock,
    read_cents,
    read_day,
    read_id,
    read_number,
    read_truth,
)
from audits.intake.segments.converted import UNREADABLE
from games.log.field_types import Cents, Code
from games.log.schema import RECORD_KEY, form_of
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from audits.intake.mapping.definition import Definition, From
    from audits.intake.mapping.tables import Row
    from games.log.schema import Field


OPEN_ROWS: Final = 200_000
"""Rows of other rounds after which a round is complete: its rows need not be together, but near."""
MOST_ROWS_OF_A_ROUND: Final = 1_000

DERIVED: Final = "x_derived"


@dataclass(frozen=True)
class Converted:
    """What became of some rows: a round, or the reason why not."""

    rows: tuple[int, ...]
    round: dict[str, Any] | None
    field: str = ""
    reason: str = ""
    id: str = ""
    table: str = ""

    def line(self) -> bytes:
        """Return the line of the converted log, without its line ending."""
        if self.round is not None:
            return orjson.dumps(self.round)
        reason = f"{_rows(self.rows)}: {self.reason}"
        why = {"field": self.field, "reason": reason, "round": self.id, "table": self.table}
        return orjson.dumps({UNREADABLE: why})


@dataclass
class _Open:
    """The rows of a round so far, and how many rows had been read at the last of them."""

    rows: list[Row]
    seen: int = 0


def convert(definition: Definition, rows: Iterable[Row]) -> Iterator[Converted]:
    """Yield a round for the rows of each, in the order of their first rows.

    Raises:
        TableError: a column of the mapping is not in the file, or the file has no rows.
    """
    maker = _Maker(definition)
    if definition.rows == CASH:
        yield from _cash(maker, definition, rows)
        return
    closed: set[int] = set()
    waiting: OrderedDict[str, _Open] = OrderedDict()
    above, seen = "", 0
    for row in rows:
        if not seen:
            _require_columns(definition, row)
        seen += 1
        key = maker.key(row) or (above if definition.fill_down else "")
        above = key
        if not key or hash(key) in closed:
            yield maker.stray(row, key)
            continue
        joined = waiting.setdefault(key, _Open([]))
        joined.rows.append(row)
        joined.seen = seen
        if len(joined.rows) > MOST_ROWS_OF_A_ROUND:
            closed.add(hash(key))
            yield maker.endless(waiting.pop(key).rows)
        while waiting and seen - next(iter(waiting.values())).seen > OPEN_ROWS:
            done, joined = waiting.popitem(last=False)
            closed.add(hash(done))
            yield maker.round(joined.rows)
    for joined in waiting.values():
        yield maker.round(joined.rows)
    if not seen:
        msg = "The file has no row of data."
        raise TableError(msg)


def _cash(maker: _Maker, definition: Definition, rows: Iterable[Row]) -> Iterator[Converted]:
    seen = False
    for row in rows:
        if not seen:
            _require_columns(definition, row)
        seen = True
        yield maker.cash(row)
    if not seen:
        msg = "The file has no row of data."
        raise TableError(msg)


def _require_columns(definition: Definition, row: Row) -> None:
    if definition.layout.kind in {"json", "jsonl"}:
        return  # an object may leave out what it does not have
    for name in columns_of(definition):
        if name not in row.cells:
            found = ", ".join(f'"{each[:30]}"' for each in list(row.cells)[:12])
            msg = f'The file has no column "{name[:60]}", which the mapping uses. It has {found}.'
            raise TableError(msg)


class _Maker:
    """Makes rounds of rows, as a mapping says."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        fields = definition.fields
        self._whole = {name: each for name, each in fields.items() if _is_of_round(name)}
        self._seats: dict[int | None, dict[str, From]] = {}
        for name, each in fields.items():
            base, number = base_of(name)
            if base.startswith("seat."):
                self._seats.setdefault(number, {})[base] = each
        zone, backwards = ZoneInfo(definition.zone), definition.newest_first
        self._clocks = {
            name: Clock(zone, definition.time_format, newest_first=backwards)
            for name in ("at", "from", "to", "day")
        }

    def key(self, row: Row) -> str:
        """Return what the rows of one round have in common; empty if the row names none."""
        return read_id(self._text(self._definition.fields["round"], row))

    def stray(self, row: Row, key: str) -> Converted:
        """Return the reason why a row belongs to no round."""
        reason = (
            f"more than {OPEN_ROWS:,} rows of other rounds come between the rows of this round: "
            "sort the file by round or by time"
        )
        return Converted((row.number,), None, "round", reason if key else "no round is named", key)

    def endless(self, rows: list[Row]) -> Converted:
        """Return the reason why too many rows are no round."""
        reason = (
            f"more than {MOST_ROWS_OF_A_ROUND:,} rows name the same round: check which column "
            "fills `round`"
        )
        return Converted((rows[0].number,), None, "round", reason, self.key(rows[0]))

    def round(self, rows: list[Row]) -> Converted:
        """Return the round of these rows, or why there is none."""
        numbers = tuple(row.number for row in rows)
        made: dict[str, Any] = {"v": 1}
        try:
            self._fill(made, rows)
        except RowError as wrong:
            id_, table = (str(made.get(name, "")) for name in ("round", "table"))
            return Converted(numbers, None, wrong.target, str(wrong), id_, table)
        return Converted(numbers, made)

    def cash(self, row: Row) -> Converted:
        """Return the record of a table's cash, or why there is none."""
        made: dict[str, Any] = {"v": 2, RECORD_KEY: "table_cash"}
        try:
            for name in ("table", *self._whole.keys() - {"table"}):
                field = cash_targets()[name]
                table = str(made.get("table", ""))
                self._put(made, name, self._whole[name], [row], table, field=field)
        except RowError as wrong:
            table = str(made.get("table", ""))
            return Converted((row.number,), None, wrong.target, str(wrong), "", table)
        day = made.pop("day", None)
        if day is not None:
            made["from"], made["to"] = day
        for name in ("fills", "credits"):
            made.setdefault(name, 0)
        return Converted((row.number,), made)

    def _gambling_day(self, text: str) -> list[str]:
        """Return when a gambling day begins and ends."""
        day = read_day(text, self._definition.time_format)
        clock = self._clocks["day"]
        ends = (day, day + timedelta(days=1))
        return [clock.read(f"{each}T{self._definition.day_begins}", "") for each in ends]

    def _fill(self, made: dict[str, Any], rows: list[Row]) -> None:
        for name in ("round", "game", "table"):
            self._put(made, name, self._whole[name], rows, "")
        for name, source in self._whole.items():
            if name not in {"round", "game", "table"}:
                self._put(made, name, source, rows, str(made.get("table", "")))
        if made.get("game") not in SLUGS:
            msg = f'"{str(made.get("game", ""))[:40]}" is not a game: it is one of '
            raise RowError(msg + ", ".join(SLUGS) + ". Replace it in the mapping.", "game")
        derived = self._add_seats(made, rows)
        _complete(made)
        derived += derive_sets(made)
        if derived:
            made[DERIVED] = derived

    def _add_seats(self, made: dict[str, Any], rows: list[Row]) -> list[str]:
        seats: list[dict[str, Any]] = []
        if self._definition.rows == "round":
            for number, fields in sorted((n, each) for n, each in self._seats.items() if n):
                if any(self._text(source, rows[0]) for source in fields.values()):
                    seats.append({"seat": number} | self._seat(fields, rows))
        else:
            fields = self._seats.get(None, {})
            for dealt in self._hands(fields, rows):
                seat = self._seat(fields, dealt)
                if self._definition.rows == "bet":
                    self._add_bets(seat, dealt, made["game"])
                seats.append(seat)
        made["seats"] = seats
        derived = [] if all("seat" in seat for seat in seats) else ["seat numbers"]
        for number, seat in enumerate(seats, 1):
            seat.setdefault("seat", number)
        return derived

    def _hands(self, fields: dict[str, From], rows: list[Row]) -> list[list[Row]]:
        if self._definition.rows == "hand":
            return [[row] for row in rows]
        by = [fields[name] for name in ("seat.seat", "seat.player") if name in fields]
        hands: dict[tuple[str, ...], list[Row]] = {}
        for row in rows:
            hands.setdefault(tuple(self._text(source, row) for source in by), []).append(row)
        return list(hands.values())

    def _seat(self, fields: dict[str, From], rows: list[Row]) -> dict[str, Any]:
        seat: dict[str, Any] = {"wagers": {}, "result": {}}
        for name, source in fields.items():
            self._put(seat, name.removeprefix("seat."), source, rows, "", field=targets()[name])
        if self._definition.results == "returned":
            for key, returned in seat["result"].items():
                seat["result"][key] = returned - seat["wagers"].get(key, 0)
        return seat

    def _add_bets(self, seat: dict[str, Any], rows: list[Row], game: str) -> None:
        wager, amount, result = (self._definition.fields[name] for name in BET)
        for row in rows:
            name = self._text(wager, row)
            key = "_".join(name.lower().replace("-", " ").replace("_", " ").split())
            known = {each.key for each in form_of(game).wagers}
            if key not in known:
                msg = f'"{name[:40]}" is not a wager of {game}: it is one of '
                raise RowError(msg + ", ".join(sorted(known)) + ".", "bet.wager")
            placed = self._money("bet.amount", self._text(amount, row) or "0")
            won = self._money("bet.result", self._text(result, row) or "0")
            if self._definition.results == "returned":
                won -= placed
            seat["wagers"][key] = seat["wagers"].get(key, 0) + placed
            seat["result"][key] = seat["result"].get(key, 0) + won

    def _put(
        self,
        made: dict[str, Any],
        name: str,
        source: From,
        rows: list[Row],
        table: str,
        *,
        field: Field | None = None,
    ) -> None:
        """Fill one field from rows that must agree; a blank leaves it out."""
        texts = list(dict.fromkeys(filter(None, (self._text(source, row) for row in rows))))
        if len(texts) > 1:
            msg = f'the rows of this round differ: "{texts[0][:40]}" and "{texts[1][:40]}"'
            raise RowError(msg, name)
        if not texts:
            return
        try:
            value = self._value(field or targets()[name], name, texts[0], table)
        except ValueError as wrong:
            raise RowError(str(wrong), name) from None
        *path, last = name.split(".")
        for key in path:
            made = made.setdefault(key, {})
        made[last] = value

    def _text(self, source: From, row: Row) -> str:
        if source.value is not None:
            return source.value
        text = " ".join(row.cells.get(name, "").strip() for name in source.columns).strip()
        return source.values.get(text, text)

    def _money(self, name: str, text: str) -> int:
        dollars, decimal = self._definition.money == "dollars", self._definition.decimal
        try:
            return read_cents(text, dollars=dollars, decimal=decimal)
        except ValueError as wrong:
            raise RowError(str(wrong), name) from None

    def _value(self, field: Field, name: str, text: str, table: str) -> Any:
        index = self._definition.card_index
        match field.type.code:
            case Code.CARDS:
                return read_cards(text, index)
            case Code.HANDS:
                return [read_cards(each, index) for each in text.replace("|", "/").split("/")]
            case _ if name == "day":
                return self._gambling_day(text)
            case Code.TIME:
                return self._clocks[name].read(text, table)
            case Code.INTEGER if isinstance(field.type, Cents):
                return self._money(name, text)
            case Code.INTEGER:
                return read_number(text)
            case Code.TRUTH:
                return read_truth(text)
            case Code.IDENTIFIER:
                return read_id(self._definition.tables.get(text, text) if name == "table" else text)
            case Code.CHOICE | Code.GAME:
                return text.strip().lower()
        return text


def _is_of_round(name: str) -> bool:
    return not name.startswith("bet.") and not base_of(name)[0].startswith("seat.")


def _complete(made: dict[str, Any]) -> None:
    """Write 0 for wagers that were not placed, and for their results."""
    for seat in made["seats"]:
        for wager in form_of(made["game"]).wagers:
            if not seat["wagers"].setdefault(wager.key, 0):
                seat["result"].setdefault(wager.key, 0)
        if not seat["wagers"]:
            del seat["wagers"]


def _rows(numbers: tuple[int, ...]) -> str:
    first, last = min(numbers), max(numbers)
    return f"row {first:,}" if first == last else f"rows {first:,} to {last:,}"
