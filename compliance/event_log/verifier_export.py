"""Check a whole export of the log, or a part of it, offline.

`verifier.py export` runs it. The site publishes it inside `verifier.py`, so that one file is
enough: what follows the marked line is joined to that script, and needs no more imports.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compliance.event_log.verifier import (
    Answer,
    BrokenError,
    Checkpoint,
    Frontier,
    canonical_json,
    check_personal,
    leaf_hash,
    no_name_twice,
    read_checkpoint,
    read_hashes,
    root_from_inclusion,
)
from compliance.events.signatures import Passkeys, problem_of_signature

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from compliance.event_log.verifier import VerifierKey

JOINED = "# --- what follows is joined to verifier" + ".py ---"
# --- what follows is joined to verifier.py ---

EVENT_ENTRIES = {"index", "event", "personal"}
HEAD_ENTRIES = {"export", "version", "whole", "keys", "checkpoint"}


class ExportCheck:
    """Check an export line by line: JSON Lines with a head, events, checkpoints and an end.

    In a whole export, each event comes with the hash of its leaf. Those hashes give the signed
    roots, so an event that does not give its own hash is the one that was edited. After a missing
    line there is no tree to compare: the gap is reported once.
    """

    def __init__(
        self, keys: Sequence[VerifierKey], kept: Checkpoint | None = None, *, signed_from: str = ""
    ) -> None:
        self.keys = keys
        self.passkeys = Passkeys(signed_from)
        self.kept = kept
        self.answer = Answer()
        self.frontier = Frontier()
        self.head: Checkpoint | None = None
        self.whole = False
        self.end: int | None = None
        self.last = -1
        self.signed = 0
        """The number of leaves under the last signed root."""
        self.edited = False
        self.lost = False

    def check(self, lines: Iterable[str]) -> Answer:
        """Check every line, then whether any are missing."""
        for number, line in enumerate(lines, start=1):
            before = self.last
            try:
                self._line(json.loads(line, object_pairs_hook=no_name_twice), first=number == 1)
            except BrokenError as broken:
                self.answer.broken(broken.what, broken.where or f"line {number}")
                self.lost |= self.last == before
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                self.answer.broken("not a line of an event log export", f"line {number}")
                self.lost = True
            if self.head is None:
                break
        self._close()
        return self.answer

    def _close(self) -> None:
        if self.end is None:
            self.answer.broken("the export is cut off: its last line is missing", "end of file")
            self.lost = True
        elif self.end != self.answer.checked and not self.lost:
            what = f"the last line counts {self.end} events, and {self.answer.checked} are here"
            self.answer.broken(what, "end of file")
            self.lost = True
        if self.whole:
            self._compare(self.head, "the export's checkpoint")
        self._compare_kept_at_the_end()

    def _line(self, line: Mapping[str, Any], *, first: bool) -> None:
        self.end = None
        if first:
            _only(line, HEAD_ENTRIES)
            if line["export"] != "event-log" or line["version"] != 1:
                what = "not an event log export of version 1"
                raise BrokenError(what, "line 1")
            self.whole = line["whole"] is True
            self.head = read_checkpoint(line["checkpoint"], self.keys)
        elif "end" in line:
            _only(line, {"end"})
            self.end = line["end"]
        elif "event" in line:
            self._event(line)
        else:
            _only(line, {"checkpoint"})
            checkpoint = read_checkpoint(line["checkpoint"], self.keys)
            self._compare(checkpoint, f"checkpoint of {checkpoint.size} events")

    def _event(self, line: Mapping[str, Any]) -> None:
        event, index = line["event"], line["index"]
        where = f"event {event.get('number')} ({event.get('id')})"
        self.answer.checked += 1
        leaf = leaf_hash(canonical_json(event))
        self._check_place(index, where)
        if self.whole:
            self._grow(leaf, bytes.fromhex(line["leaf"]), where)
        else:
            self._check_proof(leaf, index, read_hashes(line["proof"]), where)
        _only(line, EVENT_ENTRIES | {"leaf" if self.whole else "proof"}, where)
        problem = self.passkeys.follow(event) if self.whole else problem_of_signature(event)
        if problem:
            self.answer.broken(problem, where)
        try:
            check_personal(event, line["personal"])
        except BrokenError as broken:
            raise BrokenError(broken.what, where) from None

    def _check_place(self, index: int, where: str) -> None:
        if index <= self.last:
            self.answer.broken(f"leaf {index} follows leaf {self.last}", where)
            self.lost = True
        elif self.whole and index > self.last + 1 and not self.lost:
            gone = f"leaf {self.last + 1} is"
            if index > self.last + 2:
                gone = f"leaves {self.last + 1} to {index - 1} are"
            self.answer.broken(f"{gone} missing: leaf {index} follows leaf {self.last}", where)
            self.lost = True
        self.last = max(index, self.last)

    def _grow(self, leaf: bytes, signed: bytes, where: str) -> None:
        if leaf != signed:
            self.answer.broken("this event is not the one that got this place in the log", where)
            self.edited = True
        self.frontier.append(signed)
        if self.kept is not None and self.frontier.size == self.kept.size:
            self._compare(self.kept, "the checkpoint you hold")

    def _check_proof(self, leaf: bytes, index: int, path: Sequence[bytes], where: str) -> None:
        head = self.head
        if head is None or root_from_inclusion(leaf, index, head.size, path) != head.root:
            what = f"not what the log holds at leaf {index}"
            raise BrokenError(what, where)

    def _compare(self, checkpoint: Checkpoint | None, where: str) -> None:
        if checkpoint is None or self.lost:
            return
        size = self.frontier.size
        if (checkpoint.size, checkpoint.root) == (size, self.frontier.root()):
            self.signed, self.edited = size, False
            return
        self.lost = True
        if checkpoint.size != size:
            what = f"{size} events are here, and {checkpoint.size} were signed"
            self.answer.broken(what, where)
        elif not self.edited:  # an edited event was already reported
            what = f"leaves {self.signed} to {size - 1} do not give the root that was signed"
            self.answer.broken(f"{what}: at least one of them was edited", where)

    def _compare_kept_at_the_end(self) -> None:
        if self.kept is None:
            return
        if not self.whole:
            self.answer.broken("only a whole export can be compared with it", "checkpoint you hold")
        elif self.kept.size > self.frontier.size:
            self.answer.broken(
                f"the log has {self.frontier.size} events, the checkpoint you hold covers "
                f"{self.kept.size}",
                "end of file",
            )

    def in_words(self) -> str:
        """Describe how much of the log was checked."""
        if self.whole or self.head is None:
            return f"{self.answer.checked} checked"
        return (
            f"{self.answer.checked} checked, chosen from a log of {self.head.size}; what was left "
            "out cannot be told"
        )


def _only(line: Mapping[str, Any], entries: set[str], where: str = "") -> None:
    """Reject entries that are not checked: a reader might believe them."""
    if set(line) - entries:
        what = f"holds what nothing vouches for: {', '.join(sorted(set(line) - entries))}"
        raise BrokenError(what, where)


def check_export(args: argparse.Namespace, keys: Sequence[VerifierKey]) -> Answer:
    """Check an export in a file, as the command line asks."""
    kept = read_checkpoint(Path(args.held).read_text(), keys) if args.held else None
    check = ExportCheck(keys, kept, signed_from=args.signed_from)
    answer = check.check(_lines(Path(args.file)))
    args.in_words = check.in_words()
    return answer


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from file
