"""`schema GAME-or-DEFINITION`: the JSON Schema of a game's log lines."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from games.commands.call import CallError, refuse
from games.commands.definitions import definition_named
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Print the schema of one game's lines."""
    parser = argparse.ArgumentParser(
        prog="python -m games schema", description=__doc__, allow_abbrev=False
    )
    parser.add_argument(
        "game", metavar="GAME-or-DEFINITION", help=f"{', '.join(SLUGS)}, or a file, .toml"
    )
    parser.add_argument("--json", action="store_true", help="as data, which it always is")
    call = parser.parse_args(arguments)
    try:
        schema = _schema(call.game)
    except CallError as error:
        return refuse(error)
    json.dump(schema, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")
    return 0


def _schema(game: str) -> dict[str, Any]:
    if game in SLUGS:
        from games.log.reference import game_schema

        return game_schema(game)
    from games.families.filed import schema_of

    return schema_of(definition_named(game))
