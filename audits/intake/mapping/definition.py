"""A mapping as data: where a file's rows are, and which column fills which field of a round."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from audits.intake.mapping.errors import MappingError
from audits.intake.mapping.fields import (
    ACTION,
    BET,
    IN_EVERY_ROUND,
    base_of,
    cash_targets,
    field_of,
    targets,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FORMAT: Final = 1
KINDS: Final = ("csv", "xlsx", "json", "jsonl")
CASH: Final = "cash"
ROWS: Final = ("bet", "hand", "round", "action", CASH)
ENCODINGS: Final = ("utf-8", "utf-16", "cp1252", "latin-1")
MOST_SEATS: Final = 30
LONGEST_NAME: Final = 60
LARGEST: Final = 200_000
"""Bytes of a mapping as JSON."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]*")


@dataclass(frozen=True)
class Layout:
    """Where the rows of a file are."""

    kind: str = "csv"
    encoding: str = "utf-8"
    delimiter: str = ","
    header: int = 1
    """The row with the names of the columns, from 1; 0 if there is none, and A, B, C name them."""
    sheet: str = ""
    """Of a workbook; its first sheet if empty."""
    items: tuple[str, ...] = ()
    """In JSON, the keys of the nested lists whose innermost items are the rows."""


@dataclass(frozen=True)
class CardIndex:
    """How numbers stand for cards."""

    first: int = 0
    suits: str = "cdhs"
    ranks: str = "23456789TJQKA"
    by: str = "suit"
    """`suit`: all ranks of the first suit come first; `rank`: all suits of the first rank."""

    def card(self, number: str) -> str:
        """Return the card of a number."""
        place = int(number) - self.first if number.isascii() and number.isdigit() else -1
        if not 0 <= place < 52:
            msg = f'"{number[:12]}" is not the number of a card: {self.first} to {self.first + 51}.'
            raise ValueError(msg)
        if self.by == "suit":
            return self.ranks[place % 13] + self.suits[place // 13]
        return self.ranks[place // 4] + self.suits[place % 4]


@dataclass(frozen=True)
class From:
    """What fills a field: columns, joined by a space, or a fixed value; values may be replaced."""

    columns: tuple[str, ...] = ()
    value: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Definition:
    """A mapping."""

    name: str
    layout: Layout
    rows: str
    """What a row is: a `bet`, a `hand` (a seat), a `round`, an `action`, or a table's `cash`."""
    fields: Mapping[str, From]
    zone: str = "America/Los_Angeles"
    """Of times without an offset."""
    time_format: str = ""
    """As in strptime; empty for the usual American and ISO forms."""
    money: str = "dollars"
    decimal: str = "."
    results: str = "net"
    """`net`: won or lost; `returned`: what came back, with the wager."""
    card_index: CardIndex | None = None
    tables: Mapping[str, str] = field(default_factory=dict)
    """The log's name of a table, by the export's name."""
    fill_down: bool = False
    """Whether a row without a round belongs to the round above."""
    newest_first: bool = False
    day_begins: str = "06:00"
    """When a gambling day begins, for cash of a day rather than of a span."""

    def as_json(self) -> dict[str, Any]:
        """Return the mapping as it is saved and exported."""
        given = asdict(self)
        given["layout"]["items"] = list(self.layout.items)
        given["fields"] = {
            target: {
                name: list(value)
                if isinstance(value, tuple)
                else dict(value)
                if name == "values"
                else value
                for name, value in each.items()
                if value not in (None, (), {})
            }
            for target, each in given["fields"].items()
        }
        return {"format": FORMAT, **given}


def read_definition(given: Any) -> Definition:
    """Check a mapping; raise MappingError with a sentence that says where and what to write."""
    top = _Object(given, "the mapping")
    if top.take("format", int, FORMAT) != FORMAT:
        msg = f"`format`: this system reads mappings of format {FORMAT}."
        raise MappingError(msg)
    definition = Definition(
        name=_name(top.take("name", str, "")),
        layout=_layout(_Object(top.take("layout", dict, {}), "layout")),
        rows=top.choose("rows", ROWS, ""),
        fields=_fields(top.take("fields", dict, {})),
        zone=_zone(top.take("zone", str, Definition.zone)),
        time_format=top.take("time_format", str, ""),
        money=top.choose("money", ("dollars", "cents"), "dollars"),
        decimal=top.choose("decimal", (".", ","), "."),
        results=top.choose("results", ("net", "returned"), "net"),
        card_index=_card_index(top.take("card_index", (dict, type(None)), None)),
        tables=_texts(top.take("tables", dict, {}), "tables"),
        fill_down=top.take("fill_down", bool, default=False),
        newest_first=top.take("newest_first", bool, default=False),
        day_begins=_clock(top.take("day_begins", str, Definition.day_begins)),
    )
    top.finish()
    _require_targets(definition)
    return definition


def _require_targets(definition: Definition) -> None:
    """Refuse a mapping that no round could come from, or whose rows cannot be joined."""
    fields = definition.fields
    if definition.rows == CASH:
        _require_cash(fields)
        return
    for target in fields.keys() & (cash_targets().keys() - targets().keys()):
        msg = f"`{target}`: only where a row is a table's cash."
        raise MappingError(msg)
    for target in IN_EVERY_ROUND:
        if target not in fields:
            msg = f"Say what fills `{target}`: every round has one."
            raise MappingError(msg)
    _require_seats(definition)
    for row, needed in (("bet", BET), ("action", ACTION)):
        _require_parts(definition, row, needed)
    if definition.rows == "bet" and not {"seat.seat", "seat.player"} & fields.keys():
        msg = "Say what fills `seat.seat` or `seat.player`: bets of one hand are joined by it."
        raise MappingError(msg)
    if definition.rows == "action" and "seat.seat" not in fields:
        msg = "Say what fills `seat.seat`: an action is a seat's."
        raise MappingError(msg)


def _require_seats(definition: Definition) -> None:
    fields = definition.fields
    numbered = [target for target in fields if base_of(target)[1] is not None]
    plain = [target for target in fields if target.startswith("seat.")]
    if definition.rows == "round" and plain:
        msg = f"Where a row is a round, name the seat: `seat1.{plain[0][5:]}`, not `{plain[0]}`."
        raise MappingError(msg)
    if definition.rows != "round" and numbered:
        msg = f"`{numbered[0]}`: seats are numbered only where a row is a round."
        raise MappingError(msg)
    bases = {base_of(target)[0] for target in fields}
    parts = sorted(base for base in bases if base.startswith("seat.hands."))
    if parts and definition.rows == "hand" and not {"seat.seat", "seat.player"} & bases:
        msg = "Say what fills `seat.seat` or `seat.player`: a player's hands are joined by it."
        raise MappingError(msg)
    if parts and "seat.hands" in bases:
        msg = f"`seat.hands` is all hands together: use it, or `{parts[0]}`, but not both."
        raise MappingError(msg)


def _require_parts(definition: Definition, row: str, needed: tuple[str, ...]) -> None:
    """Require what makes a row a bet or an action, there and nowhere else."""
    given = [target for target in needed if target in definition.fields]
    if definition.rows == row and len(given) != len(needed):
        listed = ", ".join(f"`{each}`" for each in needed)
        msg = f"Where a row is {_NAMES[row]}, say what fills {listed}."
        raise MappingError(msg)
    if definition.rows != row and given:
        msg = f"`{given[0]}`: only where a row is {_NAMES[row]}."
        raise MappingError(msg)


_NAMES: Final = {"bet": "a bet", "action": "an action"}


def _require_cash(fields: Mapping[str, From]) -> None:
    for target in fields.keys() - cash_targets().keys():
        msg = f"A table's cash has no `{target}`. Choose what this column is again."
        raise MappingError(msg)
    for target in ("table", "opener", "closer", "drop"):
        if target not in fields:
            msg = f"Say what fills `{target}`: a table's win is counted from it."
            raise MappingError(msg)
    if fields.keys() & {"day", "from", "to"} not in ({"day"}, {"from", "to"}):
        msg = "Say what fills `from` and `to`, or what fills `day` for whole gambling days."
        raise MappingError(msg)


class _Object:
    """A JSON object whose members are taken one by one; what is left over is unknown."""

    def __init__(self, given: Any, where: str) -> None:
        if not isinstance(given, dict):
            msg = f"{where} is a JSON object, not {type(given).__name__}."
            raise MappingError(msg)
        self._given, self._where = dict(given), where

    def take(self, name: str, kind: type | tuple[type, ...], default: Any) -> Any:
        value = self._given.pop(name, default)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            msg = f"`{name}` of {self._where}: {value!r} is not what belongs there."
            raise MappingError(msg[:300])
        return value

    def choose(self, name: str, words: tuple[str, ...], default: str) -> str:
        value = str(self.take(name, str, default))
        if value not in words:
            msg = f'`{name}` of {self._where} is one of {", ".join(words)}, not "{value[:40]}".'
            raise MappingError(msg)
        return value

    def finish(self) -> None:
        for name in self._given:
            msg = f"{self._where} has no `{str(name)[:40]}`. Remove it."
            raise MappingError(msg)


def _name(name: str) -> str:
    if len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
        msg = (
            f"`name` has 1 to {LONGEST_NAME} letters, digits, spaces, dots, dashes or underscores, "
            "and begins with a letter or digit."
        )
        raise MappingError(msg)
    return name


def _layout(given: _Object) -> Layout:
    layout = Layout(
        kind=given.choose("kind", KINDS, ""),
        encoding=given.choose("encoding", ENCODINGS, "utf-8"),
        delimiter=given.take("delimiter", str, ","),
        header=given.take("header", int, 1),
        sheet=given.take("sheet", str, ""),
        items=tuple(given.take("items", list, [])),
    )
    given.finish()
    if len(layout.delimiter) != 1 or layout.delimiter in '"\r\n\0':
        msg = "`delimiter` of layout is one character, such as a comma, a semicolon or a tab."
        raise MappingError(msg)
    if not 0 <= layout.header <= 1000:
        msg = "`header` of layout is the number of a row from 1 to 1,000; 0 if there is none."
        raise MappingError(msg)
    if not all(isinstance(key, str) for key in layout.items):
        msg = "`items` of layout is a list of keys."
        raise MappingError(msg)
    return layout


def _fields(given: dict[str, Any]) -> dict[str, From]:
    found = {}
    for target, source in given.items():
        base, number = base_of(target)
        parts = (*BET, *ACTION)
        known = field_of(base) is not None or target in parts or target in cash_targets()
        if not known or (number or 1) > MOST_SEATS:
            near = get_close_matches(base, (*targets(), *parts, *cash_targets()), 1)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            msg = f"A round has no `{target[:60]}`.{hint}"
            raise MappingError(msg)
        found[target] = _from(_Object(source, f"`{target}`"))
    return found


def _from(given: _Object) -> From:
    value = given.take("value", (str, type(None)), None)
    columns = tuple(given.take("columns", list, []))
    values = _texts(given.take("values", dict, {}), "values")
    where = given._where
    given.finish()
    if not all(isinstance(name, str) for name in columns) or bool(columns) == (value is not None):
        msg = f"{where} has either `columns`, a list of names, or a `value`."
        raise MappingError(msg)
    return From(columns, value, values)


def _texts(given: dict[str, Any], where: str) -> dict[str, str]:
    if not all(isinstance(value, str) for value in given.values()):
        msg = f"`{where}` replaces texts by texts."
        raise MappingError(msg)
    return dict(given)


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        msg = f'`zone`: "{name[:40]}" is no time zone. Use America/Los_Angeles, for example.'
        raise MappingError(msg) from None
    return name


def _clock(text: str) -> str:
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
        msg = f'`day_begins` is a time such as 06:00, not "{text[:20]}".'
        raise MappingError(msg)
    return text


def _card_index(given: Any) -> CardIndex | None:
    if given is None:
        return None
    read = _Object(given, "card_index")
    index = CardIndex(
        first=read.take("first", int, 0),
        suits=read.take("suits", str, CardIndex.suits),
        ranks=read.take("ranks", str, CardIndex.ranks),
        by=read.choose("by", ("suit", "rank"), "suit"),
    )
    read.finish()
    if sorted(index.suits) != sorted(CardIndex.suits) or sorted(index.ranks) != sorted(
        CardIndex.ranks
    ):
        msg = "`card_index`: `suits` names c, d, h, s once each, and `ranks` 2 to 9, T, J, Q, K, A."
        raise MappingError(msg)
    return index


def columns_of(definition: Definition) -> Iterable[str]:
    """Return every column that a mapping uses, once."""
    return dict.fromkeys(name for each in definition.fields.values() for name in each.columns)
