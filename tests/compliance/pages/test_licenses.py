"""Licenses and compacts: kept by licensing in a browser, and read by those they concern."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compliance.access.permissions import Role
from compliance.filings.licenses.models import Compact, License
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, person_as

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
GRANT = {
    "holder": "room",
    "kind": "house_banked",
    "number": "67-1",
    "issuer": "commission-unit",
    "from_date": "2025-01-01",
    "to_date": "",
}


@pytest.fixture
def licensing():
    return browser_as(Role.LICENSING)


@pytest.fixture
def manager():
    return browser_of(person_as(Role.OPERATOR_MANAGER, "room"))


def test_license_is_granted_suspended_and_visible(licensing, manager):
    assert licensing.post(reverse("grant_license"), GRANT).status_code == 302
    twice = licensing.post(reverse("grant_license"), GRANT)
    assert (twice.status_code, "is on file" in words(twice)) == (422, True)
    address = reverse("license", args=[License.objects.get().uuid])
    change = {
        "change-effect": "suspended",
        "change-from_date": "2025-06-01",
        "change-reason": "Fees.",
    }
    assert manager.post(f"{address}change/", change).status_code == 404
    assert licensing.post(f"{address}change/", change | {"change-reason": " "}).status_code == 422
    assert licensing.post(f"{address}change/", change).status_code == 302
    text = words(manager.get(address))
    assert "Suspended from June 1, 2025: Fees." in text
    assert "Change license" not in text
    other = browser_as(Role.OPERATOR_MANAGER, "other")
    assert other.get(address).status_code == 404
    assert "67-1" not in words(other.get(reverse("licenses")))


@pytest.mark.usefixtures("manager")
def test_a_license_that_ends_before_it_begins_is_refused(licensing):
    answer = licensing.post(reverse("grant_license"), GRANT | {"to_date": "2024-01-01"})
    assert (answer.status_code, "ends after it begins" in words(answer)) == (422, True)
    assert not License.objects.exists()


def test_a_compact_and_its_values_are_entered(licensing):
    reviewer = browser_as(Role.AGENCY_REVIEWER, "agency")
    compact = {
        "agency": "agency",
        "title": "A compact",
        "from_date": "1996-03-01",
        "source": "Invented",
    }
    assert licensing.post(reverse("enter_compact"), compact).status_code == 302
    value = {
        "compact": Compact.objects.get().uuid,
        "rule": "wager",
        "from_date": "1995-01-01",
        "value": "50000",
        "grade": "confirmed",
        "citation": "Appendix B",
    }
    early = licensing.post(reverse("add_compact_value"), value)
    assert (early.status_code, "holds from 1996-03-01" in words(early)) == (422, True)
    given = licensing.post(reverse("add_compact_value"), value | {"from_date": "1996-09-01"})
    assert given.status_code == 302
    assert "$500.00 from September 1, 1996; Appendix B" in words(reviewer.get(reverse("licenses")))
    assert reviewer.post(reverse("enter_compact"), compact).status_code == 404
    unread = value | {"from_date": "1997-01-01", "value": ""}
    assert licensing.post(reverse("add_compact_value"), unread).status_code == 422


def test_license_list_queries_do_not_grow(licensing, manager):
    counts = []
    for number in range(3):
        licensing.post(reverse("grant_license"), GRANT | {"number": f"67-{number}"})
        licensing.get(reverse("licenses"))
        with CaptureQueriesContext(connection) as queries:
            licensing.get(reverse("licenses"))
        counts.append(len(queries))
    assert counts[0] == counts[-1]
    assert party_for(Role.OPERATOR_MANAGER, "room").name in words(manager.get(reverse("licenses")))
