"""Who wants to know how far the reading of a log came."""

from typing import Protocol


class Progress(Protocol):
    """Told of each step, and often how far it came."""

    def step(self, says: str) -> None:
        """What is done from here on."""

    def reached(self, progress: int, lines: int | None = None) -> None:
        """Bytes of the file that were read, and how many lines that makes."""


class NobodyAsks:
    """For work that nobody follows."""

    def step(self, says: str) -> None:
        """Nothing."""

    def reached(self, progress: int, lines: int | None = None) -> None:
        """Nothing."""
