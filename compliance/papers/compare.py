"""Two texts side by side: which lines stayed, went, came, or changed."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from itertools import zip_longest


@dataclass(frozen=True)
class Beside:
    """One line of the comparison: what stood, what stands; empty where one side has none."""

    before: str
    after: str

    @property
    def changed(self) -> bool:
        """Whether the sides differ."""
        return self.before != self.after


def side_by_side(before: list[str], after: list[str]) -> list[Beside]:
    """Every line of both texts, aligned; texts are given by page."""
    old, new = _lines(before), _lines(after)
    rows: list[Beside] = []
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            rows.extend(Beside(line, line) for line in old[a:b])
        else:
            rows.extend(
                Beside(left, right) for left, right in zip_longest(old[a:b], new[c:d], fillvalue="")
            )
    return rows


def _lines(pages: list[str]) -> list[str]:
    return [" ".join(line.split()) for page in pages for line in page.splitlines() if line.strip()]
