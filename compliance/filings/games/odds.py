"""Counts the odds and proves the checks of definitions in the background, once for each.

Each choice of pay tables and readings is counted by `python -m games odds` in a process of its own,
which ends when it takes too long: nothing in a definition can stop or slow anything else.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils import timezone

from compliance.access.scope import without_access_scope
from compliance.files.archive import current_archive, read_bytes
from compliance.filings.games.definitions import definition_of
from compliance.filings.games.models import DefinitionOdds, RuleVersion
from compliance.filings.games.named_tables import STANDARD, lines_of, named_pay_tables
from compliance.jobs import queue
from compliance.jobs.process import OwnProcess
from compliance.jobs.work import Kind
from compliance.secret import own_environment
from games.definition import read_definition
from games.odds.wagers import COUNTED
from games.rule_set import SLUGS, built_in_definition, definition_file, rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compliance.jobs.queue import Lease
    from games.definition import Definition

MOST_COMBINATIONS: Final = 60
"""Combinations of choices that are counted beside each choice alone."""
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
        pairs = {
            (definition, file)
            for definition, file in filed.values_list("definition", "definition_file")
            if definition and file
        }
        by_lines = RuleVersion.objects.filter(definition__isnull=True, game__engine__in=SLUGS)
        for version in by_lines.select_related("game"):
            counted = counted_definition(version)
            if counted is not None and has_odds(counted):
                pairs.add((counted.digest, ""))
    DefinitionOdds.objects.bulk_create(
        [DefinitionOdds(definition=definition, definition_file=file) for definition, file in pairs],
        ignore_conflicts=True,
    )
    waiting = DefinitionOdds.objects.filter(state=State.WAITING)
    queue.add_jobs(DefinitionOdds.JOB, waiting.values_list("pk", flat=True))
    return queue.due_jobs({DefinitionOdds.JOB}).exists()


def counted_definition(version: RuleVersion) -> Definition | None:
    """Return the definition whose odds a version has: its own, or the engine's if it pays alike.

    A version that was filed with pay lines has no definition of its own.
    """
    own = definition_of(version)
    engine = version.game.engine
    if own is not None or engine not in SLUGS:
        return own
    filed = named_pay_tables(version)
    if any(list(names) != [STANDARD] for names in filed.values()):
        return None
    lines = lines_of({wager: names[STANDARD] for wager, names in filed.items()})
    known = {name: dict(table.lines) for name, table in rule_set(engine).pay_tables.items()}
    return built_in_definition(engine) if lines == known else None


def has_odds(definition: Definition) -> bool:
    """Return whether there are odds to state of a game."""
    if definition.named:
        return definition.slug in COUNTED
    return definition.own is None or not definition.own.is_between_players


def _text_of(row: DefinitionOdds) -> bytes:
    """Return the text of a filed definition, or of the engine's own with this digest."""
    if row.definition_file:
        return read_bytes(current_archive(), row.definition_file)
    by_digest = {built_in_definition(slug).digest: slug for slug in SLUGS}
    return definition_file(by_digest[row.definition]).read_bytes()


def _count(lease: Lease) -> None:
    row = DefinitionOdds.objects.get(pk=lease.subject)
    content = _text_of(row)
    definition = read_definition(content.decode())
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{definition.slug}.toml"
        file.write_bytes(content)
        figures = [_figures(file, *chosen) for chosen in choices_of(definition)]
        figures += [_figures(file, *chosen) for chosen in combinations_of(figures)]
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


def combinations_of(
    figures: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Yield combinations of the choices that change a figure alone, up to a limit.

    `figures` begins with the defaults, then has each other choice alone.
    """
    options: dict[tuple[str, str], list[str]] = {}
    for each in figures[1:]:
        if each["odds"] and each["odds"] != figures[0]["odds"]:
            for kind in ("tables", "readings"):
                for key, name in each[kind].items():
                    options.setdefault((kind, key), []).append(name)
    combined = (
        dict(zip(options, names, strict=True))
        for names in product(*([None, *of] for of in options.values()))
        if sum(name is not None for name in names) > 1
    )
    for chosen in islice(combined, MOST_COMBINATIONS):
        parts: dict[str, dict[str, str]] = {"tables": {}, "readings": {}}
        for (kind, key), name in chosen.items():
            if name is not None:
                parts[kind][key] = name
        yield parts["tables"], parts["readings"]


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
