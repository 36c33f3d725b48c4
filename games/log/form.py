"""Reads one line of a round log by its schema, and writes a round as a line again.

Only the form of a line is checked. Wrong numbers of cards, sets not made of the cards dealt and
wagers of 0 are not errors of form: they are findings of the settlement.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, replace
from difflib import get_close_matches
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import orjson

from games.log.field_types import Choice, FormError, Id, Meters, clip, shown
from games.log.round import FiledRound, House, Round, Seat
from games.log.schema import (
    GAME,
    HOUSE,
    LARGEST_AMOUNT,
    LARGEST_RESULT,
    LATEST,
    RECORD_KEY,
    RECORDS,
    RESULTS,
    ROUND,
    SEAT,
    SEAT_SINCE_VERSION_2,
    SEATS,
    SINCE_VERSION_2,
    V1_SCORINGS,
    VERSION,
    VOID,
    WAGERS,
    Field,
    Form,
    form_of,
)
from games.rule_set import SLUGS
from games.strict_json import DEEPEST, Duplicates, JsonError, nested, read_json, too_deep, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


LONGEST_LINE: Final = 1 << 20
"""Bytes of a line without its line ending."""
MOST_COMPARED: Final = 50
"""How many other keys to compare with a missing one for a hint; a line can have 100,000."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_DEFAULTS: Final[dict[type, dict[str, Any]]] = {
    type_: {each.name: each.default for each in fields(type_) if each.default is not MISSING}
    for type_ in (Round, FiledRound, House, Seat)
}
LARGEST_NUMBER: Final = 2**63
_NAMES_OF_RECORDS: Final = tuple(RECORDS)
_HEAD: Final = (VERSION, GAME, VOID)
_REST: Final = tuple(field for field in ROUND if field not in _HEAD)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A line with a format error: which field, why, what to write, and the line's identity."""

    field: str | None
    reason: str
    round: str | None = None
    table: str | None = None
    """None for a line that tells nothing about the next round of a table."""
    record: str | None = None
    """What a line that is no round records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Rejection):
    """A line that is not settled, but not rejected either: it records something of a table."""

    field: str | None = None
    reason: str = ""
    of: str
    """The name of the table that it is about; none of a fund, which is the room's."""
    values: Mapping[str, Any]


def read_line(
    line: bytes, filed: Mapping[str, Callable[[LineObject], Round]] = MappingProxyType({})
) -> Round | Rejection:
    """Check and parse one line, given without its line ending; `filed` reads games by slug."""
    value: Any = None
    try:
        value = _json(line)
        given = LineObject(value, "", 1)
        if RECORD_KEY in value:
            return _read_record(given, value)
        game = value.get("game")
        read = filed.get(game, read_round) if isinstance(game, str) else read_round
        return read(given)
    except FormError as error:
        field, reason = error.field and visible(error.field), visible(error.reason)
        if isinstance(value, dict) and value.get(RECORD_KEY) in _NAMES_OF_RECORDS:
            return Rejection(field, reason, record=str(value[RECORD_KEY]))
        return Rejection(field, reason, _id(value, "round", 64), _id(value, "table", 32))


def _read_record(given: LineObject, value: Mapping[str, Any]) -> Record:
    """Check a line that records something of a table or of a jackpot's fund."""
    name = Choice(_NAMES_OF_RECORDS)
    given.read((Field(RECORD_KEY, name, ""),), {})
    values: dict[str, Any] = {}
    given.read(RECORDS[value[RECORD_KEY]], values)
    given.close()
    if "end" in values and values["end"] <= values["begin"]:
        raise FormError("to", "`to` must be later than `from`")
    del values["v"], values[RECORD_KEY]
    return Record(record=value[RECORD_KEY], of=values.pop("table", ""), values=values)


def too_long() -> Rejection:
    """Return the rejection for a line that is too long."""
    return Rejection(None, f"the line is longer than {LONGEST_LINE:,} bytes (1 MiB)")


def _json(line: bytes) -> Any:
    if len(line) > LONGEST_LINE:
        raise FormError(None, too_long().reason)
    if not line.strip(b" \t\r"):
        raise FormError(None, "the line is empty: remove it")
    if line.startswith(_BYTE_ORDER_MARK):
        raise FormError(
            None,
            "a byte-order mark (EF BB BF) is allowed only at the start of the file: remove it",
        )
    try:
        decoded = line.decode("utf-8")
    except UnicodeDecodeError as error:
        where = f"byte {error.start + 1} (0x{line[error.start]:02x})"
        raise FormError(None, f"the line is not UTF-8 at {where}") from None
    try:
        return read_json(decoded)
    except JsonError as error:
        raise FormError(None, str(error)) from None


