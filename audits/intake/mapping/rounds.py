"""Rows into rounds: join them, fill the fields as a mapping says, and write round-log lines."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from audits.intake.mapping.definition import CASH, columns_of
from audits.intake.mapping.derived import derive_sets
from audits.intake.mapping.errors import RowError, TableError
from audits.intake.mapping.fields import (
    ACTION,
    BET,
    LATER_FIELDS,
    base_of,
    cash_targets,
    field_of,
)
from audits.intake.mapping.filed_games import complete_filed, definition_for, nothing_filed
from audits.intake.mapping.filling import HANDS, Filler
from audits.intake.mapping.values import (
    read_id,
    read_word,
)
from audits.intake.segments.converted import UNREADABLE
from games.log.schema import RECORD_KEY, form_of
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from audits.intake.mapping.definition import Definition, From
    from audits.intake.mapping.filed_games import Known
    from audits.intake.mapping.tables import Row


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


def convert(
    definition: Definition, rows: Iterable[Row], known: Known = nothing_filed
) -> Iterator[Converted]:
    """Yield a round for the rows of each, in the order of their first rows.

    Raises:
        TableError: a column of the mapping is not in the file, or the file has no rows.
    """
    maker = _Maker(definition, known)
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


class _Maker(Filler):
    """Makes rounds of rows, as a mapping says."""

    def __init__(self, definition: Definition, known: Known) -> None:
        super().__init__(definition)
        self._known = known
        fields = definition.fields
        self._whole = {name: each for name, each in fields.items() if _is_of_round(name)}
        self._seats: dict[int | None, dict[str, From]] = {}
        for name, each in fields.items():
            base, number = base_of(name)
            if base.startswith("seat."):
                self._seats.setdefault(number, {})[base] = each

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

    def _fill(self, made: dict[str, Any], rows: list[Row]) -> None:
        for name in ("round", "game", "table"):
            self._put(made, name, self._whole[name], rows, "")
        for name, source in self._whole.items():
            if name not in {"round", "game", "table"}:
                self._put(made, name, source, rows, str(made.get("table", "")))
        game = str(made.get("game", ""))
        filed = None if game in SLUGS else self._known(game)
        if game not in SLUGS and filed is None:
            msg = (
                f'"{game[:40]}" is not a game: it is one of {", ".join(SLUGS)}, or the short name '
                "of a game whose definition is approved. Replace it in the mapping."
            )
            raise RowError(msg, "game")
        if self._definition.rows == "action":
            made["actions"] = [self._action(row) for row in rows if self._text(self._act, row)]
        derived = self._add_seats(made, rows)
        if filed is None:
            _complete(made)
            derived += derive_sets(made)
        else:
            derived += complete_filed(made, definition_for(made, filed))
        if derived:
            made[DERIVED] = derived

    @property
    def _act(self) -> From:
        return self._definition.fields["action.act"]

    def _action(self, row: Row) -> dict[str, Any]:
        """Return what a row says that a player did."""
        seat: dict[str, Any] = {}
        self._put(seat, "seat.seat", self._definition.fields["seat.seat"], [row], "")
        street, act, to = (self._text(self._definition.fields[name], row) for name in ACTION)
        done = {
            **seat.get("seat", {}),
            "street": read_word(street),
            "act": read_word(act),
        }
        return done | ({"to": self._money("action.to", to)} if to else {})

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
            if "hands" in seat and isinstance(seat["hands"], dict):
                seat["hands"] = [seat["hands"]]
        if made.get("v") == 1 and any(LATER_FIELDS.keys() & _paths(seat) for seat in seats):
            made["v"] = 2
        return derived

    def _hands(self, fields: dict[str, From], rows: list[Row]) -> list[list[Row]]:
        """Return the rows of each seat; a row with nothing of a seat is of the table alone."""
        own = [source for source in fields.values() if source.value is None]
        rows = [row for row in rows if any(self._text(source, row) for source in own)]
        is_split = any(name.startswith(HANDS) for name in fields)
        if self._definition.rows == "hand" and not is_split:
            return [[row] for row in rows]
        by = [fields[name] for name in ("seat.seat", "seat.player") if name in fields]
        hands: dict[tuple[str, ...], list[Row]] = {}
        for row in rows:
            hands.setdefault(tuple(self._text(source, row) for source in by), []).append(row)
        return list(hands.values())

    def _seat(self, fields: dict[str, From], rows: list[Row]) -> dict[str, Any]:
        seat: dict[str, Any] = {"wagers": {}, "result": {}}
        parts = {name: each for name, each in fields.items() if name.startswith(HANDS)}
        for name, source in fields.items():
            if name not in parts:
                self._put(seat, name.removeprefix("seat."), source, rows, "", field=field_of(name))
        if self._definition.results == "returned":
            for key, returned in seat["result"].items():
                seat["result"][key] = returned - seat["wagers"].get(key, 0)
        if parts:
            seat["hands"] = [self._played_hand(parts, row) for row in rows]
            won = [each.pop("result") for each in seat["hands"] if "result" in each]
            if won and not seat["result"]:
                seat["result"]["main"] = sum(won)
        return seat

    def _played_hand(self, parts: dict[str, From], row: Row) -> dict[str, Any]:
        """Return one of the hands that a seat played."""
        hand: dict[str, Any] = {}
        for name, source in parts.items():
            self._put(hand, name.removeprefix(HANDS), source, [row], "", field=field_of(name))
        if f"{HANDS}actions" in parts:
            hand.setdefault("actions", [])
        if self._definition.results == "returned" and "result" in hand:
            hand["result"] -= hand.get("wager", 0)
        return hand

    def _add_bets(self, seat: dict[str, Any], rows: list[Row], game: str) -> None:
        wager, amount, result = (self._definition.fields[name] for name in BET)
        known = self._wagers(game)
        for row in rows:
            name = self._text(wager, row)
            if not name and not self._text(amount, row):
                continue
            key = read_word(name)
            if key not in known:
                msg = f'"{name[:40]}" is not a wager of {game}: it is one of '
                raise RowError(msg + ", ".join(sorted(known)) + ".", "bet.wager")
            placed = self._money("bet.amount", self._text(amount, row) or "0")
            won = self._money("bet.result", self._text(result, row) or "0")
            if self._definition.results == "returned":
                won -= placed
            seat["wagers"][key] = seat["wagers"].get(key, 0) + placed
            seat["result"][key] = seat["result"].get(key, 0) + won

    def _wagers(self, game: str) -> set[str]:
        """Return the wagers of a game, in any approved version, and results beside them."""
        if game in SLUGS:
            return {each.key for each in form_of(game).wagers}
        return {key for each in self._known(game) or () for key in (*each.wagers, *each.results)}


def _is_of_round(name: str) -> bool:
    return not name.startswith(("bet.", "action.")) and not base_of(name)[0].startswith("seat.")


def _paths(seat: dict[str, Any]) -> set[str]:
    return {f"seat.{key}" for key in seat}


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
