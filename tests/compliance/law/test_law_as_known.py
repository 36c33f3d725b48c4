"""The commission adds values and verifications; existing ones never change."""

import json
from datetime import date, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from compliance.access.permissions import Role
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.law.reads import law_on, law_rules
from compliance.law.values import Grade
from compliance.law.writes import add_law_value, verify_law
from tests.compliance.people import person_as

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
CAP = "wager_house_banked"


def added(by, **changed):
    value = {
        "rule": CAP,
        "from_date": date(2026, 7, 1),
        "value": 50_000,
        "verified_through": date(2026, 7, 1),
        "citation": "WAC 230-15-140(1)",
        "filing": "WSR 26-12-001",
        "grade": Grade.CONFIRMED,
        "source": "the register, invented for this test",
    }
    return add_law_value(**{**value, **changed}, by=by)


def cap_on(day, **known):
    return next(value for value in law_on(day, **known) if value.rule == CAP)


def test_a_new_value_ends_the_one_before_on_its_day():
    added(person_as(Role.LICENSING))
    assert cap_on(date(2026, 6, 30)).value == 40_000
    assert cap_on(date(2026, 6, 30)).to == date(2026, 7, 1)
    assert cap_on(date(2026, 7, 1)).value == 50_000
    assert Event.objects.filter(type="law.value_added").count() == 1


def test_value_of_same_day_supersedes_the_one_before():
    by = person_as(Role.LICENSING)
    first = added(by, value=500)
    verify_law(rule=CAP, through=date(2026, 8, 1), source="read", by=by)
    second = added(by, value=50_000)
    assert second.supersedes == first
    values = law_rules()[CAP].values
    assert [(each.from_, each.value) for each in values[-2:]] == [
        (date(2023, 9, 25), 40_000),
        (date(2026, 7, 1), 50_000),
    ]
    # The verification was of the value that was wrong.
    assert values[-1].verified_through == date(2026, 7, 1)


def test_value_supersedes_one_from_another_day():
    by = person_as(Role.LICENSING)
    wrong = added(by, from_date=date(2026, 8, 1), verified_through=date(2026, 8, 1))
    added(by, supersedes=wrong)
    assert cap_on(date(2026, 6, 30)).value == 40_000
    assert cap_on(date(2026, 7, 15)).value == 50_000
    with pytest.raises(RefusedError, match="Only the newest value"):
        added(by, supersedes=wrong)


def test_superseded_value_counts_until_it_was_superseded():
    by = person_as(Role.LICENSING)
    added(by, value=500)
    between = timezone.now()
    added(by)
    assert cap_on(date(2026, 7, 1), known_at=between).value == 500


def test_value_from_same_day_replaces_a_shipped_one():
    added(person_as(Role.LICENSING), from_date=date(2023, 9, 25), value=30_000)
    values = law_rules()[CAP].values
    assert cap_on(date(2023, 9, 25)).value == 30_000
    assert [each.from_ for each in values].count(date(2023, 9, 25)) == 1


def test_what_was_known_at_an_earlier_instant_can_be_asked():
    before = timezone.now()
    added(person_as(Role.LICENSING))
    assert cap_on(date(2026, 7, 1), known_at=before - timedelta(seconds=1)).value == 40_000


def test_verification_extends_certainty_of_a_value():
    assert cap_on(date(2026, 1, 1)).carried_forward(date(2026, 1, 1))
    verify_law(
        rule=CAP, through=date(2026, 1, 31), source="code reviser", by=person_as(Role.DIRECTOR)
    )
    assert not cap_on(date(2026, 1, 1)).carried_forward(date(2026, 1, 1))
    assert cap_on(date(2026, 1, 1)).value == 40_000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rule": "no_such_rule"}, "no rule 'no_such_rule'"),
        ({"from_date": date(2023, 9, 24)}, "on file and do not change"),
        ({"from_date": date(2010, 1, 1)}, "on file and do not change"),
        ({"value": "plenty"}, "whole numbers"),
        ({"value": -1}, "not negative"),
        ({"value": None}, "unknown"),
        ({"grade": Grade.UNKNOWN}, "unknown"),
        ({"verified_through": date(2026, 6, 1)}, "on which it is in effect"),
        ({"source": " "}, "where this was read"),
    ],
)
def test_impossible_value_is_rejected_and_not_kept(change, message):
    with pytest.raises(RefusedError, match=message):
        added(person_as(Role.LICENSING), **change)
    assert law_rules()[CAP].values[-1].value == 40_000


@pytest.mark.parametrize(
    ("through", "message"),
    [(date(2025, 8, 1), "already"), (date(2999, 1, 1), "future day")],
)
def test_a_verification_that_says_nothing_new_is_refused(through, message):
    with pytest.raises(RefusedError, match=message):
        verify_law(rule=CAP, through=through, source="read", by=person_as(Role.LICENSING))


@pytest.mark.parametrize("role", [Role.AGENT, Role.OPERATOR_MANAGER, Role.ADMINISTRATOR])
def test_the_law_is_kept_by_licensing_and_the_director_alone(role):
    with pytest.raises(NotAllowedError):
        added(person_as(role))


def rows(capsys, *arguments):
    call_command("law", *arguments, "--json")
    return {row["rule"]: row for row in json.loads(capsys.readouterr().out)}


@pytest.mark.parametrize(
    ("day", "cents", "filing"),
    [
        ("2008-05-21", 20_000, "WSR 06-03-110"),
        ("2008-12-31", 20_000, "WSR 06-03-110"),
        ("2009-01-01", 30_000, "WSR 08-20-025"),
        ("2023-09-24", 30_000, "WSR 08-20-025"),
        ("2023-09-25", 40_000, "WSR 23-18-019"),
    ],
)
def test_the_command_gives_other_programs_the_row_in_effect(capsys, day, cents, filing):
    row = rows(capsys, "--at", day)[CAP]
    assert set(row) == {
        "rule",
        "scope",
        "value",
        "unit",
        "from",
        "to",
        "verified_through",
        "citation",
        "filing",
        "grade",
    }
    assert (row["value"], row["filing"], row["citation"]) == (cents, filing, "WAC 230-15-140(1)")


def test_command_states_what_is_unknown_or_carried_forward(capsys):
    assert rows(capsys, "--at", "2005-01-01")[CAP]["value"] is None
    assert rows(capsys, "--at", "2005-01-01")[CAP]["grade"] == "unknown"
    call_command("law", "--at", "2026-01-01")
    assert "carried forward since 2025-08-01" in capsys.readouterr().out


def test_a_day_that_is_none_is_explained():
    with pytest.raises(CommandError, match="written as 2008-05-21") as refused:
        call_command("law", "--at", "21.5.2008")
    assert refused.value.returncode == 2


def test_law_command_states_the_conditional_value_of_poker(capsys):
    # WAC 230-15-135(1)(c): $40, and $300 in house-banked and Class F rooms since 2016-12-23
    call_command("law", "--at", "2020-01-01", "--json")
    poker = [
        (row["scope"], row["value"])
        for row in json.loads(capsys.readouterr().out)
        if row["rule"] == "wager_nonhouse_banked"
    ]
    assert poker == [
        ("nonhouse-banked", 4_000),
        ("nonhouse-banked, only: house-banked and Class F rooms", 30_000),
    ]


def test_unit_of_chinese_poker_cites_the_commissions_rules():
    unit = law_rules()["unit_chinese_poker"].on(date(2020, 1, 1))
    assert "Thirteen Card" in unit.citation
    assert "WSR" not in unit.citation + unit.filing
