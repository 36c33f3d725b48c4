"""Say what submitting files would answer, and keep nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from audits.management.commands.ingest import (
    REFUSED,
    read_given_mapping,
    require_file,
)
from audits.management.options import find_operator
from audits.replay.rehearsal.reads import rehearse
from compliance.checks import CONFIGURATION
from compliance.errors import RefusedError
from games.strict_json import visible

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

    from audits.replay.rehearsal.reads import Rehearsal

REJECTED = 1


class Command(BaseCommand):
    """`manage.py check_log --operator CODE FILE... [--map MAPPING] [--json]`."""

    requires_system_checks = (CONFIGURATION,)
    help = "Say what submitting these files would answer. Nothing is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the operator and the files."""
        parser.add_argument("--operator", required=True, metavar="CODE")
        parser.add_argument("--map", metavar="MAPPING", help="as with ingest; it is not saved")
        parser.add_argument("--json", action="store_true", help="one line per file, for programs")
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)

    def handle(self, *_: Any, **options: Any) -> None:
        """Rehearse the files one by one; each is compared with what is on file, not with others."""
        operator = find_operator(options["operator"])
        for path in options["files"]:
            require_file(path)
        mapping = read_given_mapping(operator, options["map"])
        rejected = refused = False
        for path in options["files"]:
            shown = visible(str(path))
            try:
                with path.open("rb") as content:
                    rehearsal = rehearse(
                        party=operator, name=path.name, content=content, mapping=mapping
                    )
            except RefusedError as error:
                refused = True
                self.stderr.write(f"{shown}: {error}")
                continue
            rejected = rejected or rehearsal.result.rejected > 0
            answer = rehearsal.as_json()
            self.stdout.write(
                json.dumps(answer) if options["json"] else _describe(rehearsal, shown)
            )
        if refused:
            raise SystemExit(REFUSED)
        if rejected:
            raise SystemExit(REJECTED)


def _describe(rehearsal: Rehearsal, shown: str) -> str:
    result, totals = rehearsal.result, rehearsal.totals
    lines = [
        f"{shown}: {result.lines:,} lines: {result.good:,} would be accepted, {result.rejected:,} "
        f"rejected, {result.already:,} are on file already. Nothing was stored."
    ]
    lines += [
        f"  {each['table']}: {each['rounds']:,} rounds of {each['game']}" for each in totals.tables
    ]
    lines += [
        f"  {each['table']} is not a table of this operator: {each['rounds']:,} rounds"
        for each in totals.unknown
    ]
    lines += [
        f"  Missing on {each['day']}: table {each['table']}, {each['game']}"
        for each in totals.missing
    ]
    lines += [
        f"  Would be flagged: {code}, {count:,}" for code, count in rehearsal.findings.items()
    ]
    lines += [
        f"  Line {each.line:,} would be rejected: {each.reason}" for each in rehearsal.examples
    ]
    return "\n".join(lines)
