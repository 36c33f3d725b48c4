"""The reference of the round log, made from its schema: a page in Markdown and a JSON Schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from games.cards import RANKS, SUITS
from games.log.field_types import (
    LONGEST_SCORING,
    Cents,
    Choice,
    Day,
    DealtCards,
    FieldType,
    GameName,
    Id,
    Meters,
    Object,
    OwnType,
    Scoring,
    SeatList,
    SeatNumber,
    SetCards,
    SetHands,
    SetParts,
    ShortText,
    Text,
    TextList,
    TextOrNull,
    Time,
    Truth,
    Version,
    WholeNumber,
)
from games.log.schema import (
    HOUSE,
    RECORD_KEY,
    RECORDS,
    RESULTS,
    ROUND,
    SEAT,
    SEAT_SINCE_VERSION_2,
    SEATS,
    SINCE_VERSION_2,
    V1_SCORINGS,
    WAGERS,
    Field,
    cases_of,
    form_of,
)
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


Json = dict[str, Any]

_CARD: Final = f"[{RANKS}][{SUITS}]"
_TIME: Final = (
    r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]"
    r":([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
)


def _bounds(number: WholeNumber) -> Json:
    return {"type": "integer", "minimum": number.least, "maximum": number.most}


def _cards(joker: str) -> Json:
    card = f"({_CARD}|{joker})"
    return {"type": "string", "pattern": f"^({card}( {card})*)?$"}


def _hands(hands: SetHands) -> Json:
    items = _cards("Jo" if isinstance(hands, SetParts) else f"Jo={_CARD}")
    return {"type": "array", "items": items, "minItems": hands.least, "maxItems": hands.least}


def _short(number: int) -> str:
    """Write a power of ten as one."""
    sign, digits = "-" * (number < 0), str(abs(number))
    return f"{sign}10^{len(digits) - 1}" if len(digits) > 6 else str(number)


def _words(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


_TYPES: Final[dict[type[FieldType], tuple[Callable[[Any], str], Callable[[Any], Json]]]] = {
    WholeNumber: (
        lambda of: f"integer, {of.least} to {of.most}" if of.least < of.most else f"`{of.least}`",
        _bounds,
    ),
    Version: (lambda of: f"integer, {of.least} to {of.most}", _bounds),
    SeatNumber: (lambda _: "integer from 1", _bounds),
    Cents: (lambda of: f"cents, {_short(of.least)} to {_short(of.most)}", _bounds),
    Id: (
        lambda of: f"id, 1 to {of.most} characters",
        lambda of: {"type": "string", "pattern": f"^[A-Za-z0-9._:-]{{1,{of.most}}}$"},
    ),
    Text: (lambda _: "text", lambda _: {"type": "string"}),
    ShortText: (
        lambda of: f"text, 1 to {of.most} characters",
        lambda of: {"type": "string", "minLength": 1, "maxLength": of.most},
    ),
    TextList: (
        lambda of: f"list of texts, 1 to {of.most} characters each",
        lambda of: {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": of.most},
        },
    ),
    Meters: (
        lambda of: f"object of cents by id, {_short(of.least)} to {_short(of.most)}",
        lambda of: {
            "type": "object",
            "propertyNames": {"pattern": "^[A-Za-z0-9._:-]{1,64}$"},
            "additionalProperties": {"type": "integer", **_bounds(of)},
        },
    ),
    Day: (
        lambda _: "day, such as `2026-11-17`",
        lambda _: {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
    ),
    TextOrNull: (lambda _: "text or `null`", lambda _: {"type": ["string", "null"]}),
    Time: (lambda _: "time", lambda _: {"type": "string", "pattern": _TIME}),
    Truth: (lambda _: "`true` or `false`", lambda _: {"type": "boolean"}),
    Choice: (lambda of: _words(of.words), lambda of: {"enum": list(of.words)}),
    Scoring: (
        lambda of: f"{_words(of.words)}, or in version 2 a scoring of the definition in effect",
        lambda _: {"type": "string", "pattern": f"^[A-Za-z0-9._:-]{{1,{LONGEST_SCORING}}}$"},
    ),
    GameName: (lambda of: _words(of.words), lambda of: {"enum": list(of.words)}),
    DealtCards: (lambda _: "cards", lambda _: _cards("Jo")),
    SetCards: (lambda _: "set cards", lambda _: _cards(f"Jo={_CARD}")),
    SetHands: (lambda of: f"list of {of.least} texts of set cards", _hands),
    SetParts: (lambda of: f"list of {of.least} texts of cards", _hands),
    Object: (lambda _: "object", lambda _: {"type": "object"}),
    SeatList: (lambda _: "list of objects, 1 or more", lambda _: {"type": "array"}),
}


START: Final = """# The round log

