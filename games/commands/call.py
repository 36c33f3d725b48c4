"""What commands share of a call: the set-up and logs it names, and how a call is refused."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from games.setup import Setup
from games.setup_file import SetupError, read_setup

if TYPE_CHECKING:
    from collections.abc import Sequence

REFUSED: Final = 2

LARGEST_SETUP: Final = 1 << 24


class CallError(Exception):
    """A call that cannot be taken; the message is the sentence for standard error."""


def refuse(error: CallError) -> int:
    """Say why a call cannot be taken; the exit status that says so."""
    said = f"games: {error}\n"
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(said.encode("utf-8", "backslashreplace").decode())
    return REFUSED


def setup_named(path: str | None) -> Setup:
    """The set-up in a file; without one, the rules' own defaults.

    Raises:
        CallError: the file cannot be read, or is no set-up.
    """
    if path is None:
        return Setup()
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_SETUP + 1)
    except (OSError, ValueError) as error:
        raise CallError(cannot_read(path, error)) from None
    if len(content) > LARGEST_SETUP:
        message = f"the set-up {path} is longer than {LARGEST_SETUP:,} bytes."
        raise CallError(message)
    try:
        return read_setup(content.decode("utf-8"))
    except UnicodeDecodeError:
        message = f"the set-up {path} is not UTF-8."
        raise CallError(message) from None
    except SetupError as error:
        message = f"the set-up {path} cannot be used. In {error}"
        raise CallError(message) from None


def readable(logs: Sequence[str]) -> None:
    """Refuse a call that names a log which cannot be read, before any answer is given."""
    for log in logs:
        try:
            if Path(log).is_dir():
                message = f"{log} is a folder, not a round log."
                raise CallError(message)
            Path(log).stat()
        except (OSError, ValueError) as error:
            raise CallError(cannot_read(log, error)) from None
        if not os.access(log, os.R_OK):
            message = f"{log} cannot be read: permission denied."
            raise CallError(message)


def cannot_read(path: str, error: Exception) -> str:
    """A sentence on a file that cannot be read."""
    return cannot(f"{path} cannot be read", error)


def cannot(what: str, error: Exception) -> str:
    """A sentence on what failed, with the system's reason."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{what}: {why[:1].lower()}{why[1:]}."
