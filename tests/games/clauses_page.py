"""Makes docs/reference/clauses.md: every clause and interpretation, its code and its tests.

`python -m tests.games.clauses_page` writes the page; a test fails if it is out of date.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from games.rule_set import SLUGS, every_game, rule_set
from games.settlement.outcomes import game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from games.rule_set import Clause, Interpretation, RuleSet

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "clauses.md"

ID = re.compile(r"\b(PP|CP|P2|SD|CV|X)-(I?)([1-9][0-9]?)\b")
ID_IN_A_NAME = re.compile(r"(?<![a-z0-9])(pp|cp|p2|sd|cv|x)_(i?)([1-9][0-9]?)(?![a-z0-9])")
RANGE = re.compile(rf"{ID.pattern} to {ID.pattern}")
RANGE_IN_A_NAME = re.compile(rf"{ID_IN_A_NAME.pattern}_to_{ID_IN_A_NAME.pattern}")

INTRODUCTION = """\
# Clauses and readings

Made by `make clauses` from the rule sets, the engine's sources and the tests;
not written by hand. For every clause of the documents and every question that they leave open: what
it says, where it stands, where the engine has it, and which tests name it.
"""


@dataclass(frozen=True, order=True)
class Place:
    """A named piece of a source file."""

    file: str
    name: str


def all_ids() -> list[str]:
    """Return every id of every rule set, those of every game once."""
    ids = list(every_game())
    for slug in SLUGS:
        rules = rule_set(slug)
        ids += [*rules.clauses, *(id_ for id_ in rules.interpretations if id_ not in every_game())]
    return ids


def named_in_code() -> Mapping[str, set[Place]]:
    """Return where the engine's sources and tables name each id."""
    simulator = ROOT / "games" / "simulator"  # plays by the rules, and audits none
    everything = sorted((ROOT / "games").rglob("*.py"))
    sources = [source for source in everything if simulator not in source.parents]
    places = _named(sources)
    for source in sources:
        says = ast.get_docstring(ast.parse(source.read_text("utf-8"))) or ""
        for id_ in _ids(says, ID, RANGE):
            places[id_].add(Place(source.relative_to(ROOT).as_posix(), "(the file)"))
    for slug in SLUGS:
        rules, file = rule_set(slug), _file_of(slug)
        for kind in ("pay_tables", "layouts", "points"):
            for table in getattr(rules, kind).values():
                name = getattr(table, "name", None) or table.table
                places[table.clause].add(Place(file, f"{kind.removesuffix('s')}.{name}"))
    return places


def _file_of(slug: str) -> str:
    return f"games/{slug.replace('-', '_')}/definition.toml"


@cache
def reasons_given() -> Mapping[str, list[str]]:
    """Return the engine's reasons by the ids that they cite, as the engine words them."""
    given: dict[str, list[str]] = defaultdict(list)
    for slug in SLUGS:
        for reason in game(slug).REASONS.values():
            for id_ in reason.cites:
                if reason.says not in given[id_]:
                    given[id_].append(reason.says)
    return given


def named_in_tests() -> Mapping[str, set[Place]]:
    """Return which tests of the games name each id; every round settled by hand is a test."""
    places = _named(sorted((ROOT / "tests" / "games").rglob("test_*.py")))
    for file in sorted((ROOT / "tests" / "games" / "golden").glob("*.toml")):
        for case in tomllib.loads(file.read_text("utf-8"))["case"]:
            for id_ in _ids(f"{case['title']} {case['why']}", ID, RANGE):
                place = Place(file.relative_to(ROOT).as_posix(), f'"{case["title"]}"')
                places.setdefault(id_, set()).add(place)
    return places


def page() -> str:
    """Return the page as it should be."""
    code, tests = named_in_code(), named_in_tests()
    parts = [INTRODUCTION, "## Every game\n"]
    parts += [_question(item, code, tests) for item in every_game().values()]
    for slug in SLUGS:
        parts += _game(rule_set(slug), code, tests)
    return "\n".join(parts)


def _game(
    rules: RuleSet, code: Mapping[str, set[Place]], tests: Mapping[str, set[Place]]
) -> Iterator[str]:
    yield f"## {rules.name} ({rules.letters})\n"
    for clause in rules.clauses.values():
        yield _clause(clause, code, tests)
    for item in rules.interpretations.values():
        if item.id not in every_game():
            yield _question(item, code, tests)


def _clause(clause: Clause, code: Mapping[str, set[Place]], tests: Mapping[str, set[Place]]) -> str:
    sources = "; ".join(f"{s.document}, {s.place}" for s in clause.sources)
    return f"### {clause.id}\n\n{clause.says}\n\n- Source: {sources}\n" + _places(
        clause.id, code, tests
    )


def _question(
    item: Interpretation, code: Mapping[str, set[Place]], tests: Mapping[str, set[Place]]
) -> str:
    readings = "".join(
        f"- `{name}`{' (default)' if name == item.default else ''}: {says}\n"
        for name, says in item.readings.items()
    )
    return f"### {item.id}\n\n{item.asks}\n\n{readings}" + _places(item.id, code, tests)


def _places(id_: str, code: Mapping[str, set[Place]], tests: Mapping[str, set[Place]]) -> str:
    reasons = "; ".join(reasons_given().get(id_, ()))
    given = f"- Reasons given: {reasons}\n" if reasons else ""
    return f"{given}- Code: {_listed(code.get(id_, ()))}\n- Tests: {_listed(tests.get(id_, ()))}\n"


def _listed(places: Iterable[Place]) -> str:
    by_file: dict[str, list[str]] = defaultdict(list)
    for place in sorted(places):
        by_file[place.file].append(place.name)
    return (
        "; ".join(f"`{file}` {', '.join(names)}" for file, names in by_file.items())
        or "none: an example, which tests hold"
    )


def _named(files: Iterable[Path]) -> dict[str, set[Place]]:
    places: dict[str, set[Place]] = defaultdict(set)
    for file in files:
        text = file.read_text("utf-8")
        shown = file.relative_to(ROOT).as_posix()
        for name, piece in _pieces(text):
            for id_ in (*_ids(piece, ID, RANGE), *_ids(name, ID_IN_A_NAME, RANGE_IN_A_NAME)):
                places[id_].add(Place(shown, name))
    return places


def _ids(text: str, single: re.Pattern[str], several: re.Pattern[str]) -> Iterator[str]:
    """Yield ids written as `PP-9`, or `pp_9` in a test's name; a range includes all in it."""
    for letters, kind, number in single.findall(text):
        yield f"{letters}-{kind}{number}".upper()
    for letters, kind, first, _, _, last in several.findall(text):
        for number in range(int(first), int(last) + 1):
            yield f"{letters}-{kind}{number}".upper()


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield functions, classes and assignments of a module by name, each with its whole text.

    Ids in the module's own docstring and between the pieces don't count.
    """
    lines = text.splitlines()
    for node in ast.parse(text).body:
        name = _name(node)
        if name is not None:
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(item.lineno for item in decorators)])
            yield name, "\n".join(lines[first - 1 : node.end_lineno])


def _name(node: ast.stmt) -> str | None:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return None


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