Made from `games/log/schema.py` by `manage.py write_references`; a test fails when it is stale.

A round log is a text file in UTF-8, plain or compressed with gzip or zstd: one JSON object per
line, one line per round, in the order dealt at each table. A byte-order mark at the very start of
the file is skipped; a later line that begins with one is rejected. A file in UTF-16 or UTF-32 is
rejected. [round-log.schema.json](round-log.schema.json) states the same as a JSON Schema, so that
you can check lines before you submit them.

| type | how to write it |
| --- | --- |
| cents | an integer: `2500` is $25.00 |
| id | letters, digits, and `-` `_` `.` `:` |
| time | RFC 3339 with a time zone, such as `2026-11-17T21:05:40-08:00` |
| cards | rank and suit, with one space between cards: `Th 4c 9s`. A joker is `Jo` |
| set cards | the same, but a joker names its card: `Jo=Qh` |

In any object, a field whose name begins with `x_` is yours: it is stored with the round and
otherwise ignored. Any other field that is not listed here for its game is an error.
"""

EXAMPLE: Final = (
    '{"v":1,"round":"N-20261117-0001","game":"pyramid-poker","table":"P1",'
    '"at":"2026-11-17T21:05:40-08:00","house":{"cards":"Ah 8d 4s","low":"8d"},'
    '"seats":[{"seat":2,"player":"guest-7","cards":"Jc 9h 5d","low":"9h",'
    '"wagers":{"main":1000,"three_card":500,"six_card":500},'
    '"result":{"main":0,"three_card":-500,"six_card":-500}}]}'
)
LESSON: Final = """
The player's nine beats the dealer's eight, and the dealer's ace-high beats the player's jack-high.
Each wins one hand, so `main` is a push (PP-11). Neither the player's three cards nor all six have a
pair, so the other two wagers lose.
"""

END: Final = """
## Rejected lines

