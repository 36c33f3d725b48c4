"""The main workflow from beginning to end, on this machine, with only Python."""

from __future__ import annotations

import fcntl
import io
import os
import sys
import time
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from audits.demonstration.night import play_night, replay_night, replays_left
from audits.demonstration.plan import DAYS, NIGHT, PACE
from audits.replay.findings.wording import describe_coverage, headline_of, parts_of
from audits.review.nightly_run.summary import summary_of
from audits.tasks import SWEEP_SECONDS, sweep_ledger
from compliance.access.scope import without_access_scope
from compliance.files.archive import FolderArchive, current_archive
from compliance.filings.requests.reads import game_names
from compliance.project.processes import GaveUpError, Parent, Part, worker_command
from compliance.project.start import environment_of, hold_part
from games.cents import in_dollars
from reports.documents.registry import NothingToReportError
from reports.schedules.making import leave_operators_reports, leave_reports
from reports.schedules.subscriptions import load_subscriptions

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from audits.replay.findings.models import IssueNight
    from audits.review.nightly_run.summary import Summary


MOST_ISSUES = 12
MOST_PLAYERS = 5


def summary_in_words(night: Summary) -> str:
    """Format the whole summary of one night."""
    parts = (_figures(night), _issues(night), _restitution(night), _lacking(night))
    with without_access_scope():
        return "\n".join(line for part in parts for line in part)


def other_days_in_words(nights: Sequence[Summary]) -> str:
    """Format the other days, one line each."""
    lines = ["", "Days beside it"]
    for night in nights:
        codes: dict[str, int] = defaultdict(int)
        for each in night.issues:
            codes[each.issue.code] += each.findings
        for lack in night.lacking:
            codes[lack.issue.code] += 1
        codes_shown = ", ".join(f"{code} ({count:,})" for code, count in sorted(codes.items()))
        lines.append(f"  {night.day}  {night.rounds:,} rounds: {codes_shown or 'nothing found'}")
    return "\n".join(lines)


def _figures(night: Summary) -> Iterator[str]:
    names = game_names()
    games = "; ".join(f"{count:,} of {names[game]}" for game, count in night.games.items())
    tables = sum(len(each.tables) for each in night.operators)
    yield ""
    yield f"The night of {night.day:%B} {night.day.day}, {night.day.year}"
    yield ""
    yield f"Rounds audited    {night.rounds:,} at {tables} tables: {games}"
    for each in night.operators:
        more = f", {each.supplements} supplement" if each.supplements else ""
        yield f"  {each.name:<24} {each.rounds:>8,}  {', '.join(each.tables)}{more}"
        yield f"{'':37}{each.findings:,} findings {each.digest[:16]}…"
    yield f"Findings          {night.findings:,} in {len(night.issues)} issues"
    yield f"Rejected lines    {night.rejected}"
    yield (
        f"Players           overpaid {in_dollars(night.overpaid)}, "
        f"underpaid {in_dollars(night.underpaid)}"
    )


def _issues(night: Summary) -> Iterator[str]:
    yield ""
    yield f"To be looked at first, of {len(night.issues)} issues"
    for each in night.issues[:MOST_ISSUES]:
        yield f"  {_money(each):>16}  {each.findings:>6,} ×  {_codes(each)}"
        if coverage := describe_coverage(each.issue):
            yield f"{'':28}{coverage}"


def _money(night: IssueNight) -> str:
    if night.over >= night.under:
        return f"{in_dollars(night.over)} over" if night.over else "-"
    return f"{in_dollars(night.under)} under"


def _codes(night: IssueNight) -> str:
    issue = night.issue
    where = ", ".join(parts_of(issue, "table"))
    return f"{issue.party.name} {where}: {headline_of(issue)}"


def _restitution(night: Summary) -> Iterator[str]:
    owed = [each for each in night.owed if each.owed]
    players = {(each.operator, each.player) for each in owed}
    yield ""
    yield f"Restitution       {in_dollars(night.underpaid)} are owed to {len(players)} players"
    for each in owed[:MOST_PLAYERS]:
        name = each.player or "no one player"
        yield f"  {in_dollars(each.owed):>14}  {name} at {each.operator} {each.table}"


def _lacking(night: Summary) -> Iterator[str]:
    yield ""
    yield "Missing"
    lines = [
        f"  {' '.join(filter(None, (each.issue.party.name, each.issue.table)))}: "
        f"{each.logged}; awaited: {each.expected} ({each.issue.code})"
        for each in night.lacking
    ]
    yield from _or_nothing(lines)


def _or_nothing(lines: Iterable[str]) -> Iterator[str]:
    each_line = list(lines)
    yield from each_line or ["  nothing"]


SECONDS_WITHOUT_PROGRESS = 180
LEFT_FOR_A_DAY = 86_400


