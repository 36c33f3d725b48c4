"""Filed games for tests: their definitions, lines, and audits."""

import json

from games.commands.definitions import seed_definitions
from games.definition import read_definition
from games.families.filed import FiledGames
from games.log.form import Rejection
from games.setup import read_setup

SEEDS = seed_definitions()
TEXTS = {slug: path.read_text("utf-8") for slug, path in SEEDS.items()}


def definition_of(slug):
    return read_definition(TEXTS[slug])


def line(game, seats, **fields):
    head = {"v": 2, "round": "r-1", "table": "T1", "at": "2025-07-12T20:00:00-07:00"}
    return json.dumps({**head, "game": game, "seats": seats, **fields}).encode()


def read(text, *slugs):
    return FiledGames({slug: definition_of(slug) for slug in slugs}).read_line(text)


def audit(text, *slugs, setup="{}"):
    """Return the verdict on a line that is well formed."""
    definitions = {slug: definition_of(slug) for slug in slugs}
    games = FiledGames(definitions)
    run = games.run(read_setup(setup, definitions))
    try:
        round_ = games.read_line(text)
        assert not isinstance(round_, Rejection), round_
        return run.verdict(round_)
    finally:
        run.close()
