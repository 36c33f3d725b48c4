"""A filing in sections, and two texts side by side: lines kept, removed, added or changed."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


MOST_LINES = 20_000
"""The limit for each text; further lines are counted and not shown."""
MOST_STEPS = 4_000_000
"""The limit on comparison steps: texts of one repeated line take quadratic time."""


@dataclass(frozen=True)
class LinePair:
    """One line of the comparison: before and after; empty if one side has none."""

    before: str
    after: str

    @property
    def changed(self) -> bool:
        """Return whether the sides differ."""
        return self.before != self.after


class _Bounded(difflib.SequenceMatcher[str]):
    """Stops matching after enough steps; the rest is shown unmatched.

    It takes a step for each line of one text, and for each occurrence of that line in the other.
    """

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__(a=old, b=new, autojunk=False)
        places: dict[str, list[int]] = self.b2j  # type: ignore[attr-defined]
        steps = (1 + len(places.get(line, ())) for line in old)
        self._steps = list(accumulate(steps, initial=0))
        self._left = MOST_STEPS

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> difflib.Match:
        """Match like difflib, within the limit."""
        self._left -= self._steps[-1 if ahi is None else ahi] - self._steps[alo]
        if self._left < 0:
            return difflib.Match(alo, blo, 0)
        return super().find_longest_match(alo, ahi, blo, bhi)


def side_by_side(before: list[str], after: list[str]) -> list[LinePair]:
    """Return every line of both texts, aligned; texts are given by page.

    For texts that are too long, return the first lines, and how many more there are.
    """
    old, new = _lines(before), _lines(after)
    rows = _aligned(old[:MOST_LINES], new[:MOST_LINES])
    if max(len(old), len(new)) > MOST_LINES:
        rows.append(LinePair(_more(old), _more(new)))
    return rows


def _aligned(old: list[str], new: list[str]) -> list[LinePair]:
    begin = _alike(old, new)
    end = _alike(old[begin:][::-1], new[begin:][::-1])
    rows = [LinePair(line, line) for line in old[:begin]]
    inner_old, inner_new = (side[begin : len(side) - end] for side in (old, new))
    for what, a, b, c, d in _Bounded(inner_old, inner_new).get_opcodes():
        if what == "equal":
            rows.extend(LinePair(line, line) for line in inner_old[a:b])
        else:
            rows.extend(
                LinePair(left, right)
                for left, right in zip_longest(inner_old[a:b], inner_new[c:d], fillvalue="")
            )
    return rows + [LinePair(line, line) for line in old[len(old) - end :]]


def _alike(one: list[str], other: list[str]) -> int:
    """Return how many equal lines two texts begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _more(lines: list[str]) -> str:
    left = len(lines) - MOST_LINES
    return f"({left:,} more lines are not shown here.)" if left > 0 else ""


def _lines(pages: list[str]) -> list[str]:
    return [" ".join(line.split()) for page in pages for line in page.splitlines() if line.strip()]


@dataclass(frozen=True)
class Section:
    """One section: its key for comments, its heading, and its content."""

    key: str
    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Compared:
    """One section of two versions, side by side."""

    section: Section
    rows: tuple[LinePair, ...]

    @property
    def changed(self) -> bool:
        """Return whether anything in it differs."""
        return any(row.changed for row in self.rows)


def compare_sections(before: Iterable[Section], after: Iterable[Section]) -> list[Compared]:
    """Compare two versions by section; sections that the later one lacks come last."""
    old, new = ({each.key: each for each in sections} for sections in (before, after))
    return [
        Compared(section, tuple(side_by_side(_text(old.get(key)), _text(new.get(key)))))
        for key, section in {**new, **{key: old[key] for key in old if key not in new}}.items()
    ]


def _text(section: Section | None) -> list[str]:
    return ["\n".join(section.lines)] if section else [""]
