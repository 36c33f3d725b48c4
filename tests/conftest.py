"""What every test may ask for: real counterparts, and databases copied from a migrated template."""

from __future__ import annotations

import fcntl
import os
import shutil
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.management import call_command

from compliance.assets.build import STYLES
from games.kernel import cache_directory
from tests import servers
from tests.databases import Databases
from tests.installation import Installation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.plugin import DjangoDbBlocker

FLUSHING = {"live_server", "transactional_db", "django_db_reset_sequences"}
ON_SERVERS = {"db", "databases", "django_db_setup", "own_database", "redis_url", "postgres_url"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands on a database or a broker, and refuse what flushes.

    History tables forbid a flush, and no trigger is switched off for a test. What starts processes
    is begun first: a minute each, they would hold everybody up at the end.
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
def collected_static_files(django_test_environment: None) -> None:
    """Static files under their hashed names, with the stylesheet of a machine without npm."""
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
    """The migrated template, and a way to copy it."""
    own = tmp_path_factory.getbasetemp()
    run = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with django_db_blocker.unblock():
        made = Databases(tmp_path_factory.mktemp("databases"), run)
    yield made
    with django_db_blocker.unblock():
        made.drop_all()


@pytest.fixture(scope="session")
def django_db_setup(databases: Databases, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database of all tests that roll back: a copy like any other."""
    with django_db_blocker.unblock():
        name = databases.copy()
    with databases.using(name):
        yield


@pytest.fixture
def own_database(databases: Databases, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """A database of this test's own, whose commits are real; its URL for other processes."""
    with django_db_blocker.unblock():
        name = databases.copy()
        with databases.using(name):
            yield databases.url(name)


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What processes compile is on disk: tests with clocks begin as a second evening does.

    A small night goes through every kernel, once for all tests of a checkout.
    """
    kept = cache_directory()
    kept.mkdir(parents=True, exist_ok=True)
    with (kept / "warm.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if (kept / "warm").exists():
            return
        var = tmp_path_factory.mktemp("kernels")
        small = Installation(var, {})
        done = small.manage("audit", "--pace", "60", seconds=900)
        assert done.returncode == 0, done.stdout + done.stderr
        (kept / "warm").touch()


@pytest.fixture
def installation(tmp_path: Path, own_database: str, kernels: None) -> Iterator[Installation]:
    """A system of this test's own, to be run as real processes; the test sees its database."""
    del kernels
    configuration = {"DATABASE_URL": own_database, "PORT": "0"}
    with servers.fresh_broker(settings.BROKER_URL) as broker:
        if broker:
            configuration["BROKER_URL"] = broker
        made = Installation(tmp_path, configuration)
        yield made
        made.end()


@pytest.fixture(scope="session")
def s3_url() -> Iterator[str]:
    """An archive's URL in a real S3 store."""
    with servers.s3() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A real PostgreSQL, whatever the other tests stand on."""
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A real Redis, whatever the other tests stand on."""
    with servers.redis() as url:
        yield url
