from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.test import RequestFactory
from django.urls import path

from compliance.access.models import Membership
from compliance.access.permissions import Action, Role
from compliance.home import home
from compliance.ui import frame as navigation
from compliance.ui.access import Asked
from compliance.ui.frame import Group, Place, links_for, menus_for

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.test import Client
    from pytest_django import Settings


urlpatterns = [path("", home, name="home"), path("queue/", home, name="queue")]


@pytest.fixture
def two_places(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.ROOT_URLCONF = __name__
    monkeypatch.setattr(navigation, "_places", {})
    navigation.register(
        Place(label="Queue", url_name="queue", order=20, action=Action.EXPORT_EVENTS)
    )
    navigation.register(Place(label="Overview", url_name="home", order=10))


def request_of(*roles: Role, address: str = "/") -> HttpRequest:
    request = RequestFactory().get(address)
    who = Asked(None)
    who.memberships = [Membership(role=role) for role in roles]
    request.asked = who  # type: ignore[attr-defined]
    return request


@pytest.mark.usefixtures("two_places")
@pytest.mark.parametrize(
    ("roles", "labels"),
    [
        ([], ["Overview"]),
        ([Role.AGENT], ["Overview"]),
        ([Role.AGENT, Role.AUDITOR], ["Overview", "Queue"]),
    ],
)
def test_navigation_shows_only_permitted_places(roles: list[Role], labels: list[str]) -> None:
    assert [link.label for link in links_for(request_of(*roles))] == labels


@pytest.mark.parametrize(
    ("address", "current"),
    [
        ("/queue/", ["", "page"]),
        ("/queue/issue/7", ["", "true"]),
        ("/queues/", ["", ""]),
        ("/", ["page", ""]),
    ],
)
@pytest.mark.usefixtures("two_places")
def test_the_navigation_says_where_one_is(address: str, current: list[str]) -> None:
    links = links_for(request_of(Role.AUDITOR, address=address))
    assert [link.current for link in links] == current


@pytest.mark.usefixtures("two_places")
def test_single_place_needs_no_menu_group() -> None:
    for label, action, order in (("Law", None, 1), ("Export", Action.EXPORT_EVENTS, 2)):
        navigation.register(
            Place(
                label=label,
                url_name="queue" if action else "home",
                order=order,
                action=action,
                group=Group.RULES,
            )
        )
    answer = {
        roles: [
            (menu.name, menu.opens, [link.label for link in menu.links])
            for menu in menus_for(request_of(*roles))
        ]
        for roles in ((), (Role.AUDITOR,))
    }
    assert answer[()] == [("Rules & approvals", False, ["Law"])]
    assert answer[(Role.AUDITOR,)] == [("Rules & approvals", True, ["Law", "Export"])]
    (menu,) = menus_for(request_of(Role.AUDITOR, address="/queue/7"))
    assert menu.current


def test_the_home_page_is_current_only_on_itself(client: Client) -> None:
    assert 'href="/" aria-current="page"' in client.get("/").content.decode()
    assert "aria-current" not in client.get("/no/such/page").content.decode()


def test_a_demonstration_says_so_and_claims_no_office(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "Demonstration." in page
    assert "This is no agency’s website." in page
    assert not re.search("official|seal", page, re.IGNORECASE)


def test_production_banner_names_the_agency(client: Client, settings: Settings) -> None:
    settings.PRODUCTION = True
    settings.AGENCY_NAME = "Gaming Board of Elsewhere & <Co>"
    page = client.get("/").content.decode()
    assert "Gaming Board of Elsewhere &amp; &lt;Co&gt;" in page
    assert "emonstration" not in page


def test_page_names_its_language_and_skips_navigation(client: Client) -> None:
    page = client.get("/").content.decode()
    assert '<html lang="en">' in page
    assert page.index('href="#main"') < page.index("<nav")
    assert 'id="main"' in page
