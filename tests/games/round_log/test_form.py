"""Every way in which a line can have an invalid format, with its message; and valid lines."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from games.cards import show
from games.log.form import LONGEST_LINE, Rejection, read_line
from tests.games.written_rounds import (
    as_line,
    casino_seat,
    chinese_seat,
    dealt_from,
    pick_2_seat,
    pyramid_seat,
    round_of,
)

PYRAMID = round_of(
    "pyramid-poker",
    [pyramid_seat("As Jd 9c", "Jd"), pyramid_seat("Qs 9d 2c", "9d")],
    house={"cards": "Kd Ts 8c", "low": "Ts"},
)
BANKED = {
    **PYRAMID, "banker": 1, "bank": 1000, "house": {**PYRAMID["house"], "wager": 5, "result": -5}
}  # fmt: skip
PICK_2 = round_of(
    "pick-2-poker", [pick_2_seat("Kd Jh 8c 5s 2d", "fold")], house={"cards": "As Kd 9c 5h 3s"}
)
CHINESE_HANDS = "8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh"
CHINESE = round_of(
    "chinese-poker",
    [chinese_seat(CHINESE_HANDS), chinese_seat(CHINESE_HANDS)],
    unit=100,
    scoring="unit",
)
DEALER = ["Jc", "Qd 9s 2h", "4s 4h 4d 9c 9h"]
CASINO = round_of(
    "casino-version",
    [casino_seat(["As", "7d 7c Kh", "Qh Th 8h 5h 3h"])],
    house={"cards": dealt_from(DEALER), "hands": DEALER},
)
TWENTY = " ".join(["As Kd Qc Jh"] * 5)
SHOWDOWN = round_of(
    "showdown",
    [
        {"cards": TWENTY, "play": "surrender-20", "result": dict.fromkeys(
            ("showdown", "surrender", "pot"), 0)},
        {"cards": TWENTY, "play": "last", "result": dict.fromkeys(
            ("showdown", "surrender", "pot"), 0)},
    ],
    chip=100,
    dealer=1,
)  # fmt: skip
ROUNDS = {
    "pyramid": PYRAMID, "banked": BANKED, "pick_2": PICK_2, "chinese": CHINESE,
    "casino": CASINO, "showdown": SHOWDOWN,
}  # fmt: skip

ABSENT = object()


def changed(round_, path, value):
    """Return the round with one field at a dotted path set or removed."""
    copy = deepcopy(round_)
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    inner = copy
    for key in way:
        inner = inner[key]
    if value is ABSENT:
        del inner[last]
    else:
        inner[last] = value
    return copy


def read(round_):
    return read_line(as_line(round_)[:-1])


def rejection(round_):
    read_ = read(round_)
    assert isinstance(read_, Rejection), read_
    return read_


def raw(old, new):
    """Return the Pyramid round with a piece of its text replaced."""
    text = json.dumps(PYRAMID)
    assert old in text
    read_ = read_line(text.replace(old, new, 1).encode())
    assert isinstance(read_, Rejection), read_
    return read_


@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_a_round_of_every_game_is_of_the_form(round_):
    assert not isinstance(read(round_), Rejection)


def test_an_error_says_where_what_and_what_to_write_instead():
    message = rejection(changed(PYRAMID, "seats.1.wagers.main", "2550"))
    assert message.field == "seats[1].wagers.main"
    assert message.reason == (
        "seat 2: an amount is a whole number of cents; this line has the text"
        ' "2550": write it without the quotes'
    )
    message = raw('"main": 100', '"main": 25.50')
    assert message.reason.endswith("this line has 25.50. Write 2550")


@pytest.mark.parametrize(
    ("game", "path", "value", "field"),
    [
        # every round
        ("pyramid", "v", ABSENT, "v"),
        ("pyramid", "v", 3, "v"),
        ("pyramid", "v", "1", "v"),
        ("pyramid", "v", True, "v"),
        ("pyramid", "round", "", "round"),
        ("pyramid", "round", "a" * 65, "round"),
        ("pyramid", "round", "a b", "round"),
        ("pyramid", "round", "é", "round"),
        ("pyramid", "round", "a\n", "round"),
        ("pyramid", "round", 7, "round"),
        ("pyramid", "game", "poker", "game"),
        ("pyramid", "game", "Pyramid-Poker", "game"),
        ("pyramid", "table", "t" * 33, "table"),
        ("pyramid", "table", None, "table"),
        ("pyramid", "at", "2026-11-17T20:15:03", "at"),
        ("pyramid", "at", "2026-11-17 20:15:03Z", "at"),
        ("pyramid", "at", "2026-02-30T20:15:03Z", "at"),
        ("pyramid", "at", "2026-11-17T24:00:00Z", "at"),
        ("pyramid", "at", "2026-11-17T20:60:00Z", "at"),
        ("pyramid", "at", "2026-11-17T20:15:61Z", "at"),
        ("pyramid", "at", "2026-11-17T20:15:03+24:00", "at"),
        ("pyramid", "at", "2026-11-17T20:15:03+08", "at"),
        ("pyramid", "at", "0000-01-01T00:00:00Z", "at"),
        ("pyramid", "at", "２０26-11-17T20:15:03Z", "at"),
        ("pyramid", "at", 1700000000, "at"),
        ("pyramid", "from", "yesterday", "from"),
        ("pyramid", "from", None, "from"),
        ("pyramid", "deck", 1, "deck"),
        ("pyramid", "deck", None, "deck"),
        ("pyramid", "decks", 0, "decks"),
        ("pyramid", "decks", 101, "decks"),
        ("pyramid", "decks", "6", "decks"),
        ("pyramid", "shuffler", 1, "shuffler"),
        ("pyramid", "shuffler", None, "shuffler"),
        ("pyramid", "void", False, "void"),
        ("pyramid", "seats", [], "seats"),
        ("pyramid", "seats", {}, "seats"),
        ("pyramid", "seats", [1], "seats[0]"),
        ("pyramid", "seats.1.seat", 1, "seats[1].seat"),
        ("pyramid", "seats.0.seat", 0, "seats[0].seat"),
        ("pyramid", "seats.0.seat", True, "seats[0].seat"),
        ("pyramid", "seats.0.player", "", "seats[0].player"),
        ("pyramid", "seats.0.player", "Ann Lee", "seats[0].player"),
        ("pyramid", "seats.0.player", None, "seats[0].player"),
        ("pyramid", "seats.0.player", "p" * 65, "seats[0].player"),
        # fields that aren't listed
        ("pyramid", "tabel", 1, "tabel"),
        ("pyramid", "house.hands", [], "house.hands"),
        ("pyramid", "seats.0.hands", [], "seats[0].hands"),
        ("pyramid", "seats.0.wagers.ante", 1, "seats[0].wagers.ante"),
        ("pyramid", "seats.0.result.total", 1, "seats[0].result.total"),
        ("pyramid", "unit", 100, "unit"),
        ("pyramid", "X_note", 1, "X_note"),
        # money
        ("pyramid", "seats.0.wagers.main", -1, "seats[0].wagers.main"),
        ("pyramid", "seats.0.wagers.main", 10**12 + 1, "seats[0].wagers.main"),
        ("pyramid", "seats.0.wagers.main", None, "seats[0].wagers.main"),
        ("pyramid", "seats.0.wagers.main", ABSENT, "seats[0].wagers.main"),
        ("pyramid", "seats.0.wagers.main", [], "seats[0].wagers.main"),
        ("pyramid", "seats.0.wagers.main", False, "seats[0].wagers.main"),
        ("pyramid", "seats.0.wagers", 5, "seats[0].wagers"),
        ("pyramid", "seats.0.wagers", ABSENT, "seats[0].wagers"),
        ("pyramid", "seats.0.result.main", 10**15 + 1, "seats[0].result.main"),
        ("pyramid", "seats.0.result.main", -(10**15) - 1, "seats[0].result.main"),
        ("pyramid", "seats.0.result", None, "seats[0].result"),
        ("chinese", "unit", 0, "unit"),
        ("chinese", "unit", 10**12 + 1, "unit"),
        ("showdown", "chip", 0, "chip"),
        # cards
        ("pyramid", "seats.0.cards", "As  Jd 9c", "seats[0].cards"),
        ("pyramid", "seats.0.cards", " As Jd 9c", "seats[0].cards"),
        ("pyramid", "seats.0.cards", "as Jd 9c", "seats[0].cards"),
        ("pyramid", "seats.0.cards", "10s Jd 9c", "seats[0].cards"),
        ("pyramid", "seats.0.cards", "As,Jd,9c", "seats[0].cards"),
        ("pyramid", "seats.0.cards", "Jo=As Jd 9c", "seats[0].cards"),
        ("pyramid", "seats.0.cards", ["As", "Jd", "9c"], "seats[0].cards"),
        ("pyramid", "seats.0.cards", ABSENT, "seats[0].cards"),
        ("pyramid", "seats.0.low", "Jo", "seats[0].low"),
        ("pyramid", "seats.0.low", "Jo=Jo", "seats[0].low"),
        ("pyramid", "seats.0.low", ABSENT, "seats[0].low"),
        ("pyramid", "house", ABSENT, "house"),
        ("pyramid", "house.low", ABSENT, "house.low"),
        # a player's bank
        ("pyramid", "bank", 5, "bank"),
        ("pyramid", "house.wager", 5, "house.wager"),
        ("pyramid", "house.result", 5, "house.result"),
        ("banked", "banker", 9, "banker"),
        ("banked", "banker", None, "banker"),
        ("banked", "bank", ABSENT, "bank"),
        ("banked", "bank", -1, "bank"),
        ("banked", "house.wager", ABSENT, "house.wager"),
        ("banked", "house.result", ABSENT, "house.result"),
        # the other games
        ("pick_2", "seats.0.play", "check", "seats[0].play"),
        ("pick_2", "seats.0.play", ABSENT, "seats[0].play"),
        ("pick_2", "seats.0.play", "three", "seats[0].three"),
        ("pick_2", "house.three", "Jo Kd 9c", "house.three"),
        ("pick_2", "house.low", "Kd", "house.low"),
        ("chinese", "scoring", "3-5", "scoring"),
        ("chinese", "scoring", ABSENT, "scoring"),
        ("chinese", "seats.0.front", ABSENT, "seats[0].front"),
        ("chinese", "seats.0.front", "Jo 2c 3c", "seats[0].front"),
        ("chinese", "seats.0.cards", "As", "seats[0].cards"),
        ("chinese", "seats.0.play", "fold", "seats[0].play"),
        ("chinese", "seats.0.play", "surrender", "seats[0].front"),
        ("chinese", "seats.0.natural", "royal", "seats[0].natural"),
        ("chinese", "seats.0.wagers", {}, "seats[0].wagers"),
        ("casino", "seats.0.hands", ["As", "7d 7c Kh"], "seats[0].hands"),
        ("casino", "seats.0.hands", ["As", "7d 7c Kh", 5], "seats[0].hands[2]"),
        ("casino", "seats.0.hands", ["As", "Jo 7c Kh", "2c"], "seats[0].hands[1]"),
        ("casino", "seats.0.hands", ABSENT, "seats[0].hands"),
        ("casino", "house.hands", ABSENT, "house.hands"),
        ("showdown", "dealer", 3, "dealer"),
        ("showdown", "dealer", ABSENT, "dealer"),
        ("showdown", "seats.0.hands", ["As"] * 6, "seats[0].hands"),
        ("showdown", "seats.0.play", "showdown", "seats[0].hands"),
        ("showdown", "seats.0.play", "fold", "seats[0].play"),
    ],
)  # fmt: skip
def test_malformed_line_is_rejected_at_its_field(game, path, value, field):
    message = rejection(changed(ROUNDS[game], path, value))
    assert message.field == field
    assert message.reason


@pytest.mark.parametrize(
    ("game", "path", "value"),
    [
        ("pyramid", "round", "A-z_0.9:" + "x" * 56),
        ("pyramid", "at", "2026-11-17t20:15:60.123456789z"),
        ("pyramid", "at", "2026-11-17T20:15:03-00:00"),
        ("pyramid", "from", "2026-11-17T20:10:03-08:00"),
        ("pyramid", "deck", ""),
        ("pyramid", "decks", 100),
        ("pyramid", "void", None),
        ("pyramid", "x_note", [{"any": 25.5}]),
        ("pyramid", "house.x_camera", 4),
        ("pyramid", "seats.0.x_a", None),
        ("pyramid", "seats.0.wagers.x_tip", 1.5),
        ("pyramid", "seats.0.result.x_tip", 1),
        ("pyramid", "seats.0.wagers.main", 0),
        ("pyramid", "seats.0.wagers.main", 10**12),
        ("pyramid", "seats.0.result.main", -(10**15)),
        ("pyramid", "seats.0.cards", "Jo As"),
        ("pyramid", "seats.0.low", "Jo=As 2c"),
        ("pyramid", "seats.0.cards", ""),
        ("pyramid", "house.low", ""),
        ("pick_2", "house.three", ""),
        ("chinese", "seats.0.back", ""),
        ("showdown", "seats.0.cards", ""),
        ("pyramid", "seats.0.seat", 4711),
        ("pick_2", "seats.0.three", "2c"),
        ("pick_2", "house.three", "2c 2d 2h 2s"),
        ("chinese", "seats.0.natural", "six-pairs"),
        ("casino", "seats.0.play", "fold"),
    ],
)
def test_what_the_contract_allows_is_of_the_form(game, path, value):
    read_ = read(changed(ROUNDS[game], path, value))
    assert not isinstance(read_, Rejection), read_


@pytest.mark.parametrize("game", ROUNDS)
def test_void_round_may_omit_cards_but_no_money(game):
    round_ = deepcopy(ROUNDS[game])
    round_["void"] = ""
    round_.pop("house", None)
    for seat in round_["seats"]:
        for name in ("cards", "low", "three", "play", "hands", "front", "middle", "back"):
            seat.pop(name, None)
    assert not isinstance(read(round_), Rejection)
    for name in ("result", "wagers"):
        if name in round_["seats"][0]:
            assert rejection(changed(round_, f"seats.0.{name}", ABSENT)).field == f"seats[0].{name}"


def test_a_void_round_may_show_some_of_its_cards():
    round_ = {**changed(PYRAMID, "seats.0.low", ABSENT), "void": "fire", "house": {"cards": "Kd"}}
    assert show(read(round_).house.cards) == "Kd"
    chinese = changed({**CHINESE, "void": "fire"}, "seats.0.back", ABSENT)
    assert read(chinese).seats[0].hands[2] == b""
    cards_only = {"seat": 1, "cards": "As Kd", "result": {"total": 0}}
    shown = changed({**CHINESE, "void": "fire"}, "seats.0", cards_only)
    assert show(read(shown).seats[0].cards) == "As Kd"
    assert rejection(changed(shown, "seats.0.back", "As")).field == "seats[0].back"


def test_casino_version_dealer_need_not_set_after_folds():
    folded = changed(CASINO, "seats.0.play", "fold")
    del folded["house"]["hands"]
    assert read(folded).house.hands == ()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "empty"),
        (b" \t\r", "empty"),
        (b"\xef\xbb\xbf" + json.dumps(PYRAMID).encode(), "byte-order mark"),
        (b"\xff\xfe", "byte 1 (0xff)"),
        (json.dumps(PYRAMID).encode("utf-16"), "not UTF-8"),
        (b"{", "not JSON"),
        (b"{} {}", "not JSON"),
        (b"{'v': 1}", "not JSON"),
        (b'{"v": 1,}', "not JSON"),
        (b'{"v": NaN}', "NaN"),
        (b'{"v": -Infinity}', "-Infinity"),
        (b'{"v": 01}', "not JSON"),
        (b'{"deck": "\x01"}', "not JSON"),
        (b'{"x_a": "\\ud800"}', "surrogate"),
        (b"null", "not null"),
        (b"[]", "not a list"),
        (b"1e5", "not 1e5"),
        (b'"' + b"a" * 100 + b'"', "a…"),
        (b"[" * 500_000, "more than 8 deep"),
        (b'{"x_a":' * 100_000, "more than 8 deep"),
        (b" " * (LONGEST_LINE + 1), "1 MiB"),
    ],
)  # fmt: skip
def test_a_line_that_holds_no_round_says_what_it_is(line, says):
    message = read_line(line)
    assert isinstance(message, Rejection)
    assert says in message.reason
    assert (message.field, message.round, message.table) == (None, None, None)


@pytest.mark.parametrize(
    ("literal", "shown"),
    [
        ("25.50", "25.50. Write 2550"),
        ("100.0", "has 100.0"),
        ("1e2", "has 1e2"),
        ("1" + "0" * 5000, "has 1000"),
        ("-1" + "0" * 30, "has -1000"),
        ("true", "has true"),
        ("null", "has null"),
        ("{}", "has an object"),
        ("-5", "has -5"),
    ],
)
def test_non_integer_amount_is_shown_as_written(literal, shown):
    assert shown in raw('"main": 100', f'"main": {literal}').reason


def test_minus_zero_is_an_integer_literal():
    text = json.dumps(PYRAMID).replace('"main": 100', '"main": -0', 1)
    assert not isinstance(read_line(text.encode()), Rejection)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('"v": 1', '"v": 1, "v": 1', "v"),
        ('"low": "Ts"', '"low": "Ts", "low": "Ts"', "house.low"),
        ('"main": 100', '"main": 100, "main": 100', "seats[0].wagers.main"),
        ('"v": 1', '"v": 1, "x_a": [{"b": 1, "b": 1}]', "x_a"),
        ('"v": 1', '"v": 1, "x_a": 1, "x_a": 1', "x_a"),
        ('"v": 1', '"v": 1, "\\u0076": 1', "v"),
    ],
)
def test_a_key_given_twice_is_rejected_wherever_it_stands(old, new, field):
    message = raw(old, new)
    assert message.field == field
    assert "twice" in message.reason


@pytest.mark.parametrize("depth", range(6, 10))
def test_nesting_deeper_than_eight_is_rejected(depth):
    # the line's own object is the first level, the seat's the third
    inner = "[" * (depth - 3) + "]" * (depth - 3)
    text = json.dumps(PYRAMID).replace('"seat": 1', f'"seat": 1, "x_a": {inner}', 1)
    assert isinstance(read_line(text.encode()), Rejection) is (depth > 8)


def test_rejected_line_names_round_and_table_if_readable():
    message = rejection(changed(PYRAMID, "v", 3))
    assert (message.round, message.table) == ("R-1", "T1")
    message = rejection(changed(PYRAMID, "round", "not an id"))
    assert (message.round, message.table) == (None, "T1")
    message = raw('"round": "R-1"', '"round": "R-1", "round": "R-2"')
    assert (message.round, message.table) == (None, "T1")


def test_misspelled_field_suggests_the_right_one():
    renamed = changed(PYRAMID, "tabel", "T1")
    del renamed["table"]
    assert "this line has `tabel`" in rejection(renamed).reason
    message = rejection(changed(PYRAMID, "decs", 6))
    assert "did you mean `decks`?" in message.reason
    assert "did you mean `banker`?" in rejection(changed(PYRAMID, "bankr", 1)).reason
    void = {**changed(PYRAMID, "house", ABSENT), "void": "", "hous": {}}
    assert "did you mean `house`?" in rejection(void).reason
    assert "did you mean" not in rejection(changed(SHOWDOWN, "seats.0.hand", [])).reason


def test_what_a_hostile_line_holds_is_shown_short():
    for path, value in (("round", "x" * 10_000), ("x" * 10_000, 1), ("seats.0.cards", "y" * 9999)):
        assert len(rejection(changed(PYRAMID, path, value)).reason) < 300


def test_times_become_instants():
    assert read(PYRAMID).at == 1_557_026_103_000_000  # 2019-05-05T03:15:03Z
    leap = changed(PYRAMID, "at", "2016-12-31T23:59:60Z")
    assert read(leap).at == 1_483_228_800_000_000  # the second after it
    fine = changed(PYRAMID, "at", "1970-01-01T00:00:00.1234567Z")
    assert read(fine).at == 123_456
