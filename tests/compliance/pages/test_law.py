"""The law in a browser: on any day, over the years, added to and verified by the commission."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from compliance.access.permissions import Role
from compliance.acts.models import ProposedAct
from compliance.events.models import Event
from compliance.law.models import LawAddition
from compliance.law.values import Grade
from compliance.law.writes import add_law_value
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import (
    browser_as,
    check_and_post,
    confirm_act,
    hidden,
    words,
)

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
RULE = "wager_house_banked"


def value(**changes: Any) -> dict[str, Any]:
    today = timezone.localdate()
    sent = {
        "from_date": today + timedelta(days=30),
        "value": "$300.00",
        "verified_through": today + timedelta(days=30),
        "citation": "WAC 230-15-140",
        "filing": "WSR 26-01-001",
        "grade": "confirmed",
        "source": "The register.",
        **changes,
    }
    return {f"add-{name}": each for name, each in sent.items()}


@pytest.mark.parametrize(
    ("on", "cap"),
    [
        ("2008-05-21", "$200.00"),
        ("2009-01-01", "$300.00"),
        ("2023-09-24", "$300.00"),
        ("2023-09-25", "$400.00"),
    ],
)
def test_everybody_signed_in_reads_the_law_of_a_day(on, cap):
    text = words(browser_as(Role.OPERATOR_CLERK).get(reverse("law"), {"on": on}))
    assert f"A single wager in a house-banked card game (house-banked) {cap}" in text


def test_unread_and_carried_forward_values_say_so():
    client = browser_as(Role.OPERATOR_CLERK)
    text = words(client.get(reverse("law"), {"on": "2015-01-01"}))
    assert "Unknown: not verified" in text
    assert "Nothing is known for this day" in words(
        client.get(reverse("law"), {"on": "1980-01-01"})
    )
    assert "carried forward since" in words(client.get(reverse("law")))


def test_invalid_day_is_refused_and_unknown_rule_is_404():
    client = browser_as(Role.OPERATOR_CLERK)
    assert client.get(reverse("law"), {"on": "yesterday"}).status_code == 422
    assert client.get(reverse("law"), {"rule": "no-such"}).status_code == 404
    assert "Add a value" not in words(client.get(reverse("law"), {"rule": RULE}))


def test_lower_cap_names_controls_it_affects():
    Room()  # its controls go up to $400
    client = browser_as(Role.DIRECTOR)
    text = words(client.post(reverse("add_law_value", args=[RULE]), value()))
    assert "Nothing has happened yet" in text
    assert "would not comply from" in text
    assert "$400.00 is above the cap of $300.00" in text
    assert "Filing WSR 26-01-001" in text
    assert not LawAddition.objects.exists()


def test_law_value_takes_effect_once_confirmed():
    licensing, director = browser_as(Role.LICENSING), browser_as(Role.DIRECTOR)
    address = reverse("add_law_value", args=[RULE])
    assert check_and_post(licensing, address, value()).status_code == 302
    assert not LawAddition.objects.exists()
    act = ProposedAct.objects.get()
    own = words(licensing.get(reverse("act", args=[act.uuid])))
    assert "You proposed this. A second person must confirm it." in own
    again = check_and_post(licensing, address, value())
    assert (again.status_code, "already proposed" in words(again)) == (422, True)
    assert "An act is waiting for you to confirm it" in words(director.get("/"))
    assert "The value is on file." in confirm_act(director, follow=True).text
    assert LawAddition.objects.get().value == 30_000
    kept = Event.objects.filter(type__startswith="act.").values_list("type", flat=True)
    assert [*kept.order_by("pk")] == ["act.proposed", "act.confirmed"]


def test_proposer_cannot_confirm_own_law_value():
    licensing = browser_as(Role.LICENSING)
    check_and_post(licensing, reverse("add_law_value", args=[RULE]), value())
    act = ProposedAct.objects.get()
    licensing.post(reverse("confirm_act", args=[act.uuid]), {"checked": "0" * 64})
    act.refresh_from_db()
    assert act.state == ProposedAct.State.PROPOSED
    assert not LawAddition.objects.exists()


def test_second_person_turns_a_law_value_down():
    licensing, director = browser_as(Role.LICENSING), browser_as(Role.DIRECTOR)
    check_and_post(licensing, reverse("add_law_value", args=[RULE]), value())
    act = ProposedAct.objects.get()
    address = reverse("turn_down_act", args=[act.uuid])
    assert director.post(address, {"down-reason": ""}).status_code == 422
    assert director.post(address, {"down-reason": "A digit is missing."}).status_code == 302
    assert "A digit is missing." in words(licensing.get(reverse("act", args=[act.uuid])))
    late = director.post(reverse("confirm_act", args=[act.uuid]), {"checked": "0" * 64})
    assert late.status_code == 302
    assert not LawAddition.objects.exists()


def test_five_dollar_cap_is_pointed_out():
    sent = value(value="5")
    text = words(browser_as(Role.LICENSING).post(reverse("add_law_value", args=[RULE]), sent))
    # $5.00 instead of $400.00 is 98.75 % less.
    assert "$5.00 is 99 % less than $400.00" in text


def test_act_that_changed_meanwhile_is_checked_again():
    licensing, director = browser_as(Role.LICENSING), browser_as(Role.DIRECTOR)
    check_and_post(licensing, reverse("add_law_value", args=[RULE]), value())
    act = ProposedAct.objects.get()
    seen = hidden(director.get(reverse("act", args=[act.uuid])), "checked")
    add_law_value(
        rule=RULE,
        from_date=timezone.localdate(),
        value=50_000,
        verified_through=timezone.localdate(),
        citation="WAC 230-15-140",
        filing="",
        grade=Grade.CONFIRMED,
        source="The register.",
        by=act.proposed_by,
    )
    says = director.post(reverse("confirm_act", args=[act.uuid]), {"checked": seen}, follow=True)
    assert "has changed since you looked" in says.text
    act.refresh_from_db()
    assert act.state == ProposedAct.State.PROPOSED


def test_answers_are_changed_before_they_are_confirmed():
    licensing = browser_as(Role.LICENSING)
    back = licensing.post(reverse("add_law_value", args=[RULE]), value() | {"change": "yes"})
    assert back.status_code == 200
    assert 'value="$300.00"' in back.text


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"value": "300.505"}, "no more than 2 decimal places"),
        ({"value": "-1"}, "greater than or equal to 0"),
        ({"value": "9" * 40}, "less than or equal to 10000000"),
        ({"value": "40000 cents"}, "is not an amount"),
        ({"value": ""}, "grade unknown"),
        ({"grade": "unknown"}, "grade unknown"),
        ({"from_date": "2020-01-01"}, "are on file and do not change"),
        ({"source": ""}, "required"),
    ],
)
def test_a_value_that_cannot_be_is_refused_in_words(changes, says):
    client = browser_as(Role.LICENSING)
    answer = client.post(reverse("add_law_value", args=[RULE]), value(**changes))
    assert answer.status_code == 422
    assert says in words(answer)
    assert not LawAddition.objects.exists()


def test_a_value_is_verified_through_a_day_that_has_come():
    client = browser_as(Role.LICENSING)
    address = reverse("verify_law", args=[RULE])
    today = timezone.localdate()
    late = {"verify-through": today + timedelta(days=1), "verify-source": "The code."}
    assert client.post(address, late).status_code == 422
    assert client.post(address, late | {"verify-through": today}).status_code == 302
    assert "carried forward" not in words(client.get(reverse("law"), {"rule": RULE}))
