"""The text of a PDF, page by page; run it in the sandbox, without any of our data."""

from __future__ import annotations

from dataclasses import dataclass

from pypdf import PdfReader


@dataclass(frozen=True)
class PdfText:
    """The text of a PDF; `damaged` if it could not be read."""

    texts: tuple[str, ...] = ()
    pages: int = 0
    encrypted: bool = False
    damaged: bool = False


def read_pdf(path: str, most_pages: int, most_characters: int) -> PdfText:
    """Return the text of each page, up to the character limit; none if there are too many pages."""
    try:
        reader = PdfReader(path, strict=False)
        if reader.is_encrypted:
            return PdfText(encrypted=True)
        if len(reader.pages) > most_pages:
            return PdfText(pages=len(reader.pages))
        texts: list[str] = []
        for page in reader.pages:
            texts.append(page.extract_text())
            if sum(map(len, texts)) > most_characters:
                break
        return PdfText(tuple(texts), len(reader.pages), damaged=not texts)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever a stranger's file makes the reader stumble over
        return PdfText(damaged=True)
