"""Witness the event log of a compliance system: cosign its checkpoints as long as it only grows.

    python witness.pyz --name cedar.example/w1 --log KEY --folder witness --site https://SITE
    python witness.pyz --name cedar.example/w1 --log KEY --folder witness --listen 0.0.0.0:8470

With `--site`, it asks the system for a new checkpoint each minute and sends the cosignature back:
this needs no open port. With `--listen`, it answers logs that send checkpoints, by C2SP
`tlog-witness`. On the first start it makes its key and prints the line for the system's policy.
The folder contains the key and the last checkpoint it cosigned: keep both. A checkpoint that
contradicts it is kept there too, as evidence, and is never cosigned. One process uses a folder.

It runs on Python 3.11 or later with the standard library and `cryptography`.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from compliance.event_log.verifier import (
    COSIGNATURE,
    EMPTY_ROOT,
    BrokenError,
    Checkpoint,
    VerifierKey,
    check_consistency,
    cosigned_message,
    decimal,
    read_checkpoint,
    read_consistency,
    read_hashes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 1 << 16
"""Bytes of a request or an answer: a checkpoint and 63 hashes fit in far fewer."""
MOST_HASHES = 63
SECONDS_TO_ANSWER = 30
TEXT = "text/plain; charset=utf-8"
SIZE = "text/x.tlog.size"


@dataclass
class Answer:
    """The answer to a request, by HTTP status."""

    status: int
    body: str
    content_type: str = TEXT


class Witness:
    """A key, the logs that it witnesses, and the last checkpoint of each that it cosigned."""

    def __init__(self, name: str, folder: Path, logs: Sequence[VerifierKey]) -> None:
        self.name = name
        self.folder = folder
        self.logs = logs
        self._lock = Lock()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = folder / "key"
        if not key.exists():
            _write(key, Ed25519PrivateKey.generate().private_bytes_raw())
        self._private = Ed25519PrivateKey.from_private_bytes(key.read_bytes())

    @property
    def public(self) -> VerifierKey:
        """Return the key that others use to check cosignatures."""
        return VerifierKey(
            self.name, self._private.public_key().public_bytes_raw(), kind=COSIGNATURE
        )

    def last(self, origin: str) -> str:
        """Return the last checkpoint of a log with its cosignature; empty if there is none."""
        place = self._place(origin)
        return place.read_text(encoding="utf-8") if place.exists() else ""

    def add_checkpoint(self, request: str) -> Answer:
        """Cosign a checkpoint that continues the last one (C2SP `tlog-witness`)."""
        head, separator, note = request.partition("\n\n")
        first, *hashes = head.split("\n")
        if not separator or not first.startswith("old ") or len(hashes) > MOST_HASHES:
            return Answer(
                400, "Write: old SIZE, the proof's hashes, an empty line, a checkpoint.\n"
            )
        origin = note.split("\n", 1)[0]
        keys = [key for key in self.logs if key.name == origin]
        if not keys:
            return Answer(404, "This witness does not know that log.\n")
        try:
            old, proof = decimal(first.removeprefix("old ")), read_hashes(hashes)
        except BrokenError as broken:
            return Answer(400, f"{broken}.\n")
        try:
            new = read_checkpoint(note, keys)
        except BrokenError as broken:
            return Answer(403, f"{broken}.\n")
        if old > new.size:
            return Answer(400, f"The old size, {old}, is larger than the new one, {new.size}.\n")
        with self._lock:  # what was compared must still be the last one when the new one is kept
            return self._cosign(old, proof, new, note, keys)

    def _cosign(
        self, old: int, proof: Sequence[bytes], new: Checkpoint, note: str,
        keys: Sequence[VerifierKey],
    ) -> Answer:  # fmt: skip
        kept = self.last(new.origin)
        last = read_checkpoint(kept, keys) if kept else Checkpoint(new.origin, 0, EMPTY_ROOT)
        if old != last.size:
            return Answer(409, f"{last.size}\n", SIZE)
        try:
            check_consistency(old, last.root, new.size, new.root, proof)
            if new.size == 0:
                check_consistency(0, new.root, 0, new.root, ())
        except BrokenError as broken:
            evidence = f"contradicts-{last.size}-{new.root.hex()[:16]}.checkpoint"
            _write(self.folder / evidence, note.encode())
            return Answer(422, f"{broken}.\n")
        now = int(time.time())
        signature = self._private.sign(cosigned_message(now, new.text()))
        raw = self.public.id + now.to_bytes(8, "big") + signature
        line = f"— {self.name} {base64.b64encode(raw).decode()}\n"
        _write(self._place(new.origin), (note + line).encode())
        return Answer(200, line)

    def ask(self, site: str) -> str:
        """Cosign a system's checkpoint and send it; return what happened, in a sentence.

        Raises:
            BrokenError: the log does not continue what this witness cosigned.
        """
        note = _fetch(f"{site}/log/checkpoint/to-cosign")
        keys = [key for key in self.logs if note.startswith(f"{key.name}\n")]
        new = read_checkpoint(note, keys)
        kept = self.last(new.origin)
        last = read_checkpoint(kept, keys) if kept else Checkpoint(new.origin, 0, EMPTY_ROOT)
        if new.size < last.size:  # its clock may have gone back: what matters is its newest one
            note = _fetch(f"{site}/log/checkpoint")
            new = read_checkpoint(note, keys)
        if kept and last == new:
            return f"Nothing new: {new.size} events."
        path = ""
        if last.size <= new.size:
            proof = _fetch(f"{site}/log/consistency?old={last.size}&new={new.size}")
            path = "".join(
                f"{base64.b64encode(each).decode()}\n" for each in read_consistency(proof)[2]
            )
        answer = self.add_checkpoint(f"old {last.size}\n{path}\n{note}")
        if answer.status != 200:
            if kept:  # the system stops signing when it sees what it signed before
                _fetch(f"{site}/log/cosignatures", kept.encode())
            raise BrokenError(answer.body.strip(), f"checkpoint of {new.size} events")
        _fetch(f"{site}/log/cosignatures", self.last(new.origin).encode())
        return f"Cosigned the first {new.size} events."

    def _place(self, origin: str) -> Path:
        return self.folder / f"{hashlib.sha256(origin.encode()).hexdigest()}.checkpoint"

    def find(self, origin_hash: str) -> Answer:
        """Return the last checkpoint that it cosigned of a log, by the hash of the log's origin."""
        origins = {hashlib.sha256(key.name.encode()).hexdigest(): key.name for key in self.logs}
        kept = self.last(origins[origin_hash]) if origin_hash in origins else ""
        return Answer(200, kept) if kept else Answer(404, "Nothing was cosigned of that log.\n")


