"""The documents that the engine's rules were read from: clauses cite them by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.paper.blocks import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DOCUMENTS = {
    "000": "the letter of approval of Pyramid Poker, with its rules and its layout",
    "001": "the commission's rules of Thirteen Card Poker (Chinese Poker)",
    "002": "the rules of Pyramid Poker",
    "003": "the letter of approval of Pick 2 Poker, with its procedures and its layout",
    "004": "the rules of Pyramid Poker, Showdown Version and Casino Version",
}


def documents_named(sources: Iterable[str]) -> Iterator[Words]:
    """Say what the numbers stand for by which sources name documents ("000, Rules of Play")."""
    numbers = {source.partition(",")[0] for source in sources}
    named = [f"{each} is {DOCUMENTS[each]}" for each in sorted(numbers & DOCUMENTS.keys())]
    if named:
        yield Words(f"Documents are named by number: {'; '.join(named)}.", quiet=True)
