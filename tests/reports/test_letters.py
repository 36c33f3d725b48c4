"""Letters of decisions come by themselves, once, and their holder sees them."""

from __future__ import annotations

import pytest
from django.urls import reverse

from compliance.services.requests import refuse_request
from compliance.walls import without_walls
from reports.models import Report, ReportOrder
from reports.services.letters import order_letters
from reports.services.orders import make_next
from tests.compliance.games.filing import approved, maker_and_officer, under_review
from tests.compliance.pages.browsing import browser_of, words

pytestmark = pytest.mark.django_db


def test_an_approval_has_its_letter_once_and_the_holder_reads_it():
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    assert order_letters() == 1
    assert order_letters() == 0
    assert make_next().state == "made"
    assert order_letters() == 0
    with without_walls():
        letter = Report.objects.get()
    assert letter.subject == approval.uuid
    browser = browser_of(maker)
    assert letter.title in words(browser.get(reverse("reports")))
    assert browser.get(reverse("report_file", args=[letter.uuid])).status_code == 200


def test_a_denial_has_its_letter_and_the_one_who_asked_reads_the_reasons():
    maker, officer = maker_and_officer()
    refuse_request(
        request=under_review(maker, officer), reasons="The wager has no limit.", by=officer
    )
    assert order_letters() == 1
    make_next()
    with without_walls():
        letter = Report.objects.get(kind="denial_letter")
    page = words(browser_of(maker).get(reverse("report", args=[letter.uuid])))
    assert "The wager has no limit." in page


def test_a_letter_that_failed_is_not_ordered_anew_but_waits_for_somebody_who_mends_it(settings):
    approved(*maker_and_officer())
    settings.REPORT_KEY = "/nowhere/key.p12"
    order_letters()
    make_next()
    assert order_letters() == 0
    assert ReportOrder.objects.get().state == "failed"
