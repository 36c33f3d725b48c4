"""The JSON Schema of a line agrees with the parser, except where a schema can't."""

from __future__ import annotations

import json
from copy import deepcopy

from hypothesis import example, given, settings
from jsonschema import Draft202012Validator

from games.log.form import Rejection, read_line
from games.log.reference import EXAMPLE, json_schema
from tests.games.round_log.test_form import BANKED, CASINO, CHINESE, PICK_2, SHOWDOWN
from tests.games.test_fuzz import spoiled_rounds
from tests.games.written_rounds import as_line

SCHEMA = Draft202012Validator(json.loads(json_schema()))
BEYOND_A_SCHEMA = (
    "appears twice",
    "not one of the seats",
    "no such day",
    "more than 8 deep",
)


def void(round_: dict) -> dict:
    """Return the round as void, with nothing that a void round may omit."""
    round_ = {**deepcopy(round_), "void": ""}
    round_.pop("house", None)
    for seat in round_["seats"]:
        for key in ("cards", "low", "three", "play", "hands", "front", "middle", "back"):
            seat.pop(key, None)
    return round_


def folded(round_: dict) -> dict:
    """Return the round of Casino Version with every seat folded, and no hands of the dealer."""
    round_ = deepcopy(round_)
    for seat in round_["seats"]:
        seat["play"] = "fold"
    del round_["house"]["hands"]
    return round_


@given(spoiled_rounds())
@settings(max_examples=400)
@example(BANKED)
@example(void(BANKED))
@example(void(CHINESE))
@example({**void(CHINESE), "seats": [{"seat": 1, "cards": "As", "result": {"total": 0}}]})
@example(void(PICK_2))
@example(void(SHOWDOWN))
@example(folded(CASINO))
def test_json_schema_accepts_what_the_parser_accepts(round_):
    line = as_line(round_)[:-1]
    read = read_line(line)
    if SCHEMA.is_valid(json.loads(line)):
        assert not isinstance(read, Rejection) or any(
            reason in read.reason for reason in BEYOND_A_SCHEMA
        )
    else:
        assert isinstance(read, Rejection)


def test_example_of_the_reference_is_accepted():
    assert not isinstance(read_line(EXAMPLE.encode()), Rejection)
