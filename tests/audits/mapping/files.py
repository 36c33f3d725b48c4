"""Exports of invented table systems, and the mappings that read them."""

from __future__ import annotations

import io
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import xlsxwriter

from audits.intake.mapping.conversion import convert_file
from audits.intake.mapping.definition import read_definition

if TYPE_CHECKING:
    from pathlib import Path

BETS = """\
Hand #;Table;Date;Time;Dealer;Spot;Cards;Low;Bet;Amount;Paid
1001;Table 1;03/07/2025;9:15:03 PM;K♦ K♠ 10♣;1;QS QD 9H;9H;Ante;$25.00;$25.00
1001;Table 1;03/07/2025;9:15:03 PM;K♦ K♠ 10♣;1;QS QD 9H;9H;Three Card;5.00;10.00
1002;Table 1;03/07/2025;9:16:03 PM;K♦ K♠ 10♣;2;10h 8c 4d;8C;Ante;$1,000.00;0
"""
"""One row per bet; K-K-T keeps the pair by the House Way, so the dealer's low card is the ten."""

MAPPING: dict[str, Any] = {
    "format": 1,
    "name": "pos export",
    "layout": {"kind": "csv", "delimiter": ";"},
    "rows": "bet",
    "results": "returned",
    "tables": {"Table 1": "T1"},
    "fields": {
        "round": {"columns": ["Hand #"]},
        "game": {"value": "pyramid-poker"},
        "table": {"columns": ["Table"]},
        "at": {"columns": ["Date", "Time"]},
        "house.cards": {"columns": ["Dealer"]},
        "seat.seat": {"columns": ["Spot"]},
        "seat.cards": {"columns": ["Cards"]},
        "seat.low": {"columns": ["Low"]},
        "bet.wager": {"columns": ["Bet"], "values": {"Ante": "main"}},
        "bet.amount": {"columns": ["Amount"]},
        "bet.result": {"columns": ["Paid"]},
    },
}


def mapping(**changes: Any) -> dict[str, Any]:
    """Return the mapping of the bets, changed."""
    return {**deepcopy(MAPPING), **changes}


def of_workbook(**layout: Any) -> dict[str, Any]:
    """Return the same for a workbook."""
    return mapping(layout={"kind": "xlsx", **layout})


def workbook(rows: list[list[Any]] | None = None, **options: Any) -> bytes:
    """Return a workbook with these rows, or with those of the bets."""
    place = io.BytesIO()
    given = rows or [line.split(";") for line in BETS.splitlines()]
    with xlsxwriter.Workbook(place, options) as book:
        sheet = book.add_worksheet("Hands")
        for number, cells in enumerate(given):
            sheet.write_row(number, 0, cells)
    return place.getvalue()


def converted(content: bytes | str, given: dict[str, Any], folder: Path) -> list[str]:
    """Return the lines of the round log that a file makes."""
    path = folder / "export"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    made = convert_file(read_definition(given), path, folder)
    return made.read_text().splitlines()
