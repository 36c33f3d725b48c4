"""`python -m games settle [--setup FILE] [--definitions DIR] [--law DIR] [LOG ...]`: settle again.

Reads round logs (standard input without a LOG) and writes one JSON line per input line, in input
order. Exit status: 0 if every line could be settled, flagged or not; 1 if a line was rejected; 2
for invalid arguments, with a sentence on standard error.

Two decks are known to be in use only when the second one appears (P2-I8). Until it does, or the log
ends, everything after such an answer waits with it, on disk if there is a lot of it, so that
answers keep the order of the lines.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sqlite3
import struct
import sys
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, Final, cast

from games.commands.call import (
    CallError,
    Progress,
    cannot,
    cannot_read,
    readable,
    refuse,
    setup_named,
    with_law,
    worth_it,
)
from games.commands.definitions import definitions_in
from games.log.form import Record, Rejection
from games.log.lines import read_rounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO

    from games.families.filed import FiledGames
    from games.findings import Finding
    from games.log.round import Round
    from games.screens.run import LineVerdict
    from games.settlement.verdict import Run, Verdict
    from games.setup import Setup


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
        """Add an answer that depends on nothing."""
        if self._kept is None:
            self._write(answer)
        else:
            self._keep(_NO_TABLE, answer, b"")

    def either(self, table: str, one_deck: bytes, two_decks: bytes) -> None:
        """Add two answers; a second deck at the table or the end of the log decides which one."""
        if table not in self._open:
            self._open.add(table)
        number = self._tables.setdefault(table, len(self._tables))
        self._keep(number, one_deck, two_decks)

    def second_deck(self, table: str) -> None:
        """Record that a second deck appeared at a table."""
        if table in self._open:
            self._open.remove(table)
            self._two_decks.add(self._tables[table])
            if not self._open:
                self._release()

    def end_of_log(self) -> None:
        """Record the end of the log: no second deck can appear anymore."""
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


ALL_SETTLED: Final = 0
REJECTED: Final = 1

WRITTEN_AT_ONCE: Final = 1 << 16


def run(arguments: Sequence[str]) -> int:
    """Settle, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m games settle",
        description="Judge every round of round logs, one JSON line per line.",
        allow_abbrev=False,
    )
    parser.add_argument("--setup", metavar="SETUP.json", help="what the operator's approvals say")
    parser.add_argument(
        "--definitions", metavar="DIR", help="definitions of filed games, as <slug>.toml"
    )
    parser.add_argument("--law", metavar="DIR", help="files of law values, applied by date")
    parser.add_argument("logs", metavar="LOG", nargs="*", help="without one, standard input")
    call = parser.parse_args(arguments)
    try:
        filed = definitions_in(call.definitions)
        if call.setup is not None:
            filed = filed.for_setup()
        setup = with_law(setup_named(call.setup, filed.usable), call.law)
        readable(call.logs)
        if call.definitions is None and worth_it(call.logs):
            return _settle_columns(call.logs, setup, filed.games())
        return _settle(call.logs, setup, filed.games())
    except CallError as error:
        return refuse(error)
    except BrokenPipeError:
        _write_no_more()
        return ALL_SETTLED  # the reader, such as `head`, closed the pipe
    except (OSError, sqlite3.Error) as error:
        _write_no_more()
        return refuse(CallError(cannot("no answers can be written", error)))


def _write_no_more() -> None:
    """Leave nothing for the exit to try to write again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _standard_output() -> BinaryIO:
    """Return standard output, buffered even where Python's own isn't (PYTHONUNBUFFERED)."""
    if sys.stdout is None:
        message = "there is no standard output to write to."
        raise CallError(message)
    return open(sys.stdout.fileno(), "wb", buffering=WRITTEN_AT_ONCE, closefd=False)


def _settle(logs: Sequence[str], setup: Setup, games: FiledGames) -> int:
    out = _standard_output()
    run_ = games.run(setup)
    waiting = Waiting(out.write)
    progress = Progress()
    status = ALL_SETTLED
    try:
        for log, stream in _streams(logs):
            run_.new_log()
            name = {"log": _shown(log)} if len(logs) > 1 else {}
            for number, line in enumerate(_lines(log, stream, games), 1):
                head = {**name, "line": number}
                if _answer(head, line, run_, waiting):
                    status = REJECTED
                if progress.tick():
                    out.flush()
            waiting.end_of_log()
        out.flush()
    finally:
        run_.close()
        progress.done()
    return status


def _settle_columns(logs: Sequence[str], setup: Setup, games: FiledGames) -> int:
    """Write the same answers block by block, for logs large enough to be worth the startup time."""
    from games.commands.settle_columns import Settling  # Numba loads slowly

    out = _standard_output()
    waiting = Waiting(out.write)
    progress = Progress()
    status = ALL_SETTLED

    def answer(line_verdict: LineVerdict, log: str | None) -> None:
        nonlocal status
        head = {**({} if log is None else {"log": log}), "line": line_verdict.line}
        if _pass_on(
            head, line_verdict.read, line_verdict.verdict, waiting, two_decks=line_verdict.two_decks
        ):
            status = REJECTED

    settling = Settling(games.in_setup(setup), answer, waiting.answer, games.read_line)
    try:
        for log, stream in _streams(logs):
            name = _shown(log) if len(logs) > 1 else None
            for lines in settling.settle(io.BufferedReader(_Reading(log, stream)), name):
                if progress.tick(lines):
                    out.flush()
            waiting.end_of_log()
        out.flush()
    finally:
        settling.close()
        progress.done()
    return status


class _Reading(io.RawIOBase):
    """A log's bytes; errors in reading them are kept apart from errors in writing."""

    def __init__(self, log: str, stream: BinaryIO) -> None:
        self._log = log
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int | None:
        try:
            return cast("io.BufferedReader", self._stream).readinto1(buffer)
        except OSError as error:
            raise CallError(cannot_read(self._log, error)) from None


