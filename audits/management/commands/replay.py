"""Replay rounds, again or for the first time."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audits.intake.models import RoundLog
from audits.management.options import find_operator, read_day
from audits.replay.jobs import work_until_ended
from audits.replay.models import Replay
from audits.replay.reads import answer_of, last_failure, progress_of
from audits.replay.shelf import NoReplayError, find_replay_to_run, run_again
from audits.replay.writes import Scope, begin_replay
from compliance.access.scope import without_access_scope
from compliance.addresses import know_addresses
from compliance.checks import CONFIGURATION
from compliance.errors import RefusedError
from compliance.events.actor import at_the_console
from compliance.files.archive import DamagedError, MissingError
from compliance.jobs.work import StoppedError
from compliance.verification.shelf import NoReleaseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

    from compliance.access.models import Party

SHA256 = 64


class Command(BaseCommand):
    """`manage.py replay --operator CODE [--day DATE] [--game G] [--table T] [--log LOG] [--wait]`.

    Exits with 0 if it is done (without `--wait`: begun), with 1 if it failed or was canceled.

    With `--engine DIGEST` a completed replay is run again by a sealed release, in a process of its
    own, and nothing on file changes. It exits with 1 if the findings are not those on file.
    """

    requires_system_checks = (CONFIGURATION,)
    help = "Judges an operator's rounds by what was in effect; the same inputs, the same findings."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the operator, the scope and whether to wait."""
        parser.add_argument("--operator", required=True, metavar="CODE")
        parser.add_argument("--day", metavar="DATE", help="gambling day, as 2025-07-12")
        parser.add_argument("--game", help="as pyramid-poker")
        parser.add_argument("--table", metavar="T")
        parser.add_argument("--log", metavar="LOG", help="id or SHA-256 of a round log on file")
        parser.add_argument("--priority", type=int, default=0, help="-10 to 10, higher goes first")
        parser.add_argument(
            "--wait",
            action="store_true",
            help="until it is done, beside the workers or without any; progress on standard error",
        )
        parser.add_argument(
            "--engine",
            metavar="DIGEST",
            help="engine or sealed release (or `installed`) that runs a completed replay again",
        )
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Begin the replay, wait if asked to, and print the result."""
        if options["engine"]:
            self._run_again(options)
            return
        with without_access_scope():
            replay = self._begin(options)
            if options["wait"]:
                know_addresses()
                try:
                    work_until_ended(replay, progress=self._progress(replay))
                except StoppedError as error:
                    msg = f"Nothing can be judged now: {error}. Mend that and call again."
                    raise CommandError(msg, returncode=2) from error
            replay.refresh_from_db()
            answer = answer_of(replay)
        if options["json"]:
            self.stdout.write(json.dumps(answer))
        else:
            for name, value in answer.items():
                self.stdout.write(f"{name:<12} {'' if value is None else value}")
        for each in replay.set_aside:
            self.stderr.write(f"Not audited: {each['game']} on {each['day']}. {each['why']}")
        if replay.failure:
            self.stderr.write(replay.failure)
        if replay.state in {Replay.State.FAILED, Replay.State.CANCELED}:
            sys.exit(1)

    def _run_again(self, options: dict[str, Any]) -> None:
        if narrowed := [f"--{each}" for each in ("game", "table", "log") if options[each]]:
            msg = f"--engine runs a whole replay again: leave out {', '.join(narrowed)}."
            raise CommandError(msg, returncode=2)
        operator = find_operator(options["operator"])
        try:
            with without_access_scope():
                replay = find_replay_to_run(operator, read_day(options["day"]), options["engine"])
            found = run_again(replay, options["engine"], by=at_the_console())
        except (NoReplayError, NoReleaseError, MissingError, DamagedError) as error:
            raise CommandError(str(error), returncode=2) from error
        if options["json"]:
            self.stdout.write(json.dumps(found.answer()))
        else:
            self.stdout.write("\n".join(found.lines()))
        if not found.same:
            sys.exit(1)

    def _begin(self, options: dict[str, Any]) -> Replay:
        operator = find_operator(options["operator"])
        scope = Scope(
            day=read_day(options["day"]),
            game=options["game"],
            table=options["table"],
            log=_log(operator, options["log"]),
        )
        try:
            return begin_replay(
                operator=operator, scope=scope, by=None, priority=options["priority"]
            )
        except RefusedError as refused:
            raise CommandError(str(refused), returncode=2) from None

    def _progress(self, replay: Replay) -> Callable[[], None]:
        printed: list[tuple[int, str]] = []

        def print_progress() -> None:
            replay.refresh_from_db(fields=["state"])
            now = progress_of(replay)
            line = (now.done, replay.get_state_display())
            if not printed or printed[-1] != line:
                printed.append(line)
                failure = last_failure(replay)
                why = f": {failure}" if failure else ""
                self.stderr.write(
                    f"{line[1]}: {now.done} of {now.work_units} segments, {now.percent} %{why}"
                )

        return print_progress


def _log(operator: Party, text: str | None) -> str | None:
    """Return the SHA-256 of a log on file, found by SHA-256 or UUID."""
    if not text:
        return None
    logs = RoundLog.objects.filter(party=operator)
    found = logs.filter(sha256=text).first() if len(text) == SHA256 else _by_id(logs, text)
    if found is None:
        msg = f"--log {text}: {operator.name} has no round log on file under this."
        raise CommandError(msg, returncode=2)
    return found.sha256


def _by_id(logs: QuerySet[RoundLog, RoundLog], text: str) -> RoundLog | None:
    try:
        return logs.filter(uuid=UUID(text)).first()
    except ValueError:
        return None
