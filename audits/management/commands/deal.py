"""Deal random rounds, formatted as a card room submits them."""

import os
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.commands.call import CallError, setup_named
from games.rule_set import SLUGS
from games.simulator.night import deal_night
from games.simulator.plan import Dealt, FaultPlan, Plan

OPENING: Final = datetime(2025, 7, 12, 10, tzinfo=timezone(timedelta(hours=-7)))
ROUNDS_OF_A_TABLE: Final = 1000
"""Roughly how many rounds a table deals in a day."""
MOST_TABLES: Final = 50
WRITTEN_AT_ONCE: Final = 500


class Command(BaseCommand):
    """`manage.py deal --game GAME --rounds N --seed S [--faults RATE] [--planted FILE]`."""

    help = "Round-log lines of realistic play on standard output; the same call, the same bytes."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the game, number of rounds, seed and terms."""
        parser.add_argument("--game", required=True, choices=SLUGS)
        parser.add_argument("--rounds", required=True, type=int, metavar="N")
        parser.add_argument("--seed", required=True, metavar="S", help="any word or number")
        parser.add_argument(
            "--faults", metavar="RATE", default="0", help="of how many rounds, as 0.01 or 1/100"
        )
        parser.add_argument(
            "--planted", metavar="FILE", type=Path, help="what was planted, a line each"
        )
        parser.add_argument(
            "--setup", metavar="SETUP.json", help="terms to play under; without, the rules' own"
        )
        parser.add_argument("--json", action="store_true", help="as it is anyway: JSON lines")

    def handle(self, *_: Any, **options: Any) -> None:
        """Write the rounds."""
        if options["rounds"] < 0:
            msg = f"--rounds {options['rounds']}: a number of rounds is wanted, 0 or more."
            raise CommandError(msg, returncode=2)
        left = islice(deal_night(_plan(options)), options["rounds"])
        with _planted(options["planted"]) as planted:
            try:
                while some := list(islice(left, WRITTEN_AT_ONCE)):
                    self._write(some, planted)
            except BrokenPipeError:  # the reader is gone, as with `head`
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def _write(self, some: list[Dealt], planted: BinaryIO | None) -> None:
        self.stdout.write("".join(f"{dealt.line.decode()}\n" for dealt in some), ending="")
        if planted is not None:
            for dealt in some:
                for one in dealt.planted:
                    planted.write(orjson.dumps(one.as_row()) + b"\n")


def _planted(path: Path | None) -> AbstractContextManager[BinaryIO | None]:
    """Open the file for planted faults, if any."""
    if path is None:
        return nullcontext()
    try:
        return path.open("wb")
    except OSError as error:
        msg = f"--planted {path} cannot be written: {error.strerror}."
        raise CommandError(msg, returncode=2) from None


def _rate(text: str) -> Fraction:
    """Parse a rate exactly as written.

    Raises:
        CommandError: it is not a number from 0 to 1.
    """
    try:
        rate = Fraction(text)
    except (ValueError, ZeroDivisionError):
        rate = Fraction(-1)
    if not 0 <= rate <= 1:
        msg = f"--faults {text}: a rate from 0 to 1 is wanted, as 0.01 or 1/100."
        raise CommandError(msg, returncode=2)
    return rate


def _plan(options: dict[str, Any]) -> Plan:
    """Plan as many tables as deal the rounds in about a day."""
    tables = min(max(1, -(-options["rounds"] // ROUNDS_OF_A_TABLE)), MOST_TABLES)
    rate = _rate(options["faults"])
    try:
        setup = setup_named(options["setup"])
    except CallError as error:
        msg = f"--setup: {error}"
        raise CommandError(msg, returncode=2) from None
    return Plan(
        game=options["game"],
        tables=tuple(f"T{number}" for number in range(1, tables + 1)),
        opening=OPENING,
        setup=setup,
        seed=options["seed"],
        faults=(FaultPlan(rate=rate),) if rate else (),
    )
