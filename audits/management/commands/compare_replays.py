"""Compare the findings of two replays."""

from __future__ import annotations

import json
import sys
from time import sleep
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audits.replay.comparisons import answer_of_comparison, begin_comparison
from audits.replay.models import Replay, ReplayComparison
from compliance.access.scope import without_access_scope
from compliance.checks import CONFIGURATION
from compliance.errors import RefusedError
from compliance.jobs.queue import take_job
from compliance.jobs.work import StoppedError, do_job

LOOKS_AGAIN_AFTER_SECONDS = 0.2


class Command(BaseCommand):
    """`manage.py compare_replays FORMER LATER [--wait] [--json]`.

    Exits with 0 if it is done (without `--wait`: queued), and with 1 if it failed.
    """

    requires_system_checks = (CONFIGURATION,)
    help = "Says of each finding of a replay what a later one says: confirmed, changed, gone, new."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the two replays and whether to wait."""
        parser.add_argument("former", metavar="FORMER", help="number of the earlier replay")
        parser.add_argument("later", metavar="LATER", help="number of the later replay")
        parser.add_argument(
            "--wait", action="store_true", help="until it is done, with or without workers"
        )
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Begin the comparison, wait if asked to, and print the result."""
        with without_access_scope():
            former, later = (_replay(options[name]) for name in ("former", "later"))
            try:
                kept = begin_comparison(former=former, later=later, by=None)
                if options["wait"]:
                    _work_until_ended(kept)
            except RefusedError as refused:
                raise CommandError(str(refused), returncode=2) from None
            except StoppedError as error:
                msg = f"Nothing can be compared now: {error}. Mend that and call again."
                raise CommandError(msg, returncode=2) from error
            answer = answer_of_comparison(kept)
        if options["json"]:
            self.stdout.write(json.dumps(answer))
        else:
            for name in ("comparison", "state", "days", "compared"):
                self.stdout.write(f"{name:<12} {answer[name]}")
            for name, count in (answer["total"] or {}).items():
                self.stdout.write(f"{name:<12} {count:,}")
        if kept.state == ReplayComparison.State.FAILED:
            self.stderr.write(kept.failure)
            sys.exit(1)


def _work_until_ended(kept: ReplayComparison) -> None:
    """Compare in this process, or wait for the worker that does."""
    while kept.ended is None:
        if lease := take_job({ReplayComparison.JOB}, subject=kept.pk):
            do_job(lease)
        else:
            sleep(LOOKS_AGAIN_AFTER_SECONDS)
        kept.refresh_from_db()


def _replay(text: str) -> Replay:
    try:
        found = Replay.objects.select_related("party").filter(uuid=UUID(text)).first()
    except ValueError:
        found = None
    if found is None:
        msg = f"{text}: there is no replay of this number. Its page and `replay --json` say it."
        raise CommandError(msg, returncode=2)
    return found
