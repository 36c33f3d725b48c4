"""Have two replays compared: what the later one says of the former's findings."""

from __future__ import annotations

import json
import sys
from time import sleep
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audits.models import Replay, ReplayComparison
from audits.selectors.comparisons import answer_of_comparison
from audits.services.comparisons import begin_comparison, make_comparison, take_comparison
from audits.services.judge_share import StoppedError
from compliance.checks import CONFIGURATION
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

LOOKS_AGAIN_AFTER_SECONDS = 0.2


class Command(BaseCommand):
    """`manage.py compare_replays FORMER LATER [--wait] [--json]`.

    Ends with 0 when it is done (without `--wait`: asked for), with 1 when it failed.
    """

    requires_system_checks = (CONFIGURATION,)
    help = "Says of each finding of a replay what a later one says: confirmed, changed, gone, new."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which two, and whether to wait."""
        parser.add_argument("former", metavar="FORMER", help="number of the earlier replay")
        parser.add_argument("later", metavar="LATER", help="number of the later replay")
        parser.add_argument(
            "--wait", action="store_true", help="until it is done, with or without workers"
        )
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Begin, wait if asked to, answer."""
        with without_walls():
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
    """Compare here, or wait for the worker that does."""
    while kept.ended is None:
        if lease := take_comparison(of=kept):
            make_comparison(lease)
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
