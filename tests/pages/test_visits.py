"""A visit with a phone, by keyboard, from the first item to the finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pages.looking import PHONE, Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn


@pytest.mark.usefixtures("filings")
def test_visit_on_a_phone_records_a_finding(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn]
) -> None:
    with Look.at(site, browser, by=signed_in("agent")) as look:
        page = look.page
        look.goto("/visits/", width=PHONE)
        page.get_by_text("Begin a visit now", exact=True).press("Enter")
        page.locator("#id_begin-operator").select_option("cedar")
        page.get_by_role("button", name="Begin visit").press("Enter")
        page.get_by_role("link", name="Begin: Games and tables on the floor").press("Enter")
        page.get_by_role("button", name="As approved").press("Enter")
        page.get_by_text("2 of", exact=False).first.wait_for()
        page.get_by_role("link", name="Whole checklist").press("Enter")
        page.get_by_role("link", name="Posted limits").first.press("Enter")
        page.get_by_text("It differs", exact=True).press("Enter")
        page.get_by_role("button", name="Save difference").press("Enter")
        page.get_by_role("alert").wait_for()
        look.check_page()
        page.set_viewport_size(PHONE)
        page.get_by_label("What you see instead").fill("The sign says $2 to $500.")
        page.get_by_role("button", name="Save difference").press("Enter")
        page.get_by_role("link", name="Whole checklist").press("Enter")
        page.get_by_text("2 of").first.wait_for()
        look.check_page()
        page.set_viewport_size(PHONE)
        page.get_by_label("Why these were not inspected").fill("The room closed at midnight.")
        page.get_by_role("button", name="End visit").press("Enter")
        page.get_by_text("The visit is ended.").wait_for()
        look.check_page()
        page.get_by_role("link", name="The finding").press("Enter")
        page.get_by_text("The sign says $2 to $500.").wait_for()
        look.check_page()
        look.goto("/visits/")
        look.check_page()
