"""Keys of causes, which each process loads at its start: nothing large is imported here."""

from __future__ import annotations

from typing import Final

ISOLATED: Final = "isolated"
FAMILIES: Final = {
    "dealing": ("deal.", "setting.", "play.", "void.", "irregular", "log."),
    "wagers": ("wager.", "limit.", "bank.", "fee."),
}
"""What is rare, by prefix of its code."""
SPLIT: Final = " #"
"""Between a cause and what tells the issue apart that an agent split off."""


def inferred_cause(cause: str) -> str:
    """Return the cause that was inferred, of an issue that may have been split off."""
    return cause.partition(SPLIT)[0]
