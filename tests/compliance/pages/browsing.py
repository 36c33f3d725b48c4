"""People with browsers: signed in, each within their own walls."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

from django.test import Client

from tests.compliance.people import person_as, signed_in, with_second_factor

if TYPE_CHECKING:
    from compliance.choices import Role
    from compliance.models import Person


def browser_of(person: Person) -> Client:
    """A browser in which somebody has signed in with all factors."""
    with_second_factor(person)
    return signed_in(Client(), person)


def browser_as(role: Role, code: str | None = None) -> Client:
    return browser_of(person_as(role, code))


def words(answer: Any) -> str:
    """What a page says, without its markup."""
    main = answer.text.partition("<main")[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def hidden(answer: Any, name: str) -> str:
    """The value of a hidden field as the page carries it."""
    found = re.search(rf'name="{name}"[^>]* value="([^"]*)"', answer.text)
    assert found, f"no hidden field {name}"
    return unescape(found[1])
