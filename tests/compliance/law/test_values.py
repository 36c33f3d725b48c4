"""Legal limits on given days, as the regulation's history gives them."""

from datetime import date, timedelta

import pytest

from compliance.law.values import Grade, LawError, read_rule, shipped_rules

# Day, cents, citation as numbered on that day, filing: from the codified histories.
SINGLE_WAGERS = [
    ("2007-12-31", 20_000, "WAC 230-40-120", "WSR 06-03-110"),
    ("2008-05-21", 20_000, "WAC 230-15-140(1)", "WSR 06-03-110"),
    ("2008-12-31", 20_000, "WAC 230-15-140(1)", "WSR 06-03-110"),
    ("2009-01-01", 30_000, "WAC 230-15-140(1)", "WSR 08-20-025"),
    ("2023-08-19", 30_000, "WAC 230-15-140(1)", "WSR 08-20-025"),
    ("2023-09-24", 30_000, "WAC 230-15-140(1)", "WSR 08-20-025"),
    ("2023-09-25", 40_000, "WAC 230-15-140(1)", "WSR 23-18-019"),
    ("2026-01-01", 40_000, "WAC 230-15-140(1)", "WSR 23-18-019"),
]


@pytest.mark.parametrize(("day", "cents", "citation", "filing"), SINGLE_WAGERS)
def test_house_banked_cap_is_the_one_of_that_day(day, cents, citation, filing):
    value = shipped_rules()["wager_house_banked"].on(date.fromisoformat(day))
    assert value is not None
    assert (value.value, value.citation, value.filing) == (cents, citation, filing)


@pytest.mark.parametrize("day", ["2004-10-17", "2005-06-01", "2006-02-16"])
def test_unread_amendment_leaves_its_span_unknown(day):
    value = shipped_rules()["wager_house_banked"].on(date.fromisoformat(day))
    assert value is not None
    assert value.grade == Grade.UNKNOWN
    assert value.value is None


def test_before_anything_is_known_there_is_no_value():
    assert shipped_rules()["wager_house_banked"].on(date(1996, 12, 31)) is None


def test_expired_verification_is_carried_forward():
    value = shipped_rules()["wager_house_banked"].on(date(2025, 8, 2))
    assert value is not None
    assert value.carried_forward(date(2025, 8, 2))
    assert not value.carried_forward(date(2025, 8, 1))


def test_poker_had_forty_dollars_on_the_day_of_the_letters():
    value = shipped_rules()["wager_nonhouse_banked"].on(date(2008, 5, 21))
    assert value is not None
    assert (value.value, value.filing) == (4_000, "WSR 07-07-018")


@pytest.mark.parametrize("rule", shipped_rules().values(), ids=lambda rule: rule.name)
def test_every_value_is_found_from_its_first_day_to_its_last(rule):
    for value in rule.values:
        assert rule.on(value.from_) is value
        if value.to is not None:
            assert rule.on(value.to - timedelta(days=1)) is value
            assert rule.on(value.to) is not value


def entry(**value):
    first = {"from": date(2008, 1, 1), "to": date(2009, 1, 1), "value": 1, "grade": "confirmed"}
    rest = {"citation": "c", "filing": "f", "source": "s"}
    return {"says": "s", "scope": "s", "unit": "u", "value": [{**first, **rest, **value}]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"color": "red"}, "unknown key 'color'"),
        ({"grade": "unknown"}, "unknown value is left out"),
        ({"to": date(2007, 1, 1)}, "ends before it begins"),
        ({"verified_through": date(2025, 8, 1)}, "has ended has `to`"),
    ],
)
def test_a_value_that_is_not_as_it_must_be_is_named(change, message):
    with pytest.raises(LawError, match=message):
        read_rule("wagers.toml", "wager", entry(**change))
