"""Colours, sizes and paragraph styles of all reports.

Contrast of every text on its ground is 7:1 or better, so that a copy of a copy still reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch

if TYPE_CHECKING:
    from reports.paper.faces import Faces

PAGE_WIDTH, PAGE_HEIGHT = letter
MARGIN = 0.9 * inch
WIDTH = PAGE_WIDTH - 2 * MARGIN

INK = HexColor("#1b1b1b")
QUIET = HexColor("#454540")
BLUE = HexColor("#1a4480")
LINE = HexColor("#a9aeb1")
STRIPE = HexColor("#f4f5f6")
RED = HexColor("#8b0a03")
GREEN = HexColor("#19311e")
GROUNDS: dict[str, tuple[Color, Color]] = {
    "plain": (HexColor("#eff6fb"), HexColor("#1a4480")),
    "good": (HexColor("#ecf3ec"), HexColor("#216e1f")),
    "attention": (HexColor("#faf3d1"), HexColor("#936f38")),
    "serious": (HexColor("#f9eeee"), HexColor("#b51d09")),
}
TABLE_SIZE = 8.5


@dataclass(frozen=True)
class Styles:
    """The paragraph styles in one set of faces."""

    faces: Faces
    title: ParagraphStyle
    headings: tuple[ParagraphStyle, ...]
    words: ParagraphStyle
    quiet: ParagraphStyle
    point: ParagraphStyle
    caption: ParagraphStyle

    @classmethod
    def of(cls, faces: Faces) -> Styles:
        """Make the styles."""

        def style(
            face: str, size: float, before: float, after: float, **more: object
        ) -> ParagraphStyle:
            made = {
                "fontName": face, "fontSize": size, "leading": size * 1.42, "textColor": INK,
                "spaceBefore": before, "spaceAfter": after, "splitLongWords": 1,
                "allowWidows": 0, "allowOrphans": 0, **more,
            }  # fmt: skip
            return ParagraphStyle(f"{face}-{size}-{before}", **made)

        heading = {"textColor": BLUE}
        return cls(
            faces=faces,
            title=style(faces.strong, 20, 0, 10, leading=25),
            headings=(
                style(faces.strong, 14, 16, 5, **heading),
                style(faces.strong, 11.5, 11, 4, **heading),
                style(faces.strong, 10, 8, 3, **heading),
            ),
            words=style(faces.text, 10, 0, 6),
            quiet=style(faces.text, 8.5, 0, 6, textColor=QUIET),
            point=style(faces.text, 10, 0, 3, leftIndent=16, bulletIndent=2),
            caption=style(faces.strong, 9, 8, 4),
        )