def _id(value: Any, key: str, longest: int) -> str | None:
    if not isinstance(value, dict) or key == getattr(value, "repeated", None):
        return None
    found = value.get(key)
    return str(found) if Id(longest).accepts(found) else None


class LineObject:
    """One object of a line: fields are checked in turn, and any field left over is an error."""

    def __init__(self, value: Any, path: str, level: int, *, void: bool = False) -> None:
        if not isinstance(value, dict):
            raise FormError(path or None, f"expected an object {{...}}, not {shown(value)}")
        if isinstance(value, Duplicates):
            name = value.repeated
            raise FormError(f"{path}.{clip(name)}" if path else clip(name), _twice(value))
        self._value: dict[str, Any] = value
        self._left = set(value)
        self._absent: list[str] = []
        self._path = path
        self._level = level
        self.void = void
        self.case = ""
        """What was decided; a house gets it from its round."""
        self.seats: set[int] = set()

    def read(self, fields: Sequence[Field], values: dict[str, Any]) -> None:
        """Check fields in order and add their values, as attributes of a round."""
        for field in fields:
            if field.key in self._value:
                field.add_to(values, self._check(field))
            elif self._needs(field):
                self._raise_missing(field.key)
            elif not field.elsewhere or field.case == self.case:
                self._absent.append(field.key)
                if field.hand is not None:
                    field.add_to(values, b"")
            if field.decides:
                self._decide(field, fields)

    def has(self, field: Field) -> bool:
        """Return whether a field was given; if not, a misspelled one may mean it."""
        if field.key not in self._value:
            self._absent.append(field.key)
        return field.key in self._value

    def object(self, field: Field) -> LineObject:
        """Take a field that is an object."""
        return LineObject(self._raw(field), self.path(field.key), self._level + 1, void=self.void)

    def items(self, field: Field, *, or_none: bool = False) -> list[LineObject]:
        """Take a field that is a list of objects, one or more; with `or_none`, it may be empty."""
        value, path = self._raw(field), self.path(field.key)
        if not isinstance(value, list):
            raise FormError(path, f"expected a list [...], not {shown(value)}")
        if not value and not or_none:
            raise FormError(path, "a round has at least one seat; this list is empty")
        return [
            LineObject(item, f"{path}[{place}]", self._level + 2, void=self.void)
            for place, item in enumerate(value)
        ]

    def path(self, key: str) -> str:
        """Return a field's path in the line."""
        return f"{self._path}.{key}" if self._path else key

    def refuse(self, fields: Sequence[Field]) -> None:
        """Reject fields that may not appear in this case."""
        for field in fields:
            if field.elsewhere and field.case != self.case and field.key in self._value:
                reason = f"`{field.key}` is not allowed {field.elsewhere}: remove it"
                raise FormError(self.path(field.key), reason)

    def close(self) -> None:
        """Reject the remaining fields, except the operator's own, whose names begin with `x_`."""
        for key in [name for name in self._value if name in self._left] if self._left else ():
            if not key.startswith("x_"):
                near = get_close_matches(key[:40], self._absent, 1)
                hint = f" (did you mean `{near[0]}`?)" if near else ""
                raise FormError(
                    self.path(clip(key)),
                    f"`{clip(key)}` is not a field of this object{hint};"
                    " names of your own fields begin with `x_`",
                )
            self._check_depth(key)

    def others(self) -> dict[str, Any]:
        """Take the remaining fields unchecked, except the operator's own (`x_`), at any depth."""
        for key in sorted(self._left):
            self._check_depth(key)
        return {
            key: _without_own(self._value[key])
            for key in sorted(self._left)
            if not key.startswith("x_")
        }

    def _check_depth(self, key: str) -> None:
        for item, level in nested(self._value[key]):
            if self._level + level > DEEPEST:
                raise FormError(self.path(clip(key)), too_deep())
            if isinstance(item, Duplicates):
                raise FormError(self.path(clip(key)), _twice(item))

    def _check(self, field: Field) -> Any:
        self._left.discard(field.key)
        try:
            value = field.type.check(self._value[field.key])
        except FormError as error:
            raise FormError(self.path(field.key) + (error.field or ""), error.reason) from None
        if field.names_seat and value not in self.seats:
            reason = f"seat {value} is not one of the seats of this round"
            raise FormError(self.path(field.key), reason)
        return value

    def _needs(self, field: Field) -> bool:
        if self.void and field.void_may_omit:
            return False
        return field.is_needed(self.case)

    def _decide(self, field: Field, fields: Sequence[Field]) -> None:
        """Take the case from a field, or from the others where a void round omits it."""
        if field.key in self._value:
            self.case = self._value[field.key] if isinstance(field.type, Choice) else field.key
        elif self.void and field.void_may_omit:
            cases = (other.case for other in fields if other.elsewhere and other.key in self._value)
            self.case = next(cases, None) or ""
        self.refuse(fields)

    def _raw(self, field: Field) -> Any:
        if field.key not in self._value:
            self._raise_missing(field.key)
        self._left.discard(field.key)
        return self._value[field.key]

    def _raise_missing(self, key: str) -> None:
        others = islice((name for name in self._value if name in self._left), MOST_COMPARED)
        near = get_close_matches(key, [name[:40] for name in others], 1)
        hint = f" (this line has `{clip(near[0])}`)" if near else ""
        raise FormError(self.path(key), f"`{key}` is missing{hint}")


