"""The pictures in `docs/images`: `make screenshots` makes them again from the pages as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.installation import ROOT
from tests.pages.addresses import PAGES
from tests.pages.looking import PHONE, WIDE, Look

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, ViewportSize

    from tests.pages.looking import SignedIn

KEPT = [name for name, shown in PAGES.items() if shown.kept]


@pytest.mark.parametrize("width", [WIDE, PHONE], ids=["1280", "390"])
@pytest.mark.parametrize("name", KEPT)
def test_a_page_worth_showing_has_its_picture(
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
    pictures: Path,
    name: str,
    width: ViewportSize,
) -> None:
    shown = PAGES[name]
    with Look.at(site, browser, by=signed_in(shown.role) if shown.role else None) as look:
        look.goto(shown.path, width=width)
        look.page.evaluate("document.fonts.ready")
        picture = f"{name.replace('_', '-')}-{width['width']}.png"
        look.page.screenshot(path=pictures / picture)
    assert (ROOT / "docs" / "images" / picture).is_file()
