"""Print what was in force for an operator's game at an instant."""

import json
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.models import Party
from compliance.selectors.in_force import InForce, in_force, zone
from compliance.walls import without_walls
from games.cents import in_dollars


class Command(BaseCommand):
    """`manage.py in_force --operator CODE --game GAME [--table T] --at TIME [--json]`."""

    help = "What was in force: rules, readings, controls, limits, cap and approvals; or why not."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose table, which game, when."""
        parser.add_argument("--operator", required=True, metavar="CODE")
        parser.add_argument("--game", required=True)
        parser.add_argument("--table", metavar="T")
        parser.add_argument("--at", required=True, metavar="TIME", help="2025-07-12T22:15:00-07:00")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Answer, or say why the question cannot be answered."""
        with without_walls():
            operator = Party.objects.filter(code=options["operator"]).first()
        if operator is None:
            msg = f"--operator {options['operator']}: no party has this code."
            raise CommandError(msg, returncode=2)
        found = in_force(
            operator=operator, game=options["game"], table=options["table"], at=_time(options["at"])
        )
        if options["json"]:
            self.stdout.write(json.dumps(found.as_answer(), indent=1))
            return
        for line in _told(found):
            self.stdout.write(line)


def _time(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
        at.astimezone(zone())
    except (ValueError, OverflowError):  # the year 1 begins, the year 9999 ends elsewhere
        at = None
    if at is None or at.tzinfo is None:
        msg = f"--at {text}: a time is written with its offset, as 2025-07-12T22:15:00-07:00."
        raise CommandError(msg, returncode=2)
    return at


def _told(found: InForce) -> list[str]:
    where = f"{found.game} at {found.operator}" + (f", table {found.table}" if found.table else "")
    lines = [f"{where}, {found.at.astimezone(zone()):%Y-%m-%d %H:%M:%S %Z}"]
    lines.append("  authorised" if found.authorised else "  not authorised")
    lines += [f"    {each.code}: {each.text}" for each in found.reasons]
    lines += [f"  rules     {found.rule_version}"] if found.rule_version else []
    lines += [f"  controls  {found.controls_version}"] if found.controls_version else []
    for wager, (low, high) in found.limits.items():
        lines.append(f"  {wager:<12} {in_dollars(low)} to {in_dollars(high)}")
    if found.cap:
        value = found.cap["value"]
        cap = "not known" if value is None else in_dollars(value)
        lines.append(f"  cap       {cap} ({found.cap['citation']}, {found.cap['filing']})")
    lines += [
        f"  approved  {each.at:%Y-%m-%d} {each.get_kind_display()}" for each in found.approvals
    ]
    return lines
