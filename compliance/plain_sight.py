"""Texts in plain sight: without control signs and those that turn a line, which nobody sees."""

from __future__ import annotations

import re
from typing import Final

RETURN: Final = r"\u000d"
HALVES: Final = r"\ud800-\udfff"
"""Of signs; no JSON holds them, and some programs refuse a pattern that names them."""
HIDDEN: Final = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069"
SEEN_ALONE: Final = rf"^[^{HIDDEN}]*$"
"""The pattern of such a text, for programs: line ends of any kind."""
_UNSEEN = re.compile(f"[{HIDDEN}{HALVES}{RETURN}]")


def unseen_in(text: str) -> tuple[int, str] | None:
    """The first sign that nobody sees, as U+ and its number, with its line; None where none is."""
    found = _UNSEEN.search(text)
    if found is None:
        return None
    return text.count("\n", 0, found.start()) + 1, f"U+{ord(found[0]):04X}"
