"""The running system under load: many sign in, ten submit at once, and agents read throughout.

At the end comes the drill: the system is backed up while running, and restored elsewhere.

`BENCH_SIGN_INS` is the number of sign-ins, `BENCH_LOAD_ROUNDS` the number of rounds per log.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import psycopg

from tests import servers
from tests.bench.measure import Row, shown
from tests.bench.visitors import Readers, Tally, Visitor, WrongAnswer
from tests.installation import ROOT, Installation, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SIGN_INS: Final = int(os.environ.get("BENCH_SIGN_INS", "1000"))
ROUNDS: Final = int(os.environ.get("BENCH_LOAD_ROUNDS", "30000"))
OPERATORS: Final = 10
AT_ONCE: Final = 16
AGENTS: Final = 4
QUIET_SECONDS: Final = 15
NIGHT_SECONDS: Final = 20
WEB: Final = {"WEB_PROCESSES": "2", "WEB_THREADS": "16", "WORKERS": "2"}
FOLLOWS_EVERY: Final = 0.1

TEXT: Final = f"""`manage.py serve` with {WEB["WEB_PROCESSES"]} processes of the web,
{WEB["WEB_THREADS"]} threads each, {WEB["WORKERS"]} workers and beat, on PostgreSQL (which does not
wait for its disk, as in tests) and Redis; visitors and servers share one machine. Milliseconds of
the clock in 95 of 100 cases, and in the median. {AGENTS} agents read the queue all the time,
each a second after the last. A sign-in is five requests, from the form through password and
code to the first page, {AT_ONCE} people at once. Its cost is the hash of the password, which is
meant to be dear: PBKDF2 with SHA-256 as NIST has it, a million turns and hardly any memory, in turn
in each process of the web, so that a crowd at the door waits for the processor, leaves some of it
to others, and cannot fill the memory. A log of {ROUNDS:,}
rounds is submitted by the API in pieces; it counts until it is on file. Nights are replayed again
as soon as they are done. At the end all of it is backed up while agents read, and restored into
another database and archive, which are checked as after a disaster.

"""


@dataclass
class Running:
    """A serving system, and what its visitors must know."""

    installation: Installation
    port: int
    crowd: dict[str, Any]
    folder: Path
    agents: list[Visitor]

    @property
    def backup(self) -> Path:
        """Return the backup folder."""
        return self.folder / "backup"

    def reading(self) -> Readers:
        """Return agents who read pages."""
        return Readers(self.agents, self.crowd["pages"])


def rows() -> Iterator[Row]:
    """Yield each load, with the times of the agents' pages meanwhile; all errors come last."""
    with _running() as running:
        quiet = _while(running, lambda: time.sleep(QUIET_SECONDS)).read
        yield _pages("when nothing else runs", quiet, quiet)
        loads = [_sign_in_all, _submission_all, _replay_night, _back_up]
        seen = [quiet]
        for load in loads:
            done = load(running)
            seen += [done.read, done.tally]
            yield from done.rows
            yield _pages(done.name, done.read, quiet)
        yield _restored(running)
        yield _memory(running.installation)
        yield _errors(running.installation, seen)


@dataclass
class Load:
    """What was done, and what the agents saw of it."""

    name: str
    read: Tally
    tally: Tally
    rows: Sequence[Row]


def _while(running: Running, work: Callable[[], Any]) -> Load:
    """Do something while agents read."""
    with running.reading() as readers:
        done = work()
    return Load("", readers.tally, done if isinstance(done, Tally) else Tally(), ())


def _sign_in_all(running: Running) -> Load:
    bare = _hashes_a_second(running.crowd["hash"])
    done = _while(running, lambda: _all_sign_in(running))
    rate = len(done.tally.durations) / done.tally.seconds
    again = f", {done.tally.again} codes ran out on the way" if done.tally.again else ""
    what = (
        f"{len(done.tally.durations):,} sign-ins with password and code, {AT_ONCE} at once{again}"
    )
    rows = [
        Row(f"{what}, a second", f"{rate:.2f}", f"bare hashes {bare:.2f}", rate / bare, 0.3, 0.6),
        _milliseconds("a sign-in, from the form to the first page", done.tally, 10_000, 5_000),
    ]
    return Load("while they sign in", done.read, done.tally, rows)


def _all_sign_in(running: Running) -> Tally:
    def come(number: int) -> Tally:
        tally = Tally()
        email, secret = running.crowd["people"][AGENTS + number]
        began = time.perf_counter()
        try:
            visitor = Visitor(running.port, f"10.1.{number // 250}.{number % 250}")
            tally.again += visitor.sign_in(email, running.crowd["password"], secret)
            tally.durations.append(time.perf_counter() - began)
        except WrongAnswer as wrong:
            tally.errors.append(str(wrong))
        return tally

    return _at_once(come, range(SIGN_INS), AT_ONCE)


