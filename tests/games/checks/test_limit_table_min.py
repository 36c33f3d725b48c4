import pytest

from tests.games.checks.lines import NO_HAND, found_of, hand, limits, pick_2, pyramid
from tests.games.replayed import replayed_alone, the
from tests.games.written_rounds import pick_2_seat


@pytest.mark.parametrize(("amount", "allowed"), [(99, False), (100, True)])
def test_wager_below_the_minimum_is_flagged(amount, allowed):
    # PP-3
    line, setup = pyramid(hand(amount, 100, 100)), limits(main=[100, 500])
    assert found_of(line, "limit", setup) == ([] if allowed else [("limit.table_min", 1, "main")])
    if not allowed:
        found = the(replayed_alone(line, setup), "limit.table_min")
        assert (found["logged"], found["expected"], found["delta"]) == (99, 100, 0)


def test_limits_of_another_table_do_not_apply():
    setup = {"limits": {"T2": {"main": [100, 500]}}}
    assert found_of(pyramid(hand(1, 100, 100)), "limit", setup) == []


def test_optional_bonus_has_its_minimum_once_placed():
    # P2-13
    line = pick_2(pick_2_seat(NO_HAND, "fold", bonus_5=100))
    assert found_of(line, "limit", limits(bonus_5=[101, 500])) == [
        ("limit.table_min", 1, "bonus_5")
    ]
