import pytest

from tests.games.checks.lines import chinese, found_of


@pytest.mark.parametrize(("unit", "allowed"), [(1_000, True), (1_001, False)])
def test_unit_is_at_most_ten_dollars(unit, allowed):
    # CP-3
    expected = [] if allowed else [("limit.unit", None, None)]
    assert found_of(chinese(2, unit=unit), "limit") == expected
