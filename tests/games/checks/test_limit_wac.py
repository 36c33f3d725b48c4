from tests.games.checks.lines import HOUSE, chinese, found_of, hand, limits, pyramid
from tests.games.replayed import replayed_alone, the
from tests.games.written_rounds import casino_seat, dealt_from, round_of


def test_cap_applies_to_every_single_wager():
    line = pyramid(hand(40_000, 40_001, 100))
    assert found_of(line, "limit", {"cap": 40_000}) == [("limit.wac", 1, "three_card")]
    found = the(replayed_alone(line, {"cap": 40_000}), "limit.wac")
    assert "WAC 230-15-140(1)" in found["cites"]


def test_units_and_the_houses_own_wager_have_no_cap():
    assert found_of(chinese(2, unit=900), "limit", {"cap": 1}) == []
    house = {**HOUSE, "wager": 900, "result": 0}
    banked = pyramid(hand(0, 100, 100), hand(), house=house, banker=1, bank=9999)
    assert found_of(banked, "limit", {"cap": 800}) == []


def test_casino_version_has_limits_and_the_cap():
    dealer = ["Jc", "Qd 9s 2h", "4s 4h 4d 9c 9h"]
    house = {"cards": dealt_from(dealer), "hands": dealer}
    seat = casino_seat(["As", "7d 7c Kh", "Qh Th 8h 5h 3h"], ante=500)
    line = round_of("casino-version", [seat], house=house)
    setup = {**limits(ante=[600, 900], buy_in=[1, 400]), "cap": 499}
    assert found_of(line, ("limit", "wager"), setup) == [
        ("limit.table_min", 1, "ante"),
        ("limit.wac", 1, "ante"),
        ("limit.table_max", 1, "buy_in"),
        ("limit.wac", 1, "buy_in"),
    ]
