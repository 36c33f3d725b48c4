"""What another release finds in the rounds of a replay: the same segments under the same terms."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from audits.replay.auditing.findings import read_findings
from audits.replay.engine import PLACES, ROOT, engine_version
from audits.replay.events import REPLAY_RUN_AGAIN
from audits.replay.findings.files import findings_of
from audits.replay.models import Replay
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.events.record import record
from compliance.files.archive import DamagedError, MissingError, current_archive
from compliance.verification.release import find_release
from compliance.verification.shelf import (
    INSTALLED,
    NoReleaseError,
    files_of_release,
    release_to_run,
)
from compliance.verification.software import digests_of_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from audits.replay.models import ReplaySegment
    from compliance.access.models import Party
    from compliance.event_log.verifier import Answer
    from compliance.events.actor import Actor
    from compliance.verification.shelf import Unpacked


MODULE: Final = "audits.replay.auditing"
AT_ONCE: Final = 64
"""Segments for which one process is started."""
MOST_EXAMPLES: Final = 20
STANDINGS: Final = ("confirmed", "changed", "gone", "new")
SUMS: Final = ("rounds", "findings", "over", "under")


@dataclass
class RunAgain:
    """The findings that a release has in the rounds of a replay, beside those on file."""

    replay: Replay
    release: str
    artifact: str
    same: bool = True
    sums: Counter[str] = field(default_factory=Counter)
    standing: Counter[str] = field(default_factory=Counter)
    """How many findings are confirmed, changed, gone and new."""
    examples: list[dict[str, Any]] = field(default_factory=list)
    """The first findings that differ, and how."""
    differing: list[str] = field(default_factory=list)
    """Files that decide and that are not the same in the two releases, if both are known."""
    libraries: list[str] = field(default_factory=list)
    """Libraries that are here in another version than the release was sealed with."""

    def answer(self) -> dict[str, Any]:
        """Return it for other programs."""
        return {
            "replay": str(self.replay.uuid),
            "engine": self.replay.engine,
            "release": self.release,
            "artifact": self.artifact or None,
            "same": self.same,
            **self.sums,
            **{name: self.standing[name] for name in STANDINGS},
            "examples": self.examples,
            "differing": self.differing,
            "libraries": self.libraries,
        }

    def counts(self) -> str:
        """Say how many findings are confirmed, changed, gone and new."""
        return ", ".join(f"{self.standing[name]:,} {name}" for name in STANDINGS)

    def lines(self) -> Iterator[str]:
        """Say it in sentences."""
        of = (
            f"Replay {self.replay.uuid} of {self.replay.party}, run again by release {self.release}"
        )
        if self.same:
            yield f"{of}: the same {self.sums['findings']:,} findings, byte for byte."
        else:
            yield f"{of}: of {self.replay.findings:,} findings on file, {self.counts()}."
        for each in self.examples:
            where = " ".join(str(each[name]) for name in ("round", "code", "seat", "wager"))
            fields = f" ({', '.join(each['fields'])})" if each["fields"] else ""
            yield f"  {each['what']:<8} {where}{fields}"
        differ = sum(self.standing[name] for name in STANDINGS[1:])
        if differ > len(self.examples):
            yield f"  … and {differ - len(self.examples):,} more."
        if self.differing:
            yield "What decides differs between the two releases in: " + ", ".join(self.differing)
        if self.libraries:
            yield "Libraries in another version than it was sealed with: " + "; ".join(
                self.libraries
            )


class NoReplayError(Exception):
    """There is no completed replay to run again."""


def check_again(answer: Answer, days: int) -> None:
    """Audit what was audited in some days before now once more, and report other findings.

    The kernels are compiled anew from their sources, so findings of a poisoned one are named.
    """
    since = clock.now() - timedelta(days=days)
    with without_access_scope():
        done = Replay.objects.filter(state=Replay.State.DONE, ended__gte=since).order_by("pk")
        for replay in done.iterator():
            release = INSTALLED if replay.engine == engine_version() else replay.engine
            where = f"audits.replay {replay.pk} ({replay.uuid})"
            try:
                found = run_again(replay, release)
            except (NoReleaseError, MissingError, DamagedError) as error:
                answer.notes.append(f"{where} was not audited again. {error}")
                continue
            answer.checked += found.sums["rounds"]
            if not found.same:
                answer.broken(f"audited again, it has other findings: {found.counts()}", where)


def find_replay_to_run(operator: Party, day: date | None, engine: str) -> Replay:
    """Return the newest completed replay of a day, by an engine if one by it is on file.

    Raises:
        NoReplayError: none is on file.
    """
    done = Replay.objects.filter(party=operator, state=Replay.State.DONE).order_by("-pk")
    newest: Replay | None = None
    for replay in done.iterator():
        if day is not None and str(day) not in replay.days:
            continue
        if replay.engine.startswith(engine):
            return replay
        newest = newest or replay
    if newest is None:
        of = f" of {day}" if day else ""
        message = f"No completed replay{of} of {operator} is on file."
        raise NoReplayError(message)
    return newest


def run_again(replay: Replay, release: str, *, by: Actor | None = None) -> RunAgain:
    """Audit the rounds of a replay with a release, and compare each finding; nothing is replaced.

    With `by`, an event says what a sealed release found.

    Raises:
        NoReleaseError: there is no such release, or it cannot be run.
        DamagedError, MissingError: an input is not in the archive as it was.
    """
    with without_access_scope(), release_to_run(release) as unpacked:
        found = RunAgain(replay, str(unpacked), unpacked.artifact)
        found.libraries = unpacked.other_libraries()
        units = list(replay.units.select_related("segment").order_by("position"))
        for first in range(0, len(units), AT_ONCE):
            _run(units[first : first + AT_ONCE], unpacked, found)
        found.differing = _differing(replay, unpacked)
        if unpacked.artifact and by is not None:
            _record(found, by)
    return found


def _run(units: Sequence[ReplaySegment], release: Unpacked, found: RunAgain) -> None:
    """Audit some work units in one process of the release, and compare what it finds."""
    archive = current_archive()
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(dir=release.aside)))
        outs = [folder / str(unit.position) for unit in units]
        asked = []
        for unit, out in zip(units, outs, strict=True):
            inputs = {
                "segment": unit.segment.sha256, "terms": unit.terms, "carried": unit.before,
            }  # fmt: skip
            paths = {
                name: str(opened.enter_context(archive.fetch(each))) if each else None
                for name, each in inputs.items()
            }
            asked.append(json.dumps({**paths, "out": str(out)}) + "\n")
        answers = release.run(MODULE, "".join(asked)).splitlines()
        for unit, out, answer in zip(units, outs, map(json.loads, answers), strict=True):
            found.sums.update({name: answer[name] for name in SUMS})
            if answer["digest"] == unit.findings_digest:
                found.standing["confirmed"] += unit.findings
            else:
                found.same = False
                _compare_unit(unit, out, found)


def _compare_unit(unit: ReplaySegment, out: Path, found: RunAgain) -> None:
    now = {each["id"]: each for each in read_findings(out)}
    with findings_of(unit) as lines:
        for line in lines:
            before = json.loads(line)
            _compare(before, now.pop(before["id"], None), found)
    for each in now.values():
        _note(found, "new", each)


def _compare(before: dict[str, Any], after: dict[str, Any] | None, found: RunAgain) -> None:
    if after is None:
        _note(found, "gone", before)
    elif after != before:
        names = before.keys() | after.keys()
        _note(
            found,
            "changed",
            before,
            [each for each in names if before.get(each) != after.get(each)],
        )
    else:
        found.standing["confirmed"] += 1


def _note(
    found: RunAgain, what: str, finding: Mapping[str, Any], fields: Sequence[str] = ()
) -> None:
    found.standing[what] += 1
    if len(found.examples) < MOST_EXAMPLES:
        named = {name: finding.get(name) for name in ("round", "code", "seat", "wager")}
        found.examples.append({"what": what, **named, "fields": sorted(fields)})


def _differing(replay: Replay, release: Unpacked) -> list[str]:
    """List the files that decide and differ from the release that made the replay."""
    made_by = find_release(replay.engine)
    if made_by is None or made_by.artifact == release.artifact:
        return []
    decide = tuple(place.relative_to(ROOT).as_posix() for place in PLACES)
    before = {
        name: each
        for name, each in files_of_release(made_by.artifact).items()
        if name.startswith(decide) and name.endswith((".py", ".toml"))
    }
    folder = release.folder
    now = digests_of_files((folder / each for each in decide), folder)
    return sorted(name for name in before.keys() | now if before.get(name) != now.get(name))


def _record(found: RunAgain, by: Actor) -> None:
    with transaction.atomic():
        record(
            REPLAY_RUN_AGAIN,
            by=by,
            party=found.replay.party,
            carries={
                "replay": str(found.replay.uuid),
                "release": found.artifact,
                **{name: found.standing[name] for name in STANDINGS},
            },
        )
