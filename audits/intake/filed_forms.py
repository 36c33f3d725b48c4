"""Which lines of filed games have the right form: by the definitions on file at an instant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from audits.instants import microseconds
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.filings.games.definitions import definition_of
from compliance.filings.games.models import RuleVersion
from compliance.filings.requests.models import Approval
from compliance.filings.requests.reads import approved_rule_versions
from games.families.filed import FiledGame
from games.log.field_types import FormError
from games.log.form import read_filed
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from games.definition import Definition
    from games.log.form import LineObject
    from games.log.round import Round

    Reader = Callable[[LineObject], Round]


@dataclass(frozen=True)
class _Form:
    """The form of one approved version of a game's rules."""

    since: int
    """When its approval took effect, in microseconds since 1970."""
    game: FiledGame | None
    """None if no family settles it: then only what every line has is checked."""


class FiledForms(Mapping[str, "Reader"]):
    """The readers of filed games by short name, as what was on file at an instant says.

    A log that is read again, to repair a segment, must come out as it did when it was submitted.
    """

    def __init__(self, at: datetime) -> None:
        self._at = at
        self._readers: dict[str, Reader] = {}
        self._definitions: dict[str, list[Definition]] = {}

    def __getitem__(self, slug: str) -> Reader:
        """Return the reader of a game; a game that was never approved has none."""
        if slug in SLUGS:
            raise KeyError(slug)
        if slug not in self._readers:
            forms = self._forms(slug)
            if not forms:
                raise KeyError(slug)
            self._readers[slug] = partial(_read, forms)
            self._definitions[slug] = [each.game.definition for each in forms if each.game]
        return self._readers[slug]

    def definitions(self, slug: str) -> list[Definition] | None:
        """Return a game's approved definitions, the newest first; None for a game without any."""
        return self._definitions[slug] if slug in self else None

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)

    def _forms(self, slug: str) -> list[_Form]:
        """Return the forms of a game's approved versions, the newest first."""
        with without_access_scope():
            versions = RuleVersion.objects.filter(game__slug=slug, at__lte=self._at)
            found = []
            for version in versions.select_related("game").order_by("-number"):
                approval = Approval.objects.filter(
                    subject=version.uuid, kind=Approval.Kind.COMMISSION, at__lte=self._at
                ).first()
                if approval is not None:
                    found.append(_Form(microseconds(approval.in_effect_from), _game(version)))
            return found


def filed_definitions() -> dict[str, Definition]:
    """Return the newest approved definition of each filed game by short name, by game."""
    found: dict[str, Definition] = {}
    with without_access_scope():
        for version in approved_rule_versions():
            game = None if version.game.slug in {*SLUGS, *found} else _game(version)
            if game is not None:
                found[version.game.slug] = game.definition
    return found


def _game(version: RuleVersion) -> FiledGame | None:
    try:
        definition = definition_of(version)
    except RefusedError:
        return None
    return None if definition is None else FiledGame(definition)


def _read(forms: Sequence[_Form], line: LineObject) -> Round:
    """Check a line by the versions approved when the round ended, else by every approved one.

    Several may be dealt at once, each at its tables; the error is that of the newest.
    """
    played = read_filed(line)
    wrong = None
    for form in [each for each in forms if each.since <= played.at] or forms:
        if form.game is None:
            return played
        try:
            form.game.as_defined(played)
        except FormError as error:
            wrong = wrong or error
        else:
            return played
    if wrong is not None:
        raise wrong
    return played