class Command(BaseCommand):
    """Set up, audit the demonstration night with the worker, and print the findings."""

    help = "Migrates, audits the demonstration night through a real worker, and sums up."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option to run only if it has not run before."""
        parser.add_argument("--once", action="store_true", help="nothing, if it was done before")
        parser.add_argument(
            "--pace",
            type=int,
            default=PACE,
            metavar="SECONDS",
            help=f"from round to round of a table, {PACE} if left out; 60 makes a small night",
        )

    def handle(self, *, once: bool, pace: int, **_: Any) -> None:
        """Run each step, printing progress."""
        done = Path(settings.VAR) / "audited"
        with self._alone():
            self._set_up()
            if once and done.exists():
                return
            if settings.PRODUCTION:
                self.stdout.write("Set up. Production has no demonstration, so nothing is audited.")
                return
            archive = current_archive()
            if isinstance(archive, FolderArchive):
                archive.clear_aside(older_than_seconds=LEFT_FOR_A_DAY)
            with self._worker() as watch:
                self._replay(pace, watch)
            with self._step("Reports of the night, signed"):
                self._report(leave_reports)
            self.stdout.write(summary_in_words(summary_of(NIGHT)))
            others = [summary_of(day) for day in sorted(DAYS) if day != NIGHT]
            self.stdout.write(other_days_in_words(others))
            self.stdout.write(
                f"\nThe reports of the night are in {self._folder()}, everything else it left in "
                f"{settings.VAR}. `make run` shows it in a browser; "
                "`.venv/bin/python manage.py findings` prints every finding."
            )
            done.touch()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Serialize concurrent runs, including one that continues after its `make` was killed."""
        place = Path(settings.VAR) / "audit.lock"
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextmanager
    def _step(self, says: str) -> Iterator[None]:
        self.stdout.write(f"{says} … ", ending="")
        self.stdout.flush()
        begun = time.monotonic()
        yield
        self.stdout.write(f"{time.monotonic() - begun:.1f} s")

    def _set_up(self) -> None:
        with self._step("Database and pages"):
            call_command("migrate", verbosity=0)
            if not settings.PRODUCTION:
                call_command("load_demonstration", stdout=io.StringIO())
                load_subscriptions()
            call_command("build_assets", stdout=io.StringIO(), stderr=self.stderr)

    @contextmanager
    def _worker(self) -> Iterator[Callable[[], None]]:
        """Use the running worker, or start one; yield a function that monitors it.

        The running worker may be stopping, as it does after its parent was killed: it is replaced
        as soon as its lock is free.
        """
        report = Path(settings.VAR) / "audit-worker.log"
        parent: Parent | None = None

        def watch() -> None:
            nonlocal parent
            if parent is None:
                lock = hold_part("worker", folder=Path(settings.VAR) / "run")
                if lock is None:
                    return
                # Later callers must not mistake the open lock for a running worker.
                opened.callback(os.close, lock)
                worker = Part(
                    "worker",
                    worker_command(),
                    [lock],
                    log=report,
                    environment=environment_of("worker"),
                    must_come_up=True,
                )
                parent = opened.enter_context(Parent([worker], say=self.stderr.write))
            self._watch(parent)

        try:
            with ExitStack() as opened:
                watch()
                yield watch
        except GaveUpError as gave_up:
            message = f"{gave_up}. {report} says why."
            raise CommandError(message) from None

    def _watch(self, parent: Parent) -> None:
        parent.watch()
        if parent.ending:
            sys.exit("Interrupted. The same command again goes on.")

    def _replay(self, pace: int, watch: Callable[[], None]) -> None:
        """Submit the night, or audit it again; wait until the worker has finished all of it."""

        def say(step: str) -> None:
            watch()
            self.stdout.write(f"  {step}")
            self.stdout.flush()

        def closed() -> None:
            # Later data goes into a supplement: the first reports are from the closing.
            with self._step("  audited and reported as of the close of the day"):
                self._wait(watch)
                self._report(leave_operators_reports)

        self.stdout.write(f"The gambling day of {NIGHT}, dealt and submitted:")
        if not play_night(pace=pace, say=say, closed=closed):
            self.stdout.write("  it is on file, and is audited again")
            replay_night()
        with self._step("Auditing it through the worker"):
            self._wait(watch)

    def _folder(self) -> Path:
        return Path(settings.VAR) / "reports"

    def _report(self, leave: Callable[..., list[Path]]) -> None:
        try:
            leave(day=NIGHT, folder=self._folder())
        except NothingToReportError as nothing:
            raise CommandError(str(nothing)) from None

    def _wait(self, watch: Callable[[], None]) -> None:
        last, until = 0, 0.0
        swept = time.monotonic()
        while left := replays_left():
            if left != last:
                last, until = left, time.monotonic() + SECONDS_WITHOUT_PROGRESS
            if time.monotonic() > swept + SWEEP_SECONDS:
                # No beat needs to run: a lost message must not stop this.
                sweep_ledger()
                swept = time.monotonic()
            if time.monotonic() > until:
                message = (
                    f"Nothing was audited for {SECONDS_WITHOUT_PROGRESS} s. "
                    "`manage.py serve` shows why."
                )
                raise CommandError(message)
            watch()
            time.sleep(0.1)
