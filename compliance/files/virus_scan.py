"""Scan files with clamd before they are stored, if it is configured (`CLAMD_URL`).

Its INSTREAM command takes the file in chunks, each preceded by its length as four bytes, and an
empty one at the end. No answer means no: while the configured clamd does not respond, no file is
accepted.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from django.conf import settings

from compliance.files.readers import UnreadableFileError

if TYPE_CHECKING:
    from pathlib import Path


SECONDS = 30.0
PIECE = 1 << 16
LONGEST_ANSWER = 4096
CLEAN = "stream: OK"


def refuse_viruses(path: Path, name: str) -> None:
    """Reject a file in which clamd finds something, or for which clamd gives no answer."""
    if not settings.CLAMD_URL:
        return
    try:
        answer = _asked(path)
    except OSError:
        answer = ""
    if answer == CLEAN:
        return
    if answer.endswith(" FOUND"):
        found = answer.removeprefix("stream: ").removesuffix(" FOUND")
        msg = f"{name} contains what the virus scanner calls {found}. It was rejected."
    else:
        msg = (
            f"{name} could not be scanned for viruses, so it was rejected. Try again in "
            "a few minutes. If it happens again, tell an administrator."
        )
    raise UnreadableFileError(msg)


def _asked(path: Path) -> str:
    with _connected() as clamd, path.open("rb") as content:
        clamd.sendall(b"zINSTREAM\0")
        while piece := content.read(PIECE):
            clamd.sendall(len(piece).to_bytes(4, "big") + piece)
        clamd.sendall(bytes(4))
        answer = b""
        while not answer.endswith(b"\0") and len(answer) < LONGEST_ANSWER:
            came = clamd.recv(LONGEST_ANSWER)
            if not came:
                break
            answer += came
    return answer.rstrip(b"\0").decode(errors="replace")


def _connected() -> socket.socket:
    parts = urlsplit(settings.CLAMD_URL)
    if parts.scheme == "tcp":
        return socket.create_connection((parts.hostname or "", parts.port or 3310), SECONDS)
    clamd = socket.socket(socket.AF_UNIX)
    clamd.settimeout(SECONDS)
    try:
        clamd.connect(unquote(parts.path))
    except OSError:
        clamd.close()
        raise
    return clamd
