"""The JSON Schema of the lines of filed games agrees with their reader."""

import json

import pytest
from jsonschema import Draft202012Validator

from games.families.examples import LINE
from games.families.filed import FiledGames, schema_of
from games.log.form import Rejection
from tests.games.families.filed_games import SEEDS, definition_of


@pytest.mark.parametrize("slug", SEEDS)
def test_schema_accepts_what_the_reader_accepts(slug):
    definition = definition_of(slug)
    validator = Draft202012Validator(schema_of(definition))
    reader = FiledGames({slug: definition})
    for example in definition.examples:
        line = {**LINE, "game": slug, **example.round}
        validator.validate(line)
        for key in ("seats", "v", "game"):
            broken = {name: value for name, value in line.items() if name != key}
            assert not validator.is_valid(broken)
            assert isinstance(reader.read_line(json.dumps(broken).encode()), Rejection)
        for seat in line["seats"][:1]:
            del seat["result"]
            assert not validator.is_valid(line)
