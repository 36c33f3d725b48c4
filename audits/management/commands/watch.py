"""Print every stream of the watch: what chance would do, and what these tables did."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audits.management.options import read_day
from audits.watch.reads import coverage, streams
from audits.watch.writes import watch_operator
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS
from compliance.access.scope import without_access_scope
from compliance.events.actor import at_the_console
from compliance.events.exports import record_export

if TYPE_CHECKING:
    from audits.watch.streams import Stream

SHOWN = 20


class Command(BaseCommand):
    """`manage.py watch [--operator CODE] [--day DATE] [--json]`."""

    help = "The evidence against chance of every stream: cards, results, players, errors."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the operator, day and format."""
        parser.add_argument("--operator", metavar="CODE")
        parser.add_argument(
            "--day", metavar="DATE", help="last gambling day to include, as 2025-07-12"
        )
        parser.add_argument("--json", action="store_true", help="every stream, for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Count what was not counted yet, then print."""
        day = read_day(options["day"])
        found: list[tuple[Party, Stream]] = []
        missing = 0
        for operator in _operators(options["operator"]):
            watch_operator(operator)
            missing += coverage(operator, up_to=day).uncounted
            found += [(operator, stream) for stream in streams(operator, up_to=day)]
        found.sort(key=lambda each: -each[1].figures.evidence)
        record_export(
            by=at_the_console(),
            what="watch",
            format="JSON" if options["json"] else "TEXT",
            count=len(found),
            filters={name: options[name] for name in ("operator", "day") if options[name]},
        )
        if options["json"]:
            rows = [stream.as_row(operator.code) for operator, stream in found]
            self.stdout.write(json.dumps(rows, ensure_ascii=False))
        else:
            self._show(found)
        if missing:
            self.stderr.write(f"{missing} segments could not be read and are not included.")

    def _show(self, found: list[tuple[Party, Stream]]) -> None:
        alarms = sum(stream.is_alarm for _, stream in found)
        self.stdout.write(f"{len(found):,} streams, {alarms:,} alarms.")
        for operator, stream in found[: max(SHOWN, alarms)]:
            figures = stream.figures
            self.stdout.write(
                f"{'ALARM' if stream.is_alarm else '     '} {figures.evidence:8.2f}  "
                f"{operator.name}, {stream.title}: {figures.observed:,.1f}, "
                f"expected {figures.expected:,.1f}"
            )
        if len(found) > max(SHOWN, alarms):
            self.stdout.write("Shown are the strongest. For all of them, add --json.")


def _operators(code: str | None) -> list[Party]:
    with without_access_scope():
        operators = Party.objects.filter(kind__in=OPERATOR_KINDS).order_by("code")
        if code is None:
            return list(operators)
        found = list(operators.filter(code=code))
    if not found:
        msg = f"--operator {code}: no operator has this code."
        raise CommandError(msg, returncode=2)
    return found
