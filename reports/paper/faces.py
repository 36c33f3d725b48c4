"""The faces that reports are set in, and the digest that names the set.

Public Sans where the assets were built with npm; ReportLab's own Vera where they were not. Which
set it was is an input of every report: other faces give another body of the same data.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import reportlab
from django.conf import settings
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

PUBLIC_SANS = (
    "PublicSans-Regular.ttf",
    "PublicSans-SemiBold.ttf",
    "PublicSans-Italic.ttf",
    "roboto-mono-v5-latin-regular.ttf",
)
VERA = ("Vera.ttf", "VeraBd.ttf", "VeraIt.ttf", "Vera.ttf")


@dataclass(frozen=True)
class Faces:
    """Names of registered faces, the set's own name, and its digest."""

    title: str
    digest: str
    text: str
    strong: str
    quiet: str
    code: str


def current_faces() -> Faces:
    """Register the faces of this installation once, and name them."""
    built = Path(settings.VAR) / "assets" / "fonts"
    if all((built / name).is_file() for name in PUBLIC_SANS):
        return _registered("Public Sans", tuple(built / name for name in PUBLIC_SANS))
    own = Path(reportlab.__file__).parent / "fonts"
    return _registered("Bitstream Vera", tuple(own / name for name in VERA))


@lru_cache(maxsize=4)
def _registered(title: str, places: tuple[Path, ...]) -> Faces:
    contents = [place.read_bytes() for place in places]
    digest = hashlib.sha256(b"".join(hashlib.sha256(each).digest() for each in contents))
    names = []
    for role, place in zip(("text", "strong", "quiet", "code"), places, strict=True):
        # The set's digest in the name: a process may set in new faces after old ones.
        name = f"{role}-{digest.hexdigest()[:8]}"
        pdfmetrics.registerFont(TTFont(name, str(place)))
        names.append(name)
    # ReportLab looks for the bold and italic of a face by its family.
    for name in names:
        pdfmetrics.registerFontFamily(name, name, names[1], names[2], names[1])
    return Faces(title, digest.hexdigest(), *names)
