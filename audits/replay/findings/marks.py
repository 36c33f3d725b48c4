"""Marks: the identity, content hash and issue of each finding of a segment, in few bytes.

They accompany a findings file row by row, so that two replays of a night with a million findings
can be compared without reading the findings again.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import orjson

from audits.replay.auditing.cause_keys import inferred_cause

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray


MARK: Final = np.dtype([("high", "<u8"), ("low", "<u8"), ("says", "<u8"), ("issue", "<u4")])
SAYS: Final = ("logged", "expected", "delta", "cites")


class Key(NamedTuple):
    """What findings of one cause at an operator have in common."""

    game: str
    cause: str

    @classmethod
    def read(cls, parts: Sequence[str]) -> Key:
        """Return a key as stored; older files name a table, code, wager and line as the cause."""
        return cls(parts[0], " ".join(filter(None, parts[1:])))

    @property
    def inferred(self) -> str:
        """Return the cause that was inferred, without the mark of an issue that was split off."""
        return inferred_cause(self.cause)


class Standing(NamedTuple):
    """Counts of what a later replay says about an earlier one's findings."""

    confirmed: int = 0
    changed: int = 0
    gone: int = 0
    new: int = 0

    def __bool__(self) -> bool:
        """Return whether anything is different."""
        return bool(self.changed or self.gone or self.new)

    def __add__(self, other: tuple[int, ...]) -> Standing:  # type: ignore[override]
        """Add two counts."""
        return Standing(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


@dataclass(frozen=True)
class Marks:
    """The marks of a findings file; `issue` is an index in `keys`."""

    rows: NDArray[np.void]
    keys: tuple[Key, ...]


def says_hash(finding: Mapping[str, Any]) -> int:
    """Hash what a finding says of its round to 64 bits; equal if a replay confirms it."""
    content = orjson.dumps([finding[name] for name in SAYS])
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "little")


def halves(identity: str) -> tuple[int, int]:
    """Split a finding's 32-digit hex identity into the two numbers of its mark."""
    return int(identity[:16], 16), int(identity[16:], 16)


def mark(findings: Iterable[tuple[Mapping[str, Any], int]]) -> NDArray[np.void]:
    """Return the marks of findings in order, each with the index of its issue's key."""
    return np.array(
        [(*halves(each["id"]), says_hash(each), issue) for each, issue in findings], MARK
    )


class Place(NamedTuple):
    """Location of a finding: which of several files, and which row."""

    file: int
    row: int


class _SideBySide:
    """The marks of two replays, sorted so that the same finding of both is adjacent."""

    def __init__(self, former: Sequence[Marks], later: Sequence[Marks]) -> None:
        self.keys = sorted({key for each in (*former, *later) for key in each.keys})
        self.sizes = [len(each.rows) for each in (*former, *later)]
        self.files = len(former)
        old, new = _joined(former, self.keys), _joined(later, self.keys)
        rows = np.concatenate([old, new])
        is_new = np.arange(len(rows)) >= len(old)
        self.order = np.lexsort((is_new, rows["low"], rows["high"]))
        self.rows, self.is_new = rows[self.order], is_new[self.order]
        self.first = np.zeros(len(rows), bool)
        """The earlier replay's row of two with the same finding; the later one's row follows it."""
        self.first[:-1] = (
            (self.rows["high"][:-1] == self.rows["high"][1:])
            & (self.rows["low"][:-1] == self.rows["low"][1:])
            & ~self.is_new[:-1]
            & self.is_new[1:]
        )
        self.second = np.roll(self.first, 1)
        was, now = self.rows[self.first], self.rows[self.second]
        self.moved = was["issue"] != now["issue"]
        self.equal = (was["says"] == now["says"]) & ~self.moved
        self.gone = ~self.is_new & ~self.first
        self.added = self.is_new & ~self.second

    def place(self, row: int) -> Place:
        """Return the original location of a sorted row."""
        at = int(self.order[row])
        for file, size in enumerate(self.sizes):
            if at < size:
                return Place(file if file < self.files else file - self.files, at)
            at -= size
        raise IndexError(row)


def compare(former: Sequence[Marks], later: Sequence[Marks]) -> dict[Key, Standing]:
    """Count by issue what became of the earlier findings, and which are new.

    A finding whose round now reached another line counts as changed in both issues.
    """
    both = _SideBySide(former, later)
    issues, keys = both.rows["issue"], both.keys
    was, now = issues[both.first], issues[both.second]
    counted = [
        _count(now[both.equal], keys),
        _count(now[~both.equal], keys) + _count(was[both.moved], keys),
        _count(issues[both.gone], keys),
        _count(issues[both.added], keys),
    ]
    return {key: Standing(*(int(each[at]) for each in counted)) for at, key in enumerate(keys)}


def differences(
    former: Sequence[Marks], later: Sequence[Marks], *, most: int
) -> dict[str, list[tuple[Place | None, Place | None]]]:
    """Return the locations of the first findings by `changed`, `gone` and `new`."""
    both = _SideBySide(former, later)
    changed = np.flatnonzero(both.first)[~both.equal][:most].tolist()
    gone = np.flatnonzero(both.gone)[:most].tolist()
    new = np.flatnonzero(both.added)[:most].tolist()
    return {
        "changed": [(both.place(row), both.place(row + 1)) for row in changed],
        "gone": [(both.place(row), None) for row in gone],
        "new": [(None, both.place(row)) for row in new],
    }


def _joined(marks: Sequence[Marks], keys: Sequence[Key]) -> NDArray[np.void]:
    """Join all marks, with issues as indexes in `keys`."""
    number = {key: place for place, key in enumerate(keys)}
    found = [np.empty(0, MARK)]
    for each in marks:
        rows = each.rows.copy()
        places = np.array([number[key] for key in each.keys], np.uint32)
        rows["issue"] = places[rows["issue"]] if len(rows) else rows["issue"]
        found.append(rows)
    return np.concatenate(found)


def _count(issues: NDArray[np.uint32], keys: Sequence[Key]) -> NDArray[np.int64]:
    return np.bincount(issues, minlength=len(keys)).astype(np.int64)
