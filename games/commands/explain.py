"""`explain LOG ROUND`: one round as a person would tell it, with the clauses it rests on."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from games.commands.call import CallError, cannot_read, readable, refuse, setup_named
from games.commands.progress import Progress
from games.page import page_width
from games.story.page import story_page
from games.story.search import NotFoundError, find_round
from games.story.telling import tell

if TYPE_CHECKING:
    from games.setup import Setup
    from games.story.search import Found, Judged
    from games.story.story import Story

SOME_REJECTED = 1


def run(arguments: list[str]) -> int:
    """Print the story of every line that has the round's id."""
    call = _parser().parse_args(arguments)
    try:
        setup = setup_named(call.setup)
        found = _find(call.log, call.round, setup)
    except CallError as error:
        return refuse(error)
    if call.json:
        _print_data(found, setup)
    else:
        sys.stdout.write("\n".join(_page(found, setup, call.log)) + "\n")
    return SOME_REJECTED if found.rejected else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games explain", description=__doc__)
    parser.add_argument("log", metavar="LOG", help="a round log: plain, gzip or zstd")
    parser.add_argument("round", metavar="ROUND", help="the round's id")
    parser.add_argument("--setup", metavar="SETUP.json", help="what the operator's approvals say")
    parser.add_argument("--json", action="store_true", help="as data; amounts in cents")
    return parser


def _find(log: str, id_: str, setup: Setup) -> Found:
    readable([log])
    progress = Progress()
    try:
        return find_round(Path(log), id_, setup, progress.tick)
    except OSError as error:
        raise CallError(cannot_read(log, error)) from None
    except NotFoundError as error:
        message = f"{log}: {error}"
        raise CallError(message) from None
    finally:
        progress.done()


def _told(judged: Judged, setup: Setup) -> Story:
    return tell(judged.round, setup, judged.verdict, before=judged.before, zone=judged.zone)


def _page(found: Found, setup: Setup, log: str) -> list[str]:
    width = page_width()
    lines = []
    places = [str(judged.line) for judged in found.judged]
    if len(places) > 1:
        lines += [f"The id stands on lines {', '.join(places)} of {log}: each is told.", ""]
    for judged in found.judged:
        lines += [f"{log}, line {judged.line}"]
        lines += [*story_page(_told(judged, setup), width), ""]
    for line, rejection in found.rejected:
        field = f", field `{rejection.field}`" if rejection.field else ""
        lines += [f"{log}, line {line}{field}: {rejection.reason}.", ""]
        lines += ["The line is rejected for its form: it is evidence, but cannot be judged.", ""]
    return lines[:-1]


def _print_data(found: Found, setup: Setup) -> None:
    data = {
        "rounds": [
            {"line": judged.line, **asdict(_told(judged, setup))} for judged in found.judged
        ],
        "rejected": [
            {"line": line, "error": {"field": rejection.field, "reason": rejection.reason}}
            for line, rejection in found.rejected
        ],
    }
    json.dump(data, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")