def _submission_all(running: Running) -> Load:
    done = _while(running, lambda: _all_submission(running))
    size = sum(each.stat().st_size for each in running.folder.glob("room-*.jsonl"))
    what = f"{OPERATORS} logs ({shown(size)}B) submitted at once, until all are on file, rounds/s"
    rate = OPERATORS * ROUNDS / done.tally.seconds
    rows = [
        Row(what, shown(rate), f"{shown(size / done.tally.seconds)}B/s", rate, 10_000, 50_000, ""),
        _milliseconds("a piece of up to 8 MiB of it", done.tally, 2_000, 500),
    ]
    return Load("while ten submit", done.read, done.tally, rows)


def _all_submission(running: Running) -> Tally:
    def submission(which: tuple[int, str]) -> Tally:
        number, operator = which
        key = {"Authorization": f"Bearer {running.crowd['keys'][operator]}"}
        try:
            program = Visitor(running.port, f"10.2.0.{number}", headers=key)
            return program.submission(operator, running.folder / f"{operator}.jsonl")
        except WrongAnswer as wrong:
            return Tally(errors=[str(wrong)])

    return _at_once(submission, list(enumerate(running.crowd["keys"])), OPERATORS)


def _replay_night(running: Running) -> Load:
    audited = 0

    def replay() -> Tally:
        nonlocal audited
        tally = Tally()
        key = {"Authorization": f"Bearer {running.crowd['order']}"}
        program = Visitor(running.port, "10.3.0.1", headers=key)
        began = time.perf_counter()
        try:
            while time.perf_counter() < began + NIGHT_SECONDS:
                audited += _one_night(program, list(running.crowd["keys"]), tally)
        except WrongAnswer as wrong:
            tally.errors.append(str(wrong))
        tally.seconds = time.perf_counter() - began
        return tally

    done = _while(running, replay)
    what = f"nights of {OPERATORS} operators ordered and judged, findings on file, rounds/s"
    rate = audited / done.tally.seconds
    rows = [Row(what, shown(rate), f"{audited:,} rounds", rate, 10_000, 50_000, "")]
    return Load("while a night is replayed", done.read, done.tally, rows)


def _back_up(running: Running) -> Load:
    durations: list[float] = []

    def back_up() -> None:
        began = time.perf_counter()
        ran = running.installation.manage("backup", str(running.backup), "--json")
        assert ran.returncode == 0, ran.stdout + ran.stderr
        durations.append(time.perf_counter() - began)

    done = _while(running, back_up)
    says = json.loads((running.backup / "manifest.json").read_text("utf-8"))
    tables = sum(part["size"] for part in says["database"])
    what = f"`backup` of a database ({shown(tables)}B, log of {says['log_size']:,} events) and "
    what += f"{says['files_count']:,} files ({shown(says['files_size'])}B), s of the clock"
    rows = [Row(what, f"{durations[0]:.1f}", "", durations[0], 60, 15, "s", less=True)]
    return Load("while it is backed up", done.read, done.tally, rows)


def _restored(running: Running) -> Row:
    """Run the drill: restore on another machine with the same keys and check a checkpoint."""
    database = running.installation.configuration["DATABASE_URL"]
    with psycopg.connect(database, autocommit=True) as server:
        server.execute("CREATE DATABASE elsewhere")
    var, kept_checkpoint = running.folder / "elsewhere", running.folder / "held"
    shutil.copytree(running.folder / "keys", var / "keys")
    kept_checkpoint.write_text(
        json.loads((running.backup / "manifest.json").read_text("utf-8"))["checkpoint"]
    )
    elsewhere = Installation(var, {"DATABASE_URL": f"{database.rpartition('/')[0]}/elsewhere"})
    began = time.perf_counter()
    source, checkpoint = str(running.backup), str(kept_checkpoint)
    ran = elsewhere.manage("restore", source, "--checkpoint", checkpoint, "--json")
    durations = time.perf_counter() - began
    assert ran.returncode == 0, ran.stdout + ran.stderr
    checked = json.loads(ran.stdout)["checked"]
    what = f"`restore` of it elsewhere, {checked:,} rows and files checked, s of the clock"
    return Row(what, f"{durations:.1f}", "", durations, 120, 30, "s", less=True)


def _one_night(program: Visitor, operators: Sequence[str], tally: Tally) -> int:
    """Audit every operator's night and wait for the end; return the number of rounds."""
    audited = 0
    begun = [program.send("replays", {"operator": each}, 202)["replay"] for each in operators]
    for replay in begun:
        state = program.look(f"replays/{replay}")
        while state["ended"] is None:
            time.sleep(FOLLOWS_EVERY)
            state = program.look(f"replays/{replay}")
        if state["state"] != "done":
            tally.errors.append(f"replay {replay}: {state['state']} {state['failure']}")
        audited += state["rounds"]
    return audited


