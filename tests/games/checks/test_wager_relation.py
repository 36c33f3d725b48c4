import pytest

from tests.games.checks.lines import NO_HAND, found_of, pick_2
from tests.games.replayed import replayed_alone, the
from tests.games.written_rounds import casino_seat, pick_2_seat, round_of

SET = ["As", "7d 7c Kh", "Qh Th 8h 5h 3h"]
DEALER = ["Jc", "Qd 9s 2h", "4s 4h 4d 9c 9h"]


def casino(seat):
    house = {"cards": " ".join(DEALER).replace(",", ""), "hands": DEALER}
    return round_of("casino-version", [seat], house=house)


@pytest.mark.parametrize("play", ["fold", "play"])
def test_buy_in_and_match_equal_the_ante(play):
    # CV-3, CV-I9
    seat = casino_seat(SET)
    if play == "fold":
        seat = {**seat, "cards": "As 7d 7c Kh Qh Th 8h", "play": "fold"}
        del seat["hands"]
    assert found_of(casino(seat), "wager") == []
    other = {**seat, "wagers": {"ante": 500, "buy_in": 1_000}}
    found = the(replayed_alone(casino(other)), "wager.relation")
    assert (found["seat"], found["wager"], found["delta"]) == (1, "buy_in", 0)
    assert (found["logged"], found["expected"]) == (1_000, 500)
    assert found["cites"] == ["CV-3", "CV-I9"]


@pytest.mark.parametrize(("play", "times"), [("three", 2), ("five", 1)])
def test_play_is_the_ante_or_twice_the_ante(play, times):
    # P2-4
    seat = pick_2_seat(NO_HAND, play, "Kd Jh 8c" if play == "three" else None)
    assert found_of(pick_2(seat), "wager") == []
    seat["wagers"]["play"] = (3 - times) * 100
    found = the(replayed_alone(pick_2(seat)), "wager.relation")
    assert (found["wager"], found["logged"], found["expected"]) == (
        "play", str((3 - times) * 100), str(times * 100),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("reading", "bonus_3_5", "bonus_5", "unrelated"),
    [
        ("bonus_5", 700, 100, []),
        ("bonus_5", 100, 0, []),
        ("bonus_5", 100, 200, ["bonus_5"]),
        ("bonus_3_5", 100, 700, []),
        ("bonus_3_5", 700, 100, ["bonus_3_5"]),
    ],
)
def test_one_bonus_equals_the_ante(reading, bonus_3_5, bonus_5, unrelated):
    # P2-3, P2-I10: the optional bonus may also be left out
    seat = pick_2_seat(NO_HAND, "fold", bonus_5=bonus_5)
    seat["wagers"]["bonus_3_5"] = bonus_3_5
    setup = {"interpretations": {"P2-I10": reading}}
    assert found_of(pick_2(seat), "wager", setup) == [
        ("wager.relation", 1, key) for key in unrelated
    ]
