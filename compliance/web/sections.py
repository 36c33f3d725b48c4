"""A filing as people read it: in sections, in lines that can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.papers.compare import Beside, side_by_side

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Section:
    """One section: its key, as comments name it, its heading, and what it says."""

    key: str
    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Compared:
    """One section of two versions beside each other."""

    section: Section
    rows: tuple[Beside, ...]

    @property
    def changed(self) -> bool:
        """Whether anything in it differs."""
        return any(row.changed for row in self.rows)


def compare_sections(before: Iterable[Section], after: Iterable[Section]) -> list[Compared]:
    """Two versions, section by section; behind them what the later one has no more."""
    old, new = ({each.key: each for each in sections} for sections in (before, after))
    return [
        Compared(section, tuple(side_by_side(_text(old.get(key)), _text(new.get(key)))))
        for key, section in {**new, **{key: old[key] for key in old if key not in new}}.items()
    ]


def _text(section: Section | None) -> list[str]:
    return ["\n".join(section.lines)] if section else [""]
