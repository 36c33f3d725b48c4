"""People of the tests of audits, and a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compliance.access.permissions import Role
from tests.compliance.pages.browsing import browser_of
from tests.compliance.people import person_as

if TYPE_CHECKING:
    from django.test import Client

    from compliance.access.models import Person


@pytest.fixture
def agent() -> Person:
    """Return a special agent of the commission."""
    return person_as(Role.AGENT)


@pytest.fixture
def browser(agent: Person) -> Client:
    """Return the agent's browser."""
    return browser_of(agent)


@pytest.fixture
def manager() -> Person:
    """Return the manager of the card room `room`."""
    return person_as(Role.OPERATOR_MANAGER, "room")
