"""A browser tab that fails its test for whatever a page must never do."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

from tests.installation import PATIENCE, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Response, StorageState, ViewportSize

WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
PAGE_MS = 120_000
"""A page that has not come by then will not come."""
PATIENCE_MS = PATIENCE * 1000
"""For what workers do behind a page."""
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# The page reports what its policy stopped before any of its own scripts run.
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP stopped ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""


@dataclass(frozen=True)
class SignedIn:
    """Somebody whose browser keeps a session."""

    state: StorageState
    password: str


@dataclass
class Look:
    """One tab; `faults` collects script errors, refused resources and requests to elsewhere."""

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
        page.on("console", lambda said: look._heard(said.type, said.text))
        page.on("pageerror", lambda error: look.faults.append(f"script: {error}"))
        page.on("request", lambda request: look._asked(request.url))
        page.on("requestfailed", lambda request: look._failed(request.url, request.failure))
        yield look
        context.close()
        assert not look.faults, look.faults

    def goto(self, path: str, *, width: ViewportSize = WIDE) -> Response:
        self.page.set_viewport_size(width)
        response = self.page.goto(path, wait_until="load")
        assert response is not None
        return response

    def confirm(self, by: SignedIn) -> None:
        """Give the password once more, where a page asks for it before it opens."""
        self.page.get_by_label("Password").fill(by.password)
        self.page.get_by_role("button", name="Confirm").click()
        self.page.wait_for_load_state()

    def path(self) -> str:
        """Where the tab stands."""
        return self.page.url.removeprefix(self.address)

    def broken_rules(self) -> list[str]:
        """What axe says is wrong with the page as it stands, by WCAG 2.2 AA."""
        found = Axe().run(
            self.page,
            options={"runOnly": {"type": "tag", "values": LEVELS}, "resultTypes": ["violations"]},
        )
        return [
            f"{violation['id']}: {node['target']} {node['failureSummary']}"
            for violation in found.response["violations"]
            for node in violation["nodes"]
        ]

    def wider_than_the_screen(self) -> int:
        """By how many pixels the page can be scrolled sideways."""
        return int(
            self.page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
        )

    def focused(self) -> str:
        """The name of what has the keyboard's focus."""
        return str(
            self.page.evaluate(
                "(document.activeElement.innerText || document.activeElement.id).trim()"
            )
        )

    def focus_comes_to(self, name: str) -> None:
        """Wait until something has the keyboard's focus: scripts give it a moment after a key."""
        wait_until(lambda: self.focused().startswith(name))

    def _heard(self, kind: str, text: str) -> None:
        # A page that is meant to be an error answers with its status: that is no fault of it.
        if kind == "error" and "the server responded with a status of" not in text:
            self.faults.append(text)

    def _failed(self, url: str, why: str | None) -> None:
        # Leaving a page ends what it was still loading.
        if why != "net::ERR_ABORTED":
            self.faults.append(f"not loaded: {url}: {why}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "data:")):
            self.faults.append(f"asked elsewhere: {url}")
