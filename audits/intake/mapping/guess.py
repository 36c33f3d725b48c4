"""Guesses for a new mapping: where the rows are, and which column fills which field."""

from __future__ import annotations

import csv
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import orjson

from audits.intake.mapping.definition import CASH, CardIndex, Layout
from audits.intake.mapping.fields import ACTION, BET, targets
from audits.intake.mapping.filed_games import fields_of
from games.log.lines import BrokenFileError, unpack
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from audits.intake.mapping.tables import Row
    from games.definition import Definition


HEAD: Final = 1 << 16
DELIMITERS: Final = ",;\t|"
_LINES: Final = 20
_DEEPEST: Final = 4

NAMES: Final[dict[str, tuple[str, ...]]] = {
    "round": ("round", "round id", "hand", "hand id", "game id", "deal", "deal id", "coup", "id"),
    "game": ("game", "game name", "game type"),
    "table": ("table", "table id", "tbl", "table name", "pit table"),
    "at": ("at", "time", "date", "end", "ended", "timestamp", "date time", "datetime", "end time"),
    "from": ("from", "start", "start time", "started", "begin"),
    "deck": ("deck", "shoe", "deck color"),
    "decks": ("decks", "number of decks"),
    "void": ("void", "void reason", "voided"),
    "shuffler": ("shuffler", "machine"),
    "banker": ("banker", "banker seat"),
    "bank": ("bank", "bank amount"),
    "house.cards": ("dealer", "dealer cards", "dealer hand", "house", "house cards", "house hand"),
    "house.low": ("dealer low", "house low", "dealer set", "house set"),
    "seat.seat": ("seat", "spot", "position", "box", "seat number"),
    "seat.player": ("player", "player id", "patron", "patron id", "guest"),
    "seat.cards": ("cards", "player cards", "player hand", "hand cards", "dealt"),
    "seat.low": ("low", "player low", "low card", "low hand", "set"),
    "seat.play": ("play", "decision", "action", "choice"),
    "bet.wager": ("bet", "bet type", "wager", "wager type", "bet name", "wager name"),
    "bet.amount": ("amount", "bet amount", "wager amount", "stake", "wagered"),
    "bet.result": (
        *("paid", "payout", "result", "net", "win loss", "returned", "won", "amount paid"),
    ),
    "seat.wagers.main": ("main", "main bet", "main wager", "ante bet"),
    "seat.result.main": ("main result", "main net", "main paid", "main won"),
    "seat.wagers.three_card": ("three card", "three card bet", "three card wager", "3 card"),
    "seat.result.three_card": ("three card result", "three card paid", "3 card paid"),
    "seat.wagers.six_card": ("six card", "six card bet", "six card wager", "6 card"),
    "seat.result.six_card": ("six card result", "six card paid", "6 card paid"),
}
"""Names that table systems give a field's column."""

_BY_NAME: Final = {name: target for target, names in NAMES.items() for name in names}
_NUMBERED: Final = re.compile(r"(?:seat|spot|player|box|p|s) ?([1-9][0-9]?) (.+)")
_RETURNED: Final = re.compile(r"paid|payout|return")
_AMOUNTS: Final = ("bet.amount", "bet.result", "seat.wagers.main", "seat.result.main")


