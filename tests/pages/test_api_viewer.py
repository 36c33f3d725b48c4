"""Swagger UI, which another project made: it shows our description under our policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.pages.looking import Look


def test_the_viewer_shows_every_operation_and_asks_nobody_else(look: Look, pictures: Path) -> None:
    look.goto("/api/")
    look.page.locator("#operations-hand-ins-hand_ins_post").wait_for()
    assert look.page.locator(".opblock").count() >= 29
    look.page.locator("#operations-hand-ins-hand_ins_post").get_by_role("button").first.click()
    look.page.get_by_text("Idempotency-Key").first.wait_for()
    look.page.screenshot(path=pictures / "api-viewer.png")
