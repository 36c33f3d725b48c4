"""How a person of the demonstration signs in through the pages."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from tests.compliance.people import code_of
from tests.installation import wait_until

if TYPE_CHECKING:
    from tests.installation import Installation
    from tests.pages.looking import Look

TYPED: dict[str, str] = {}
"""The last code typed, by its secret."""


def login_of(running: Installation, role: str) -> dict[str, str]:
    """Return the login of the first person of a role in the demonstration."""
    logins = json.loads((running.var / "demonstration" / "logins.json").read_text())
    return next(each for each in logins if each["role"] == role)


def next_code(secret: str) -> str:
    """Return a new code: none works twice, and one about to expire is too late."""
    wait_until(lambda: time.time() % 30 < 20 and code_of(secret) != TYPED.get(secret))
    TYPED[secret] = code_of(secret)
    return TYPED[secret]


def sign_in_here(look: Look, login: dict[str, str]) -> None:
    """Sign a person in, from the page that asks for it."""
    look.page.get_by_label("Email").fill(login["email"])
    look.page.get_by_label("Password").fill(login["password"])
    look.page.get_by_role("button", name="Sign in", exact=True).click()
    look.page.wait_for_url("**/second-factor/**")
    assert look.broken_rules() == []
    look.page.get_by_label("Code").fill(next_code(login["secret"]))
    look.page.get_by_role("button", name="Sign In", exact=True).click()
    look.page.get_by_role("button", name="Sign out").wait_for()
