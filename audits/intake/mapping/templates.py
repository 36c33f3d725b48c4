"""Templates: a header row for CSV and Excel whose columns need no matching."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import xlsxwriter

from compliance.text import CsvRows
from games.log.schema import HOUSE, ROUND, SEAT, form_of

if TYPE_CHECKING:
    from games.log.schema import Field


CONSTANT: Final = {"in_memory": True}


def columns_of_template(game: str) -> dict[str, str]:
    """Return the columns of a game's template, one row per hand, and what each contains."""
    form = form_of(game)
    parts: tuple[tuple[str, tuple[Field, ...]], ...] = (
        ("", (*ROUND[1:], *form.round)),
        (f"{HOUSE.key}.", form.house),
        ("seat.", (*SEAT, *form.seat)),
        ("seat.wagers.", form.wagers),
        ("seat.result.", form.results),
    )
    return {f"{prefix}{field.key}": field.says for prefix, fields in parts for field in fields}


def csv_template(game: str) -> bytes:
    """Return the template as CSV, in UTF-8 with the mark that Excel needs."""
    text = io.StringIO()
    CsvRows(text).write(*columns_of_template(game))
    return text.getvalue().encode("utf-8-sig")


def xlsx_template(game: str) -> bytes:
    """Return the template as a workbook; each column's name has a note that explains it."""
    place = io.BytesIO()
    with xlsxwriter.Workbook(place, CONSTANT) as book:
        sheet = book.add_worksheet("Hands")
        bold = book.add_format({"bold": True})
        texts = book.add_format({"num_format": "@"})
        for number, (name, says) in enumerate(columns_of_template(game).items()):
            sheet.set_column(number, number, max(12, len(name) + 2), texts)
            sheet.write(0, number, name, bold)
            sheet.write_comment(0, number, says)
        sheet.freeze_panes(1, 0)
    return place.getvalue()
