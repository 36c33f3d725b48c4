from __future__ import annotations

import resource
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from socket import AF_UNIX, socket
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import timezone

from audits.review.nightly_run.writes import run_nights
from compliance import health
from compliance.access.permissions import Role
from compliance.health import State
from compliance.jobs.schedule import note_done
from compliance.project.models import ArchiveSpace, Heartbeat
from compliance.project.operations.health import archive, archive_space, broker
from tests.compliance.documents.filed_documents import document_of
from tests.compliance.people import party_for, person_as, signed_in, with_second_factor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings
    from pytest_django.plugin import DjangoDbBlocker

    from tests.databases import Databases

pytestmark = pytest.mark.anywhere


@pytest.fixture
def no_database(databases: Databases, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Simulate a database that can't be opened, as after a failed disk or a stopped server."""
    with django_db_blocker.unblock(), databases.using("/nowhere/database.sqlite3"):
        yield


@pytest.mark.django_db
def test_status_page_shows_each_condition(client: Client) -> None:
    Heartbeat.objects.create(part="worker", at=timezone.now())
    page = client.get("/status").text
    assert "Everything works." in page
    for title in ("Database", "Archive", "Event log", "Backup", "Nightly run", "Reports"):
        assert f">{title}<" in page
    assert "state--failing" not in page


@pytest.mark.django_db
def test_failing_condition_comes_first(client: Client) -> None:
    page = client.get("/status").text
    assert "Not everything works:" in page
    assert page.index("see Background work.") < page.index("<table")
    assert "No worker has ever reported." in page
    assert page.index(">Background work<") < page.index(">Database<")


@pytest.mark.django_db
def test_broken_condition_is_failing_not_green(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_registered", dict(health._registered))
    health.register("eleventh", "Eleventh", lambda: 1 // 0)
    page = client.get("/status").text
    assert "see Background work, Eleventh." in page
    assert "could not be checked: ZeroDivisionError" in page
    assert 'compliance_condition{condition="eleventh",state="failing"} 1.0' in (
        client.get("/metrics").text
    )


@pytest.mark.django_db
def test_full_archive_is_not_ready(client: Client, settings: Settings, tmp_path: Path) -> None:
    settings.ARCHIVE_URL = str(tmp_path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    assert client.get("/readyz").status_code == 200
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        full = client.get("/readyz")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (full.status_code, full.json()["archive"]) == (503, "failing")


@pytest.mark.django_db
def test_forecast_says_when_archive_is_full(settings: Settings, tmp_path: Path) -> None:
    settings.ARCHIVE_URL = str(tmp_path)
    free = shutil.disk_usage(tmp_path).free
    two_days_ago = timezone.now() - timedelta(days=2)
    ArchiveSpace.objects.create(at=two_days_ago, free=free * 3 // 2)
    # Half of the remaining space went in two days: the rest lasts four.
    condition = archive_space()
    assert condition.state == State.WARNING
    assert "full in about 4 days" in condition.says


@pytest.mark.django_db
def test_archive_without_named_file_is_failing(settings: Settings, tmp_path: Path) -> None:
    document_of(person_as(Role.SUPPLIER, "maker"), party_for(Role.SUPPLIER, "maker"), "A letter")
    assert archive().is_ok
    settings.ARCHIVE_URL = str(tmp_path / "not mounted")
    assert archive().state == State.FAILING
    assert "It is not the archive of this database" in archive().says


@pytest.mark.django_db
def test_backup_never_made_warns_in_production(settings: Settings) -> None:
    found = {each.name: each for each in health.all_conditions()}
    assert found["backup"].is_ok
    settings.PRODUCTION = True
    found = {each.name: each for each in health.all_conditions()}
    assert (found["backup"].state, found["backup"].says) == (State.WARNING, "This was never done.")
    note_done("backup")
    found = {each.name: each for each in health.all_conditions()}
    assert found["backup"].is_ok


PARTS = ("Database", "PostgreSQL", "SQLite", "filesystem", "migrat", "Archive", "No worker")


def test_silent_broker_keeps_one_thread_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket(AF_UNIX) as silent, ThreadPoolExecutor(4) as visitors:
        silent.bind(str(tmp_path / "redis"))
        silent.listen(16)
        silent.setblocking(False)
        monkeypatch.setenv("CELERY_BROKER_WRITE_URL", f"redis+socket://{tmp_path}/redis")
        seen = [visitors.submit(broker) for _ in range(4)]
        assert {each.result().state for each in seen} == {State.FAILING}
        asked = 0
        with suppress(BlockingIOError):
            while True:
                silent.accept()[0].close()
                asked += 1
    assert 1 <= asked <= 2  # one thread, and its second attempt


@pytest.mark.django_db
def test_production_outsider_learns_only_whether_it_works(
    client: Client, settings: Settings
) -> None:
    settings.PRODUCTION, settings.SECURE_SSL_REDIRECT = True, False
    operator = Client()
    signed_in(operator, person_as(Role.OPERATOR_CLERK))
    for outsider in (client, operator):
        page = outsider.get("/status").text
        assert "Not everything works." in page
        assert [part for part in PARTS if part in page] == []
    Heartbeat.objects.create(part="worker", at=timezone.now())
    run_nights()
    assert "Everything works." in client.get("/status").text


@pytest.mark.django_db
def test_in_production_the_commissions_people_see_every_part(
    client: Client, settings: Settings
) -> None:
    administrator = person_as(Role.ADMINISTRATOR)
    with_second_factor(administrator)
    signed_in(client, administrator)
    settings.PRODUCTION, settings.SECURE_SSL_REDIRECT = True, False
    page = client.get("/status").text
    assert "see Background work." in page
    assert page.count("state--failing") == 1


@pytest.mark.usefixtures("no_database")
def test_status_page_answers_without_database_and_names_it(client: Client) -> None:
    answer = client.get("/status")
    assert answer.status_code == 200
    assert "see Database." in answer.text
    assert "Unknown, because the database does not answer." in answer.text


@pytest.mark.usefixtures("no_database")
def test_status_page_explains_a_missing_database() -> None:
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "4" * 32
    answer = client.get("/")
    assert answer.status_code == 503
    assert "The database does not answer in time" in answer.text
    assert "Wait a few seconds and do the same again." in answer.text
