"""The address of a round: its operator and its id."""

from __future__ import annotations

APART = "~"
"""No id holds it: it marks a path that browsers would take for a way up, `.` or `..`."""


class RoundId:
    """A round's id as a part of a path."""

    regex = r"[A-Za-z0-9._:~-]{1,65}"

    def to_python(self, value: str) -> str:
        """The id."""
        return value.removeprefix(APART)

    def to_url(self, value: str) -> str:
        """The id as the address has it."""
        return value if value.strip(".") else APART + value