A line that does not have this form is rejected. The receipt gives its line number, the field and
the reason. The other lines of the file are still processed.
[Submit a round log](../how-to/submit-a-round-log.md) describes the receipt, and says when a whole
file is rejected.
"""

SINCE_2: Final = """A line of version 2 has `"v": 2`. It may also have these fields. Version 1 is
always accepted. The same file, or a file of its own, may contain records that are not rounds; they
follow the games below, and need version 2.
"""
_RECORD_TITLES: Final = {
    "table_cash": "Record: a table's cash of a span of time",
    "table_closed": "Record: a table without rounds on a day",
    "jackpot_fund": "Record: a jackpot's fund on a day",
}

HEAD: Final = """
| field | type | what it is | required |
| --- | --- | --- | --- |
"""


def page() -> str:
    """Return the page of the reference."""
    void = sorted(
        {field.key for game in SLUGS for _, field in _fields_of(game) if field.void_may_omit}
    )
    sections = [
        START,
        f"\n## Example\n\n```json\n{EXAMPLE}\n```\n{LESSON}",
        f"\n## Every round\n{HEAD}",
        *(_row(field.key, field) for field in (*ROUND, SEATS)),
        f"\nA void round may omit {_words(void)}. It keeps `wagers` and `result`.\n",
        f"\n## Every seat\n{HEAD}",
        *(_row(field.key, field) for field in (*SEAT, WAGERS, RESULTS)),
        f"\n## Version 2 of any round\n\n{SINCE_2}{HEAD}",
        *(_row(field.key, field) for field in SINCE_VERSION_2),
        *(_row(f"seats[].{field.key}", field) for field in SEAT_SINCE_VERSION_2),
    ]
    for game in SLUGS:
        sections.append(f"\n## {rule_set(game).name} (`{game}`)\n{HEAD}")
        sections += [_row(path, field) for path, field in _fields_of(game)]
    for name, fields in RECORDS.items():
        sections.append(f"\n## {_RECORD_TITLES[name]} (`{name}`)\n{HEAD}")
        sections += [_row(field.key, field) for field in fields]
    return "".join([*sections, END])


def _fields_of(game: str) -> Iterator[tuple[str, Field]]:
    """Yield a game's own fields with their paths."""
    form = form_of(game)
    yield from ((field.key, field) for field in form.round)
    if form.house:
        yield HOUSE.key, HOUSE
    for path, fields in (
        ("house", form.house),
        ("seats[]", form.seat),
        ("seats[].wagers", form.wagers),
        ("seats[].result", form.results),
    ):
        yield from ((f"{path}.{field.key}", field) for field in fields)


def _row(path: str, field: Field) -> str:
    label = _TYPES[type(field.type)][0](field.type)
    return f"| `{path}` | {label} | {field.says} | {_required(field)} |\n"


def _required(field: Field) -> str:
    if field.optional:
        return f"no; if missing, {field.missing}"
    if field.unless is not None:
        return f"unless every seat's `play` is `{field.unless}`"
    if field is WAGERS:
        return "if the game has wagers"
    if field.case is None:
        return "yes"
    if field.case == "":
        return "unless `play` is given"
    return "with `banker`" if field.case == "banker" else f"if `play` is `{field.case}`"


def json_schema() -> str:
    """Return the JSON Schema of a line; its description says what it leaves to the parser."""
    defined: Json = {}
    for game in SLUGS:
        defined[game] = {"anyOf": list(_GameSchema(game, defined).rounds())}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Round log, versions 1 and 2",
        "description": "One line of a round log. Not checked here: that no key or seat number"
        " appears twice, that the banker or dealer is a seat of the round, that a day is in the"
        " calendar, that numbers have no decimal point or exponent, and that nothing is nested"
        " more than 8 deep.",
        "type": "object",
        "if": {"required": [RECORD_KEY]},
        "then": {"anyOf": [record_schema(fields) for fields in RECORDS.values()]},
        "else": {
            "required": ["game"],
            "properties": {"game": {"enum": list(SLUGS)}},
            "allOf": [
                *(
                    {
                        "if": {"properties": {"game": {"const": game}}},
                        "then": {"$ref": f"#/$defs/{game}"},
                    }
                    for game in SLUGS
                ),
                {"if": {"properties": {"v": {"const": 1}}}, "then": _without_version_2()},
            ],
        },
        "$defs": defined,
    }
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _without_version_2() -> Json:
    """Return what a line of version 1 must not have."""
    seats = {"items": {"properties": {field.key: False for field in SEAT_SINCE_VERSION_2}}}
    later: Json = {field.key: False for field in SINCE_VERSION_2}
    return {"properties": {**later, "scoring": {"enum": list(V1_SCORINGS)}, "seats": seats}}


def record_schema(fields: Sequence[Field]) -> Json:
    """Return the schema of a line that is no round."""
    return {
        "properties": {
            field.key: {"description": field.says, **_TYPES[type(field.type)][1](field.type)}
            for field in fields
        },
        "required": [field.key for field in fields],
        "patternProperties": {"^x_": True},
        "additionalProperties": False,
    }


