"""The options that commands about nights have in common."""

from __future__ import annotations

from datetime import date

from django.core.management.base import CommandError, CommandParser

from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS
from compliance.access.scope import without_access_scope

USAGE = 2
"""Exit status of a call that can't be accepted."""


def add_night_options(parser: CommandParser) -> None:
    """Add `--operator` and `--day`."""
    parser.add_argument("--operator", metavar="CODE")
    parser.add_argument("--day", metavar="DATE", help="gambling day, as 2025-07-12")


def find_operator(code: str) -> Party:
    """Return the operator with a code, or end the command with a sentence."""
    with without_access_scope():
        operator = Party.objects.filter(code=code).first()
    if operator is None:
        msg = f"--operator {code}: no party has this code."
        raise CommandError(msg, returncode=USAGE)
    if operator.kind not in OPERATOR_KINDS:
        msg = f"--operator {code}: {operator} deals no rounds; name a card room or tribal casino."
        raise CommandError(msg, returncode=USAGE)
    return operator


def read_day(text: str | None) -> date | None:
    """Read a gambling day; None without one."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        msg = f"--day {text}: write a gambling day as 2025-07-12."
        raise CommandError(msg, returncode=USAGE) from None
