"""Print every finding that stands, or the patterns they belong to."""

from __future__ import annotations

import json
import os
from datetime import date
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audits.selectors.findings import FIELDS, findings
from audits.selectors.patterns import PATTERN_FIELDS, patterns
from compliance.archive import DamagedError, MissingError
from compliance.csv_rows import CsvRows
from compliance.models import Party
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Iterable


class Command(BaseCommand):
    """`manage.py findings [--operator CODE] [--day DATE] [--format json|csv] [--patterns]`."""

    help = "One line for each finding of the days' current replays, complete; or for each pattern."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose findings, of which day, in which form."""
        parser.add_argument("--operator", metavar="CODE")
        parser.add_argument("--day", metavar="DATE", help="gambling day, as 2025-07-12")
        parser.add_argument("--patterns", action="store_true", help="patterns, over all days")
        parser.add_argument("--format", choices=["json", "csv"], default="json")
        parser.add_argument("--json", action="store_true", help="for other programs; the default")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print as it is read: a million lines need no more memory than one."""
        if options["patterns"] and options["day"]:
            msg = "--patterns goes over all days; leave --day out."
            raise CommandError(msg, returncode=2)
        day = _day(options["day"])
        with without_walls():
            operator = _operator(options["operator"])
            rows, fields = (
                (patterns(operator=operator), PATTERN_FIELDS)
                if options["patterns"]
                else (findings(operator=operator, day=day), FIELDS)
            )
            try:
                self._write(rows, fields, options["format"])
            except BrokenPipeError:  # the reader has gone, as `head` does
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            except (DamagedError, MissingError) as wrong:
                msg = (
                    f"{wrong} Have the day judged again with `manage.py replay`: it makes it good."
                )
                raise CommandError(msg, returncode=2) from wrong

    def _write(self, rows: Iterable[dict[str, Any]], fields: tuple[str, ...], form: str) -> None:
        if form == "json":
            for row in rows:
                self.stdout.write(json.dumps(row, ensure_ascii=False))
            return
        writer = CsvRows(self.stdout, line_end="\n")
        writer.write(*fields)
        writer.write_all([_cell(row[name]) for name in fields] for row in rows)


def _cell(value: object) -> object:
    """What a list says in one cell; the writer keeps text from being taken for a formula."""
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _operator(code: str | None) -> Party | None:
    if code is None:
        return None
    operator = Party.objects.filter(code=code).first()
    if operator is None:
        msg = f"--operator {code}: no party has this code."
        raise CommandError(msg, returncode=2)
    return operator


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        msg = f"--day {text}: a gambling day is written as 2025-07-12."
        raise CommandError(msg, returncode=2) from None
