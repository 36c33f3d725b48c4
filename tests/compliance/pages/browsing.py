"""People with browsers: signed in, each within their own access scope."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

from django.test import Client
from django.urls import reverse

from compliance.acts.models import ProposedAct
from tests.compliance.people import person_as, signed_in, with_second_factor

if TYPE_CHECKING:
    from compliance.access.models import Person
    from compliance.access.permissions import Role


def browser_of(person: Person) -> Client:
    """Return a browser in which the person has signed in with all factors."""
    with_second_factor(person)
    return signed_in(Client(), person)


def browser_as(role: Role, code: str | None = None) -> Client:
    return browser_of(person_as(role, code))


def check_and_post(client: Client, address: str, data: dict[str, Any]) -> Any:
    """Post a form, then confirm on the page that shows its answers."""
    shown = client.post(address, data)
    if shown.status_code != 200:
        return shown
    return client.post(address, data | {"checked": hidden(shown, "checked")})


def confirm_act(client: Client, **follow: Any) -> Any:
    """Confirm the newest proposed act as the second person, as someone who looked at it."""
    act = ProposedAct.objects.filter(state="proposed").latest("pk")
    page = client.get(reverse("act", args=[act.uuid]))
    checked = {"checked": hidden(page, "checked")}
    return client.post(reverse("confirm_act", args=[act.uuid]), checked, **follow)


def words(answer: Any) -> str:
    """Return a page's text, without its markup."""
    main = answer.text.partition("<main")[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def hidden(answer: Any, name: str) -> str:
    """Return the value of a hidden field on the page."""
    found = re.search(rf'name="{name}"[^>]* value="([^"]*)"', answer.text)
    assert found, f"no hidden field {name}"
    return unescape(found[1])
