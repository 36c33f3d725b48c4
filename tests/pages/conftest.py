from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.installation import ROOT, Installation, wait_until
from tests.pages.looking import Look, SignedIn
from tests.pages.signing_in import login_of, sign_in_here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django.plugin import DjangoDbBlocker

    from tests.databases import Databases

SERVING = re.compile(r"Serving at (http://localhost:\d+)")
LOAD_PEOPLE = "from compliance.people.demonstration import load_people; load_people()"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.pages)


@pytest.fixture(scope="session")
def chromium() -> str:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found or not shutil.which("pdftotext"):
        pytest.exit(
            "Pages are looked at in Chromium, and what they print with poppler: "
            "apt-get install chromium poppler-utils",
            returncode=2,
        )
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright keeps a loop in this thread, which Django would mistake for asynchronous code.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "yes")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def running(
    tmp_path_factory: pytest.TempPathFactory,
    databases: Databases,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[Installation]:
    """Start a whole system, with its worker, its demonstration's people and the gallery's pages."""
    with django_db_blocker.unblock():
        database = databases.url(databases.copy())
    var = tmp_path_factory.mktemp("var")
    installation = Installation(
        var,
        {
            "DATABASE_URL": database,
            "PORT": "0",
            "DJANGO_SETTINGS_MODULE": "tests.pages.gallery_settings",
            "PYTHONPATH": str(ROOT),
        },
    )
    if (ROOT / "var" / "npm").is_dir():  # packages that `make assets` has already fetched
        (var / "npm").symlink_to(ROOT / "var" / "npm")
    # The stylesheet comes from the machine's own npm, whose configuration names its registry.
    machine = {
        name: value for name, value in os.environ.items() if name not in installation.configuration
    }
    built = installation.manage("build_assets", **{**machine, "VAR": str(var)})
    assert (built.returncode, built.stderr) == (0, "")
    loaded = installation.manage("shell", "-v0", "-c", LOAD_PEOPLE)
    assert (loaded.returncode, loaded.stderr) == (0, "")
    installation.start("serve")
    yield installation
    installation.end()


@pytest.fixture(scope="session")
def filings(running: Installation) -> None:
    """Create the demonstration's games, controls and decisions."""
    done = running.manage("load_demonstration")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="session")
def site(running: Installation) -> str:
    """Return the address of the running system."""
    wait_until(lambda: SERVING.search(running.output()))
    serving = SERVING.search(running.output())
    assert serving
    return serving[1]


@pytest.fixture(scope="session")
def signed_in(running: Installation, site: str, browser: Browser) -> Callable[[str], SignedIn]:
    """Sign in a person of a role, once, through the pages, as a person does."""
    known: dict[str, SignedIn] = {}

    def sign_in(role: str) -> SignedIn:
        if role not in known:
            login = login_of(running, role)
            with Look.at(site, browser) as look:
                look.goto("/account/sign-in/")
                sign_in_here(look, login)
                state = look.page.context.storage_state()
                known[role] = SignedIn(state, login["secret"])
        return known[role]

    return sign_in


@pytest.fixture
def look(browser: Browser, site: str) -> Iterator[Look]:
    with Look.at(site, browser) as looking:
        yield looking
