"""Workbooks of strangers are read in the sandbox: each gives its rows or a sentence."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
import xlsxwriter

from audits.intake.mapping import workbook as reader
from audits.intake.mapping.errors import TableError
from audits.intake.mapping.workbook import read_workbook, write_rows
from tests.audits.mapping.files import workbook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def rows(content: bytes, folder: Path, sheet: str = "") -> list[list[str]]:
    """Read a workbook as the sandbox does, but here."""
    (folder / "book.xlsx").write_bytes(content)
    failure = write_rows(str(folder / "book.xlsx"), sheet, str(folder / "out"))
    if failure:
        raise TableError(failure)
    return [json.loads(line)[1] for line in (folder / "out").read_text().splitlines()]


def made(fill: Callable[[Any, Any], None]) -> bytes:
    place = io.BytesIO()
    with xlsxwriter.Workbook(place) as book:
        fill(book, book.add_worksheet("Night"))
    return place.getvalue()


def altered(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """Return a workbook with one part changed."""
    place = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(place, "w", 8) as new:
        for member in old.infolist():
            data = old.read(member)
            new.writestr(member.filename, change(data) if member.filename == part else data)
    return place.getvalue()


EVENING = datetime.fromisoformat("2025-03-07T21:15:03")
SHEET = "xl/worksheets/sheet1.xml"


def test_dates_numbers_formulas_and_merged_cells_are_values(tmp_path: Path) -> None:
    def fill(book: Any, sheet: Any) -> None:
        sheet.merge_range("A1:A2", "7")
        sheet.write_datetime("B1", EVENING, book.add_format({"num_format": "m/d/yy h:mm"}))
        sheet.write_number("C1", 25.1)
        sheet.write_formula("D1", "=C1*2", None, 50.2)
        sheet.write_boolean("B2", True)
        sheet.write_rich_string("C2", "K", book.add_format({"color": "red"}), "♦", " x")

    assert rows(made(fill), tmp_path) == [
        ["7", "2025-03-07 21:15:03", "25.1", "50.2"],
        ["7", "true", "K♦ x"],
    ]


def _bomb(data: bytes) -> bytes:
    return data.replace(b"<sheetData>", b"<sheetData>" + b"<row/>" * 400_000)


HOSTILE = {
    "entities": (
        altered(
            workbook(),
            SHEET,
            lambda x: x.replace(b"<worksheet", b'<!DOCTYPE a [<!ENTITY b "c">]><worksheet', 1),
        ),
        "definitions that no workbook needs",
    ),
    "formula": (
        altered(
            workbook(),
            SHEET,
            lambda x: x.replace(
                b"<sheetData>", b'<sheetData><row r="1"><c r="A1"><f>NOW()</f></c></row>'
            ),
        ),
        "The formula in A1 has no result",
    ),
    "wide": (
        altered(
            workbook(),
            SHEET,
            lambda x: x.replace(
                b"<sheetData>", b'<sheetData><row r="1"><c r="XFD1"><v>1</v></c></row>'
            ),
        ),
        "more than 1,000 columns",
    ),
    "merged": (
        altered(
            workbook(),
            SHEET,
            lambda x: x.replace(
                b"</sheetData>",
                b'</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
            ),
        ),
        "merges more than 200,000 cells",
    ),
    "string": (
        altered(workbook(), SHEET, lambda x: x.replace(b't="s"><v>0</v>', b't="s"><v>999</v>')),
        "is not an Excel workbook",
    ),
    "cut": (workbook()[:-300], "is not an Excel workbook"),
    "rows": (
        altered(
            workbook(), SHEET, lambda x: x.replace(b"<sheetData>", b'<sheetData><row r="9999999"/>')
        ),
        "Excel has up to 1,048,576",
    ),
    "text": (b"Round;Table\n", "is not an Excel workbook"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_workbook_gets_a_sentence(name: str, tmp_path: Path) -> None:
    content, says = HOSTILE[name]
    with pytest.raises(TableError) as wrong:
        rows(content, tmp_path)
    assert says in str(wrong.value)


def test_named_sheet_must_exist(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r'has no sheet "Friday"\. It has "Hands"'):
        rows(workbook(), tmp_path, "Friday")


def test_bomb_ends_where_its_limit_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = altered(workbook(), SHEET, _bomb)
    assert len(bomb) < 20_000
    monkeypatch.setattr(reader, "LARGEST_PART", 1 << 20)
    with pytest.raises(TableError, match="unpacks to more than"):
        rows(bomb, tmp_path)


def test_slow_workbook_is_ended_by_the_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(altered(workbook(), SHEET, lambda data: _bomb(data) * 1))
    monkeypatch.setattr(reader, "SECONDS", 1)
    monkeypatch.setattr(reader, "MEMORY", 64 << 20)
    with pytest.raises(TableError, match="memory"):
        list(read_workbook(path, "", tmp_path))
