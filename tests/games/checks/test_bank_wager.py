from tests.games.checks.lines import HOUSE, found_of, hand, limits, pyramid


def test_bankers_minimum_is_reported_as_bank_wager_alone():
    # PP-26
    house = {**HOUSE, "wager": 0, "result": 0}
    setup = limits(main=[100, 500], three_card=[100, 500], six_card=[100, 500])
    line = pyramid(hand(0, 0, 99), hand(), house=house, banker=1, bank=100)
    assert found_of(line, ("bank", "limit", "wager"), setup) == [
        ("bank.wager", 1, "six_card"),
        ("bank.wager", 1, "three_card"),
    ]
