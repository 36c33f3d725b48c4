import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from compliance.files.object_store import put_in_folder
from compliance.project import processes
from compliance.project.operations.health import record_restart
from compliance.project.processes import GaveUpError, Parent, Part
from compliance.project.start import environment_of, hold_part, listen
from compliance.tables import MIGRATE, migrations_wait
from reports.signing.keys import NoReportKeyError, own_certificate

PARTS = ("web", "worker", "beat")


class Command(BaseCommand):
    """Run the system, or some of its parts, until Ctrl-C or TERM."""

    help = "Runs web, worker and beat together; or those that are named, as on a second machine."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the parts to run."""
        parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART")
        parser.add_argument("--port", type=int, default=settings.ENVIRONMENT.port)

    def handle(self, *, only: list[str], port: int, **_: Any) -> None:
        """Start the parts and run until told to stop.

        Without its tables every part would fail repeatedly; a database that does not respond may
        recover.
        """
        if migrations_wait():
            raise CommandError(MIGRATE, returncode=2)
        locks = {name: self._hold(name) for name in only}
        sockets = listen(port) if "web" in only else []
        handles = [each.fileno() for each in sockets]
        commands = {
            "web": lambda: processes.web_command(
                bind=[f"fd://{each}" for each in handles],
                processes=settings.ENVIRONMENT.web_processes,
                threads=settings.ENVIRONMENT.web_threads,
            ),
            "worker": processes.worker_command,
            "beat": processes.beat_command,
        }
        running = [
            Part(
                name,
                commands[name](),
                [locks[name], *(handles if name == "web" else [])],
                environment=environment_of(name) | (self._certificates() if name == "web" else {}),
                must_come_up=name == "web",
            )
            for name in only
        ]
        with Parent(running, say=self._say, alarm=self._alarm) as parent:
            try:
                if sockets:
                    address = f"http://localhost:{sockets[0].getsockname()[1]}"
                    self._wait_for(address, parent)
                else:
                    self._say(f"Running {' and '.join(only)}. Ctrl-C ends.")
                for part in running:
                    part.must_come_up = False
                parent.run()
            except GaveUpError as gave_up:
                message = f"{gave_up}. What it wrote above says why."
                raise CommandError(message) from None
            self._say("Ending: what is being done is finished first.")

    def _certificates(self) -> dict[str, str]:
        """Return the certificates that verify reports in the web, which has no private key."""
        if settings.REPORT_CERTIFICATES or not settings.REPORT_KEY:
            return {}
        place = Path(settings.VAR) / "run" / "report-certificates.pem"
        try:
            put_in_folder(place.parent, place.name, own_certificate())
        except NoReportKeyError as unreadable:
            self._say(f"{unreadable} Until then no report is signed, and none verified.")
            return {}
        return {"REPORT_CERTIFICATES": str(place)}

    def _hold(self, name: str) -> int:
        folder = Path(settings.VAR) / "run"
        lock = hold_part(name, folder=folder)
        if lock is None:
            by = (folder / f"{name}.lock").read_text()
            message = (
                f"The {name} of this folder already runs, under process {by}. "
                "Use it, or end it (Ctrl-C there, or kill that process); "
                "or let VAR name another folder for a second system."
            )
            raise CommandError(message)
        return lock

    def _wait_for(self, address: str, parent: Parent) -> None:
        asks = urllib.request.Request(f"{address}/healthz")  # noqa: S310
        if settings.PRODUCTION:  # the web rejects all other names
            asks.add_header("Host", settings.ALLOWED_HOSTS[0].lstrip("."))
        while not parent.ending:
            parent.watch()
            try:
                with urllib.request.urlopen(asks, timeout=5):  # noqa: S310
                    self._say(f"Serving at {address}. Ctrl-C ends.")
                    return
            except urllib.error.HTTPError:
                self._say(f"Serving at {address}. Ctrl-C ends.")
                return
            except OSError:
                time.sleep(0.1)

    def _alarm(self, part: Part, status: int) -> None:
        record_restart(part=part.name, times=part.ended, status=status)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
