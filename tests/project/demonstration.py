"""The demonstration night in an installation: what was planted, and what its commands report."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from audits.demonstration.plan import LACKING, logs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audits.demonstration.plan import Log
    from games.simulator.plan import Dealt, Planted
    from tests.installation import Installation


def planted(pace: int) -> Iterator[tuple[Log, Dealt, Planted]]:
    """Yield every finding that must appear, with its round and log."""
    for log in logs(pace):
        for sheet, dealt in log.rounds():
            for each in sheet.found_of(dealt):
                yield log, dealt, each


def findings_of(installation: Installation) -> list[dict[str, Any]]:
    """Return every finding of the installation, of rounds and of days."""
    printed = installation.manage("findings")
    assert printed.returncode == 0, printed.stderr
    return [json.loads(line) for line in printed.stdout.splitlines()]


def alarms_of(installation: Installation) -> set[tuple[str, str, str]]:
    """Return the operator, kind and stream of every alarm of the watch."""
    printed = installation.manage("watch", "--json")
    assert printed.returncode == 0, printed.stderr
    rows = [row for row in json.loads(printed.stdout) if row["alarm"]]
    return {(row["operator"], row["kind"], row["stream"]) for row in rows}


def assert_found_what_was_planted(installation: Installation, pace: int) -> None:
    """Assert that everything planted is found, with its amounts, and nothing else."""
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
        if not each["round"] and not each["code"].startswith("watch.")
    )
    assert lacking == sorted(
        (each.operator, str(each.day), each.code, each.table) for each in LACKING
    )
