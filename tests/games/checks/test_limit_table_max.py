import pytest

from tests.games.checks.lines import HOUSE, found_of, hand, limits, pyramid
from tests.games.replayed import replayed_alone, the


@pytest.mark.parametrize(("amount", "allowed"), [(500, True), (501, False)])
def test_wager_above_the_maximum_is_flagged(amount, allowed):
    # PP-3
    line, setup = pyramid(hand(amount, 100, 100)), limits(main=[100, 500])
    assert found_of(line, "limit", setup) == ([] if allowed else [("limit.table_max", 1, "main")])
    if not allowed:
        found = the(replayed_alone(line, setup), "limit.table_max")
        assert (found["logged"], found["expected"], found["delta"]) == (501, 500, 0)


def test_bankers_wagers_have_the_maximum_and_the_cap():
    house = {**HOUSE, "wager": 0, "result": 0}
    line = pyramid(hand(0, 600, 100), hand(), house=house, banker=1, bank=100)
    assert found_of(line, "limit", {**limits(three_card=[1, 500]), "cap": 550}) == [
        ("limit.table_max", 1, "three_card"),
        ("limit.wac", 1, "three_card"),
    ]
