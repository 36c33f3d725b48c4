"""Swagger UI, from another project, shows our description under our content policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.pages.looking import Look


def test_viewer_shows_every_operation_and_asks_only_it(look: Look) -> None:
    look.goto("/api/")
    look.page.locator("#operations-submissions-submissions_post").wait_for()
    assert look.page.locator(".opblock").count() >= 29
    look.page.locator("#operations-submissions-submissions_post").get_by_role(
        "button"
    ).first.click()
    look.page.get_by_text("Idempotency-Key").first.wait_for()
