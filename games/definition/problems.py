"""What is wrong with a definition: every problem is a place and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_SHOWN: Final = 200
"""More problems than this are counted and not listed."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: where in the definition, and what to do about it."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class DefinitionError(ValueError):
    """A definition that can't be used, with every problem found in it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class Problems:
    """The problems found so far."""

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._more = 0

    def add(self, where: str, what: str) -> None:
        """Record a problem; the sentence begins with a capital and ends with a period."""
        if len(self._found) < MOST_SHOWN:
            self._found.append(Problem(where, what))
        else:
            self._more += 1

    def __len__(self) -> int:
        return len(self._found) + self._more

    def raise_if_any(self) -> None:
        """Raise DefinitionError if there are problems."""
        if not self._found:
            return
        listed = list(self._found)
        if self._more:
            listed.append(Problem("", f"There are {self._more:,} more problems. Fix these first."))
        raise DefinitionError(listed)
