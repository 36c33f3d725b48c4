from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings

ADDRESS = re.compile(r'(?:src|href)="(/static/[^"]+)"')
HASHED = re.compile(r"/static/[\w/-]+(\.[\w-]+)*\.[0-9a-f]{12}\.[a-z]+")


def test_pages_name_static_files_by_their_content(client: Client, settings: Settings) -> None:
    addresses = ADDRESS.findall(client.get("/").content.decode())
    assert {"site", "htmx-2", "favicon"} <= {
        address.rsplit("/", 1)[1].split(".")[0] for address in addresses
    }
    for address in addresses:
        assert HASHED.fullmatch(address), address
        assert (settings.STATIC_ROOT / address.removeprefix("/static/")).is_file()


def test_a_page_without_the_npm_build_is_whole(client: Client) -> None:
    page = client.get("/").content.decode()
    for landmark in ("<header", "<nav", "<main", "<footer", 'href="#main"'):
        assert landmark in page
