"""Fixtures for all tests: real servers, and databases copied from a migrated template."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.management import call_command

from compliance import changes
from compliance.ui.assets.build import STYLES
from games.kernel import cache_directory
from tests import servers
from tests.changes import unbound_changes_rejected
from tests.databases import Databases
from tests.installation import ROOT, Installation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.plugin import DjangoDbBlocker

FLUSHING = {"live_server", "transactional_db", "django_db_reset_sequences"}
ON_SERVERS = {"db", "databases", "django_db_setup", "own_database", "redis_url", "postgres_url"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use a database or a broker, and reject those that flush.

    History tables forbid a flush, and no trigger is turned off for a test. Tests that start
    processes run first: at a minute each, they would hold up everything at the end.
    """
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        asked = FLUSHING.intersection(names)
        mark = item.get_closest_marker("django_db")
        if mark or ON_SERVERS.intersection(names):
            item.add_marker(pytest.mark.stored)
        if asked or (mark and mark.kwargs.get("transaction")):
            message = f"{item.nodeid} flushes its database. Ask for own_database instead."
            raise pytest.UsageError(message)
    items.sort(key=_starts_nothing)


def _starts_nothing(item: pytest.Item) -> bool:
    own = item.get_closest_marker("services") is None
    return own and "installation" not in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session", autouse=True)
def every_change_has_an_event() -> Iterator[None]:
    """Fail where a service ends its transaction with a changed row that no event records."""
    with unbound_changes_rejected():
        yield


@pytest.fixture(autouse=True)
def no_change_of_another_database() -> None:
    """Forget changes that wait for the next event on this connection."""
    changes._outside.clear()


@pytest.fixture(autouse=True)
def no_checkpoint_of_another_log() -> None:
    """Remove the checkpoint, which is outside the database and isn't rolled back with the log."""
    Path(settings.KEPT_CHECKPOINT).unlink(missing_ok=True)


@pytest.fixture(scope="session", autouse=True)
def collected_static_files(django_test_environment: None) -> None:
    """Collect static files under hashed names, with the stylesheet of a machine without npm."""
    stylesheet = settings.VAR / "assets" / "static" / "site.css"
    stylesheet.parent.mkdir(parents=True)
    shutil.copyfile(STYLES / "small.css", stylesheet)
    call_command("collectstatic", interactive=False, verbosity=0)


@pytest.fixture(scope="session")
def databases(
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Databases]:
    """Create the migrated template, and a way to copy it."""
    own = tmp_path_factory.getbasetemp()
    run = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with django_db_blocker.unblock():
        made = Databases(tmp_path_factory.mktemp("databases"), run)
    yield made
    with django_db_blocker.unblock():
        made.drop_all()


@pytest.fixture(scope="session")
def django_db_setup(databases: Databases, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Create the database of all tests that roll back: a copy like any other."""
    with django_db_blocker.unblock():
        name = databases.copy()
    with databases.using(name):
        yield


@pytest.fixture
def own_database(databases: Databases, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Create a database for this test alone, with real commits; yield its URL for processes."""
    with django_db_blocker.unblock():
        name = databases.copy()
        with databases.using(name):
            yield databases.url(name)


@pytest.fixture(scope="session")
def kernels() -> None:
    """Compile all kernels to disk, once for all tests of a checkout.

    Without it, a test that replays rounds in its own processes waits a minute for them.
    """
    kept = cache_directory()
    kept.mkdir(parents=True, exist_ok=True)
    with (kept / "warm.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (kept / "warm").exists():
            command = [sys.executable, "-m", "games", "compile"]
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
            (kept / "warm").touch()


@pytest.fixture
def installation(tmp_path: Path, own_database: str) -> Iterator[Installation]:
    """Create a system for this test alone, run as real processes; the test sees its database."""
    configuration = {"DATABASE_URL": own_database, "PORT": "0"}
    with servers.fresh_broker(settings.BROKER_URL) as broker:
        if broker:
            configuration["BROKER_URL"] = broker
        made = Installation(tmp_path, configuration)
        yield made
        made.end()


@pytest.fixture(scope="session")
def s3_url() -> Iterator[str]:
    """Yield an archive's URL in a real S3 store."""
    with servers.s3() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Yield a real PostgreSQL, whatever the other tests use."""
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Yield a real Redis, whatever the other tests use."""
    with servers.redis() as url:
        yield url