def _streams(logs: Sequence[str]) -> Iterator[tuple[str, BinaryIO]]:
    if not logs:
        if sys.stdin is None:
            message = "there is no standard input to read."
            raise CallError(message)
        yield "standard input", sys.stdin.buffer
    for log in logs:
        with _opened(log) as stream:
            yield log, stream


def _opened(log: str) -> BinaryIO:
    try:
        return Path(log).open("rb")
    except OSError as error:
        raise CallError(cannot_read(log, error)) from None


def _lines(log: str, stream: BinaryIO, games: FiledGames) -> Iterator[Round | Rejection]:
    try:
        yield from read_rounds(stream, games.read_line)
    except OSError as error:
        raise CallError(cannot_read(log, error)) from None


def _shown(log: str) -> str:
    return os.fsencode(log).decode("utf-8", "replace")


def _answer(head: dict[str, Any], line: Round | Rejection, run_: Run, waiting: Waiting) -> bool:
    """Settle one line and pass on the answer; return whether the line was rejected."""
    if isinstance(line, Rejection):
        run_.reject(line)
        return _pass_on(head, line, None, waiting, two_decks=False)
    verdict = run_.verdict(line)
    return _pass_on(head, line, verdict, waiting, two_decks=run_.two_decks(line))


def _pass_on(
    head: dict[str, Any], line: Round | Rejection, verdict: Verdict | None, waiting: Waiting,
    *, two_decks: bool,
) -> bool:  # fmt: skip
    """Pass on the answer to one line; return whether the line was rejected."""
    if isinstance(line, Rejection) or verdict is None:
        unsettled = cast("Rejection", line)
        waiting.answer(_json(unsettled_answer(head, unsettled)))
        return not isinstance(unsettled, Record)
    if two_decks:
        waiting.second_deck(line.table)
    answer = _json(settled_answer(head, line, verdict))
    if verdict.if_two_decks is None:
        waiting.answer(answer)
    else:
        waiting.either(
            line.table, answer, _json(settled_answer(head, line, verdict.with_two_decks()))
        )
    return False


def unsettled_answer(head: dict[str, Any], line: Rejection) -> dict[str, Any]:
    """Return the answer to a rejected line, or to one that is no round."""
    if isinstance(line, Record):
        return {**head, "record": line.record, "status": "ok"}
    error = {"field": line.field, "reason": line.reason}
    if line.record is not None:
        return {**head, "record": line.record, "status": "rejected", "error": error}
    return {**head, "round": line.round, "status": "rejected", "error": error}


def settled_answer(head: dict[str, Any], line: Round, verdict: Verdict) -> dict[str, Any]:
    """Return the answer to a settled line; an irregular round has no seats."""
    answer = {**head, "round": line.round, "status": verdict.status}
    if verdict.house is not None:
        answer["house"] = {"expected": dict(verdict.house)}
    if verdict.status != "irregular":
        answer["seats"] = [
            {"seat": seat, "expected": None if expected is None else dict(expected)}
            for seat, expected in verdict.seats
        ]
    answer["findings"] = [as_json(finding) for finding in verdict.findings]
    return answer


def as_json(finding: Finding) -> dict[str, Any]:
    """Return a finding in the form other programs read."""
    return {
        "code": finding.code,
        "seat": finding.seat,
        "wager": finding.wager,
        "logged": finding.logged,
        "expected": finding.expected,
        "delta": finding.delta,
        "cites": list(finding.cites),
    }


def _json(answer: dict[str, Any]) -> bytes:
    return _encode(answer).encode() + b"\n"


_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
