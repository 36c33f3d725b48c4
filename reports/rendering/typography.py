"""Fonts, colors, sizes and lines of all reports.

The fonts are Public Sans if the assets were built with npm, otherwise ReportLab's own Vera. Which
set it was is an input of every report, because other fonts give another body for the same data. A
character that the font lacks is printed as its number, [U+1F3B2]: ReportLab silently omits it, and
a signed report must not say less than the record.

The contrast of all text is 7:1 or better, so that a copy of a copy is still legible. A word that is
wider than its place is split, never printed over it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import reportlab
from django.conf import settings
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfbase.ttfonts import TTFont

if TYPE_CHECKING:
    from collections.abc import Container

    from reports.rendering.blocks import Sheet


PUBLIC_SANS = (
    "PublicSans-Regular.ttf",
    "PublicSans-SemiBold.ttf",
    "PublicSans-Italic.ttf",
    "roboto-mono-v5-latin-regular.ttf",
)
VERA = ("Vera.ttf", "VeraBd.ttf", "VeraIt.ttf", "Vera.ttf")


@dataclass(frozen=True)
class Faces:
    """Names of registered fonts, the name of their set, and its digest."""

    title: str
    digest: str
    text: str
    strong: str
    quiet: str
    code: str


def current_faces() -> Faces:
    """Register the fonts of this installation once, and return their names."""
    return _registered(*_title_and_files())


def files_of_faces() -> dict[str, Path]:
    """Return the font files of this installation, by name."""
    return {place.name: place for place in _title_and_files()[1]}


def _title_and_files() -> tuple[str, tuple[Path, ...]]:
    built = Path(settings.VAR) / "assets" / "fonts"
    if all((built / name).is_file() for name in PUBLIC_SANS):
        return "Public Sans", tuple(built / name for name in PUBLIC_SANS)
    own = Path(reportlab.__file__).parent / "fonts"
    return "Bitstream Vera", tuple(own / name for name in VERA)


@lru_cache(maxsize=4)
def _registered(title: str, places: tuple[Path, ...]) -> Faces:
    contents = [place.read_bytes() for place in places]
    digest = hashlib.sha256(b"".join(hashlib.sha256(each).digest() for each in contents))
    names = []
    for role, place in zip(("text", "strong", "quiet", "code"), places, strict=True):
        # The name includes the set's digest, because a process may use new fonts after old ones.
        name = f"{role}-{digest.hexdigest()[:8]}"
        pdfmetrics.registerFont(TTFont(name, str(place)))
        names.append(name)
    # ReportLab looks up a font's bold and italic by its family.
    for name in names:
        pdfmetrics.registerFontFamily(name, name, names[1], names[2], names[1])
    return Faces(title, digest.hexdigest(), *names)


PAGE_WIDTH, PAGE_HEIGHT = letter
MARGIN = 0.7 * inch
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
    """The paragraph styles in one set of fonts."""

    faces: Faces
    title: ParagraphStyle
    subject: ParagraphStyle
    letterhead: ParagraphStyle
    under_letterhead: ParagraphStyle
    headings: tuple[ParagraphStyle, ...]
    words: ParagraphStyle
    quiet: ParagraphStyle
    small: ParagraphStyle
    point: ParagraphStyle
    caption: ParagraphStyle

    @classmethod
    def of(cls, faces: Faces) -> Styles:
        """Create the styles."""

        def style(
            face: str, size: float, before: float, after: float, **more: object
        ) -> ParagraphStyle:
            made = {
                "fontName": face, "fontSize": size, "leading": size * 1.42, "textColor": INK,
                "spaceBefore": before, "spaceAfter": after, "splitLongWords": 1,
                "allowWidows": 0, "allowOrphans": 0, "bulletFontName": face, **more,
            }  # fmt: skip
            return ParagraphStyle(f"{face}-{size}-{before}", **made)

        heading = {"textColor": BLUE}
        return cls(
            faces=faces,
            title=style(faces.strong, 16.5, 0, 8, leading=21),
            subject=style(faces.strong, 10.5, 4, 8),
            letterhead=style(faces.strong, 16, 0, 1, leading=20, alignment=1, textColor=BLUE),
            under_letterhead=style(faces.text, 9.5, 0, 0, alignment=1, textColor=BLUE),
            headings=(
                style(faces.strong, 14, 13, 4, **heading),
                style(faces.strong, 11.5, 9, 3, **heading),
                style(faces.strong, 10, 6, 2, **heading),
            ),
            words=style(faces.text, 9.7, 0, 5, leading=13.2),
            quiet=style(faces.text, 8.5, 0, 6, textColor=QUIET),
            small=style(faces.text, 8.7, 0, 2, leading=11),
            point=style(faces.text, 9.5, 0, 2.5, leading=12.6, leftIndent=16, bulletIndent=2),
            caption=style(faces.strong, 9, 6, 3),
        )


@lru_cache(maxsize=1 << 16)
def width_of(text: str, face: str, size: float) -> float:
    """Return the width of a text on one line."""
    width: float = stringWidth(text, face, size)
    return width


def lines_of(text: str, face: str, size: float, width: float) -> list[str]:
    """Split a text into lines of at most `width`, keeping its line breaks."""
    lines: list[str] = []
    for line in text.splitlines() or [""]:
        if width_of(line, face, size) <= width:
            lines.append(line)
        else:
            lines.extend(_filled(line, face, size, width))
    return lines


def _filled(line: str, face: str, size: float, width: float) -> list[str]:
    made: list[str] = []
    now = ""
    for word in line.split():
        longer = f"{now} {word}" if now else word
        if width_of(longer, face, size) <= width:
            now = longer
            continue
        if now:
            made.append(now)
        *whole, now = _cut(word, face, size, width)
        made.extend(whole)
    return [*made, now]


def _cut(word: str, face: str, size: float, width: float) -> list[str]:
    """Split a word into pieces that fit, with at least one character each."""
    pieces: list[str] = []
    while word and width_of(word, face, size) > width:
        low, high = 1, len(word)
        while low < high:
            middle = (low + high + 1) // 2
            if width_of(word[:middle], face, size) <= width:
                low = middle
            else:
                high = middle - 1
        pieces.append(word[:low])
        word = word[low:]
    return [*pieces, word]


Content = TypeVar("Content")


def with_numbers(sheet: Sheet, faces: Faces) -> Sheet:
    """Return the sheet with every character drawable."""
    return _numbered(sheet, pdfmetrics.getFont(faces.text).face.charToGlyph)


def _numbered(value: Content, known: Container[int]) -> Content:
    found: Any = value
    if isinstance(found, str):
        found = found if found.isascii() else "".join(_sign(each, known) for each in found)
    elif isinstance(found, tuple):
        found = tuple(_numbered(each, known) for each in found)
    elif is_dataclass(found) and not isinstance(found, type):
        changed = {
            each.name: now
            for each in fields(found)
            if each.init and (now := _numbered(was := getattr(found, each.name), known)) != was
        }
        found = replace(found, **changed) if changed else found
    return cast("Content", found)


def _sign(sign: str, known: Container[int]) -> str:
    drawn = ord(sign) in known or sign.isspace()
    return sign if drawn else f"[U+{ord(sign):04X}]"
