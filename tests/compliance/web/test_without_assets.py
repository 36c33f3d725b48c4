"""An installation whose style sheets were never built says so, and doesn't crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from compliance.project.operations.health import assets

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

pytestmark = pytest.mark.anywhere


@pytest.fixture
def not_built(settings: Settings, tmp_path: Path) -> None:
    """Set up the storage of a new process, with no manifest to read."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = dict(settings.STORAGES)  # reopens the storage
    assert not staticfiles_storage.hashed_files


@pytest.mark.django_db
@pytest.mark.usefixtures("not_built")
@pytest.mark.parametrize("address", ["/", "/no-such-page", "/status"])
def test_pages_without_assets_say_what_to_run(address: str) -> None:
    page = Client(raise_request_exception=False).get(address)
    assert page.status_code == 503
    assert "run `make assets`" in page.text
    assert page["Retry-After"]
    assert page["Cache-Control"] == "no-store"
    assert "Content-Security-Policy" in page
    assert "<link" not in page.text
    assert assets().state == "failing"


@pytest.mark.django_db
@pytest.mark.usefixtures("not_built")
def test_api_works_without_assets() -> None:
    assert Client().get("/api/v1/findings").status_code == 401
    assert Client().get("/healthz").status_code == 200
