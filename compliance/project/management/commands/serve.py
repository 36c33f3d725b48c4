import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from compliance.project import processes
from compliance.project.processes import GaveUpError, Parent, Part
from compliance.project.running import hold_part, listen
from compliance.tables import MIGRATE, migrations_wait

PARTS = ("web", "worker", "beat")


class Command(BaseCommand):
    """Run the system, or some of its parts, until Ctrl-C or TERM."""

    help = "Runs web, worker and beat together; or those that are named, as on a second machine."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the parts to run."""
        parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART")
        parser.add_argument("--port", type=int, default=settings.ENVIRONMENT.port)

    def handle(self, *, only: list[str], port: int, **_: Any) -> None:
        """Start the parts and stay until told to end.

        Without its tables every part would fail time and again; a database that cannot be asked may
        come back.
        """
        if migrations_wait():
            raise CommandError(MIGRATE, returncode=2)
        held = {name: self._hold(name) for name in only}
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
            Part(name, commands[name](), [held[name], *(handles if name == "web" else [])])
            for name in only
        ]
        with Parent(running, say=self._say) as parent:
            if sockets:
                address = f"http://localhost:{sockets[0].getsockname()[1]}"
                self._wait_for(address, parent)
            else:
                self._say(f"Running {' and '.join(only)}. Ctrl-C ends.")
            try:
                parent.run()
            except GaveUpError as gave_up:
                message = f"{gave_up}. What it wrote above says why."
                raise CommandError(message) from None
            self._say("Ending: what is being done is finished first.")

    def _hold(self, name: str) -> int:
        folder = Path(settings.VAR) / "run"
        held = hold_part(name, folder=folder)
        if held is None:
            by = (folder / f"{name}.lock").read_text()
            message = (
                f"The {name} of this folder already runs, under process {by}. "
                "Use it, or end it (Ctrl-C there, or kill that process); "
                "or let VAR name another folder for a second system."
            )
            raise CommandError(message)
        return held

    def _wait_for(self, address: str, parent: Parent) -> None:
        while not parent.ending:
            parent.watch()
            try:
                with urllib.request.urlopen(f"{address}/healthz", timeout=5):  # noqa: S310
                    self._say(f"Serving at {address}. Ctrl-C ends.")
                    return
            except urllib.error.HTTPError:
                self._say(f"Serving at {address}. Ctrl-C ends.")
                return
            except OSError:
                time.sleep(0.1)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