def _without_own(value: Any) -> Any:
    """Return a value that can be written again, without the operator's own fields."""
    if isinstance(value, dict):
        return {key: _without_own(each) for key, each in value.items() if not key.startswith("x_")}
    if isinstance(value, list):
        return [_without_own(each) for each in value]
    return str(value) if isinstance(value, int) and abs(value) >= LARGEST_NUMBER else value


def _twice(value: Duplicates) -> str:
    return f"the key `{clip(value.repeated)}` appears twice in one object: remove one of them"


def read_round(line: LineObject) -> Round:
    """Check a whole line, first of all what decides how the rest is checked."""
    values: dict[str, Any] = {}
    line.read(_HEAD, values)
    version = values.pop("v")
    form = form_of(values["game"])
    line.void = values.get("void") is not None
    seats = tuple(_read_seat(form, each, version) for each in line.items(SEATS))
    for place, seat in enumerate(seats):
        if seat.seat in line.seats:
            raise _seat_twice(place, seat.seat)
        line.seats.add(seat.seat)
    line.read((*_REST, *form.round, *_of_version(SINCE_VERSION_2, version, line)), values)
    if version == 1 and _is_since_version_2(values.get("scoring")):
        words = ", ".join(f"`{word}`" for word in V1_SCORINGS)
        reason = f'expected one of {words}, as only version 2 has others: write "v": 2'
        raise FormError("scoring", reason)
    if form.house and (not line.void or line.has(HOUSE)):
        values["house"] = _read_house(form, line.object(HOUSE), line.case, seats)
    line.close()
    return Round(seats=seats, **values)


def _is_since_version_2(scoring: str | None) -> bool:
    return scoring is not None and scoring not in V1_SCORINGS


def _read_house(form: Form, house: LineObject, case: str, seats: tuple[Seat, ...]) -> House:
    plays = {seat.play for seat in seats}
    house.case = case or (len(plays) == 1 and plays.pop()) or ""
    house.refuse(form.house)
    values: dict[str, Any] = {}
    house.read(form.house, values)
    house.close()
    return House(**values)


def _of_version(fields: Sequence[Field], version: int, given: LineObject) -> Sequence[Field]:
    """Return the fields if the line's version has them; reject them in version 1."""
    if version > 1:
        return fields
    for field in fields:
        if given.has(field):
            reason = f'`{field.key}` is a field of version 2: write "v": 2'
            raise FormError(given.path(field.key), reason)
    return ()


def _read_seat(form: Form, seat: LineObject, version: int) -> Seat:
    values: dict[str, Any] = {}
    seat.read(SEAT[:1], values)
    try:
        seat.read((*SEAT[1:], *_of_version(SEAT_SINCE_VERSION_2, version, seat)), values)
        for field, amounts in ((WAGERS, form.wagers), (RESULTS, form.results)):
            values[field.key] = _read_amounts(seat.object(field), amounts) if amounts else {}
        seat.read(form.seat, values)
        seat.close()
    except FormError as error:
        raise FormError(error.field, f"seat {values['seat']}: {error.reason}") from None
    return Seat(**values)


def _read_amounts(given: LineObject, fields: Sequence[Field]) -> dict[str, int]:
    amounts: dict[str, int] = {}
    given.read(fields, amounts)
    given.close()
    return amounts


_OF_FILED: Final = (Field("game", Id(40), "game played"), *_REST, *SINCE_VERSION_2)
_AMOUNTS: Final = (
    Field("wagers", Meters(0, LARGEST_AMOUNT), WAGERS.says, "none", optional=True),
    Field("result", Meters(-LARGEST_RESULT, LARGEST_RESULT), RESULTS.says, void_may_omit=True),
)


