"""Reports as people use them: a letter that came by itself, delivery, orders, verification."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reports.library.pages import LARGEST
from tests.installation import wait_until
from tests.pages.looking import Look

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.installation import Installation
    from tests.pages.looking import SignedIn

LETTER = "Approval of Pyramid Poker"
FAIL = """
from datetime import date
from django.utils import timezone
from compliance.models import Party
from compliance.access.scope import without_access_scope
from reports.documents.registry import About
from reports.models import Delivery, Report, ReportOrder
from uuid import uuid4
with without_access_scope():
    cedar = Party.objects.get(code="cedar")
    report = Report.objects.filter(kind="approval_letter").order_by("pk").first()
    now = timezone.now()
    common = {"report": report, "party": cedar}
    Delivery.objects.get_or_create(
        way="folder", person=None, **common,
        defaults={"state": "failed", "reason": "OSError: the disk is full", "attempts": 7,
                  "made": now, "ended": now})
    ReportOrder.objects.get_or_create(
        kind="nightly", about="cedar 2025-07-01", number=1,
        defaults={"uuid": uuid4(), "party": cedar,
                  "day": date(2025, 7, 1), "state": "failed", "ordered": now,
                  "reason": "REPORT_KEY names /etc/report.p12: No such file or directory."})
"""


# A PDF that any program could have made.
FOREIGN = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
trailer<</Size 3/Root 1 0 R>>
startxref
0
%%EOF
"""


@pytest.fixture(scope="module")
def letter(running: Installation, site: str, browser: Browser, signed_in: Callable) -> bytes:
    """Return the signed letter of a decision of the demonstration, which nobody ordered."""
    done = running.manage("load_demonstration")
    assert (done.returncode, done.stderr) == (0, "")
    with Look.at(site, browser, by=signed_in("licensing")) as look:
        link = look.page.get_by_role("link", name=LETTER)

        def there() -> bool:
            look.goto("/reports/?kind=approval_letter")
            return link.count() > 0

        wait_until(there)
        report = str(link.first.get_attribute("href"))
        signed = look.page.get_by_role("link", name="Signed PDF")
        wait_until(lambda: look.goto(report).ok and signed.count() == 1)  # listed, then signed
        answer = look.page.context.request.get(f"{site}{signed.get_attribute('href')}")
        assert answer.status == 200
        return answer.body()


def test_reports_are_found_ordered_and_failures_shown(
    running: Installation,
    letter: bytes,
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
) -> None:
    del letter
    done = running.manage("shell", "-v0", "-c", FAIL)
    assert (done.returncode, done.stderr) == (0, "")
    with Look.at(site, browser, by=signed_in("supervisor")) as look:
        look.goto("/reports/sending/")
        look.page.get_by_label("Report").select_option(label="Letter of approval or concurrence")
        look.page.get_by_label("How").select_option(label="By mail")
        look.page.get_by_role("button", name="Subscribe").click()
        look.page.get_by_text("You are subscribed.").wait_for()
        look.check_page()
        look.page.get_by_role("button", name="Pause").first.click()
        look.page.get_by_text("Nothing is sent until you resume it.").wait_for()
        look.goto("/reports/ordered/?state=failed")
        look.page.get_by_text("No such file or directory").wait_for()
        look.check_page()
        look.goto("/reports/sent/")
        look.page.get_by_text("the disk is full").wait_for()
        look.check_page()
        look.page.get_by_role("button", name="Give up").first.click()
        look.page.get_by_text("The delivery stays unsent.").wait_for()
        look.goto("/reports/order/")
        look.page.get_by_role("button", name="Order report").click()
        look.page.get_by_role("alert").wait_for()
        look.check_page()
        look.goto("/reports/")
        look.check_page()


def test_visitor_verifies_a_copy(letter: bytes, look: Look, tmp_path: Path) -> None:
    flipped = bytearray(letter)
    flipped[len(flipped) // 2] ^= 1
    copies = {
        "genuine": (letter, "is intact"),
        "flipped": (bytes(flipped), "Do not rely on"),
        "foreign": (FOREIGN, "Do not rely on"),
        "no-pdf": (b"Dear Sir or Madam,", "It is no PDF."),
        "huge": (b"%PDF-" + b"0" * LARGEST, "larger than 25 MB"),
    }
    for name, (content, says) in copies.items():
        place = tmp_path / f"{name}.pdf"
        place.write_bytes(content)
        look.goto("/verify/")
        look.page.get_by_label("PDF file").set_input_files(place)
        look.page.get_by_role("button", name="Verify", exact=True).click()
        look.page.locator("main").get_by_text(says).first.wait_for()
        look.check_page()
