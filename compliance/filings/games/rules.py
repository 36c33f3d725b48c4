"""The rules of a version as the shared checks, controls and pages know a game's rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from compliance.errors import RefusedError
from compliance.filings.games.definitions import definition_of
from compliance.filings.games.models import Game
from games.families.filed import UnsettledGame
from games.rule_set import as_rule_set, rule_set

if TYPE_CHECKING:
    from compliance.filings.games.models import RuleVersion
    from games.rule_set import RuleSet


def rules_of_version(version: RuleVersion) -> RuleSet:
    """Return the rules of a version: those of its definition, or else the engine's own.

    A game that no family settles has a name and who banks it, and no wagers or clauses.
    """
    game = version.game
    is_house_banked = game.banked_by == Game.Banking.HOUSE
    try:
        definition = definition_of(version)
    except RefusedError:
        definition = None
    if game.engine:
        return rule_set(game.engine) if definition is None else as_rule_set(definition)
    if definition is None:
        return UnsettledGame(game.slug, game.name, is_house_banked=is_house_banked).rules
    return replace(as_rule_set(definition), banked_by="house" if is_house_banked else "players")