def read_filed(line: LineObject) -> FiledRound:
    """Check what every line of a filed game has; the rest is its definition's to check."""
    values: dict[str, Any] = {}
    line.read((VERSION, VOID), values)
    if values.pop("v") != LATEST:
        raise FormError("v", f'rounds of this game are of version {LATEST}: write "v": {LATEST}')
    line.void = values.get("void") is not None
    seats: list[Seat] = []
    written: list[dict[str, Any]] = []
    for place, each in enumerate(line.items(SEATS, or_none=True)):
        of_seat: dict[str, Any] = {}
        each.read((*SEAT, *SEAT_SINCE_VERSION_2, *_AMOUNTS), of_seat)
        if any(seat.seat == of_seat["seat"] for seat in seats):
            raise _seat_twice(place, of_seat["seat"])
        written.append({**each.others(), **of_seat})
        seats.append(Seat(**{"wagers": {}, "result": {}, **of_seat}))
    line.read(_OF_FILED, values)
    rest = {**line.others(), "v": LATEST, "seats": written}
    played = FiledRound(seats=tuple(seats), line=rest, **values)
    return replace(played, line=_write(played, (VOID, *_OF_FILED), "", rest))


def _seat_twice(place: int, seat: int) -> FormError:
    reason = f"seat {seat} appears twice in this round: give each hand its own seat"
    return FormError(f"seats[{place}].seat", reason)


def line_of(played: Round) -> bytes:
    """Return the round in the contract's form without a line ending: UTC times, no own fields.

    It is of the first version that has all its fields.
    """
    if isinstance(played, FiledRound):
        return orjson.dumps(played.line, option=orjson.OPT_SORT_KEYS)
    form = form_of(played.game)
    line: dict[str, Any] = {"v": 1}
    more = _write(played, SINCE_VERSION_2, "", {})
    has_tokes = any(seat.tokes is not None for seat in played.seats)
    if more or has_tokes or _is_since_version_2(played.scoring):
        line["v"] = 2
    case = "" if played.banker is None else "banker"
    _write(played, (field for field in ROUND if field is not VERSION), "", line)
    if form.house:
        line["house"] = _write(played.house, form.house, case, {})
    _write(played, form.round, case, line)
    line |= more
    of_seat = (
        *SEAT,
        *SEAT_SINCE_VERSION_2,
        *sorted(form.seat, key=lambda field: not field.decides),
    )
    line["seats"] = [_write_seat(seat, of_seat) for seat in played.seats]
    return orjson.dumps(line)


def _write_seat(seat: Seat, of_seat: Iterable[Field]) -> dict[str, Any]:
    line = _write(seat, of_seat, seat.play or "", {})
    if seat.wagers:
        line["wagers"] = dict(seat.wagers)
    line["result"] = dict(seat.result)
    return line


def _write(
    thing: Round | House | Seat, given: Iterable[Field], case: str, line: dict[str, Any]
) -> dict[str, Any]:
    """Write what the form needs in this case, and of the rest what isn't as if it were absent."""
    defaults = _DEFAULTS[type(thing)]
    for field in given:
        value = field.of(thing)
        absent = defaults.get(field.attribute)
        if value != absent or (value not in (None, ()) and field.is_needed(case)):
            line[field.key] = field.type.write(value)
    return line


def read_written(line: bytes) -> Round | Rejection:
    """Return the round of a line that `line_of` wrote.

    Such a line needs no second check. Void rounds are common and fit no columns, and the check is
    three quarters of their time.
    """
    logged = orjson.loads(line)
    if logged["game"] not in SLUGS:
        return read_filed(LineObject(logged, "", 1))
    if logged.get("void") is None:
        return read_line(line)
    form = form_of(logged["game"])
    values = _trust(logged, (*ROUND, *form.round, *SINCE_VERSION_2))
    del values["v"]
    if "house" in logged:
        values["house"] = House(**_trust(logged["house"], form.house))
    of_seat = (*SEAT, *SEAT_SINCE_VERSION_2, *form.seat)
    seats = []
    for seat in logged["seats"]:
        amounts = {"wagers": seat.get("wagers", {}), "result": seat["result"]}
        seats.append(Seat(**_trust(seat, of_seat), **amounts))
    return Round(**values, seats=tuple(seats))


def _trust(logged: dict[str, Any], fields_: Iterable[Field]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in fields_:
        if field.key in logged:
            field.add_to(values, field.type.trust(logged[field.key]))
    return values
