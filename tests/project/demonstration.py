"""The demonstration night in an installation: what was planted, and what its commands say of it."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from audits.demonstration.night import LACKING, logs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audits.demonstration.sheets import Log
    from games.dealing import Dealt, Planted
    from tests.installation import Installation


def planted(pace: int) -> Iterator[tuple[Log, Dealt, Planted]]:
    """Every finding that must be, with the round and the log that it is of."""
    for log in logs(pace):
        for sheet, dealt in log.rounds():
            for each in sheet.found_of(dealt):
                yield log, dealt, each


def findings_of(installation: Installation) -> list[dict[str, Any]]:
    """Every finding that the installation has, of rounds and of days."""
    printed = installation.manage("findings")
    assert printed.returncode == 0, printed.stderr
    return [json.loads(line) for line in printed.stdout.splitlines()]


def assert_found_what_was_planted(installation: Installation, pace: int) -> None:
    """What was planted is found, one by one and with its money, and nothing else is."""
    found = findings_of(installation)
    of_rounds = Counter(
        (each["operator"], each["round"], each["code"], each["seat"], each["wager"], each["delta"])
        for each in found
        if each["round"]
    )
    wanted = Counter(
        (log.operator, each.round, each.code, each.seat, each.wager, each.delta)
        for log, _, each in planted(pace)
    )
    assert of_rounds - wanted == Counter()
    assert wanted - of_rounds == Counter()
    lacking = sorted(
        (each["operator"], each["day"], each["code"], each["table"] or "")
        for each in found
        if not each["round"]
    )
    assert lacking == sorted(
        (each.operator, str(each.day), each.code, each.table) for each in LACKING
    )
