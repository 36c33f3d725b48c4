import pytest

from tests.games.checks.lines import NO_HAND, chinese, found_of, hand, pick_2, pyramid
from tests.games.written_rounds import casino_seat, pick_2_seat, round_of

FOUND = [("limit.players", None, None)]
DEALER = ["Jc", "Qd 9s 2h", "4s 4h 4d 9c 9h"]


@pytest.mark.parametrize(("seats", "allowed"), [(1, False), (2, True), (4, True), (5, False)])
def test_chinese_poker_has_two_to_four_players(seats, allowed):
    # CP-1
    assert found_of(chinese(seats), "limit") == ([] if allowed else FOUND)


def test_void_round_of_one_player_is_flagged():
    assert found_of(chinese(1, void="power failure"), "limit") == FOUND


@pytest.mark.parametrize(("seats", "allowed"), [(1, False), (2, True), (9, True)])
def test_showdown_has_two_players_or_more(seats, allowed):
    # SD-1
    cards = " ".join(["2c"] * 20)
    result = {"showdown": 0, "surrender": 0, "pot": 0}
    gone = [{"cards": cards, "play": "surrender-20", "result": result} for _ in range(seats)]
    line = round_of("showdown", gone, chip=100, dealer=1)
    assert found_of(line, "limit") == ([] if allowed else FOUND)


@pytest.mark.parametrize(("seats", "allowed"), [(1, True), (6, True), (7, False)])
def test_casino_version_has_at_most_six_players(seats, allowed):
    # CV-1
    hands = [casino_seat(["As", "7d 7c Kh", "Qh Th 8h 5h 3h"]) for _ in range(seats)]
    house = {"cards": " ".join(DEALER), "hands": DEALER}
    line = round_of("casino-version", hands, house=house)
    assert found_of(line, "limit") == ([] if allowed else FOUND)


def test_players_with_several_hands_count_once():
    seats = [hand(player="p-1"), hand(player="p-1"), hand(), hand()]
    assert found_of(pyramid(*seats), "limit", {"players": 3}) == []
    assert found_of(pyramid(*seats), "limit", {"players": 2}) == FOUND
    assert found_of(pyramid(*seats), "limit") == []


def test_pick_2_counts_players_the_same_way():
    seats = [pick_2_seat(NO_HAND, "fold"), pick_2_seat(NO_HAND, "fold")]
    assert found_of(pick_2(*seats), "limit", {"players": 1}) == FOUND
