"""Definitions that suppliers file: checked when they are filed, kept by digest, read back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from compliance.errors import RefusedError
from compliance.files.archive import current_archive, read_bytes, store_bytes
from compliance.filings.games.models import DefinitionOdds, RuleVersion
from compliance.retention.verification import Kept
from games.definition import DefinitionError, Problem, read_definition
from games.definition.named_games import NAMED_GAMES
from games.families.examples import check_examples

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compliance.filings.games.models import Game
    from games.definition import Definition


class DefinitionRefusedError(RefusedError):
    """A definition that can't be filed; `problems` lists everything that is wrong with it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, problems)))


@dataclass(frozen=True)
class FiledDefinition:
    """A definition as filed: its text, its meaning, and the digest of each."""

    definition: Definition
    file: str
    """SHA-256 of the text, in the archive."""


def check_definition(game: Game, text: str) -> Definition:
    """Read a definition for a game; reject it with every problem found."""
    try:
        definition = read_definition(text)
    except DefinitionError as error:
        raise DefinitionRefusedError(error.problems) from error
    failing = [
        Problem(f"example “{each.name}”", each.why)
        for each in check_examples(definition)
        if not each.ok
    ]
    if failing:
        raise DefinitionRefusedError(failing)
    if definition.slug != game.slug:
        msg = f"game.slug: This is “{definition.slug}”. Write “{game.slug}”, as the game is filed."
        raise RefusedError(msg)
    if game.engine and definition.named is None:
        family = NAMED_GAMES[game.engine].family
        msg = f"game.family: {game} is settled by the family “{family}”. Write “{family}”."
        raise RefusedError(msg)
    return definition


def keep_definition(game: Game, text: str) -> FiledDefinition:
    """Check a definition and store its text in the archive."""
    definition = check_definition(game, text)
    stored = store_bytes(current_archive(), text.encode())
    return FiledDefinition(definition, stored.digest)


def definition_text(version: RuleVersion) -> str:
    """Return the text of a version's definition as filed; empty if it has none."""
    if not version.definition_file:
        return ""
    return read_bytes(current_archive(), version.definition_file).decode()


def definition_of(version: RuleVersion) -> Definition | None:
    """Return what a version's definition means; None if it has none.

    Rejects one that this release no longer reads as it was approved.
    """
    if not version.definition_file:
        return None
    definition = _read(version.definition_file)
    if definition is None or definition.digest != version.definition:
        msg = (
            f"{version}: this release does not read the definition as it was filed, so nothing is "
            "shown or settled by it. File it again as a new version."
        )
        raise RefusedError(msg)
    return definition


@lru_cache(maxsize=64)
def _read(file: str) -> Definition | None:
    try:
        return read_definition(read_bytes(current_archive(), file).decode())
    except DefinitionError:
        return None


def files_of_definitions() -> Iterator[Kept]:
    """Yield the text of every filed definition, and of drafts whose odds were counted."""
    filed = set()
    for version in RuleVersion.objects.select_related("game").order_by("id"):
        if version.definition_file:
            digest = version.definition_file
            filed.add(digest)
            yield Kept(digest, f"definition of {version}, {digest}")
    drafts = DefinitionOdds.objects.exclude(definition_file__in=filed)
    for digest in drafts.order_by("id").values_list("definition_file", flat=True):
        yield Kept(digest, f"draft of a definition, {digest}")
