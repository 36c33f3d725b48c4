"""A person's first day, in one browser: invited by email, two factors, a passkey, back again."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)

from tests.installation import wait_until
from tests.pages.looking import Look
from tests.pages.signing_in import login_of, sign_in_here

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.installation import Installation

PASSWORD = "nine green otters on a raft"
LINK = re.compile(r"http://localhost:\d+(/account/invitation/\S+)")


def test_new_agent_signs_in_with_passkey(
    running: Installation,
    site: str,
    browser: Browser,
) -> None:
    with Look.at(site, browser) as look:  # commission roles need a second factor just used
        look.goto("/account/sign-in/")
        sign_in_here(look, login_of(running, "administrator"))
        look.goto("/people/field/")
        look.page.get_by_role("link", name="Invite a person").click()
        look.page.get_by_label("Email address").fill("rosa.vale@field.example")
        look.page.get_by_label("Role", exact=True).select_option("agent")
        look.page.get_by_label("Why").fill("She starts on Monday.")
        assert look.broken_rules() == []
        look.page.get_by_role("button", name="Send invitation").click()
        look.page.get_by_text("rosa.vale@field.example is invited").wait_for()
        assert look.broken_rules() == []
        look.goto("/access-changes/")
        look.page.get_by_role("link", name="Invite rosa.vale@field.example").click()
        look.page.get_by_text("You proposed this change").wait_for()
        assert look.broken_rules() == []

    with Look.at(site, browser) as look:
        page = look.page
        devices = look.page.context.new_cdp_session(page)
        devices.send("WebAuthn.enable")
        devices.send("WebAuthn.addVirtualAuthenticator", {"options": SECURITY_KEY})

        look.goto(invitation_in(running.var / "mail"))
        assert look.broken_rules() == []
        page.get_by_label("Your name").fill("Rosa Vale")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Password again").fill(PASSWORD)
        page.get_by_role("button", name="Accept").click()

        page.get_by_text("You have the role now.").wait_for()
        page.get_by_label("Email").fill("rosa.vale@field.example")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()

        page.get_by_text("You need a second factor").wait_for()
        assert look.broken_rules() == []
        page.get_by_role("link", name="Activate").click()
        page.get_by_role("img").wait_for()
        assert page.evaluate("document.querySelector('main img').naturalWidth") > 0
        assert look.broken_rules() == []
        secret = page.get_by_label("Authenticator secret").input_value()
        page.get_by_label("code").fill(code_of(secret))
        page.get_by_role("button", name="Activate").click()

        page.get_by_role("heading", name="Recovery codes").first.wait_for()
        assert look.broken_rules() == []

        look.goto("/account/second-factor/webauthn/add/")
        page.get_by_label("Name").fill("The key on my ring")
        page.get_by_label("Passwordless").press("Space")
        page.get_by_role("button", name="Add").click()
        page.wait_for_url(lambda url: not url.endswith("/add/"))
        look.goto("/account/second-factor/webauthn/")
        page.get_by_text("The key on my ring").wait_for()
        assert look.broken_rules() == []
        page.get_by_role("banner").get_by_role("button", name="Sign out").click()
        page.get_by_text("You have signed out.").wait_for()

        look.goto("/account/sign-in/")
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.get_by_role("link", name="Rosa Vale").wait_for()

        look.goto("/releases/cedar/")
        page.get_by_role("button", name="Release automatically").click()
        page.get_by_role("button", name="Confirm", exact=True).click()
        page.get_by_role("heading", name="Confirm with your passkey").wait_for()
        assert look.broken_rules() == []
        page.get_by_role("button", name="Confirm with your passkey").click()
        page.get_by_text("are released automatically from now on.").wait_for()
        signed = running.manage("shell", "-v0", "-c", SIGNATURES)
        assert signed.stdout.split() == ["issue.standing_release", "signed"]


SIGNATURES = """
from compliance.events.models import Event
from compliance.events.signatures import is_signed, problem_of_signature
for each in Event.objects.filter(signature__has_key="statement"):
    assert problem_of_signature(each.content()) == ""
    print(each.type, "signed")
"""
SECURITY_KEY = {
    "protocol": "ctap2",
    "transport": "usb",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


def invitation_in(mails: Path) -> str:
    """Return the address in the email, from where the system put it."""
    wait_until(lambda: any(mails.glob("*")))
    newest = max(mails.glob("*"), key=lambda mail: mail.stat().st_mtime)
    found = LINK.search(newest.read_text())
    assert found
    return found[1]


def code_of(secret: str) -> str:
    """Return what an authenticator shows, early in a half minute, so that it is still valid."""
    wait_until(lambda: time.time() % 30 < 20)
    return str(format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time()))))
