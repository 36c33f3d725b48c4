"""Print the terms in effect for an operator's game at an instant."""

import json
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.access.models import Party
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.in_effect.api import InEffectShape
from compliance.in_effect.reads import TermsInEffect, find_terms
from games.cents import in_dollars


class Command(BaseCommand):
    """`manage.py in_effect --operator CODE --game GAME [--table T] --at TIME [--json]`."""

    help = "What was in effect: rules, readings, controls, limits, cap and approvals; or why not."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the table, the game and the instant."""
        parser.add_argument("--operator", required=True, metavar="CODE")
        parser.add_argument("--game", required=True)
        parser.add_argument("--table", metavar="T")
        parser.add_argument("--at", required=True, metavar="TIME", help="2025-07-12T22:15:00-07:00")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print the answer, or why there is none."""
        with without_access_scope():
            operator = Party.objects.filter(code=options["operator"]).first()
        if operator is None:
            msg = f"--operator {options['operator']}: no party has this code."
            raise CommandError(msg, returncode=2)
        found = find_terms(
            operator=operator, game=options["game"], table=options["table"], at=_time(options["at"])
        )
        if options["json"]:
            self.stdout.write(json.dumps(InEffectShape(found).data, indent=1))
            return
        for line in _describe(found):
            self.stdout.write(line)


def _time(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
        at.astimezone(zone())
    except (ValueError, OverflowError):  # years 1 and 9999 can overflow in local time
        at = None
    if at is None or at.tzinfo is None:
        msg = f"--at {text}: a time is written with its offset, as 2025-07-12T22:15:00-07:00."
        raise CommandError(msg, returncode=2)
    return at


def _describe(found: TermsInEffect) -> list[str]:
    where = f"{found.game} at {found.operator}" + (f", table {found.table}" if found.table else "")
    lines = [f"{where}, {found.at.astimezone(zone()):%Y-%m-%d %H:%M:%S %Z}"]
    lines.append("  authorized" if found.authorized else "  not authorized")
    lines += [f"    {each.code}: {each.text}" for each in found.reasons]
    lines += [f"  rules     {found.rule_version}"] if found.rule_version else []
    lines += [f"  approved  {found.definition}"] if found.definition else []
    for wager, table in found.pay_tables.items():
        lines.append(f"  {wager:<12} pays by {table.name} ({table.digest[:12]})")
    lines += [f"  {id_:<12} read as {each}" for id_, each in found.interpretations.items()]
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