def _write(place: Path, content: bytes) -> None:
    """Write a file whole or not at all, readable by nobody else."""
    made = place.with_name(f"{place.name}.new")
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    made.replace(place)


def _fetch(url: str, body: bytes | None = None) -> str:
    """Get an address, or post a text to it."""
    request = urllib.request.Request(url, body, {"Content-Type": TEXT})  # noqa: S310
    with urllib.request.urlopen(request, timeout=SECONDS_TO_ANSWER) as answer:  # noqa: S310
        content = answer.read(LONGEST + 1)
    if len(content) > LONGEST:
        what = "the answer is too long"
        raise BrokenError(what, url)
    return str(content, "utf-8")


def serve(witness: Witness, address: tuple[str, int]) -> ThreadingHTTPServer:
    """Return a server that cosigns checkpoints that are sent to it."""

    class Handler(BaseHTTPRequestHandler):
        timeout = SECONDS_TO_ANSWER

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if self.path != "/add-checkpoint":
                self._send(Answer(404, "Post checkpoints to /add-checkpoint.\n"))
            elif not length.isdigit() or int(length) > LONGEST:
                self.close_connection = True
                self._send(Answer(413, f"A request has a length of at most {LONGEST} bytes.\n"))
            else:
                try:
                    body = self.rfile.read(int(length)).decode()
                except UnicodeDecodeError:
                    self._send(Answer(400, "A request is text in UTF-8.\n"))
                else:
                    self._send(witness.add_checkpoint(body))

        def do_GET(self) -> None:
            origin_hash, _, rest = self.path.removeprefix("/").partition("/")
            if rest == "checkpoint":
                self._send(witness.find(origin_hash))
            else:
                self._send(Answer(404, "See /HASH OF THE LOG'S ORIGIN/checkpoint.\n"))

        def _send(self, answer: Answer) -> None:
            body = answer.body.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, says: str, *args: object) -> None:
            _say(says % args)

    Handler.protocol_version = "HTTP/1.1"
    return ThreadingHTTPServer(address, Handler)


def watch(witness: Witness, site: str, *, seconds: float, once: bool) -> int:
    """Ask a system for its checkpoint again and again; stop when it contradicts itself."""
    while True:
        try:
            _say(witness.ask(site))
        except BrokenError as broken:
            _say(f"BROKEN  {broken}. Not cosigned. Keep the folder {witness.folder} as evidence.")
            return 1
        except (OSError, ValueError) as error:
            _say(f"Not now: {_reason(error)}")
            if once:
                return 2
        if once:
            return 0
        time.sleep(seconds)


def _reason(error: Exception) -> str:
    """Return the site's own sentence, if it answered with one."""
    if isinstance(error, urllib.error.HTTPError):
        with error:
            return str(error.read(LONGEST), "utf-8", "replace").strip() or str(error)
    return str(error)


@contextmanager
def one_process(folder: Path) -> Iterator[None]:
    """Keep a second process out of a folder: two could cosign two different logs."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("ab") as file:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = f"another process witnesses in {folder}. Give each its own --folder."
            raise ValueError(message) from None
        yield


def _say(text: str) -> None:
    sys.stdout.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {text}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a witness; the exit status 1 means that the log contradicted itself."""
    parser = argparse.ArgumentParser(description="Cosign an event log as long as it only grows.")
    parser.add_argument("--name", required=True, help="name of the witness, like cedar.example/w1")
    parser.add_argument("--log", required=True, action="append", help="public key of a log")
    parser.add_argument("--folder", type=Path, default=Path("witness"), help="where it keeps all")
    parser.add_argument("--once", action="store_true", help="ask the site once, then end")
    parser.add_argument("--every", type=float, default=60, help="seconds between questions")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--site", help="address of the system to ask, like https://SITE")
    how.add_argument("--listen", help="HOST:PORT to answer at")
    args = parser.parse_args(arguments)
    try:
        with one_process(args.folder):
            return _run(args)
    except (OSError, ValueError, BrokenError) as error:
        sys.stderr.write(f"Cannot start: {error}\n")
        return 2
    except KeyboardInterrupt:
        return 0


def _run(args: argparse.Namespace) -> int:
    witness = Witness(args.name, args.folder, [VerifierKey.parse(each) for each in args.log])
    _say(f"witness {args.name} {witness.public}")
    if args.site:
        if urlsplit(args.site).scheme not in {"http", "https"}:
            message = "--site is an address like https://SITE."
            raise ValueError(message)
        return watch(witness, args.site.rstrip("/"), seconds=args.every, once=args.once)
    host, _, port = args.listen.rpartition(":")
    with serve(witness, (host, int(port))) as server:
        server.serve_forever()
    return 0
