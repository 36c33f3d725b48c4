"""Where a filed document says a clause: found by the words that its author selected."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compliance.errors import RefusedError
from compliance.filings.definitions.drafts import UNANCHORED
from compliance.filings.documents.models import DocumentFile, DocumentVersion
from compliance.filings.games.filed_words import numbered_spans

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from compliance.filings.games.models import Game


@dataclass(frozen=True)
class Place:
    """Characters `first` up to, not including, `end` of a page, from 1, of a file."""

    file: DocumentFile
    page: int
    first: int
    end: int

    @property
    def words(self) -> str:
        """Return the words as filed."""
        return str(self.file.text.pages[self.page - 1][self.first : self.end])


def files_for(game: Game) -> QuerySet[DocumentFile]:
    """Return the files with text that a game's definition may be anchored in, newest first."""
    files = DocumentFile.objects.filter(text__isnull=False).select_related(
        "text", "version__document__owner"
    )
    if game.supplier_id is not None:
        files = files.filter(version__document__owner=game.supplier_id)
    return files.order_by("version__document__title", "-version__number", "place")


def find_words(file: DocumentFile, page: int, words: str, near: int | None = None) -> Place:
    """Return where a page says some words; line breaks and spaces may differ.

    `near` is where the selection began, which decides if the words are there more than once.
    """
    pages = file.text.pages
    parts = words.split()
    if not parts or not 1 <= page <= len(pages):
        msg = "Select the words in the text above, or paste them here."
        raise RefusedError(msg)
    found = list(re.finditer(r"\s+".join(map(re.escape, parts)), pages[page - 1]))
    if not found:
        msg = f"Page {page} of {file} does not have these words. Copy them from the text above."
        raise RefusedError(msg)
    if len(found) > 1 and near is None:
        msg = (
            f"Page {page} of {file} has these words {len(found)} times. Select the place in the "
            "text, or add the words before or after them."
        )
        raise RefusedError(msg)
    nearest = min(found, key=lambda each: abs(each.start() - (near or 0)))
    return Place(file, page, nearest.start(), nearest.end())


def with_source(data: dict[str, Any], file: DocumentFile) -> tuple[dict[str, Any], str]:
    """Return the data with a file among its documents, and the name it has there."""
    digest = f"sha256:{file.sha256}"
    sources = dict(data.get("source", {}))
    for name, each in sources.items():
        if isinstance(each, dict) and each.get("digest") == digest:
            return data, name
    name = UNANCHORED
    number = 2
    while name in sources:
        name, number = f"{UNANCHORED}_{number}", number + 1
    version: DocumentVersion = file.version
    sources[name] = {
        "title": str(version.document)[:200],
        "digest": digest,
        "date": version.evidence_date.isoformat(),
    }
    return {**data, "source": sources}, name


def with_anchor(data: dict[str, Any], clause: int, place: Place) -> dict[str, Any]:
    """Return the data with a clause anchored at a place."""
    data, source = with_source(data, place.file)
    clauses = list(data.get("clause", ()))
    anchor = {"of": source, "page": place.page, "span": [place.first, place.end]}
    clauses[clause] = {**clauses[clause], "source": anchor}
    return without_unused_sources({**data, "clause": clauses})


def without_unused_sources(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data without documents that no clause is anchored in."""
    used = {
        each["source"].get("of")
        for each in data.get("clause", ())
        if isinstance(each.get("source"), dict)
    }
    sources = {name: each for name, each in data.get("source", {}).items() if name in used}
    return {**data, "source": sources}


def with_numbered_anchors(data: dict[str, Any], file: DocumentFile) -> tuple[dict[str, Any], int]:
    """Return the data with the clauses anchored that the file numbers, and how many these are."""
    spans = numbered_spans(file)
    count = 0
    for number, clause in enumerate(data.get("clause", ())):
        if clause.get("id") in spans:
            data = with_anchor(data, number, Place(file, *spans[clause["id"]]))
            count += 1
    return data, count


def places_of(data: dict[str, Any], game: Game) -> list[Place | None]:
    """Return where each clause is anchored; None if nowhere, or in a file that can't be seen."""
    sources = data.get("source", {})
    digests = {
        name: str(each.get("digest", "")).removeprefix("sha256:") for name, each in sources.items()
    }
    found = files_for(game).filter(sha256__in=digests.values())
    files = {each.sha256: each for each in reversed(found)}
    return [_place(each.get("source"), digests, files) for each in data.get("clause", ())]


def _place(source: Any, digests: dict[str, str], files: dict[str, DocumentFile]) -> Place | None:
    if not isinstance(source, dict) or "span" not in source:
        return None
    file = files.get(digests.get(source.get("of", ""), ""))
    page, span = source.get("page", 1), source["span"]
    if file is None or not isinstance(span, list) or len(span) != 2:
        return None
    return Place(file, page, *span) if page <= len(file.text.pages) else None
