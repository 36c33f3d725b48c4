"""Sheets for tests, and what other programs read from their PDF."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING

from pypdf import PdfReader

from reports.rendering.blocks import Align, Column, Rows, Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.rendering.blocks import Block

MADE = datetime(2026, 11, 18, 12, 30, tzinfo=UTC)
LONG_NAME = (
    "Wenatchee and Upper Columbia River Card Room, Restaurant and Entertainment Hall "
    "of the North Cascades, Incorporated 1962"
)


def sheet(*blocks: Block, demonstration: bool = True, contents: bool = False) -> Sheet:
    return Sheet(
        title="Nightly audit",
        reference="NA-cedar-1",
        agency="Gambling Commission",
        made=MADE,
        demonstration=demonstration,
        blocks=blocks,
        contents=contents,
    )


def money_table(rows: Sequence[tuple[str, ...]]) -> Rows:
    columns = (
        Column("Round"),
        Column("Operator"),
        Column("Wager"),
        Column("Paid", Align.NUMBERS),
        Column("Due", Align.NUMBERS),
    )
    return Rows("seats", "Seats", columns, tuple(rows))


def text_of(content: bytes) -> list[str]:
    """Return the text of each page, as pypdf reads it."""
    return [page.extract_text() for page in PdfReader(BytesIO(content)).pages]
