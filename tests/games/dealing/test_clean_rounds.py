"""Rounds simulated without faults: nothing is wrong with them, and everything occurs."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from datetime import datetime, timedelta

import pytest

from games.rule_set import SLUGS
from games.setup import read_setup
from games.simulator.night import deal_night
from games.simulator.plan import Plan
from tests.games.both_readings import assert_agreement, engine_answers
from tests.games.dealing.plans import APPROVED, LIMITS, OPENING, SETUPS, TABLES
from tests.games.dealing.plans import dealt as deal
from tests.games.rounds.batches import Batch


def dealt(game, rounds, setup=None, **more):
    return [one.line for one in deal(game, rounds, setup or {}, **more)]


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
@pytest.mark.parametrize("game", SLUGS)
def test_both_readings_find_nothing_in_clean_rounds(game, setup, tmp_path):
    lines = [line + b"\n" for line in dealt(game, 400, setup, seed="clean")]
    batch = Batch(game, setup, lines)
    assert Counter(answer["status"] for answer in engine_answers(batch, tmp_path)) == {"ok": 400}
    assert_agreement(batch, tmp_path)


def test_the_same_plan_deals_the_same_bytes():
    digests = {
        game: hashlib.sha256(b"".join(dealt(game, 300, APPROVED, seed="bytes"))).hexdigest()[:16]
        for game in SLUGS
    }
    again = dealt("showdown", 300, APPROVED, seed="bytes")
    assert hashlib.sha256(b"".join(again)).hexdigest()[:16] == digests["showdown"]
    assert dealt("showdown", 300, APPROVED, seed="other") != again


def test_rounds_come_in_order_of_time_and_of_play():
    rounds = [json.loads(line) for line in dealt("pyramid-poker", 900)]
    times = [datetime.fromisoformat(each["at"]) for each in rounds]
    assert times == sorted(times)
    assert min(times) >= OPENING
    for table in TABLES:
        ids = [each["round"] for each in rounds if each["table"] == table]
        assert ids == sorted(ids)
        assert len(ids) > 200


def test_nothing_is_dealt_after_closing():
    closing = OPENING + timedelta(hours=2)
    rounds = [json.loads(line) for line in dealt("pick-2-poker", 10**6, closing=closing)]
    assert {each["table"] for each in rounds} == set(TABLES)
    assert max(datetime.fromisoformat(each["at"]) for each in rounds) < closing


def test_changed_setup_applies_from_its_instant():
    midnight = OPENING + timedelta(hours=3)
    higher = {"limits": {name: {**LIMITS, "main": [2_000, 10_000]} for name in TABLES}}
    plan = Plan(
        game="pyramid-poker", tables=TABLES, opening=OPENING,
        setup=read_setup(json.dumps(APPROVED)),
        later=((midnight, read_setup(json.dumps(higher))),), closing=midnight + timedelta(hours=3),
    )  # fmt: skip
    least = {False: 10**9, True: 10**9}
    for one in deal_night(plan):
        each = json.loads(one.line)
        mains = [seat["wagers"]["main"] for seat in each["seats"] if seat["wagers"]["main"]]
        later = datetime.fromisoformat(each["at"]) >= midnight
        least[later] = min(least[later], *mains) if mains else least[later]
    assert least == {False: 500, True: 2_000}


def test_what_may_occur_occurs():
    pyramid = [json.loads(line) for line in dealt("pyramid-poker", 6000, APPROVED)]
    banked = [each for each in pyramid if "banker" in each]
    assert len(banked) > 300
    assert any(each["house"]["wager"] for each in banked)
    assert {each.get("void") for each in pyramid} == {None, *APPROVED["void_reasons"]}
    chinese = [json.loads(line) for line in dealt("chinese-poker", 4000, APPROVED)]
    assert {each["scoring"] for each in chinese} <= {"unit", "2-4"}
    hands = [seat for each in chinese for seat in each["seats"]]
    assert {seat.get("natural") for seat in hands} > {None, "six-pairs", "three-straights"}
    assert any(seat.get("play") == "surrender" for seat in hands)
    pick_2 = [json.loads(line) for line in dealt("pick-2-poker", 2000)]
    assert {seat.get("play", "fold") for each in pick_2 for seat in each["seats"]} == {
        "three",
        "five",
        "fold",
    }
    showdown = [json.loads(line) for line in dealt("showdown", 1000)]
    plays = {seat["play"] for each in showdown for seat in each["seats"]}
    assert plays == {"surrender-20", "surrender-23", "showdown"}
    casino = [json.loads(line) for line in dealt("casino-version", 1000)]
    assert {seat["play"] for each in casino for seat in each["seats"]} == {"fold", "play"}


def test_two_decks_take_turns_at_a_table_with_a_shuffler():
    rounds = [json.loads(line) for line in dealt("pick-2-poker", 900)]
    for table in TABLES:
        of_table = [each for each in rounds if each["table"] == table]
        decks = [each.get("deck") for each in of_table if each.get("shuffler")]
        assert set(decks) <= {None} or all(a != b for a, b in itertools.pairwise(decks))


def test_deck_dealt_by_hand_never_returns_after_another():
    # P2-1
    rounds = [json.loads(line) for line in dealt("pick-2-poker", 2400, seed="three")]
    by_hand = [each for each in rounds if not each.get("shuffler")]
    names = {table: [] for table in TABLES}
    for each in by_hand:
        if each["deck"] not in names[each["table"]][-1:]:
            names[each["table"]].append(each["deck"])
    assert max(map(len, names.values())) > 2
    assert all(len(used) == len(set(used)) for used in names.values())
