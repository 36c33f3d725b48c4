"""A round-log line written by hand as the engine's `Round`, for tests of a game's own part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.log.form import Rejection, read_line
from tests.games.written_rounds import as_line

if TYPE_CHECKING:
    from games.log.round import Round


def as_round(line: dict[str, Any]) -> Round:
    read = read_line(as_line(line).rstrip(b"\n"))
    assert not isinstance(read, Rejection), read
    return read
