"""Two texts side by side: which lines stayed, went, came, or changed."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from itertools import accumulate, zip_longest

MOST_LINES = 20_000
"""Of each text; what stands behind them is counted and not shown."""
MOST_STEPS = 4_000_000
"""Steps of looking for what two texts have in common: texts made of one line need its square."""


@dataclass(frozen=True)
class Beside:
    """One line of the comparison: what stood, what stands; empty where one side has none."""

    before: str
    after: str

    @property
    def changed(self) -> bool:
        """Whether the sides differ."""
        return self.before != self.after


class _Bounded(difflib.SequenceMatcher[str]):
    """Finds nothing more in common once it has looked long enough; what is left is laid as it is.

    It takes a step for each line of the one text, and for each place of that line in the other.
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
        """As difflib does, as long as it may."""
        self._left -= self._steps[-1 if ahi is None else ahi] - self._steps[alo]
        if self._left < 0:
            return difflib.Match(alo, blo, 0)
        return super().find_longest_match(alo, ahi, blo, bhi)


def side_by_side(before: list[str], after: list[str]) -> list[Beside]:
    """Every line of both texts, aligned; texts are given by page.

    Of texts that are too long the first lines, and how many more there are.
    """
    old, new = _lines(before), _lines(after)
    rows = _aligned(old[:MOST_LINES], new[:MOST_LINES])
    if max(len(old), len(new)) > MOST_LINES:
        rows.append(Beside(_more(old), _more(new)))
    return rows


def _aligned(old: list[str], new: list[str]) -> list[Beside]:
    begin = _alike(old, new)
    end = _alike(old[begin:][::-1], new[begin:][::-1])
    rows = [Beside(line, line) for line in old[:begin]]
    inner_old, inner_new = (side[begin : len(side) - end] for side in (old, new))
    for what, a, b, c, d in _Bounded(inner_old, inner_new).get_opcodes():
        if what == "equal":
            rows.extend(Beside(line, line) for line in inner_old[a:b])
        else:
            rows.extend(
                Beside(left, right)
                for left, right in zip_longest(inner_old[a:b], inner_new[c:d], fillvalue="")
            )
    return rows + [Beside(line, line) for line in old[len(old) - end :]]


def _alike(one: list[str], other: list[str]) -> int:
    """With how many equal lines two texts begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _more(lines: list[str]) -> str:
    left = len(lines) - MOST_LINES
    return f"({left:,} more lines are not shown here.)" if left > 0 else ""


def _lines(pages: list[str]) -> list[str]:
    return [" ".join(line.split()) for page in pages for line in page.splitlines() if line.strip()]
