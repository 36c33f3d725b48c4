"""Answers that wait: whether two decks are in use is known only when the second one comes (P2-I8).

Until it does, or the log ends, everything behind such an answer waits with it, on disk when it is
much, so that answers keep the order of the lines.
"""

from __future__ import annotations

import struct
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

IN_MEMORY: Final = 1 << 25

_HEAD: Final = struct.Struct("<iII")
_NO_TABLE: Final = -1


class Waiting:
    """Passes answers on at once, or keeps them while a table's decks are undecided."""

    def __init__(self, write: Callable[[bytes], object], in_memory: int = IN_MEMORY) -> None:
        self._write = write
        self._in_memory = in_memory
        self._kept: SpooledTemporaryFile[bytes] | None = None
        self._tables: dict[str, int] = {}
        self._open: set[str] = set()
        self._two_decks: set[int] = set()

    def answer(self, answer: bytes) -> None:
        """An answer that depends on nothing."""
        if self._kept is None:
            self._write(answer)
        else:
            self._keep(_NO_TABLE, answer, b"")

    def either(self, table: str, one_deck: bytes, two_decks: bytes) -> None:
        """Two answers, of which the end of the log, or a second deck at the table, takes one."""
        if table not in self._open:
            self._open.add(table)
        number = self._tables.setdefault(table, len(self._tables))
        self._keep(number, one_deck, two_decks)

    def second_deck(self, table: str) -> None:
        """A second deck came to a table."""
        if table in self._open:
            self._open.remove(table)
            self._two_decks.add(self._tables[table])
            if not self._open:
                self._release()

    def end_of_log(self) -> None:
        """No second deck can come any more."""
        self._release()

    def _keep(self, table: int, answer: bytes, other: bytes) -> None:
        if self._kept is None:
            self._kept = SpooledTemporaryFile(max_size=self._in_memory)  # noqa: SIM115  closed on release
        self._kept.write(_HEAD.pack(table, len(answer), len(other)) + answer + other)

    def _release(self) -> None:
        if self._kept is not None:
            kept = self._kept
            self._kept = None
            with kept:
                kept.seek(0)
                while head := kept.read(_HEAD.size):
                    table, first, second = _HEAD.unpack(head)
                    answer, other = kept.read(first), kept.read(second)
                    two = table in self._two_decks
                    self._write(other if two else answer)
        self._tables.clear()
        self._open.clear()
        self._two_decks.clear()
