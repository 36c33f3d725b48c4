"""A browser tab that fails its test for anything a page must never do."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

from tests.installation import PATIENCE, ROOT, wait_until
from tests.pages.signing_in import next_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page, Response, StorageState, ViewportSize

WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
PAGE_MS = 120_000
"""A page that hasn't loaded by then won't load."""
PATIENCE_MS = PATIENCE * 1000
"""For the work that workers do behind a page."""
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# The page reports what its policy blocked before any of its own scripts run.
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP stopped ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""


def keep_picture(name: str, take: Callable[[Path], object]) -> None:
    """Check that `docs/images` has this picture; take it again if `PICTURES` names a folder."""
    if folder := os.environ.get("PICTURES"):
        take(Path(folder) / f"{name}.png")
    assert (ROOT / "docs" / "images" / f"{name}.png").is_file()


@dataclass(frozen=True)
class SignedIn:
    """A person whose browser keeps a session."""

    state: StorageState
    secret: str


@dataclass
class Look:
    """One tab; `faults` collects script errors, refused resources and requests to other sites."""

    page: Page
    address: str
    faults: list[str] = field(default_factory=list)

    @classmethod
    @contextmanager
    def at(
        cls,
        address: str,
        browser: Browser,
        *,
        by: SignedIn | None = None,
        scripts: bool = True,
    ) -> Iterator[Look]:
        context = browser.new_context(
            base_url=address,
            viewport=WIDE,
            storage_state=by.state if by else None,
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PAGE_MS)
        page = context.new_page()
        look = cls(page, address)
        page.add_init_script(REPORT_VIOLATIONS)
        page.on("console", lambda message: look._heard(message.type, message.text))
        page.on("pageerror", lambda error: look.faults.append(f"script: {error}"))
        page.on("request", lambda request: look._asked(request.url))
        page.on("requestfailed", lambda request: look._failed(request.url, request.failure))
        try:
            yield look
        except Exception as error:
            # A timeout names what is missing; the tab shows what is there instead.
            shown = page.locator("body").inner_text(timeout=5_000)
            error.add_note(f"The tab at {page.url}, with faults {look.faults}, showed:\n{shown}")
            raise
        context.close()
        assert not look.faults, look.faults

    def goto(self, path: str, *, width: ViewportSize = WIDE) -> Response:
        self.page.set_viewport_size(width)
        response = self.page.goto(path, wait_until="load")
        assert response is not None
        return response

    def confirm(self, by: SignedIn) -> None:
        """Use the second factor again, if a page asks for it before it opens."""
        self.page.get_by_label("Code").fill(next_code(by.secret))
        self.page.get_by_role("button", name="Confirm").click()
        self.page.wait_for_load_state()

    def path(self) -> str:
        """Return the path of the tab."""
        return self.page.url.removeprefix(self.address)

    def broken_rules(self) -> list[str]:
        """Return the WCAG 2.2 AA violations that axe finds in the page's current state."""
        found = Axe().run(
            self.page,
            options={"runOnly": {"type": "tag", "values": LEVELS}, "resultTypes": ["violations"]},
        )
        return [
            f"{violation['id']}: {node['target']} {node['failureSummary']}"
            for violation in found.response["violations"]
            for node in violation["nodes"]
        ]

    def check_page(self) -> None:
        """Assert on both screens that the page breaks no WCAG rule and fits."""
        for size in (PHONE, WIDE):
            self.page.set_viewport_size(size)
            assert self.broken_rules() == []
            assert self.wider_than_the_screen() == 0, self.beyond_the_screen()

    def take_picture(self, name: str) -> None:
        """Keep a picture of the tab."""
        self.page.evaluate("document.fonts.ready")
        keep_picture(name, lambda place: self.page.screenshot(path=place))

    def wider_than_the_screen(self) -> int:
        """Return by how many pixels the page can be scrolled sideways."""
        return int(
            self.page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
        )

    def beyond_the_screen(self) -> list[str]:
        """Return the elements that end beyond the right edge, the outermost first."""
        return list(
            self.page.evaluate(
                "Array.from(document.querySelectorAll('main *')).filter(each =>"
                " each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)"
                ".map(each => each.outerHTML.slice(0, 120))"
            )
        )[:10]

    def focused(self) -> str:
        """Return the name of the element with keyboard focus."""
        return str(
            self.page.evaluate(
                "(document.activeElement.innerText || document.activeElement.id).trim()"
            )
        )

    def focus_comes_to(self, name: str) -> None:
        """Wait until an element has keyboard focus, because scripts move it shortly after a key."""
        wait_until(lambda: self.focused().startswith(name))

    def _heard(self, kind: str, text: str) -> None:
        # An error page responds with its status on purpose, so that isn't a fault.
        if kind == "error" and "the server responded with a status of" not in text:
            self.faults.append(text)

    def _failed(self, url: str, why: str | None) -> None:
        # Leaving a page ends what it was still loading.
        if why != "net::ERR_ABORTED":
            self.faults.append(f"not loaded: {url}: {why}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "data:")):
            self.faults.append(f"asked elsewhere: {url}")
