"""The law in a browser: on any day, over the years, added to and verified by the commission."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from compliance.access.permissions import Role
from compliance.law.models import LawAddition
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import browser_as, words

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
RULE = "wager_house_banked"


def value(**changes: Any) -> dict[str, Any]:
    today = timezone.localdate()
    sent = {
        "from_date": today + timedelta(days=30),
        "value": "30,000",
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
    answer = client.post(reverse("add_law_value", args=[RULE]), value(), follow=True)
    text = words(answer)
    assert "The value is on file." in text
    assert "would not comply from" in text
    assert "$400.00 is above the cap of $300.00" in text
    assert "WSR 26-01-001" in text


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"value": "300.50"}, "whole number of cents"),
        ({"value": "-1"}, "whole number of cents"),
        ({"value": "9" * 40}, "whole number of cents"),
        ({"value": ""}, "grade unknown"),
        ({"grade": "unknown"}, "grade unknown"),
        ({"from_date": "2020-01-01"}, "is written"),
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
