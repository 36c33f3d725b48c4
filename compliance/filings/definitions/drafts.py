"""The draft of a definition: begun, saved part by part, and read back."""

from __future__ import annotations

import tomllib
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.filings.definitions.models import DefinitionDraft
from compliance.filings.definitions.toml import as_toml
from compliance.filings.documents.models import DocumentVersion
from compliance.filings.games.definitions import definition_text
from compliance.filings.games.models import RuleVersion
from compliance.filings.games.writes import require_owner
from games.definition.families import FAMILIES
from games.definition.named_games import NAMED_GAMES
from games.definition.read import LONGEST_TEXT
from games.rule_set import GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compliance.access.models import Person
    from compliance.filings.games.models import Game

UNANCHORED: Final = "rules"
"""The document of a clause whose words were not selected yet; it is the first one anchored."""
OF_FAMILY: Final = "family:"
OF_GAME: Final = "game:"
OF_VERSION: Final = "version:"


def beginnings(game: Game) -> list[tuple[str, str]]:
    """Return what a draft of a game's definition can start from, with what each is called."""
    filed = RuleVersion.objects.select_related("game").filter(definition__isnull=False)
    options = [
        (f"{OF_VERSION}{each.uuid}", f"{each}, as filed")
        for each in filed.order_by("game__name", "-number")
        if not game.engine or each.game_id == game.pk
    ]
    for slug, name in _built_in().items():
        if (slug == game.engine) if game.engine else (slug not in NAMED_GAMES):
            options.append((f"{OF_GAME}{slug}", f"{name}, as it comes with the system"))
    if not game.engine:
        options += [(f"{OF_FAMILY}{each}", f"Nothing, in the family {each}") for each in FAMILIES]
    return options


@transaction.atomic
def begin_draft(*, game: Game, start: str, by: Person) -> DefinitionDraft:
    """Begin a draft from a family, a game or a version on file.

    Clauses that come from another document keep their words, and are not anchored yet.
    """
    require_owner(by, game.supplier)
    if start not in dict(beginnings(game)):
        msg = "Choose what to start from in the list."
        raise RefusedError(msg)
    kind, _, of = start.partition(":")
    if f"{kind}:" == OF_FAMILY:
        data: dict[str, Any] = {"game": {"family": of, "deck": {"decks": 1}}}
    elif f"{kind}:" == OF_GAME:
        file = GAMES / of.replace("-", "_") / "definition.toml"
        data = without_anchors(tomllib.loads(file.read_text(encoding="utf-8")))
    else:
        version = RuleVersion.objects.select_related("game").get(uuid=of)
        data = tomllib.loads(definition_text(version))
        if version.game_id != game.pk:
            data = without_anchors(data)
    data["game"] = {**data["game"], "slug": game.slug, "name": game.name}
    draft, _ = DefinitionDraft.objects.update_or_create(
        game=game, defaults={"text": as_toml(data), "saved_by": by, "at": clock.now()}
    )
    return draft


def without_anchors(data: dict[str, Any]) -> dict[str, Any]:
    """Return a definition's data without its documents and the places in them."""
    clauses = [{**each, "source": {"of": UNANCHORED}} for each in data.get("clause", ())]
    return {key: each for key, each in data.items() if key != "source"} | {"clause": clauses}


@transaction.atomic
def save_draft(*, game: Game, data: Mapping[str, Any], seen: str, by: Person) -> DefinitionDraft:
    """Save a definition whole. Rejects a draft that was saved by another person meanwhile."""
    require_owner(by, game.supplier)
    with without_access_scope():
        draft = DefinitionDraft.objects.select_for_update().get(game=game)
    if digest_of(draft) != seen:
        msg = (
            f"{draft.saved_by} saved this definition while you were writing. Nothing of that was "
            "overwritten, and what you wrote is still on this page. Open the definition in another "
            "window, and enter your change there."
        )
        raise RefusedError(msg)
    text = as_toml(dict(data))
    if len(text) > LONGEST_TEXT:
        msg = f"The definition would have {len(text):,} characters; {LONGEST_TEXT:,} is the limit."
        raise RefusedError(msg)
    draft.text, draft.saved_by, draft.at = text, by, clock.now()
    draft.save()
    return draft


@transaction.atomic
def discard_draft(*, game: Game, by: Person) -> None:
    """Discard the draft of a game's definition; filed versions stay."""
    require_owner(by, game.supplier)
    DefinitionDraft.objects.filter(game=game).delete()


def draft_of(game: Game) -> DefinitionDraft | None:
    """Return the draft of a game's definition; None if there is none."""
    return DefinitionDraft.objects.select_related("saved_by").filter(game=game).first()


def data_of(draft: DefinitionDraft) -> dict[str, Any]:
    """Return what a draft says, as its file would."""
    return tomllib.loads(draft.text)


def documents_of(draft: DefinitionDraft) -> list[DocumentVersion]:
    """Return the versions of documents that a draft is anchored in."""
    sources = data_of(draft).get("source", {}).values()
    digests = [str(each.get("digest", "")).removeprefix("sha256:") for each in sources]
    found = DocumentVersion.objects.filter(files__sha256__in=digests).distinct()
    return list(found.select_related("document"))


def digest_of(draft: DefinitionDraft) -> str:
    """Return the SHA-256 of a draft, so that a stale page overwrites nothing."""
    return sha256(draft.text.encode()).hexdigest()


def _built_in() -> dict[str, str]:
    """Return the games that come with the system, by slug."""
    found = {}
    for file in sorted(GAMES.glob("*/definition.toml")):
        game = tomllib.loads(file.read_text(encoding="utf-8"))["game"]
        found[game["slug"]] = game["name"]
    return found
