"""`check DEFINITION`: problems of a definition, its worked examples, and its odds."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from games.commands.call import CallError, page_width, paragraph, refuse
from games.commands.definitions import text_of
from games.definition import DefinitionError, Problem, read_definition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.definition import Definition

BROKEN = 1


def run(arguments: Sequence[str]) -> int:
    """Check one definition; exit status 1 if it can't be used or an example is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m games check", description=__doc__, allow_abbrev=False
    )
    parser.add_argument("definition", metavar="DEFINITION", help="a definition, .toml")
    parser.add_argument("--json", action="store_true", help="as data")
    parser.add_argument("--explain", action="store_true", help="explain the worked examples")
    parser.add_argument(
        "--no-odds", action="store_true", help="leave out the odds, which take long"
    )
    parser.add_argument(
        "--proofs",
        action="store_true",
        help="break rounds in every way, and print which codes prove which clauses",
    )
    call = parser.parse_args(arguments)
    try:
        text = text_of(call.definition)
    except CallError as error:
        return refuse(error)
    answer = check(text, with_odds=not call.no_odds)
    if call.proofs:
        answer["proofs"] = _proofs(text) if answer["ok"] else {}
    if call.json:
        json.dump(answer, sys.stdout, ensure_ascii=False, indent=1)
        sys.stdout.write("\n")
    else:
        lines = [*(_explained(text) if call.explain else []), *_page(answer)]
        sys.stdout.write("\n".join(lines) + "\n")
    return 0 if answer["ok"] else BROKEN


def check(text: str, *, with_odds: bool) -> dict[str, Any]:
    """Return what is wrong with a definition, how its examples settle, and its odds."""
    try:
        definition = read_definition(text)
    except DefinitionError as error:
        return _answer(None, list(error.problems), [], [])
    from games.families.examples import check_examples

    results = check_examples(definition)
    problems = [
        Problem(f"example[{place}]", f"{result.name}: {result.why}")
        for place, result in enumerate(results)
        if not result.ok
    ]
    examples = [{"name": result.name, "ok": result.ok} for result in results]
    odds = []
    if with_odds and not problems:
        from games.commands.odds import odds_of_definition

        odds = list(odds_of_definition(definition))
    return _answer(definition, problems, examples, odds)


def _proofs(text: str) -> dict[str, dict[str, str]]:
    """Return by clause, then by code, what was broken in the round that proves it."""
    from games.simulator.proof import prove_clauses

    proven = prove_clauses(read_definition(text))
    return {
        clause: {code: proof.broken for code, proof in codes.items()}
        for clause, codes in proven.items()
    }


def _explained(text: str) -> list[str]:
    """Return the steps of every worked example, if the definition can be read."""
    from games.families.examples import check_examples

    try:
        definition = read_definition(text)
    except DefinitionError:
        return []
    lines = []
    for result in check_examples(definition):
        lines.append(result.name)
        for step in result.steps:
            lines += paragraph(step, page_width(), indent=2)
    return [*lines, ""]


def _answer(
    definition: Definition | None,
    problems: list[Problem],
    examples: list[dict[str, Any]],
    odds: list[dict[str, Any]],
) -> dict[str, Any]:
    return {
        "v": 2,
        "ok": not problems,
        "digest": None if definition is None else definition.digest,
        "problems": [{"where": each.where, "what": each.what} for each in problems],
        "examples": examples,
        "odds": odds,
    }


def _page(answer: dict[str, Any]) -> list[str]:
    width = page_width()
    lines = []
    for problem in answer["problems"]:
        lines += paragraph(problem["what"], width, first=problem["where"], indent=2)
    if answer["digest"]:
        lines.append(f"Definition {answer['digest']}")
        right = sum(each["ok"] for each in answer["examples"])
        lines.append(f"Worked examples: {right} of {len(answer['examples'])} settle as written.")
    for each in answer["odds"]:
        lines.append(odds_line(each))
    for clause, codes in answer.get("proofs", {}).items():
        lines += paragraph(f"checked by {', '.join(codes)}", width, first=clause, indent=2)
    lines.append("The definition can be filed." if answer["ok"] else "Fix these problems first.")
    return lines


def odds_line(odds: dict[str, Any]) -> str:
    """Return one figure as a line of text."""
    edge = f"{float(odds['edge']) * 100:.4f} %"
    gains = float(odds["edge"]) + 3 * float(odds["error"]) < 0
    off = "to within" if odds["strategy"] == "best_by_hand" else "standard error"
    error = f", {off} {float(odds['error']) * 100:.4f}" if odds["error"] else ""
    how = {
        "none": "no decision",
        "optimal": "played the best way",
        "best_by_hand": "the best play of each hand",
    }.get(odds["strategy"], f"played by `{odds['strategy']}`")
    return (
        f"{odds['wager']}: house edge {edge} of the {odds['per']} ({how}{error}); wins"
        f" {odds['hit'] * 100:.2f} % of hands, variance {odds['variance']:.3f}"
        f"{'. Warning: the player has the edge.' if gains else ''}"
    )
