"""The rows of an operator's file (CSV, JSON, JSON Lines), one after another, in bounded memory."""

from __future__ import annotations

import codecs
import csv
import io
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import orjson

from audits.intake.mapping.errors import TableError
from audits.intake.mapping.workbook import read_workbook
from games.log.form import LONGEST_LINE, Rejection
from games.log.lines import BrokenFileError, split, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from audits.intake.mapping.definition import Layout


MOST_COLUMNS: Final = 1_000
LARGEST_JSON: Final = 256 << 20
"""Bytes of a JSON file, unpacked, that is read as a whole; JSON Lines have no limit."""
DEEPEST: Final = 20
KEY: Final = "key"
"""The column with the name of each object, where objects are named rather than listed."""

_ALPHABET: Final = 26


@dataclass(frozen=True)
class Row:
    """One row: its number in the file, from 1, and its cells by column."""

    number: int
    cells: dict[str, str]


def read_table(path: Path, layout: Layout, folder: Path) -> Iterator[Row]:
    """Yield the rows of a file that are not blank; `folder` is for temporary files.

    Raises:
        TableError: the file is not what the layout says, is damaged, or exceeds a limit.
    """
    if layout.kind == "xlsx":
        rows = read_workbook(path, layout.sheet, folder)
        yield from _named(rows, layout.header)
        return
    with path.open("rb") as content:
        if layout.kind == "csv":
            yield from _named(_csv(content, layout), layout.header)
        elif layout.kind == "jsonl":
            yield from _json_lines(content, layout.items)
        else:
            yield from _json(content, layout)


def letters(place: int) -> str:
    """Return a column's letters, as a spreadsheet has them: 0 is A, 26 is AA."""
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, _ALPHABET)
        name = chr(ord("A") + rest) + name
    return name


def _named(rows: Iterable[tuple[int, list[str]]], header: int) -> Iterator[Row]:
    """Name the cells by the header, and leave out what is above it and blank rows."""
    names: list[str] = []
    for number, cells in rows:
        if len(cells) > MOST_COLUMNS:
            msg = f"Row {number:,} has {len(cells):,} columns; a row has up to {MOST_COLUMNS:,}."
            raise TableError(msg)
        if number < header:
            continue
        if header and not names:
            names = _names(cells)
            continue
        while len(names) < len(cells):
            names.append(letters(len(names)))
        if any(cell.strip() for cell in cells):
            yield Row(number, dict(zip(names, cells, strict=False)))
    if header and not names:
        msg = f"The file has no row {header:,}, where the mapping says that the columns are named."
        raise TableError(msg)


def _names(cells: list[str]) -> list[str]:
    names: list[str] = []
    for place, cell in enumerate(cells):
        name = " ".join(cell.split()) or letters(place)
        again = 2
        unique = name
        while unique in names:
            unique, again = f"{name} ({again})", again + 1
        names.append(unique)
    return names


