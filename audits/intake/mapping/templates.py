"""Templates: a header row for CSV and Excel whose columns need no matching."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import xlsxwriter

from audits.intake.mapping.filed_games import fields_of
from compliance.text import CsvRows
from games.log.schema import HOUSE, ROUND, SEAT, form_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from games.definition import Definition
    from games.log.schema import Field


CONSTANT: Final = {"in_memory": True}


def columns_of_template(game: str, definition: Definition | None = None) -> dict[str, str]:
    """Return the columns of a game's template, one row per hand, and what each contains.

    A poker game with betting has one row per action; of a filed game, `definition` says the rest.
    """
    if definition is not None:
        found = fields_of(definition)
        first = {field.key: field.says for field in ROUND[1:]}
        seat = {f"seat.{field.key}": field.says for field in SEAT}
        return {**first, **{name: says for name, says in found.items() if name not in seat}, **seat}
    form = form_of(game)
    parts: tuple[tuple[str, tuple[Field, ...]], ...] = (
        ("", (*ROUND[1:], *form.round)),
        (f"{HOUSE.key}.", form.house),
        ("seat.", (*SEAT, *form.seat)),
        ("seat.wagers.", form.wagers),
        ("seat.result.", form.results),
    )
    return {f"{prefix}{field.key}": field.says for prefix, fields in parts for field in fields}


def csv_template(columns: Iterable[str]) -> bytes:
    """Return the template as CSV, in UTF-8 with the mark that Excel needs."""
    text = io.StringIO()
    CsvRows(text).write(*columns)
    return text.getvalue().encode("utf-8-sig")


def xlsx_template(columns: Mapping[str, str]) -> bytes:
    """Return the template as a workbook; each column's name has a note that explains it."""
    place = io.BytesIO()
    with xlsxwriter.Workbook(place, CONSTANT) as book:
        sheet = book.add_worksheet("Hands")
        bold = book.add_format({"bold": True})
        texts = book.add_format({"num_format": "@"})
        for number, (name, says) in enumerate(columns.items()):
            sheet.set_column(number, number, max(12, len(name) + 2), texts)
            sheet.write(0, number, name, bold)
            sheet.write_comment(0, number, says)
        sheet.freeze_panes(1, 0)
    return place.getvalue()
