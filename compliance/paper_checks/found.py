"""What a check of papers finds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Found:
    """A difference: its code in the findings' contract, in words, and what it rests on."""

    code: str
    says: str
    cites: tuple[str, ...]
