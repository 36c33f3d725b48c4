"""SETUP.json: everything may be left out, and nothing unknown is allowed."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rule_set import SLUGS, rule_set
from games.setup import Setup, SetupError, read_setup

WHOLE = {
    "interpretations": {"PP-I1": "dealer_wins", "X-I1": "high_or_low", "P2-I9": "any_suits"},
    "limits": {"T3": {"main": [500, 20000], "play": [0, 0]}},
    "cap": 40000,
    "players": 9,
    "max_aggregate": 500000,
    "banker": {"min": {"three_card": 100, "six_card": 100}},
    "chinese": {
        "scoring": ["unit", "2-4"],
        "bonuses": {"straight_flush": 4, "four_of_a_kind": 3, "full_house_middle": 1,
                    "trips_front": 2},
        "naturals": {"three-straights": 3, "three-flushes": 3, "six-pairs": 3, "dragon": 3},
        "surrender": 2,
    },
    "void_reasons": ["power failure", ""],
    "pay_tables": {"pyramid-poker": {"three_card": {"straight_flush": 50}}},
}  # fmt: skip


def read(setup):
    return read_setup(json.dumps(setup))


def test_an_empty_set_up_is_the_rules_own_defaults():
    assert read({}) == Setup()
    assert Setup().reading("PP-I1") == "push"


def test_every_part_is_read():
    setup = read(WHOLE)
    assert setup.reading("PP-I1") == "dealer_wins"
    assert setup.reading("PP-I13") == "list"
    assert setup.limits == {"T3": {"main": (500, 20000), "play": (0, 0)}}
    assert (setup.cap, setup.players, setup.max_aggregate) == (40000, 9, 500000)
    assert setup.banker_min == {"three_card": 100, "six_card": 100}
    assert setup.chinese.scoring == {"unit", "2-4"}
    assert setup.chinese.bonuses["straight_flush"] == 4
    assert setup.chinese.naturals["dragon"] == 3
    assert setup.chinese.surrender == 2
    assert setup.void_reasons == {"power failure", ""}


@pytest.mark.parametrize("part", WHOLE)
def test_every_part_may_be_left_out(part):
    read({key: value for key, value in WHOLE.items() if key != part})


def test_a_part_may_be_empty():
    assert read({part: {} for part in ("interpretations", "limits", "banker", "chinese",
                                       "pay_tables", "max_aggregate")}) == Setup()  # fmt: skip


def test_a_pay_table_replaces_single_lines():
    # lowest line first: one pair, flush, straight, three of a kind, straight flush, A-K-Q suited
    assert read(WHOLE).pays("pyramid-poker", "three_card").lines[:6] == (1, 2, 5, 20, 50, 50)
    assert Setup().pays("pyramid-poker", "three_card").lines[:6] == (1, 2, 5, 20, 30, 50)


def test_a_maximum_per_deal_is_by_game_and_wager():
    setup = read({"max_aggregate": {"pyramid-poker": {"six_card": 4000000},
                                    "pick-2-poker": {"bonus_5": 1}}})  # fmt: skip
    assert setup.max_aggregate is None
    assert setup.max_per_deal["pyramid-poker"] == {"six_card": 4000000}


@pytest.mark.parametrize(
    ("setup", "named"),
    [
        ([], "an object"),
        (5, "an object"),
        ({"interpretation": {}}, "interpretation"),
        ({"interpretations": []}, "interpretations"),
        ({"interpretations": {"PP-I99": "push"}}, "PP-I99"),
        ({"interpretations": {"QQ-I1": "push"}}, "QQ-I1"),
        ({"interpretations": {"PP-1": "push"}}, "PP-1"),
        ({"interpretations": {"PP-I1": "copy"}}, "copy"),
        ({"interpretations": {"PP-I1": 5}}, "5"),
        ({"interpretations": {"PP-I1": None}}, "PP-I1"),
        ({"interpretations": {"PP-I2": "dealer_wins"}}, "PP-I2"),
        ({"interpretations": {"PP-I8": "per_deal"}, "max_aggregate": 5}, "per_deal"),
        ({"limits": {"T1": {"mian": [1, 2]}}}, "mian"),
        ({"limits": {"T1": {"main": [1]}}}, "main"),
        ({"limits": {"T1": {"main": [2, 1]}}}, "main"),
        ({"limits": {"T1": {"main": [1.5, 2]}}}, "main"),
        ({"limits": {"T1": {"main": ["1", 2]}}}, "main"),
        ({"limits": {"T1": [1, 2]}}, "T1"),
        ({"cap": "40000"}, "cap"),
        ({"cap": 40000.0}, "cap"),
        ({"cap": -1}, "cap"),
        ({"cap": True}, "cap"),
        ({"cap": None}, "cap"),
        ({"cap": 10**20}, "cap"),
        ({"players": 8.5}, "players"),
        ({"max_aggregate": "5"}, "max_aggregate"),
        ({"max_aggregate": {"showdown": {}}}, "showdown"),
        ({"max_aggregate": {"casino-version": {}}}, "casino-version"),
        ({"max_aggregate": {"pyramid-poker": {"main": 5}}}, "main"),
        ({"max_aggregate": {"pick-2-poker": {"ante": 5}}}, "ante"),
        ({"banker": {"max": {}}}, "max"),
        ({"banker": {"min": {"main": 5}}}, "main"),
        ({"chinese": {"score": []}}, "score"),
        ({"chinese": {"scoring": "unit"}}, "scoring"),
        ({"chinese": {"scoring": ["3-5"]}}, "3-5"),
        ({"chinese": {"scoring": [1]}}, "scoring"),
        ({"chinese": {"bonuses": {"royal": 5}}}, "royal"),
        ({"chinese": {"naturals": {"six_pairs": 3}}}, "six_pairs"),
        ({"chinese": {"surrender": -2}}, "surrender"),
        ({"void_reasons": "fire"}, "void_reasons"),
        ({"void_reasons": [5]}, "void_reasons"),
        ({"pay_tables": {"showdown": {}}}, "showdown"),
        ({"pay_tables": {"pyramid-poker": {"main": {}}}}, "main"),
        ({"pay_tables": {"pyramid-poker": {"three_card": {"royal_flush": 5}}}}, "royal_flush"),
        ({"pay_tables": {"pyramid-poker": {"three_card": {"flush": 100_001}}}}, "flush"),
        ({"pay_tables": {"pyramid-poker": {"three_card": {"flush": 2.5}}}}, "flush"),
    ],
)
def test_what_is_unknown_or_of_the_wrong_kind_is_named(setup, named):
    with pytest.raises(SetupError, match=named):
        read(setup)


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"cap": 1, "cap": 1}', '{"limits": {"T1": {}, "T1": {}}}', '{"cap": NaN}',
     '{"cap": ' + "1" * 5000 + "}", "[" * 100_000, '{"cap": 1} {}',
     '{"void_reasons": ["\\ud800"]}', "[" * 100_000 + '"\\u0041"'],
)  # fmt: skip
def test_a_text_that_is_no_strict_json_is_refused(text):
    with pytest.raises(SetupError):
        read_setup(text)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_reading_of_every_interpretation_may_be_chosen(slug):
    for id_, question in rule_set(slug).interpretations.items():
        for reading in question.readings:
            assert read({"interpretations": {id_: reading}}).interpretations[id_] == reading


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*WHOLE, "min", "T1", "main", "pyramid-poker"]), inner)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(list(WHOLE)), json_values))
def test_any_set_up_is_read_or_refused(setup):
    with contextlib.suppress(SetupError):
        read_setup(json.dumps(setup))
