"""A manager sets up a webhook: created, its secret seen once, tested, removed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.pages.looking import Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn

HERE = "https://hooks.example.invalid/night"
INSIDE = "https://169.254.169.254/latest/meta-data/"


def test_webhook_shows_secret_once_and_can_be_ended(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn]
) -> None:
    with Look.at(site, browser, by=signed_in("operator_manager")) as look:
        look.goto("/people/cedar/webhooks/")
        make = look.page.get_by_role("button", name="Create webhook")
        look.page.get_by_label("Address").fill(INSIDE)
        look.page.locator("label[for=id_kinds_0]").click()
        make.click()
        expect(look.page.get_by_text("169.254.169.254 is not a public address")).to_be_visible()
        assert look.broken_rules() == []
        look.page.get_by_label("Address").fill(HERE)
        make.click()
        secret = look.page.get_by_text(re.compile("^whsec_")).inner_text()
        look.check_page()
        look.page.get_by_role("link", name="Back to the webhooks").click()
        expect(look.page.locator(".state", has_text="Active")).to_be_visible()
        assert secret not in look.page.content()
        look.page.get_by_role("button", name="Send test").click()
        expect(look.page.get_by_text("A test is on its way.")).to_be_visible()
        row = look.page.get_by_role("row").filter(has_text=HERE)
        expect(row).to_contain_text("A test")
        look.check_page()
        look.page.locator("summary", has_text="End webhook").click()
        look.page.get_by_label("Why").fill("The program moved.")
        look.page.get_by_role("button", name="End webhook").click()
        expect(look.page.get_by_text("has ended: nothing more is sent to it.")).to_be_visible()
        expect(look.page.get_by_text("There are no webhooks.")).to_be_visible()
        expect(row).to_contain_text("The webhook was ended: The program moved.")
        assert look.broken_rules() == []
