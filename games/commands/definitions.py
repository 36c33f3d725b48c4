"""Definitions as files: one by its name, or a folder of them by slug."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from games.commands.call import CallError, cannot_read
from games.definition import DefinitionError, read_definition
from games.definition.read import LONGEST_TEXT
from games.rule_set import GAMES, SLUGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from games.definition import Definition
    from games.families.filed import FiledGames
    from games.families.stud.program import Terms

MOST_DEFINITIONS: Final = 1_000


@dataclass(frozen=True)
class Definitions:
    """The definitions of a folder by slug, and why the others can't be used.

    A game that comes with the engine is there too, unless the folder has a definition of it.
    """

    usable: Mapping[str, Definition]
    unusable: Mapping[str, str]

    def games(self) -> FiledGames:
        """Return the games that these definitions file."""
        from games.families.filed import FiledGames

        return FiledGames(self.usable, self.unusable, self._built_in())

    def for_setup(self) -> Definitions:
        """Return these definitions with the built-in ones, which a set-up may name."""
        built_in = {slug: read() for slug, read in self._built_in().items()}
        return replace(self, usable={**built_in, **self.usable})

    def _built_in(self) -> dict[str, Callable[[], Definition]]:
        return {
            slug: partial(definition_named, slug)
            for slug in seed_definitions()
            if not {slug} & {*SLUGS, *self.usable, *self.unusable}
        }


def definitions_in(folder: str | None) -> Definitions:
    """Read the definitions in a folder, `<slug>.toml`; without a folder, none.

    Raises:
        CallError: the folder can't be read.
    """
    usable: dict[str, Definition] = {}
    unusable: dict[str, str] = {}
    for path in _files(folder):
        try:
            definition = read_definition(text_of(str(path)))
        except DefinitionError as error:
            unusable[path.stem] = f"the definition {path.name} can't be used: {error.problems[0]}"
            continue
        if definition.slug == path.stem:
            usable[definition.slug] = definition
        else:
            unusable[path.stem] = (
                f"the definition {path.name} is of `{definition.slug}`: name the file"
                f" {definition.slug}.toml"
            )
    return Definitions(usable, unusable)


def _files(folder: str | None) -> list[Path]:
    if folder is None:
        return []
    try:
        files = sorted(path for path in Path(folder).iterdir() if path.suffix == ".toml")
    except (OSError, ValueError) as error:
        raise CallError(cannot_read(folder, error)) from None
    if len(files) > MOST_DEFINITIONS:
        message = f"{folder} has {len(files):,} definitions; {MOST_DEFINITIONS:,} is the limit."
        raise CallError(message)
    return files


def text_of(path: str) -> str:
    """Return the text of a definition's file, cut off where it is longer than any definition.

    Raises:
        CallError: the file can't be read or isn't UTF-8.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(4 * LONGEST_TEXT + 1)
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        message = f"the definition {path} is not UTF-8."
        raise CallError(message) from None
    except (OSError, ValueError) as error:
        raise CallError(cannot_read(path, error)) from None


def definition_named(path: str) -> Definition:
    """Read one definition: a file, or a game that comes with the engine, by its slug.

    Raises:
        CallError: it can't be read, or has problems.
    """
    seed = seed_definitions().get(path)
    text = text_of(path if seed is None else str(seed))
    try:
        return read_definition(text)
    except DefinitionError as error:
        problems = " ".join(str(each) for each in error.problems[:3])
        message = f"the definition {path} can't be used: {problems}"
        raise CallError(message) from None


def seed_definitions() -> dict[str, Path]:
    """Return the definitions that come with the engine, by slug."""
    return {
        path.parent.name.replace("_", "-"): path for path in sorted(GAMES.glob("*/definition.toml"))
    }


def chosen_names(option: str, given: Sequence[str]) -> dict[str, str]:
    """Return what options of the form NAME=CHOICE choose.

    Raises:
        CallError: one of them has no such form.
    """
    chosen = {}
    for each in given:
        name, equals, choice = each.partition("=")
        if not (name and equals and choice):
            message = f"{option} {each} is not of the form NAME=CHOICE."
            raise CallError(message)
        chosen[name] = choice
    return chosen


def terms_chosen(
    path: str, decks: int | None, readings: Sequence[str], tables: Sequence[str]
) -> tuple[Definition, Terms]:
    """Return a definition and the terms that a call chooses for it.

    Raises:
        CallError: it can't be used, or doesn't have what is chosen.
    """
    from games.families.stud.program import Terms

    definition = definition_named(path)
    if decks is not None:
        definition = _with_decks(definition, decks)
    asked = chosen_names("--interpretation", readings)
    named = chosen_names("--table", tables)
    for id_, reading in asked.items():
        known = definition.interpretations.get(id_)
        if known is None or reading not in known.readings:
            message = f"{definition.slug} has no interpretation {id_}={reading}."
            raise CallError(message)
    for wager, table in named.items():
        if table not in definition.tables_of_wagers.get(wager, ()):
            message = f"{definition.slug} has no pay table {wager}={table}."
            raise CallError(message)
    return definition, Terms(pay_tables=named, readings=asked)


def _with_decks(definition: Definition, decks: int) -> Definition:
    if decks > 1 and any(each.ranking.id != "one_card" for each in definition.hands.values()):
        message = f"{definition.slug} ranks hands of several cards: its odds need one deck."
        raise CallError(message)
    return replace(definition, decks=replace(definition.decks, number=decks))
