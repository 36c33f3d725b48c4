"""How somebody of the demonstration signs in, as a person does."""

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
"""The code that was typed last, by its secret."""


def login_of(running: Installation, role: str) -> dict[str, str]:
    """What the first person of a role in the demonstration signs in with."""
    logins = json.loads((running.var / "demonstration" / "logins.json").read_text())
    return next(each for each in logins if each["role"] == role)


def sign_in_here(look: Look, said: dict[str, str]) -> None:
    """Sign somebody in, from the page that asks for it."""
    look.page.get_by_label("Email").fill(said["email"])
    look.page.get_by_label("Password").fill(said["password"])
    look.page.get_by_role("button", name="Sign in", exact=True).click()
    look.page.wait_for_url("**/second-factor/**")
    assert look.broken_rules() == []
    # The code of a half minute that is about to end would come too late, and none serves twice.
    secret = said["secret"]
    wait_until(lambda: time.time() % 30 < 20 and code_of(secret) != TYPED.get(secret))
    TYPED[secret] = code_of(secret)
    look.page.get_by_label("Code").fill(TYPED[secret])
    look.page.get_by_role("button", name="Sign In", exact=True).click()
    look.page.get_by_role("button", name="Sign out").wait_for()
