"""Print every finding of the current replays, or the issues they belong to."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audits.management.options import add_night_options, find_operator, read_day
from audits.replay.findings.reads import FIELDS, ISSUE_FIELDS, findings, issues
from compliance.access.scope import without_access_scope
from compliance.events.actor import at_the_console
from compliance.events.exports import record_cut_off, record_export
from compliance.files.archive import DamagedError, MissingError
from compliance.text import CsvRows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Command(BaseCommand):
    """`manage.py findings [--operator CODE] [--day DATE] [--format json|csv] [--issues]`."""

    help = "One line for each finding of the days' current replays, complete; or for each issue."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the operator, day and format."""
        add_night_options(parser)
        parser.add_argument("--issues", action="store_true", help="issues, over all days")
        parser.add_argument("--format", choices=["json", "csv"], default="json")
        parser.add_argument("--json", action="store_true", help="for other programs; the default")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print while reading: a million lines need no more memory than one."""
        if options["issues"] and options["day"]:
            msg = "--issues goes over all days; leave --day out."
            raise CommandError(msg, returncode=2)
        day = read_day(options["day"])
        with without_access_scope():
            operator = find_operator(options["operator"]) if options["operator"] else None
            rows, fields = (
                (issues(operator=operator), ISSUE_FIELDS)
                if options["issues"]
                else (findings(operator=operator, day=day), FIELDS)
            )
            counted = _Counted(rows)
            whole = True
            try:
                self._write(counted, fields, options["format"])
                self.stdout.flush()
            except BrokenPipeError:  # the reader is gone, as with `head`
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                whole = False
            except (DamagedError, MissingError) as wrong:
                msg = (
                    f"{wrong} Have the day judged again with `manage.py replay`: it makes it good."
                )
                raise CommandError(msg, returncode=2) from wrong
            finally:
                _record(options, counted.rows, whole=whole)

    def _write(self, rows: Iterable[dict[str, Any]], fields: tuple[str, ...], form: str) -> None:
        if form == "json":
            for row in rows:
                self.stdout.write(json.dumps(row, ensure_ascii=False))
            return
        writer = CsvRows(self.stdout, line_end="\n")
        writer.write(*fields)
        writer.write_all([_cell(row[name]) for name in fields] for row in rows)


class _Counted:
    """Rows counted as they are printed."""

    def __init__(self, of: Iterable[dict[str, Any]]) -> None:
        self._of = of
        self.rows = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self._of:
            self.rows += 1
            yield row


def _record(options: dict[str, Any], count: int, *, whole: bool) -> None:
    asked = {name: options[name] for name in ("operator", "day") if options[name]}
    export = record_export(
        by=at_the_console(),
        what="issues" if options["issues"] else "findings",
        format=options["format"].upper(),
        count=count,
        filters=asked,
    )
    if not whole:
        record_cut_off(export=export, sent=count, unit="rows")


def _cell(value: object) -> object:
    """Return the value for one cell; the CSV writer keeps text from being read as a formula."""
    return " ".join(map(str, value)) if isinstance(value, list) else value
