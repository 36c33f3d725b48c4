"""`night.shoe`: a shoe that deals more copies of a card than it has, or out of order."""

from __future__ import annotations

import json

import numpy as np

from audits.intake.days.shoes import broken_shoes
from tests.audits.auditing.segments import made_segment
from tests.audits.replay.nights import dealt

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def through(rounds, *, decks=6):
    """Deal the rounds' seats anew, through one shoe that is not shuffled in between."""
    chance = np.random.default_rng(20251120)
    shoe = [CARDS[card] for card in chance.permutation(np.repeat(np.arange(52), decks))]
    for each in rounds:
        each |= {"v": 2, "shoe": "s-1", "decks": decks}
        for hand in (*each["seats"], each["house"]):
            hand["cards"] = " ".join(shoe.pop() for _ in range(3))
    return rounds


def broken(tmp_path, rounds):
    lines = [json.dumps(each).encode() + b"\n" for each in rounds]
    path = made_segment(tmp_path / "segment", lines, rounds[0]["game"])
    return [(each.table, each.says) for each in broken_shoes(path, rounds[0]["game"])]


def test_shoe_dealt_through_is_in_order(tmp_path):
    assert broken(tmp_path, through(dealt(10, tables=("T1",)))) == []


def test_seventh_copy_of_a_card_is_named_with_its_round(tmp_path):
    rounds = through(dealt(10, tables=("T1",)))
    missing = rounds[0]["seats"][0]["cards"].split()[0]
    for each in rounds[1:8]:
        other = each["seats"][0]["cards"].split()
        each["seats"][0]["cards"] = " ".join([missing, *other[1:]])
    (found,) = broken(tmp_path, rounds)
    assert found[0] == "T1"
    assert found[1].startswith(f"shoe s-1: {missing} dealt 7 times by round ")


def test_shoe_that_goes_on_after_another_is_out_of_order(tmp_path):
    rounds = through(dealt(10, tables=("T1",)))
    for each in rounds[4:7]:
        each["shoe"] = "s-2"
    says = f"shoe s-1 goes on with round {rounds[7]['round']}, after shoe s-2"
    assert broken(tmp_path, rounds) == [("T1", says)]


def test_two_decks_that_take_turns_may_have_two_shoes(tmp_path):
    rounds = dealt(10, game="pick-2-poker", tables=("T1",))
    for number, each in enumerate(rounds):
        each |= {"v": 2, "shoe": f"s-{number % 2}", "shuffler": True, "decks": 10}
        each.pop("deck", None)
    assert broken(tmp_path, rounds) == []
    for number, each in enumerate(rounds):
        each |= {"deck": "red" if number % 2 else "blue"}
    assert broken(tmp_path, rounds) == []


def test_log_without_shoes_is_silent(tmp_path):
    assert broken(tmp_path, dealt(10)) == []
