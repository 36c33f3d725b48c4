"""`python -m games settle [--setup SETUP.json] [LOG ...]`: what each round should have won.

Reads round logs (standard input without a LOG) and writes one JSON line per input line, in input
order. Exit status: 0 when every line could be judged, flagged or not; 1 when a line was rejected;
2 for a call it cannot take, with a sentence on standard error.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from games.commands.call import CallError, cannot, cannot_read, readable, refuse, setup_named
from games.commands.large import worth_it
from games.commands.progress import Progress
from games.commands.waiting import Waiting
from games.judge.run import Run
from games.round_log.form import Rejection
from games.round_log.lines import read_rounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from games.columns.run import Told
    from games.judge.finding import Finding
    from games.judge.verdict import Verdict
    from games.round_log.round import Round
    from games.setup import Setup

JUDGED: Final = 0
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
    parser.add_argument("logs", metavar="LOG", nargs="*", help="without one, standard input")
    call = parser.parse_args(arguments)
    try:
        setup = setup_named(call.setup)
        readable(call.logs)
        settle = _settle_columns if worth_it(call.logs) else _settle
        return settle(call.logs, setup)
    except CallError as error:
        return refuse(error)
    except BrokenPipeError:
        _write_no_more()
        return JUDGED  # the reader has gone, as `head` does
    except (OSError, sqlite3.Error) as error:
        _write_no_more()
        return refuse(CallError(cannot("no answers can be written", error)))


def _write_no_more() -> None:
    """Leave nothing that the exit would try to write once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _standard_output() -> BinaryIO:
    """Buffered also where Python's own is not (PYTHONUNBUFFERED)."""
    if sys.stdout is None:
        message = "there is no standard output to write to."
        raise CallError(message)
    return open(sys.stdout.fileno(), "wb", buffering=WRITTEN_AT_ONCE, closefd=False)


def _settle(logs: Sequence[str], setup: Setup) -> int:
    out = _standard_output()
    run_ = Run(setup)
    waiting = Waiting(out.write)
    progress = Progress()
    status = JUDGED
    try:
        for log, stream in _streams(logs):
            run_.new_log()
            name = {"log": _shown(log)} if len(logs) > 1 else {}
            for number, line in enumerate(_lines(log, stream), 1):
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


def _settle_columns(logs: Sequence[str], setup: Setup) -> int:
    """The same answers by the block, for logs so large that it is worth its start."""
    from games.commands.settle_columns import Settling  # Numba takes longer than a small log

    out = _standard_output()
    waiting = Waiting(out.write)
    progress = Progress()
    status = JUDGED

    def answer(told: Told, log: str | None) -> None:
        nonlocal status
        head = {**({} if log is None else {"log": log}), "line": told.line}
        if _pass_on(head, told.read, told.verdict, waiting, two_decks=told.two_decks):
            status = REJECTED

    settling = Settling(setup, answer, waiting.answer)
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
    """A log's bytes; what goes wrong in reading them is told apart from what does in writing."""

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


def _lines(log: str, stream: BinaryIO) -> Iterator[Round | Rejection]:
    try:
        yield from read_rounds(stream)
    except OSError as error:
        raise CallError(cannot_read(log, error)) from None


def _shown(log: str) -> str:
    return os.fsencode(log).decode("utf-8", "replace")


def _answer(head: dict[str, Any], line: Round | Rejection, run_: Run, waiting: Waiting) -> bool:
    """Judge one line and pass on the answer; whether it was rejected."""
    if isinstance(line, Rejection):
        run_.reject(line)
        return _pass_on(head, line, None, waiting, two_decks=False)
    verdict = run_.verdict(line)
    return _pass_on(head, line, verdict, waiting, two_decks=run_.two_decks(line))


def _pass_on(
    head: dict[str, Any], line: Round | Rejection, verdict: Verdict | None, waiting: Waiting,
    *, two_decks: bool,
) -> bool:  # fmt: skip
    """Pass on the answer to one line; whether it was rejected."""
    if isinstance(line, Rejection) or verdict is None:
        waiting.answer(_json(rejected(head, cast("Rejection", line))))
        return True
    if two_decks:
        waiting.second_deck(line.table)
    answer = _json(judged(head, line, verdict))
    if verdict.if_two_decks is None:
        waiting.answer(answer)
    else:
        waiting.either(line.table, answer, _json(judged(head, line, verdict.with_two_decks())))
    return False


def rejected(head: dict[str, Any], line: Rejection) -> dict[str, Any]:
    """The answer to a rejected line."""
    error = {"field": line.field, "reason": line.reason}
    return {**head, "round": line.round, "status": "rejected", "error": error}


def judged(head: dict[str, Any], line: Round, verdict: Verdict) -> dict[str, Any]:
    """The answer to a line that was judged; an irregular round has no seats."""
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
    """A finding as other programs read it."""
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
