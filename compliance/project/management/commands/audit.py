"""The main job from beginning to end, on this machine, with nothing but Python."""

from __future__ import annotations

import fcntl
import io
import os
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from audits.demonstration.night import DAYS, NIGHT, PACE
from audits.selectors.night_summary import summary_of
from audits.services.demonstration_night import judge_night_again, left_to_judge, tell_night
from audits.tasks import SWEEP_SECONDS, sweep_ledger
from compliance.archive import current_archive
from compliance.archive.folder import FolderArchive
from compliance.project.night_in_words import other_days_in_words, summary_in_words
from compliance.project.processes import GaveUpError, Parent, Part, worker_command
from compliance.project.running import hold_part
from reports.documents.kinds import NothingToReportError
from reports.services.demonstration_subscriptions import load_subscriptions
from reports.services.night_report import leave_operators_reports, leave_reports

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterator

SECONDS_WITHOUT_PROGRESS = 180
LEFT_FOR_A_DAY = 86_400


class Command(BaseCommand):
    """Set up, audit the demonstration night through the worker, and say what was found."""

    help = "Migrates, audits the demonstration night through a real worker, and sums up."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the wish to do it only if it was not done yet."""
        parser.add_argument("--once", action="store_true", help="nothing, if it was done before")
        parser.add_argument(
            "--pace",
            type=int,
            default=PACE,
            metavar="SECONDS",
            help=f"from round to round of a table, {PACE} if left out; 60 makes a small night",
        )

    def handle(self, *, once: bool, pace: int, **_: Any) -> None:
        """Do each step, saying so."""
        done = Path(settings.VAR) / "audited"
        with self._alone():
            self._set_up()
            if once and done.exists():
                return
            if settings.PRODUCTION:
                self.stdout.write("Set up. Production holds no demonstration: nothing is judged.")
                return
            archive = current_archive()
            if isinstance(archive, FolderArchive):
                archive.clear_aside(older_than_seconds=LEFT_FOR_A_DAY)
            with self._worker() as watch:
                self._judge(pace, watch)
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
        """Two at once take turns: also when `make` alone was killed and what it began goes on."""
        place = Path(settings.VAR) / "audit.lock"
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
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
        """The worker that runs, or one for the occasion; what is given watches over it.

        A worker that runs may be ending, as one does whose parent was killed: its place is taken
        as soon as it is free.
        """
        report = Path(settings.VAR) / "audit-worker.log"
        parent: Parent | None = None

        def watch() -> None:
            nonlocal parent
            if parent is None:
                held = hold_part("worker", folder=Path(settings.VAR) / "run")
                if held is None:
                    return
                # Whoever comes next must not take what is left open for a worker that runs.
                opened.callback(os.close, held)
                worker = Part("worker", worker_command(), [held], log=report)
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

    def _judge(self, pace: int, watch: Callable[[], None]) -> None:
        """Let the night happen, or judge it once more; wait until the worker has judged it all."""

        def say(step: str) -> None:
            watch()
            self.stdout.write(f"  {step}")
            self.stdout.flush()

        def closed() -> None:
            # What comes later makes a supplement: the first reports are those of the closing.
            with self._step("  judged and reported as it stood when the day closed"):
                self._wait(watch)
                self._report(leave_operators_reports)

        self.stdout.write(f"The gambling day of {NIGHT}, dealt and handed in:")
        if not tell_night(pace=pace, say=say, closed=closed):
            self.stdout.write("  it is on file, and is judged once more")
            judge_night_again()
        with self._step("Judging it through the worker"):
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
        while left := left_to_judge():
            if left != last:
                last, until = left, time.monotonic() + SECONDS_WITHOUT_PROGRESS
            if time.monotonic() > swept + SWEEP_SECONDS:
                # No clock need run beside this: a lost message must not end it.
                sweep_ledger()
                swept = time.monotonic()
            if time.monotonic() > until:
                message = (
                    f"Nothing was judged for {SECONDS_WITHOUT_PROGRESS} s. "
                    "`manage.py serve` shows why."
                )
                raise CommandError(message)
            watch()
            time.sleep(0.1)