def _at_once(work: Callable[[Any], Tally], things: Sequence[Any], many: int) -> Tally:
    """Run `many` at a time; return what they took together."""
    tally, began = Tally(), time.perf_counter()
    with ThreadPoolExecutor(many) as visitors:
        for each in visitors.map(work, things):
            tally.add(each)
    tally.seconds = time.perf_counter() - began
    return tally


def _hashes_a_second(password_hash: str) -> float:
    """Return how many such hashes this machine computes when idle, on all its cores."""
    _, turns, salt, _ = password_hash.split("$")
    cores = os.cpu_count() or 1

    def hash_(_: int) -> None:
        hashlib.pbkdf2_hmac("sha256", b"a long enough pass phrase", salt.encode(), int(turns))

    began = time.perf_counter()
    with ThreadPoolExecutor(cores) as hashing:
        list(hashing.map(hash_, range(3 * cores)))
    return 3 * cores / (time.perf_counter() - began)


def _pages(when: str, read: Tally, quiet: Tally) -> Row:
    """Report page times as the agents got them."""
    p95, median = _p95(read.durations), statistics.median(read.durations) * 1000
    comparison = f"quiet {_p95(quiet.durations):.0f} ms" if read is not quiet else ""
    what = f"the queue {when}, {len(read.durations) / read.seconds:.1f} a second"
    return Row(
        what,
        f"{p95:.0f} ({median:.0f}) ms",
        comparison,
        p95 / _p95(quiet.durations),
        10,
        3,
        less=True,
    )


def _milliseconds(what: str, tally: Tally, asked: float, goal: float) -> Row:
    p95, median = _p95(tally.durations), statistics.median(tally.durations) * 1000
    return Row(what, f"{p95:.0f} ({median:.0f}) ms", "", p95, asked, goal, "ms", less=True)


def _p95(durations: Sequence[float]) -> float:
    """Return the 95th percentile in milliseconds."""
    return sorted(durations)[-(-len(durations) * 95 // 100) - 1] * 1000


def _memory(installation: Installation) -> Row:
    """Return the largest web process at its peak, which is what a crowd could fill."""
    peak = 0.0
    for number in installation.processes():
        place = Path(f"/proc/{number}")
        if b"gunicorn" in (place / "cmdline").read_bytes():
            [line] = re.findall(r"VmHWM:\s+(\d+)", (place / "status").read_text("ascii"))
            peak = max(peak, int(line) / 1024)
    return Row("memory of the largest process of the web, MiB", f"{peak:.0f}", "", peak, 1024, 256,
               "MiB", less=True)  # fmt: skip


def _errors(installation: Installation, seen: Sequence[Tally]) -> Row:
    """Report unexpected responses, and problems in the system's log."""
    wrong = [each for tally in seen for each in tally.errors]
    logged = re.findall(
        r"^.*(?:Traceback|\[error|\[critical).*$", installation.output(), re.MULTILINE
    )
    for each in (wrong + logged)[:20]:
        sys.stderr.write(f"{each}\n")
    asked = sum(len(tally.durations) for tally in seen) + len(wrong)
    what = f"errors among {asked:,} sign-ins, pieces and pages, and in the system's log"
    errors = len(wrong) + len(logged)
    return Row(what, str(errors), "", errors, 0, 0, "", less=True)


@contextmanager
def _running() -> Iterator[Running]:
    """Start servers, a system with its crowd, and agents who have signed in."""
    with (
        servers.postgres() as database,
        servers.redis() as broker,
        TemporaryDirectory() as name,
    ):
        folder = Path(name)
        made = Installation(
            folder,
            {
                "DATABASE_URL": database,
                "BROKER_URL": broker,
                "PORT": "0",
                "BEHIND_PROXY": "true",
                "DJANGO_SETTINGS_MODULE": "compliance.project.settings",
                **WEB,
            },
        )
        for command in (("migrate", "--verbosity=0"), ("build_assets",)):
            ran = made.manage(*command)
            assert ran.returncode == 0, ran.stderr
        people = [str(each) for each in (SIGN_INS + AGENTS, OPERATORS, ROUNDS, folder)]
        crowd = subprocess.run(
            [sys.executable, "-m", "tests.bench.crowd", *people],
            env=made.environment, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        made.start("serve")
        try:
            wait_until(lambda: "Serving at" in made.output())
            port = int(re.findall(r"Serving at http://localhost:(\d+)\.", made.output())[-1])
            running = Running(made, port, json.loads(crowd.stdout), folder, [])
            _let_agents_in(running)
            yield running
        except BaseException:
            sys.stderr.write(made.output()[-4_000:])
            raise
        finally:
            made.end()


def _let_agents_in(running: Running) -> None:
    """Sign the readers in, and open every page once."""
    for number, (email, secret) in enumerate(running.crowd["people"][:AGENTS]):
        agent = Visitor(running.port, f"10.0.0.{number}")
        agent.sign_in(email, running.crowd["password"], secret)
        for page in running.crowd["pages"]:
            agent.ask(page)
        running.agents.append(agent)
