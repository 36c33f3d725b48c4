"""A manager has a program told of things: made, its secret seen once, tried, ended."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.pages.looking import PHONE, WIDE, Look

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn

HERE = "https://hooks.example.invalid/night"
INSIDE = "https://169.254.169.254/latest/meta-data/"


def test_a_webhook_is_made_shows_its_secret_once_is_tried_and_ended(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn], pictures: Path
) -> None:
    with Look.at(site, browser, by=signed_in("operator_manager")) as look:
        look.goto("/people/cedar/webhooks/")
        make = look.page.get_by_role("button", name="Make the webhook")
        look.page.get_by_label("Address").fill(INSIDE)
        look.page.locator("label[for=id_kinds_0]").click()
        make.click()
        expect(look.page.get_by_text("169.254.169.254 is no public address")).to_be_visible()
        assert look.broken_rules() == []
        look.page.get_by_label("Address").fill(HERE)
        make.click()
        secret = look.page.get_by_text(re.compile("^whsec_")).inner_text()
        _looked_at(look, pictures, "webhook-made")
        look.page.get_by_role("link", name="Back to the webhooks").click()
        expect(look.page.get_by_text("Serves")).to_be_visible()
        assert secret not in look.page.content()
        look.page.get_by_role("button", name="Send a test").click()
        expect(look.page.get_by_text("A test is on its way.")).to_be_visible()
        row = look.page.get_by_role("row").filter(has_text=HERE)
        expect(row).to_contain_text("A test")
        _looked_at(look, pictures, "webhook-tried")
        look.page.get_by_label("Reason to end").fill("The program moved.")
        look.page.get_by_role("button", name="End the webhook").click()
        expect(look.page.get_by_text("was ended: nothing more is sent to it.")).to_be_visible()
        expect(look.page.get_by_text("No program is told of anything.")).to_be_visible()
        expect(row).to_contain_text("The webhook was ended: The program moved.")
        assert look.broken_rules() == []


def _looked_at(look: Look, pictures: Path, name: str) -> None:
    for width, size in {"1280": WIDE, "390": PHONE}.items():
        look.page.set_viewport_size(size)
        look.page.screenshot(path=pictures / f"{name}-{width}.png", full_page=True)
        assert look.broken_rules() == []
        assert look.wider_than_the_screen() == 0
