"""The rows of an Excel workbook (.xlsx), read in the sandbox: strangers' files may be hostile."""

from __future__ import annotations

import zipfile
import zlib
from datetime import datetime, timedelta
from lzma import LZMAError
from typing import IO, TYPE_CHECKING, Any, Final
from xml.parsers.expat import ExpatError

import orjson
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, iterparse

from audits.intake.mapping.errors import TableError
from compliance.files.sandbox import ExhaustedError, run_in_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


SECONDS, MEMORY = 120, 1 << 30
"""CPU time and memory in which a workbook must be read."""
MOST_MEMBERS: Final = 5_000
LARGEST_PART: Final = 1 << 30
"""Bytes of XML that one part may unpack to."""
MOST_ROWS: Final = 1_048_576
MOST_COLUMNS: Final = 1_000
MOST_STRINGS: Final = 2_000_000
MOST_MERGED: Final = 200_000
LARGEST_ROWS: Final = 1 << 30
"""Bytes of rows that are written for the mapping to read."""

_BROKEN: Final = (
    *(zipfile.BadZipFile, zlib.error, LZMAError, EOFError, OSError, RuntimeError, ParseError),
    *(ExpatError, ValueError, KeyError, IndexError, NotImplementedError, LookupError),
)
_DATE_FORMATS: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_RELATION: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_workbook(path: Path, sheet: str, folder: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each row of a sheet; its first one if none is named.

    A merged cell has its value in each cell that it covers, and a formula its last result.

    Raises:
        TableError: it is no workbook, is damaged, encrypted or hostile, or exceeds a limit.
    """
    rows = folder / "rows.jsonl"
    try:
        failure = run_in_sandbox(
            write_rows, str(path), sheet, str(rows), seconds=SECONDS, memory=MEMORY
        )
    except ExhaustedError:
        msg = (
            f"The workbook takes more than {SECONDS} seconds or 1 GiB of memory to read. Save the "
            "sheet as CSV, or split it."
        )
        raise TableError(msg) from None
    if failure:
        raise TableError(failure)
    with rows.open("rb") as file:
        for line in file:
            number, cells = orjson.loads(line)
            yield number, cells


class _HostileError(Exception):
    """The workbook is not read; the message says why."""


def write_rows(path: str, sheet: str, out: str) -> str:
    """Write a sheet's rows as JSON Lines; return why not, or nothing. Run this in the sandbox."""
    try:
        with zipfile.ZipFile(path) as packed, open(out, "wb") as rows:  # noqa: PTH123
            _Workbook(packed).write(sheet, rows)
    except _HostileError as hostile:
        return str(hostile)
    except DefusedXmlException:
        return "The workbook contains definitions that no workbook needs. It is not read."
    except MemoryError:
        return "The workbook takes more than 1 GiB of memory to read. Save the sheet as CSV."
    except _BROKEN:
        return (
            "The file is not an Excel workbook (.xlsx), or is damaged or has a password. Open it "
            "in Excel, remove the password, and save it again."
        )
    return ""


class _Limited:
    """A part of the workbook that ends the reading if it unpacks to too much."""

    def __init__(self, part: IO[bytes]) -> None:
        self._part, self._given = part, 0

    def read(self, size: int = -1) -> bytes:
        piece = self._part.read(min(size, 1 << 20) if size > 0 else 1 << 20)
        self._given += len(piece)
        if self._given > LARGEST_PART:
            msg = f"The workbook unpacks to more than {LARGEST_PART >> 30} GiB. It is not read."
            raise _HostileError(msg)
        return piece


class _Workbook:
    """A workbook in a ZIP file."""

    def __init__(self, packed: zipfile.ZipFile) -> None:
        self._packed = packed
        members = packed.infolist()
        self._names = {member.filename for member in members}
        if len(members) > MOST_MEMBERS:
            msg = f"The workbook has more than {MOST_MEMBERS:,} parts. It is not read."
            raise _HostileError(msg)
        if "xl/workbook.xml" not in self._names:
            raise KeyError
        self._from_1904 = False
        self._sheets = self._read_sheets()
        self._strings = self._read_strings()
        self._dates = self._read_dates()

    def write(self, sheet: str, out: IO[bytes]) -> None:
        if not self._sheets:
            msg = "The workbook has no sheet."
            raise _HostileError(msg)
        if sheet and sheet not in self._sheets:
            found = ", ".join(f'"{name[:40]}"' for name in list(self._sheets)[:10])
            msg = f'The workbook has no sheet "{sheet[:40]}". It has {found}.'
            raise _HostileError(msg)
        part = self._sheets[sheet] if sheet else next(iter(self._sheets.values()))
        merged = self._merged(part)
        kept: dict[tuple[int, int], str] = {}
        starts = set(merged.values())
        written = 0
        for number, cells in self._rows(part):
            _fill(number, cells, merged, kept, starts)
            width = max(cells, default=-1) + 1
            line = orjson.dumps([number, [cells.get(place, "") for place in range(width)]]) + b"\n"
            written += len(line)
            if written > LARGEST_ROWS:
                msg = f"The sheet has more than {LARGEST_ROWS >> 30} GiB of cells. Save it as CSV."
                raise _HostileError(msg)
            out.write(line)

    def _parts(self, name: str, tags: frozenset[str]) -> Iterator[tuple[str, Any]]:
        """Yield the elements with these names as they end; each is forgotten after that."""
        with self._packed.open(name) as part:
            stack: list[Any] = []
            wanted = 0
            for event, element in iterparse(_Limited(part), events=("start", "end")):
                tag = element.tag.rpartition("}")[2]
                if event == "start":
                    stack.append(element)
                    wanted += tag in tags
                    continue
                stack.pop()
                if tag in tags:
                    wanted -= 1
                    yield tag, element
                if not wanted and stack:
                    stack[-1].clear()

    def _read_sheets(self) -> dict[str, str]:
        targets = {}
        rels = "xl/_rels/workbook.xml.rels"
        for _, each in self._parts(rels, frozenset({"Relationship"})):
            target = each.get("Target", "")
            place = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            targets[each.get("Id")] = place
        sheets = {}
        for tag, each in self._parts("xl/workbook.xml", frozenset({"sheet", "workbookPr"})):
            if tag == "workbookPr":
                self._from_1904 = each.get("date1904") in {"1", "true"}
            elif targets.get(each.get(_RELATION), "") in self._names:
                sheets[each.get("name", "")] = targets[each.get(_RELATION)]
        return sheets

    def _read_strings(self) -> list[str]:
        strings: list[str] = []
        if "xl/sharedStrings.xml" in self._names:
            for _, each in self._parts("xl/sharedStrings.xml", frozenset({"si"})):
                strings.append(_text_of(each))
                if len(strings) > MOST_STRINGS:
                    msg = f"The workbook has more than {MOST_STRINGS:,} texts. Save it as CSV."
                    raise _HostileError(msg)
        return strings

    def _read_dates(self) -> list[bool]:
        """Return for each cell style whether it shows a number as a date."""
        if "xl/styles.xml" not in self._names:
            return []
        own: dict[str, bool] = {}
        styles: list[bool] = []
        for tag, each in self._parts("xl/styles.xml", frozenset({"numFmt", "cellXfs"})):
            if tag == "numFmt":
                own[each.get("numFmtId", "")] = _shows_date(each.get("formatCode", ""))
            else:
                ids = [style.get("numFmtId", "0") for style in each]
                styles = [own.get(id_, int(id_) in _DATE_FORMATS) for id_ in ids]
        return styles

    def _merged(self, part: str) -> dict[tuple[int, int], tuple[int, int]]:
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for _, each in self._parts(part, frozenset({"mergeCell"})):
            first, _, last = each.get("ref", "").partition(":")
            (top, left), (bottom, right) = _place(first), _place(last or first)
            if len(found) + (bottom - top + 1) * (right - left + 1) > MOST_MERGED:
                msg = f"The sheet merges more than {MOST_MERGED:,} cells. Unmerge them."
                raise _HostileError(msg)
            for row in range(top, bottom + 1):
                found.update({(row, column): (top, left) for column in range(left, right + 1)})
        return found

    def _rows(self, part: str) -> Iterator[tuple[int, dict[int, str]]]:
        number = 0
        for _, each in self._parts(part, frozenset({"row"})):
            number = int(each.get("r") or number + 1)
            if number > MOST_ROWS:
                msg = f"The sheet has a row {number:,}; Excel has up to {MOST_ROWS:,}."
                raise _HostileError(msg)
            cells: dict[int, str] = {}
            for cell in each:
                place = _place(cell.get("r"))[1] if cell.get("r") else len(cells)
                if place >= MOST_COLUMNS:
                    msg = f"Row {number:,} has more than {MOST_COLUMNS:,} columns. Export fewer."
                    raise _HostileError(msg)
                cells[place] = self._value(cell)
            yield number, cells

    def _value(self, cell: Any) -> str:
        kind, parts = cell.get("t", "n"), {each.tag.rpartition("}")[2]: each for each in cell}
        if kind == "inlineStr":
            return _text_of(parts["is"]) if "is" in parts else ""
        value = parts["v"].text or "" if "v" in parts else ""
        if "f" in parts and not value:
            where = cell.get("r", "a cell")
            msg = (
                f"The formula in {where} has no result. Open the file in Excel, save it, and "
                "submit it again; or export values instead of formulas."
            )
            raise _HostileError(msg)
        if not value:
            return ""
        if kind == "s":
            return self._strings[int(value)]
        if kind == "b":
            return "true" if value == "1" else "false"
        return self._number(value, int(cell.get("s", "0"))) if kind == "n" else value

    def _number(self, value: str, style: int) -> str:
        number = float(value)
        if style < len(self._dates) and self._dates[style]:
            return _date(number, from_1904=self._from_1904)
        return f"{number:.15g}"


def _fill(
    number: int,
    cells: dict[int, str],
    merged: dict[tuple[int, int], tuple[int, int]],
    kept: dict[tuple[int, int], str],
    starts: set[tuple[int, int]],
) -> None:
    """Give each cell that a merged cell covers its value."""
    if not merged:
        return
    for place in range(max((*cells, *(c for r, c in merged if r == number)), default=-1) + 1):
        if (number, place) in starts:
            kept[number, place] = cells.get(place, "")
        if (number, place) in merged:
            cells[place] = kept.get(merged[number, place], "")


def _place(reference: str) -> tuple[int, int]:
    """Return row and column of a cell, the row from 1 and the column from 0."""
    letters = reference.rstrip("0123456789")
    column = 0
    for letter in letters[:4]:
        column = column * 26 + ord(letter.upper()) - ord("A") + 1
    return int(reference[len(letters) :]), column - 1


def _text_of(element: Any) -> str:
    """Return a text without its formatting and without phonetic hints."""
    texts = []
    for part in element:
        tag = part.tag.rpartition("}")[2]
        if tag == "t":
            texts.append(part.text or "")
        elif tag == "r":
            texts += [each.text or "" for each in part if each.tag.rpartition("}")[2] == "t"]
    return "".join(texts)


def _shows_date(code: str) -> bool:
    """Return whether a number format shows a date or a time."""
    plain, inside = "", ""
    for sign in code:
        if inside:
            inside = "" if sign == inside else inside
        elif sign in '"[':
            inside = '"' if sign == '"' else "]"
        else:
            plain += sign
    return "general" not in plain.lower() and any(sign in plain.lower() for sign in "ymdhs")


def _date(number: float, *, from_1904: bool) -> str:
    if not 0 <= number < 2_958_466:
        return f"{number:.15g}"
    begin = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)  # noqa: DTZ001
    at = begin + timedelta(milliseconds=round(number * 86_400_000))
    if number < 1:
        return at.time().isoformat(timespec="seconds")
    if (at.hour, at.minute, at.second, at.microsecond) == (0, 0, 0, 0):
        return at.date().isoformat()
    return at.isoformat(sep=" ")