class _GameSchema:
    """The JSON Schema of a game's rounds, one for each case; their fields are defined."""

    def __init__(self, game: str, defined: Json) -> None:
        self._game = game
        self._form = form_of(game)
        self._defined = defined

    def rounds(self) -> Iterator[Json]:
        """Yield the schema of every case, played and void."""
        for void in (False, True):
            seats = _cases(self._form.seat, void=void)
            for case in _cases(self._form.round, void=void):
                yield self._round(case, seats, case, void=void)
        for field in self._form.house:
            if field.unless is not None:
                yield self._round("", [field.unless], field.unless, void=False)

    def _round(self, case: str, seats: list[str], house: str, *, void: bool) -> Json:
        inner: Json = {
            "game": {"const": self._game},
            "void": {"type": "string" if void else "null"},
            "seats": {
                "type": "array",
                "items": {"anyOf": [self._seat(each, void=void) for each in seats]},
                "minItems": 1,
            },
        }
        fields = (*ROUND, *SINCE_VERSION_2, *self._form.round, SEATS)
        if self._form.house:
            fields = (*fields, HOUSE)
            inner["house"] = self._object("house", self._form.house, house, void=void)
        schema = self._object("round", fields, case, inner, void=void)
        if void:
            schema["required"].append("void")
        return schema

    def _seat(self, case: str, *, void: bool) -> Json:
        inner = {"result": self._define("result", self._object("result", self._form.results))}
        fields = (*SEAT, *SEAT_SINCE_VERSION_2, *self._form.seat, RESULTS)
        if self._form.wagers:
            inner["wagers"] = self._define("wagers", self._object("wagers", self._form.wagers))
            fields = (*fields, WAGERS)
        return self._object("seat", fields, case, inner, void=void)

    def _object(
        self,
        part: str,
        fields: Sequence[Field],
        case: str = "",
        inner: Json | None = None,
        *,
        void: bool = False,
    ) -> Json:
        """Return the schema of an object; `inner` has the fields that are not of a defined type."""
        properties, required = dict(inner or {}), []
        for field in fields:
            other_case = field.case is not None and field.case != case
            if (other_case and field.elsewhere) or (field.decides and not case):
                continue
            if field.decides and isinstance(field.type, Choice):
                properties[field.key] = {"const": case}
            elif field.key not in properties:
                properties[field.key] = self._reference(part, field)
            needed = field.decides or field.is_needed(case)
            if needed and not (void and field.void_may_omit):
                required.append(field.key)
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "patternProperties": {"^x_": True},
            "additionalProperties": False,
        }

    def _reference(self, part: str, field: Field) -> Json:
        schema = {"description": field.says, **_TYPES[type(field.type)][1](field.type)}
        if field not in (*ROUND, *SINCE_VERSION_2, *SEAT, *SEAT_SINCE_VERSION_2):
            return self._define(f"{part}.{field.key}", schema)
        self._defined[f"{part}.{field.key}"] = schema
        return {"$ref": f"#/$defs/{part}.{field.key}"}

    def _define(self, name: str, schema: Json) -> Json:
        self._defined[f"{self._game}.{name}"] = schema
        return {"$ref": f"#/$defs/{self._game}.{name}"}


def _cases(fields: Sequence[Field], *, void: bool) -> list[str]:
    """Return the cases of an object, "" if what decides may be absent."""
    may_be_absent = all(
        field.optional or (void and field.void_may_omit) for field in fields if field.decides
    )
    return [*([""] if may_be_absent else ()), *cases_of(fields)]


def type_schema(type_: FieldType) -> Json:
    """Return the JSON Schema of a type of value."""
    if isinstance(type_, OwnType):
        return type_.schema()
    return _TYPES[type(type_)][1](type_)


def game_schema(game: str) -> Json:
    """Return the JSON Schema of the lines of one built-in game."""
    defined: Json = {}
    rounds = list(_GameSchema(game, defined).rounds())
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Round log of {rule_set(game).name}",
        "anyOf": rounds,
        "$defs": defined,
    }
