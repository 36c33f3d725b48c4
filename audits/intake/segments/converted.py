"""Lines of a converted file: rounds, and what was found wrong with rows that are none."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import orjson

from games.log.form import Rejection, read_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.log.form import LineObject
    from games.log.round import Round


UNREADABLE: Final = "x_rejected"
"""The only member of a converted line that is no round: field, reason, round and table."""
_BEGINS: Final = b'{"' + UNREADABLE.encode() + b'":'


def read_converted(
    line: bytes, filed: Mapping[str, Callable[[LineObject], Round]] = MappingProxyType({})
) -> Round | Rejection:
    """Parse a line that this system wrote from an operator's rows; `filed` is as in `read_line`."""
    if not line.startswith(_BEGINS):
        return read_line(line, filed)
    found = orjson.loads(line)[UNREADABLE]
    return Rejection(
        found["field"] or None, found["reason"], found["round"] or None, found["table"] or None
    )
