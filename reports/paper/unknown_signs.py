"""Signs that a report's face does not have, told by their number: [U+1F3B2].

A signed paper must not say less than the record: ReportLab leaves such a sign out without a word.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from reportlab.pdfbase import pdfmetrics

if TYPE_CHECKING:
    from collections.abc import Container

    from reports.paper.blocks import Sheet
    from reports.paper.faces import Faces

Told = TypeVar("Told")


def with_numbers(sheet: Sheet, faces: Faces) -> Sheet:
    """The same sheet, where every sign can be drawn."""
    return _told(sheet, pdfmetrics.getFont(faces.text).face.charToGlyph)


def _told(value: Told, known: Container[int]) -> Told:
    found: Any = value
    if isinstance(found, str):
        found = found if found.isascii() else "".join(_sign(each, known) for each in found)
    elif isinstance(found, tuple):
        found = tuple(_told(each, known) for each in found)
    elif is_dataclass(found) and not isinstance(found, type):
        changed = {
            each.name: now
            for each in fields(found)
            if each.init and (now := _told(was := getattr(found, each.name), known)) != was
        }
        found = replace(found, **changed) if changed else found
    return cast("Told", found)


def _sign(sign: str, known: Container[int]) -> str:
    drawn = ord(sign) in known or sign.isspace()
    return sign if drawn else f"[U+{ord(sign):04X}]"