def _csv(content: BinaryIO, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    rows = csv.reader(_texts(content, layout.encoding), delimiter=layout.delimiter)
    number = 0
    try:
        for number, cells in enumerate(rows, 1):
            yield number, cells
    except csv.Error as wrong:
        why = str(wrong)
        if "field larger" in why:
            why = "a cell is longer than 131,072 characters, or a quotation mark is never closed"
        elif "NUL" in why:
            why = "it contains a NUL byte"
        msg = f"Row {number + 1:,} cannot be read: {why}. Export the file again."
        raise TableError(msg) from None


def _texts(content: BinaryIO, encoding: str) -> Iterator[str]:
    """Yield the lines of a text with their endings; each has a limited length."""
    decoder = codecs.getincrementaldecoder("utf-8-sig" if encoding == "utf-8" else encoding)()
    begun, at, end = "", 0, ""
    for piece in chain(_pieces(content, encoding), (b"",)):
        try:
            begun += decoder.decode(piece, final=not piece)
        except UnicodeDecodeError as wrong:
            msg = (
                f"The file is not {encoding.upper()} text beyond line {at + 1:,} ({wrong.reason}). "
                "Choose another encoding in the mapping, or export the file as UTF-8."
            )
            raise TableError(msg) from None
        end = end or ("\n" if "\n" in begun else "\r" if "\r" in begun[:-1] else "")
        *whole, begun = begun.split(end) if end else [begun]
        if not piece and begun:
            whole, begun = [*whole, begun], ""
        for line in whole:
            at += 1
            if len(line) > LONGEST_LINE:
                raise TableError(_too_long(at))
            if "\0" in line:
                msg = f"Row {at:,} contains a NUL byte: this is not a text file. Export it again."
                raise TableError(msg)
            yield f"{line}\n"
        if len(begun) > LONGEST_LINE:
            raise TableError(_too_long(at + 1))


def _too_long(line: int) -> str:
    return f"Line {line:,} is longer than 1 MiB: this is not a table of rounds."


def _pieces(content: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Yield the file's bytes, unpacked; UTF-16 is read as it is."""
    if encoding == "utf-16":
        while piece := content.read(1 << 16):
            yield piece
        return
    try:
        yield from unpack(content)
    except BrokenFileError as broken:
        raise TableError(_broken(broken)) from None


def _broken(broken: BrokenFileError) -> str:
    if broken.cause == "encoding":
        return "The file is UTF-16 text. Choose UTF-16 in the mapping, or save the file as UTF-8."
    return f"The file cannot be read: {broken}."


def _json(content: BinaryIO, layout: Layout) -> Iterator[Row]:
    whole = io.BytesIO()
    for piece in _pieces(content, "utf-8"):
        whole.write(piece)
        if whole.tell() > LARGEST_JSON:
            msg = (
                f"The JSON file has more than {LARGEST_JSON >> 20} MiB. Export JSON Lines, one "
                "object per line, or a file for each night."
            )
            raise TableError(msg)
    try:
        value = orjson.loads(whole.getvalue())
    except orjson.JSONDecodeError as wrong:
        msg = f"The file is not JSON: {wrong}. Export it again."
        raise TableError(msg) from None
    top = value if isinstance(value, list) else [value]
    if layout.items and not isinstance(value, list):
        *path, last = layout.items
        inner = _inside(value, [*path, *last.split(".")])
        if isinstance(inner, list) and inner and all(isinstance(row, list) for row in inner):
            top, layout = inner, replace(layout, items=())
    if top and all(isinstance(row, list) for row in top):
        texts = ([_text(cell) for cell in row] for row in top)
        yield from _named(enumerate(texts, 1), layout.header)
        return
    number = 0
    for item in top:
        for cells in _exploded(item, layout.items):
            number += 1
            yield Row(number, cells)


def _inside(value: Any, path: Iterable[str]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _json_lines(content: BinaryIO, items: tuple[str, ...]) -> Iterator[Row]:
    for number, line in enumerate(split(_pieces(content, "utf-8")), 1):
        if isinstance(line, Rejection):
            raise TableError(_too_long(number))
        if not line.strip():
            continue
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError as wrong:
            msg = f"Line {number:,} is not JSON: {wrong}. Export the file again."
            raise TableError(msg) from None
        for cells in _exploded(value, items):
            yield Row(number, cells)


def _exploded(value: Any, items: tuple[str, ...], prefix: str = "") -> Iterator[dict[str, str]]:
    """Yield a row for each innermost item, with the fields of the objects around it."""
    if not isinstance(value, dict):
        msg = "An item of the JSON is not an object. Name the list of rounds in the mapping."
        raise TableError(msg)
    if not items:
        yield _flat(value, prefix)
        return
    key, *rest = items
    inner = _at(value, key)
    if isinstance(inner, dict) and all(isinstance(each, dict) for each in inner.values()):
        inner = [{KEY: name, **each} for name, each in inner.items()]
    if not isinstance(inner, list) and (inner is not None or not prefix):
        msg = f"The JSON has no list `{prefix}{key}`, which the mapping names."
        raise TableError(msg)
    first = key if key in value else key.partition(".")[0]
    around = _flat({name: each for name, each in value.items() if name != first}, prefix)
    if not inner:
        yield around  # a round without hands is still a round
    for item in inner or ():
        for cells in _exploded(item, tuple(rest), f"{prefix}{key}."):
            yield {**around, **cells}


def _at(value: dict[str, Any], key: str) -> Any:
    """Return what an object has at a key; dots lead into the objects around a list."""
    return value[key] if key in value else _inside(value, key.split("."))


def _flat(value: dict[str, Any], prefix: str) -> dict[str, str]:
    found: dict[str, str] = {}
    waiting = [(f"{prefix}{name}", each, 1) for name, each in reversed(value.items())]
    while waiting:
        name, each, depth = waiting.pop()
        inside: list[tuple[str, Any]] = []
        if isinstance(each, dict):
            inside = list(each.items())
        elif isinstance(each, list) and any(isinstance(one, dict | list) for one in each):
            inside = [(str(place), one) for place, one in enumerate(each, 1)]
        else:
            found[name] = _text(each)
        if depth > DEEPEST or len(found) > MOST_COLUMNS:
            msg = (
                f"An item of the JSON has more than {MOST_COLUMNS:,} values, or is nested more than"
                f" {DEEPEST} deep. Name the list of rounds in the mapping."
            )
            raise TableError(msg)
        waiting += [(f"{name}.{key}", one, depth + 1) for key, one in reversed(inside)]
    return found


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(_text, value))
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else orjson.dumps(value).decode()
