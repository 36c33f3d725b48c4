from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from compliance.access.permissions import Role
from tests.compliance.people import person_as, signed_in

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.anywhere


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/no/such/page"])
def test_signed_in_pages_are_not_cached(client: Client, address: str) -> None:
    signed_in(client, person_as(Role.OPERATOR_CLERK))
    kept = client.get(address).headers["Cache-Control"]
    assert "no-store" in kept
    assert "private" in kept


def test_what_everybody_may_see_says_nothing_about_keeping(client: Client) -> None:
    assert "Cache-Control" not in client.get(reverse("home")).headers