def guess_layout(path: Path) -> Layout:
    """Guess where the rows of a file are; reading it says whether that is right."""
    with path.open("rb") as content:
        begins = content.read(HEAD)
    if begins.startswith(b"PK"):
        return Layout(kind="xlsx")
    if begins[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        text, encoding = begins.decode("utf-16", "replace"), "utf-16"
    else:
        text, encoding = _decoded(path)
    if text.lstrip()[:1] in {"{", "["}:
        return _json_layout(path, text)
    lines = text.splitlines()[:_LINES]
    delimiter = max(DELIMITERS, key=lambda sign: _columns(lines, sign))
    return Layout(
        kind="csv",
        encoding=encoding,
        delimiter=delimiter,
        header=guess_header(list(csv.reader(lines, delimiter=delimiter))),
    )


def _columns(lines: list[str], delimiter: str) -> tuple[int, int]:
    """Return how many columns a delimiter makes in most lines, and how often it occurs."""
    counts = Counter(line.count(delimiter) for line in lines if line.strip())
    usual = counts.most_common(1)[0][0] if counts else 0
    return usual, sum(number * times for number, times in counts.items())


def _decoded(path: Path) -> tuple[str, str]:
    head = b""
    with path.open("rb") as content:
        try:
            for piece in unpack(content):
                head += piece
                if len(head) >= HEAD:
                    break
        except BrokenFileError:
            pass  # reading it as a whole says why
    whole = head[: head.rfind(b"\n") + 1] or head
    try:
        return whole.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return whole.decode("cp1252", "replace"), "cp1252"


def _json_layout(path: Path, text: str) -> Layout:
    first = text.strip().split("\n", 1)[0]
    try:
        value = orjson.loads(first)
    except orjson.JSONDecodeError:
        value = None
    if isinstance(value, dict) and "\n" in text.strip():
        return Layout(kind="jsonl", items=guess_items(value))
    try:
        value = orjson.loads(path.read_bytes())
    except (orjson.JSONDecodeError, MemoryError):
        return Layout(kind="json")
    top = value[0] if isinstance(value, list) and value else value
    return Layout(kind="json", items=guess_items(top))


def guess_items(value: Any) -> tuple[str, ...]:
    """Return the keys of the first nested lists of objects."""
    path: list[str] = []
    for _ in range(_DEEPEST):
        if not isinstance(value, dict):
            break
        inner = next(_lists_of_objects(value), None)
        if inner is None:
            break
        key, value = inner
        path.append(key)
    return tuple(path)


def _lists_of_objects(value: dict[str, Any], depth: int = 1) -> Iterator[tuple[str, Any]]:
    """Yield the keys that lead to lists of objects, those of this object first."""
    for key, each in value.items():
        if _is_list_of_objects(each):
            yield key, each[0]
    for key, each in value.items():
        if isinstance(each, dict) and depth < _DEEPEST:
            yield from ((f"{key}.{rest}", one) for rest, one in _lists_of_objects(each, depth + 1))


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def guess_header(rows: Sequence[Sequence[str]]) -> int:
    """Return the first row of names: several cells, and none of them a number."""
    for number, cells in enumerate(rows, 1):
        filled = [cell for cell in cells if cell.strip()]
        if len(filled) >= 3 and not any(re.search(r"^[$(]?[0-9]", cell.strip()) for cell in filled):
            return number
    return 1 if not rows else 0


def guess_fields(columns: Iterable[str], definition: Definition | None = None) -> dict[str, str]:
    """Return for each column the field that its name suggests; each field but `at` once."""
    found: dict[str, str] = {}
    own = _names_of(definition)
    for column in columns:
        target = _target(column, own)
        if target and (target == "at" or target not in found.values()):
            found[column] = target
    return found


_CASH: Final = {
    "table": r"table( name| id| number| no)?|pit table",
    "day": r"(gaming |gambling |business |drop )?(day|date)",
    "from": r"from|start|started|begin|begins|(start|opening|open) time|opened( at)?",
    "to": r"to|end|ended|ends|(end|closing|close) time|closed( at)?",
    "opener": r"opener|opening( (inventory|chips|float|bankroll))?|(beginning|begin) inventory",
    "fills": r"fills?( amount| total)?|total fills",
    "credits": r"credits?( amount| total)?|total credits",
    "closer": r"closer|closing( (inventory|chips|float|bankroll))?|(ending|end) inventory",
    "drop": r"drop( amount| total| box)?|total drop|cash drop",
}
"""What the columns of a table's cash are called in pit and count-room reports."""


def _guess_cash(columns: Iterable[str]) -> dict[str, str]:
    """Return the fields of a table's cash by column; none if the columns are of rounds."""
    found: dict[str, str] = {}
    for column in columns:
        name = re.sub(r"[^a-z0-9]+", " ", column.lower().replace("$", "")).strip()
        for target, pattern in _CASH.items():
            if target not in found.values() and re.fullmatch(pattern, name):
                found[column] = target
                break
    targets_ = set(found.values())
    if not {"opener", "closer", "drop"} <= targets_:
        return {}
    without = {"day"} if {"from", "to"} <= targets_ else {"from", "to"}
    return {column: target for column, target in found.items() if target not in without}


_OF_LAST_PART: Final = {
    "wagers": ("{}", "{} bet", "{} wager", "{} amount"),
    "result": ("{} result", "{} paid", "{} won", "{} net", "{} payout", "{} win loss"),
    "choices": ("{}", "{} decision", "{} choice", "decision", "choice", "action"),
    "meters": ("{}", "{} meter"),
}
"""What a column of a definition's own field is called; the first field with a name has it."""
_OF_FILED: Final = {
    "community": ("board", "community", "community cards", "flop turn river"),
    "hands.player": ("player hand", "player cards", "player", "p cards"),
    "hands.banker": ("banker hand", "banker cards", "banker", "b cards"),
    "house.parts": ("dealer set", "house set", "dealer parts"),
    "seat.parts": ("set", "player set", "parts", "hands"),
    "button": ("button", "dealer button", "button seat"),
    "fees.rake": ("rake",),
    "fees.jackpot": ("jackpot", "jackpot drop"),
    "seat.stack": ("stack", "chips", "starting stack"),
    "seat.hands.cards": ("cards", "hand cards", "player cards"),
    "seat.hands.wager": ("bet", "wager", "stake", "amount", "bet amount"),
    "seat.hands.actions": ("actions", "moves", "play"),
    "seat.hands.result": ("net", "won", "paid", "payout", "result", "win loss"),
    "seat.result.pot": ("net", "won", "result", "win loss"),
    "action.street": ("street", "betting round"),
    "action.act": ("act", "action", "move"),
    "action.to": ("to", "amount", "total"),
}


def _names_of(definition: Definition | None) -> dict[str, str]:
    """Return the field of a filed game by each name that a column of it may have."""
    if definition is None:
        return {}
    found: dict[str, str] = {}
    for target in fields_of(definition):
        found[target] = target  # as in our templates
        *path, last = target.split(".")
        words = last.replace("_", " ").replace("-", " ")
        own = _OF_LAST_PART.get(path[-1], ()) if path else ()
        for name in (*_OF_FILED.get(target, ()), *(each.format(words) for each in own)):
            found.setdefault(name, target)
    return found


def _target(column: str, own: Mapping[str, str]) -> str:
    if column in targets() or column in (*BET, *ACTION) or column in own:
        return column  # as in our templates
    last = column.rpartition(".")[2].lower().replace("#", " id ")
    name = re.sub(r"[^a-z0-9]+", " ", last).strip()
    name = re.sub(r" (?:no|num|number|nr)$", " id", name)
    name = " ".join(dict.fromkeys(name.split()))
    if name in own:
        return own[name]
    if name in _BY_NAME:
        return _BY_NAME[name]
    numbered = _NUMBERED.fullmatch(name)
    if numbered:
        base = own.get(numbered[2]) or _BY_NAME.get(numbered[2], "")
        if base.startswith("seat."):
            return f"seat{numbered[1]}.{base[5:]}"
    return ""


def guess_mapping(
    name: str,
    layout: Layout,
    rows: Sequence[Row],
    *,
    game: str = "",
    definition: Definition | None = None,
) -> dict[str, Any]:
    """Return a first mapping of a sample, to be corrected by a person and then tested.

    `game` is what is dealt, if that is known; a filed one has a `definition`.
    """
    columns = list(dict.fromkeys(column for row in rows for column in row.cells))
    cash = _guess_cash(columns)
    guessed = cash or guess_fields(columns, definition)
    fields: dict[str, dict[str, Any]] = {}
    for column, target in guessed.items():
        fields.setdefault(target, {"columns": []})["columns"].append(column)
    numbered = any(re.match(r"seat[0-9]", target) for target in fields)
    kind = CASH if cash else _kind(fields, numbered=numbered)
    for row in {"bet", "action"} - {kind}:
        fields = {
            target: each for target, each in fields.items() if not target.startswith(f"{row}.")
        }
    if not cash:
        fields.setdefault("game", {"value": game or _game(name)})
    amounts = _values(rows, fields, ("opener", "closer", "drop") if cash else _AMOUNTS)
    cards = _values(rows, fields, ("seat.cards", "house.cards"))
    results = " ".join(column for column, target in guessed.items() if "result" in target).lower()
    return {
        "name": name,
        "layout": {
            "kind": layout.kind,
            "encoding": layout.encoding,
            "delimiter": layout.delimiter,
            "header": layout.header,
            "sheet": layout.sheet,
            "items": list(layout.items),
        },
        "rows": kind,
        "results": "returned" if _RETURNED.search(results) else "net",
        "money": "dollars",
        "decimal": "," if _are(amounts, r".*[0-9],[0-9]{2}") else ".",
        "card_index": _card_index(cards),
        "fields": fields,
    }


def _kind(fields: Mapping[str, Any], *, numbered: bool) -> str:
    if "action.act" in fields:
        return "action"
    return "bet" if "bet.wager" in fields else "round" if numbered else "hand"


def _game(name: str) -> str:
    return next((slug for slug in SLUGS if slug.split("-")[0] in name.lower()), SLUGS[0])


def _values(
    rows: Sequence[Row], fields: dict[str, dict[str, Any]], targets: Iterable[str]
) -> list[str]:
    names = [column for target in targets for column in fields.get(target, {}).get("columns", ())]
    return [row.cells[name] for row in rows for name in names if row.cells.get(name)]


def _are(texts: list[str], pattern: str) -> bool:
    fits = Counter(re.fullmatch(pattern, text) is not None for text in texts)
    return fits[True] > fits[False]


def _card_index(texts: list[str]) -> dict[str, Any] | None:
    if not _are(texts, r"[0-9]{1,2}([ ,;|/]+[0-9]{1,2})*"):
        return None
    met = {number for text in texts for number in re.findall(r"[0-9]+", text)}
    return {"first": 0 if "0" in met else 1 if "52" in met else CardIndex.first}
