"""The main paths of people who file and people who decide, in a browser, by keyboard."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.installation import wait_until
from tests.pages.looking import Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, FilePayload, Locator

    from tests.pages.looking import SignedIn

REMARK = "The layout prints 50, the rules pay 30."

LAYOUT: FilePayload = {
    "name": "layout.txt",
    "mimeType": "text/plain",
    "buffer": b"Pyramid Poker\nA straight flush of three cards pays 50 to 1.",
}

pytestmark = pytest.mark.usefixtures("filings")


def pressed(look: Look, role: str, name: str) -> None:
    """Go to a link or button and press it, like a person without a mouse."""
    found = look.page.locator("main").get_by_role(role, name=name).first  # type: ignore[arg-type]
    found.focus()
    look.page.keyboard.press("Enter")
    look.page.wait_for_load_state()


def ticked(look: Look, name: str) -> None:
    """Check a box with the space bar."""
    box = look.page.get_by_label(name)
    box.focus()
    look.page.keyboard.press("Space")
    assert box.is_checked()


def test_licensing_takes_a_filing_and_decides(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn]
) -> None:
    with Look.at(site, browser, by=signed_in("licensing")) as look:
        look.goto("/filings/?queue=licensing&whose=free")
        pressed(look, "link", "Casino Version")
        pressed(look, "button", "Assign to me")
        look.page.get_by_text("Assigned to you.").wait_for()
        look.page.get_by_label("Note").fill("Ask whether jokers are standard cards.")
        pressed(look, "button", "Add note")
        look.page.locator(".panel").get_by_text("Ask whether jokers").wait_for()
        look.check_page()
        pressed(look, "link", "Review and decide")
        look.page.locator("summary").get_by_text("Approve", exact=True).wait_for()
        assert look.page.get_by_text("Ask whether jokers").count() == 0


def test_supplier_sees_pay_table_differences(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn]
) -> None:
    with Look.at(site, browser, by=signed_in("supplier")) as look:
        look.goto("/")
        look.check_page()
        pressed(look, "link", "File a new version of the rules of Pyramid Poker")
        # It starts from the version before: the documents are chosen, and so is what they print.
        assert look.page.get_by_label("Rules of play: Pyramid Poker").is_checked()
        look.page.get_by_label("Date of the documents").fill("2025-06-02")
        ticked(look, "print the pay tables of the rule set")
        look.page.get_by_label("Layout drawing, three card: straight flush").fill("50")
        pressed(look, "button", "Compare with the rules")
        look.page.get_by_text("straight flush is printed with 50 to 1").wait_for()
        rules = look.page.get_by_label("Rules of play, three card: straight flush")
        assert rules.input_value() == "30"
        look.check_page()


def opened(look: Look, name: str) -> None:
    """Open what a summary hides."""
    summary = look.page.locator("summary", has_text=re.compile(f"^{name}$"))
    summary.focus()
    look.page.keyboard.press("Enter")


def read_open_questions(look: Look) -> None:
    """Choose the first reading of each open question, because nothing is chosen beforehand."""
    for reason in look.page.get_by_label(": reason").all():
        reason.fill("The documents say so.")
    readings = look.page.locator("fieldset", has=look.page.get_by_role("radio"))
    for reading in readings.all():
        reading.get_by_role("radio").first.press("Space")


def test_supplier_request_to_signed_letter(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn]
) -> None:
    with Look.at(site, browser, by=signed_in("supplier")) as theirs:
        theirs.goto("/documents/")
        pressed(theirs, "link", "Layout: Pyramid Poker")
        assert theirs.page.get_by_text("Compare two versions").count() == 0  # there is only one
        theirs.page.get_by_label("Files").set_input_files(LAYOUT)
        theirs.page.get_by_label("Date of the documents").fill("2025-06-02")
        pressed(theirs, "button", "File version")
        layout = theirs.path()
        pressed(theirs, "link", "Compare two versions")
        theirs.page.get_by_label("After").select_option(label="Layout: Pyramid Poker, version 2")
        theirs.page.get_by_label("Before").select_option(label="Layout: Pyramid Poker, version 1")
        pressed(theirs, "button", "Compare")
        theirs.page.get_by_text("Lines that differ").wait_for()
        theirs.check_page()
        theirs.goto(layout)
        pressed(theirs, "link", "File a version of the rules of Pyramid Poker")
        theirs.page.get_by_label("Note").fill("The layout is printed anew.")
        theirs.page.get_by_label("Date of the documents").fill("2025-06-02")
        pressed(theirs, "button", "File version")
        pressed(theirs, "link", "Request approval")
        pressed(theirs, "button", "Submit request")
        theirs.page.get_by_text("The licensing unit starts the review").wait_for()
        asked = theirs.path()

        with Look.at(site, browser, by=signed_in("licensing")) as look:
            look.goto(asked)
            comment = look.page.get_by_role("link", name=re.compile("Comment on this.*three card"))
            comment.focus()
            look.page.keyboard.press("Enter")
            look.page.get_by_label("Comment", exact=True).fill(REMARK)
            pressed(look, "button", "Add comment")
            look.page.get_by_text("Comment added.").wait_for()
            opened(look, "Return as incomplete")
            look.page.get_by_label("Why").first.fill("See the comment on three cards.")
            pressed(look, "button", "Return as incomplete")
            look.page.get_by_text("See the comment on three cards.").first.wait_for()
            look.check_page()

        theirs.goto("/")
        pressed(theirs, "link", "Send what is missing in the request for Pyramid Poker")
        theirs.page.get_by_text("See the comment on three cards.").wait_for()
        pressed(theirs, "link", "File a changed version")
        theirs.page.get_by_text(REMARK).wait_for()
        theirs.page.get_by_label("Layout drawing, three card: straight flush").fill("30")
        theirs.check_page()
        pressed(theirs, "button", "File version")
        pressed(theirs, "link", "Request approval")
        assert theirs.page.get_by_label("Withdraw the request for an earlier version").is_checked()
        pressed(theirs, "button", "Submit request")
        theirs.page.get_by_text("The request is submitted.").wait_for()
        mended = theirs.path()

        with Look.at(site, browser, by=signed_in("licensing")) as look:
            look.goto(asked)
            look.page.get_by_text("Taken back").first.wait_for()
            look.goto(mended)
            opened(look, "Start the review")
            pressed(look, "button", "Start the review")
            opened(look, "Approve")
            read_open_questions(look)
            pressed(look, "button", "Approve")
            look.page.get_by_text(
                "The letter goes out when the second person confirms this"
            ).wait_for()
            look.check_page()
            pressed(look, "button", "Ask a second person")
            look.page.get_by_text("a second person was asked to confirm it").wait_for()

        with Look.at(site, browser, by=signed_in("director")) as second:
            second.goto("/acts/?state=proposed")
            pressed(second, "link", "Approve: Pyramid Poker")
            second.check_page()
            pressed(second, "button", "Confirm")
            second.page.get_by_text("Decided by").wait_for()
            second.goto(mended)
            second.page.get_by_role("heading", name="The commission's approval").wait_for()

        theirs.goto(mended)
        pressed(theirs, "link", "Letter: the commission's approval")
        theirs.page.get_by_role("heading", name=re.compile("^Letter of|^Approval of")).wait_for()
        letter = theirs.path()
        wait_until(lambda: theirs.goto(letter).ok and signed_file(theirs).count() == 1)
        theirs.check_page()
        with theirs.page.expect_download() as coming:
            signed_file(theirs).click()
        assert "approval-of-pyramid-poker" in coming.value.suggested_filename
        text = subprocess.run(
            ["pdftotext", coming.value.path(), "-"], capture_output=True, text=True, check=True
        ).stdout
        assert "Approval of Pyramid Poker" in text
        assert "The game is played under the rules of play as filed." in text


def signed_file(look: Look) -> Locator:
    return look.page.get_by_role("link", name="Signed PDF")


def test_agency_reads_its_findings_from_first_page(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn]
) -> None:
    with Look.at(site, browser, by=signed_in("agency_reviewer")) as look:
        look.goto("/")
        look.check_page()
        pressed(look, "link", "Pyramid Poker")
        look.page.get_by_text("2 of 2 found by the agency.").wait_for()
        look.check_page()
