"""`explain LOG ROUND`: one round explained, with the clauses it is based on."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from games.cents import in_dollars
from games.commands.call import (
    CallError,
    Progress,
    cannot_read,
    page_width,
    paragraph,
    readable,
    refuse,
    setup_named,
)
from games.commands.definitions import definitions_in
from games.explanation.rounds import explain_round
from games.explanation.search import NotFoundError, find_round

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from games.explanation.findings import FindingExplanation
    from games.explanation.model import RoundExplanation, Section, Step
    from games.explanation.search import SearchResult, SettledRound
    from games.families.filed import FiledGames
    from games.setup import Setup


STEP = 2


def explanation_page(explanation: RoundExplanation, width: int) -> list[str]:
    """Return the lines of a round's page."""
    verdict = explanation.verdict
    began = f"First wager: {explanation.began}. " if explanation.began else ""
    lines = [explanation.title]
    lines += paragraph(f"{verdict.heading}. {verdict.says}", width)
    lines += paragraph(f"{began}Ended: {explanation.ended}. Dealt: {explanation.dealt}.", width)
    lines += paragraph(explanation.void, width)
    lines += _steps(explanation.about, width, 0)
    for section in explanation.sections:
        lines += ["", section.title, *_section(section, width)]
    if explanation.findings:
        lines += ["", "FINDINGS", *_findings(explanation.findings, width)]
    if explanation.clauses:
        lines += ["", "AUTHORITY"]
        for clause in explanation.clauses:
            lines += paragraph(clause.says, width, first=clause.id, indent=9)
    return lines


def _section(section: Section, width: int) -> Iterator[str]:
    yield from _steps(section.steps, width, STEP)
    for wager in section.wagers:
        amount = "" if wager.wagered is None else f", {in_dollars(wager.wagered)} wagered"
        yield from paragraph(f"{wager.name}{amount}", width, indent=STEP)
        yield from _steps(wager.steps, width, 2 * STEP)
        yield from paragraph(wager.words.sentence, width, indent=2 * STEP)


def _findings(findings: Iterable[FindingExplanation], width: int) -> Iterator[str]:
    for each in findings:
        title = f"{each.words.title}. {each.words.where} ({each.code}, {each.severity})"
        yield from paragraph(title, width, indent=STEP)
        cited = f"{each.words.sentence}{_ids(each.cites)}".strip()
        yield from paragraph(cited, width, indent=2 * STEP)


def _steps(steps: Iterable[Step], width: int, indent: int) -> Iterator[str]:
    for step in steps:
        yield from paragraph(step.says + _ids(step.cites), width, indent=indent)


def _ids(cites: tuple[str, ...]) -> str:
    return f" [{', '.join(cites)}]" if cites else ""


SOME_REJECTED = 1


def run(arguments: list[str]) -> int:
    """Print the explanation of every line with the round's id."""
    call = _parser().parse_args(arguments)
    try:
        definitions = definitions_in(call.definitions)
        games = definitions.games()
        setup = games.in_setup(setup_named(call.setup, definitions.usable))
        result = _find(call.log, call.round, setup, games)
    except CallError as error:
        return refuse(error)
    if call.json:
        _print_data(result, setup)
    else:
        sys.stdout.write("\n".join(_page(result, setup, call.log)) + "\n")
    return SOME_REJECTED if result.rejected else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games explain", description=__doc__)
    parser.add_argument("log", metavar="LOG", help="a round log: plain, gzip or zstd")
    parser.add_argument("round", metavar="ROUND", help="the round's id")
    parser.add_argument("--setup", metavar="SETUP.json", help="what the operator's approvals say")
    parser.add_argument(
        "--definitions", metavar="DIR", help="definitions of filed games, as <slug>.toml"
    )
    parser.add_argument("--json", action="store_true", help="as data; amounts in cents")
    return parser


def _find(log: str, id_: str, setup: Setup, games: FiledGames) -> SearchResult:
    readable([log])
    progress = Progress()
    try:
        return find_round(Path(log), id_, setup, progress.tick, games.read_line)
    except OSError as error:
        raise CallError(cannot_read(log, error)) from None
    except NotFoundError as error:
        message = f"{log}: {error}"
        raise CallError(message) from None
    finally:
        progress.done()


def _explain(found: SettledRound, setup: Setup) -> RoundExplanation:
    return explain_round(found.round, setup, found.verdict, before=found.before, zone=found.zone)


def _page(result: SearchResult, setup: Setup, log: str) -> list[str]:
    width = page_width()
    lines = []
    numbers = [str(found.line) for found in result.settled]
    if len(numbers) > 1:
        lines += [f"{log} has this ID on lines {', '.join(numbers)}. Each is explained.", ""]
    for found in result.settled:
        lines += [f"{log}, line {found.line}"]
        lines += [*explanation_page(_explain(found, setup), width), ""]
    for line, rejection in result.rejected:
        field = f", field `{rejection.field}`" if rejection.field else ""
        lines += [f"{log}, line {line}{field}: {rejection.reason}.", ""]
        lines += ["The line was rejected for its format, so it was not settled.", ""]
    return lines[:-1]


def _print_data(result: SearchResult, setup: Setup) -> None:
    data = {
        "rounds": [
            {"line": found.line, **asdict(_explain(found, setup))} for found in result.settled
        ],
        "rejected": [
            {"line": line, "error": {"field": rejection.field, "reason": rejection.reason}}
            for line, rejection in result.rejected
        ],
    }
    json.dump(data, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")
