"""Any input ends in results or in an error that names line and field, never in anything else."""

from __future__ import annotations

import io
import json
from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.log.form import read_line
from games.log.lines import read_rounds
from games.rule_set import SLUGS
from games.settlement.verdict import Run
from games.setup import Setup, read_setup
from tests.games.answer_checked import answered
from tests.games.rounds.setups import random_setup
from tests.games.rounds.table import deal_table
from tests.games.written_rounds import as_line

ROUNDS = {
    slug: deal_table(Random(f"fuzz {slug}"), slug, "T1", 12, {}) for slug in SLUGS
}  # a dozen legal rounds of each game to start from

KEYS = [
    "v", "round", "game", "table", "at", "from", "deck", "decks", "shuffler", "void", "seats",
    "seat", "player", "cards", "low", "three", "play", "hands", "house", "wager", "banker", "bank",
    "wagers", "result", "main", "front", "natural", "unit", "scoring", "chip", "dealer", "x_a",
]  # fmt: skip
CARDS = ["As", "Jo", "Jo=As", "2c 2c 2c", "As Kd Qc Jh 9s", "Kd Ts 8c", "", "Ks  2c", "1x"]
WORDS = [*SLUGS, *CARDS, "surrender", "showdown", "last", "three", "five", "fold", "unit", "2-4",
         "six-pairs", "dragon", "red", "T1", "2026-11-17T20:15:03Z", "\ud7ff", "é",
         "a" * 65]  # fmt: skip

values = st.recursive(
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, -1, 2, 6, 100, 10**12, 10**12 + 1, 10**15, 2**63, 10**30])
    | st.sampled_from([0.5, 25.5, 1e300])
    | st.sampled_from(WORDS)
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=6,
)


def places(value, path=()):
    """Yield every place inside a JSON value."""
    yield path
    children = (
        value.items() if isinstance(value, dict)
        else enumerate(value) if isinstance(value, list) else ()
    )  # fmt: skip
    for key, child in children:
        yield from places(child, (*path, key))


@st.composite
def spoiled_rounds(draw):
    round_ = deepcopy(draw(st.sampled_from(ROUNDS[draw(st.sampled_from(SLUGS))])))
    for _ in range(draw(st.integers(0, 3))):
        *way, last = draw(st.sampled_from([path for path in places(round_) if path]))
        inner = round_
        for key in way:
            inner = inner[key]
        change = draw(st.sampled_from(["set", "drop", "add"]))
        if change == "set":
            inner[last] = draw(values)
        elif change == "drop":
            del inner[last]
        elif isinstance(inner, dict):
            inner[draw(st.sampled_from(KEYS))] = draw(values)
        else:
            inner.append(deepcopy(draw(st.sampled_from(inner))))
    return round_


@given(st.lists(spoiled_rounds(), min_size=1, max_size=4))
@settings(max_examples=300)
def test_spoiled_rounds_are_audited_or_rejected(rounds):
    run = Run(Setup())
    for round_ in rounds:
        answered(read_line(as_line(round_)[:-1]), run)
    run.close()


@pytest.mark.parametrize("slug", SLUGS)
@given(spoiled=st.lists(spoiled_rounds(), min_size=1, max_size=2), seed=st.integers(0, 10**6))
@settings(max_examples=60)
def test_no_setup_breaks_the_audit(slug, spoiled, seed):
    rng = Random(seed)
    run = Run(read_setup(json.dumps(random_setup(rng, slug, ["T1"]))))
    for round_ in [*spoiled, *rng.sample(ROUNDS[slug], 2)]:
        answered(read_line(as_line(round_)[:-1]), run)
    run.close()


@given(st.binary(max_size=300))
@settings(max_examples=300)
def test_any_bytes_are_lines_that_are_rejected_or_rounds(data):
    run = Run(Setup())
    for read in read_rounds(io.BytesIO(data)):
        answered(read, run)
    run.close()


@given(spoiled_rounds(), st.data())
@settings(max_examples=200)
def test_any_bytes_changed_in_a_round_end_in_an_answer(round_, data):
    line = bytearray(as_line(round_)[:-1])
    for _ in range(data.draw(st.integers(1, 4))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    run = Run(Setup())
    for read in read_rounds(io.BytesIO(bytes(line))):
        answered(read, run)
    run.close()


def test_amounts_at_their_limits_are_settled_exactly():
    """The largest wagers on the largest odds give whole cents beyond 2**53."""
    round_ = {
        "v": 1, "round": "R", "game": "pyramid-poker", "table": "T", "at": "2026-11-17T20:15:03Z",
        "house": {"cards": "As As As", "low": "As"},
        "seats": [{"seat": 1, "cards": "As As As", "low": "As",
                   "wagers": dict.fromkeys(("main", "three_card", "six_card"), 10**12),
                   "result": dict.fromkeys(("main", "three_card", "six_card"), -(10**15))}],
    }  # fmt: skip
    setup = read_setup('{"pay_tables": {"pyramid-poker": {"six_card": {"six_of_a_kind": 100000}}}}')
    answer = answered(read_line(as_line(round_)[:-1]), Run(setup))
    assert answer["seats"][0]["expected"]["six_card"] == 10**17
    # three of a kind on three cards: 20 to 1
    assert answer["seats"][0]["expected"]["three_card"] == 20 * 10**12
    assert {one["delta"] for one in answer["findings"] if one["seat"]} == {
        -(10**15) - 3 * 10**12, -(10**15) - 20 * 10**12, -(10**15) - 10**17,
    }  # fmt: skip
