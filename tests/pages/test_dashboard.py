"""The dashboard with a night's findings, on both screens and in print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.installation import wait_until
from tests.pages.looking import Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from tests.installation import Installation
    from tests.pages.looking import SignedIn

FIND = """
from datetime import timedelta
from audits.models import GamblingDay, Issue, IssueNight
from audits.commission import commission_unit
from audits.review.issues.writes import issue_of_cause
from compliance import clock
from compliance.models import Party
from compliance.access.scope import without_access_scope
dear = ("settlement.three_card", 123_456_700, 12_345_600)
with without_access_scope():
    audited = GamblingDay.objects.filter(current__isnull=False).order_by("day").last()
    last = audited.day if audited else clock.today()  # where the dashboard opens
    for number, party in enumerate(Party.objects.filter(code__in=("cedar", "harbor"))):
        for code, over, under in (dear, ("approval.hours", 0, 0)):
            made = issue_of_cause(party=party, code=code, table="T1")
            for ago in range(0, 20, 3 + number):
                IssueNight.objects.get_or_create(
                    issue=made, day=last - timedelta(days=ago),
                    defaults={"findings": ago + 1, "rounds": ago + 1, "over": over, "under": under},
                )
            Issue.objects.filter(pk=made.pk).update(findings=9, rounds=9, over=over, under=under)
"""


@pytest.mark.usefixtures("filings")
def test_the_dashboard_shows_what_was_found_and_leads_to_it(
    running: Installation,
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
) -> None:
    done = running.manage("shell", "-v0", "-c", FIND)
    assert (done.returncode, done.stderr) == (0, "")
    with Look.at(site, browser, by=signed_in("agent")) as look:
        look.goto("/dashboard/")
        assert look.page.locator("figure.chart svg").count() >= 6
        look.check_page()
        look.page.locator("#id_operator").select_option("cedar")
        look.page.get_by_role("button", name="Show").press("Enter")
        wait_until(lambda: "operator=cedar" in look.path())
        kind = look.page.locator("main").get_by_role("link", name="Payout error: Three card")
        kind.first.press("Enter")
        look.page.get_by_role("heading", name="Issues", exact=True).wait_for()
