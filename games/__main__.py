"""The engine's command line: `python -m games COMMAND`, one module each in `games/commands/`."""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from typing import Final

COMMANDS: Final = {
    "settle": "judge round logs: one line of answer for each line",
    "explain": "tell one round as a person would",
    "rules": "print a game's clauses, pay tables and open questions",
    "odds": "exact probabilities and house edge of a game's wagers",
    "check": "a definition's problems, worked examples and odds",
    "schema": "the JSON Schema of a game's log lines",
    "convert": "write a round log as columns",
    "compile": "warm the compiled kernels",
}
"""Only the requested command is imported, because the filter has to start fast."""

CANNOT_TAKE_THE_CALL: Final = 2


def main(arguments: list[str]) -> int:
    """Run the command named by the first argument and return its exit status."""
    name = arguments[0] if arguments else ""
    if name in COMMANDS:
        command = import_module(f"games.commands.{name}")
        return int(command.run(arguments[1:]))
    if name in {"-h", "--help"}:
        sys.stdout.write(_usage())
        return 0
    complaint = f"There is no command `{name}`.\n" if name else ""
    sys.stderr.write(complaint + _usage())
    return CANNOT_TAKE_THE_CALL


def _usage() -> str:
    commands = "".join(f"  {name:<9}{says}\n" for name, says in COMMANDS.items())
    return f"python -m games COMMAND ... (each takes --help)\n{commands}"


def _end_quietly(arguments: list[str]) -> int:
    """Run a command; exit without a traceback on a closed pipe, Ctrl-C or a full disk."""
    if sys.stdout is None:
        sys.stderr.write("games: there is no standard output to answer on.\n")
        return CANNOT_TAKE_THE_CALL
    try:
        status = main(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _flush_into_nothing()
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except OSError as error:
        _flush_into_nothing()
        sys.stderr.write(f"games: the answer cannot be given: {error.strerror or error}.\n")
        return CANNOT_TAKE_THE_CALL
    return status


def _flush_into_nothing() -> None:
    """Redirect standard output to null, because Python flushes it once more on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(_end_quietly(sys.argv[1:]))
