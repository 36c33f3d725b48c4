"""Counts the odds and proves the checks of definitions in the background, once for each.

Each choice of pay tables and readings is counted by `python -m games odds` in a process of its own,
which ends when it takes too long: nothing in a definition can stop or slow anything else.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils import timezone

from compliance.access.scope import without_access_scope
from compliance.files.archive import current_archive, read_bytes
from compliance.filings.games.models import DefinitionOdds, RuleVersion
from compliance.jobs import queue
from compliance.jobs.process import OwnProcess
from compliance.jobs.work import Kind
from compliance.secret import own_environment
from games.definition import read_definition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.jobs.queue import Lease
    from games.definition import Definition

MOST_SECONDS: Final = 900
"""What one choice of pay tables and readings may take."""
TOO_LONG: Final = "Counting this took longer than 15 minutes, so it was ended."
FAILED: Final = "The engine could not count this."
ODDS_PROCESS: Final = OwnProcess("count_odds")
State = DefinitionOdds.State


def add_odds_jobs() -> bool:
    """Add a job for each filed definition without odds; return whether there is work to do."""
    with without_access_scope():
        known = DefinitionOdds.objects.values("definition")
        filed = RuleVersion.objects.filter(definition__isnull=False).exclude(definition__in=known)
        pairs = set(filed.values_list("definition", "definition_file"))
    DefinitionOdds.objects.bulk_create(
        [
            DefinitionOdds(definition=definition, definition_file=file)
            for definition, file in pairs
            if definition and file
        ],
        ignore_conflicts=True,
    )
    waiting = DefinitionOdds.objects.filter(state=State.WAITING)
    queue.add_jobs(DefinitionOdds.JOB, waiting.values_list("pk", flat=True))
    return queue.due_jobs({DefinitionOdds.JOB}).exists()


def _count(lease: Lease) -> None:
    row = DefinitionOdds.objects.get(pk=lease.subject)
    content = read_bytes(current_archive(), row.definition_file)
    definition = read_definition(content.decode())
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{definition.slug}.toml"
        file.write_bytes(content)
        figures = [_figures(file, *chosen) for chosen in choices_of(definition)]
        proofs = _proofs(file)
    with queue.finishing(lease):
        DefinitionOdds.objects.filter(pk=row.pk).update(
            state=State.DONE, figures=figures, proofs=proofs, failure="", at=timezone.now()
        )


def choices_of(definition: Definition) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Yield pay tables and readings to count: the defaults, then each other choice alone."""
    yield {}, {}
    for wager, names in definition.tables_of_wagers.items():
        for name in names[1:]:
            yield {wager: name}, {}
    for id_, question in definition.interpretations.items():
        for reading in question.readings:
            if question.affects_money and reading != question.default:
                yield {}, {id_: reading}


def _figures(file: Path, tables: dict[str, str], readings: dict[str, str]) -> dict[str, Any]:
    options = [f"--table={wager}={name}" for wager, name in tables.items()]
    options += [f"--interpretation={id_}={reading}" for id_, reading in readings.items()]
    chosen = {"tables": tables, "readings": readings}
    try:
        done = _engine("odds", str(file), "--json", *options)
    except subprocess.TimeoutExpired:
        return {**chosen, "odds": [], "problem": TOO_LONG}
    if done.returncode:
        return {**chosen, "odds": [], "problem": FAILED}
    return {**chosen, "odds": json.loads(done.stdout), "problem": ""}


def _proofs(file: Path) -> dict[str, dict[str, str]]:
    """Return which codes prove which clauses; nothing if that can't be said in time."""
    try:
        done = _engine("check", str(file), "--json", "--no-odds", "--proofs")
    except subprocess.TimeoutExpired:
        return {}
    proofs: dict[str, dict[str, str]] = {}
    return proofs if done.returncode else json.loads(done.stdout).get("proofs", proofs)


def _engine(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command of the engine in a process of its own."""
    return subprocess.run(  # noqa: S603 - a command of our own
        [sys.executable, "-m", "games", *arguments],
        capture_output=True,
        check=False,
        cwd=settings.BASE_DIR,
        env=own_environment(),
        timeout=MOST_SECONDS,
    )


def _give_up(subject: int, reason: str) -> None:
    DefinitionOdds.objects.filter(pk=subject).update(
        state=State.FAILED, failure=reason, at=timezone.now()
    )


ODDS_JOBS = Kind(run=_count, give_up=_give_up)
