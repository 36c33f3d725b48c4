"""A pay table that is read from words selected in a filed document, for a person to confirm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import Http404

from compliance.filings.definitions.anchors import Place, files_for
from compliance.filings.definitions.printed import lines_as_written, printed_lines
from games.definition.named_games import NAMED_GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compliance.filings.definitions.printed import PrintedLine
    from compliance.filings.games.models import Game


@dataclass(frozen=True)
class ReadTable:
    """A pay table as read: what a new item starts with."""

    place: Place
    names: tuple[str, ...]
    value: dict[str, Any]
    lines: tuple[PrintedLine, ...]
    column: int

    @property
    def columns(self) -> int:
        """Return how many tables are printed beside each other."""
        return 1 + max((each.column for each in self.lines), default=0)

    @property
    def places(self) -> range:
        """Return the places of these tables, from 0."""
        return range(self.columns)

    @property
    def for_one(self) -> tuple[PrintedLine, ...]:
        """Return the lines that the document prints as N for 1."""
        return tuple(each for each in self.lines if each.is_for_one)


def read_table(game: Game, data: Mapping[str, Any], address: Mapping[str, str]) -> ReadTable:
    """Read the words that an address names as a pay table; respond with 404 to any other."""
    try:
        key, page, first, end, column = (
            int(address.get(name, "0")) for name in ("file", "page", "first", "end", "column")
        )
    except ValueError as wrong:
        raise Http404 from wrong
    file = files_for(game).filter(pk=key).first()
    if file is None or not 1 <= page <= len(file.text.pages):
        raise Http404
    place = Place(file, page, first, end)
    lines = printed_lines(place.words)
    is_named = data.get("game", {}).get("slug") in NAMED_GAMES
    value: dict[str, Any] = {"lines": lines_as_written(lines, column, with_ranks=not is_named)}
    clauses = _clauses_at(place, data)
    if clauses:
        value["clause"] = clauses[0]
    names = (address.get("wager", ""), address.get("name", "standard"))
    return ReadTable(place, names, value, tuple(lines), column)


def _clauses_at(place: Place, data: Mapping[str, Any]) -> list[str]:
    """Return the clauses whose words include a part of the place."""
    found = []
    for clause in data.get("clause", ()):
        source = clause.get("source", {})
        first, end = source.get("span", (0, 0))
        of = data.get("source", {}).get(source.get("of"), {})
        same = of.get("digest") == f"sha256:{place.file.sha256}"
        if same and source.get("page", 1) == place.page and first < place.end and place.first < end:
            found.append(str(clause.get("id")))
    return found
