"""Reads the text of a definition: every problem is reported with its place, in one pass.

A definition comes from a stranger. Its size and the length of its lines are limited before it is
parsed, because TOML lets a single line of a few hundred kilobytes take minutes.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, Final

from games.definition.families import FAMILIES, STUD, definition_form
from games.definition.named_build import build_named, check_named
from games.definition.named_form import NAMED_DEFINITION
from games.definition.named_games import NAMED_FAMILIES, NAMED_GAMES
from games.definition.problems import Problem, Problems
from games.definition.shape import OneOf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.definition.model import Definition
    from games.definition.shape import Table

    Build = Callable[[dict[str, Any], Problems], Definition]
    Check = Callable[[Definition, Problems], None]

LONGEST_TEXT: Final = 256 * 1024
LONGEST_LINE: Final = 2_500
MOST_LINES: Final = 8_000


def read_definition(text: str) -> Definition:
    """Read a definition; the worked examples are the family's to check.

    Raises:
        DefinitionError: it can't be used; `problems` says why, each with its place.
    """
    problems = Problems()
    data = _parse(text, problems)
    problems.raise_if_any()
    form, make, checked = _form_of(data, problems)
    read = form.read(data, "", problems)
    problems.raise_if_any()
    definition = make(read, problems)
    if definition.named is None and definition.slug in NAMED_GAMES:
        family = NAMED_GAMES[definition.slug].family
        problems.add(
            "game.slug",
            f"`{definition.slug}` is a game that the family `{family}` settles by its name."
            " Write this family, or choose another slug.",
        )
    problems.raise_if_any()
    clauses = set(definition.clauses)
    for where, id_ in _cited(read, ""):
        if id_ not in clauses:
            problems.add(where, f"There is no clause `{id_}`.")
    checked(definition, problems)
    problems.raise_if_any()
    return definition


def _form_of(data: Any, problems: Problems) -> tuple[Table, Build, Check]:
    """Return how a definition of its family is read, built and checked."""
    game = data.get("game")
    family, slug = (game.get("family"), game.get("slug")) if isinstance(game, dict) else (None, "")
    if family in NAMED_FAMILIES and _is_named(family, slug, data):
        return NAMED_DEFINITION, build_named, check_named
    if family is not None and family not in FAMILIES:
        known = dict.fromkeys((*FAMILIES, *NAMED_FAMILIES))
        OneOf(tuple(known)).read(family, "game.family", problems)
        problems.raise_if_any()
    form = definition_form(family or STUD)
    return form.table, form.build, form.check


def _is_named(family: str, slug: Any, data: dict[str, Any]) -> bool:
    """Return whether a game is one settled by its name, or has nothing that its family executes."""
    if family not in FAMILIES or (isinstance(slug, str) and slug in NAMED_GAMES):
        return True
    own = set(definition_form(family).table.keys) - set(NAMED_DEFINITION.keys)
    return own.isdisjoint(data)


def _cited(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Yield every clause that is cited under the key `clause`, with its place."""
    if isinstance(value, tuple):
        for place, item in enumerate(value):
            yield from _cited(item, f"{where}[{place}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            inside = f"{where}.{key}" if where else key
            if key == "clause" and where and isinstance(item, str | tuple):
                yield from ((inside, id_) for id_ in ((item,) if isinstance(item, str) else item))
            elif key != "example":
                yield from _cited(item, inside)


def _parse(text: str, problems: Problems) -> Any:
    size = len(text)
    if size > LONGEST_TEXT:
        problems.add("", f"The definition has {size:,} characters; {LONGEST_TEXT:,} is the limit.")
        return None
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        problems.add("", f"The definition has {len(lines):,} lines; {MOST_LINES:,} is the limit.")
        return None
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            problems.add(
                f"line {number}",
                f"This line has {len(line):,} characters; break it below {LONGEST_LINE:,}.",
            )
    if problems:
        return None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problems.add("", f"This is not TOML: {error}.")
    except RecursionError:
        problems.add("", "Lists or tables are nested too deep.")
    except ValueError as error:  # a number or date that Python can't represent
        problems.add("", f"This is not TOML: {error}.")
    return None


__all__ = ["Problem", "read_definition"]
