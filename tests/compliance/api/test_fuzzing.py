"""Schemathesis against a real server, with all of its checks: as an operator, as the commission."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

import pytest

from audits.models import Pattern, Replay
from audits.services.hand_in import begin_hand_in
from compliance.actor import SYSTEM
from compliance.choices import Role
from compliance.walls import without_walls
from tests.audits.replay.nights import dealt, spoiled, written
from tests.compliance.api.programs import key_for
from tests.compliance.people import party_for
from tests.installation import ROOT, Installation
from tests.project.test_serve import address

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIGURATION = Path(__file__).with_name("schemathesis.toml")


def fuzzed(
    installation: Installation, role: Role, examples: int, more: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run Schemathesis with a key of this role, on things that are there to be found."""
    party = party_for(Role.OPERATOR_MANAGER, "cedar")
    _, secret = key_for(Role.SUPERVISOR)
    if role == Role.OPERATOR_MANAGER:
        _, secret = key_for(role, "cedar")
    night = installation.var / "night.jsonl"
    night.write_bytes(written(spoiled(dealt(12), every=4)))
    for command in (
        ("build_assets",),
        ("ingest", "--operator", "cedar", str(night)),
        ("replay", "--operator", "cedar", "--wait"),
    ):
        done = installation.manage(*command)
        assert done.returncode == 0, done.stderr
    begun = begin_hand_in(party=party, name="more.jsonl", size=10, by=SYSTEM)
    with without_walls():
        log = party.round_logs.get()
        replay = Replay.objects.get()
        pattern = Pattern.objects.earliest("pk")
    filled = Template(CONFIGURATION.read_text()).substitute(
        NAMES="",
        KEY=secret,
        EXAMPLES=examples,
        DETERMINISTIC="false" if more else "true",
        HAND_IN=begun.uuid,
        ROUND_LOG=log.uuid,
        REPLAY=replay.uuid,
        PATTERN=pattern.uuid,
    )
    configuration = installation.var / "schemathesis.toml"
    configuration.write_text(filled)
    installation.configuration["API_RATE"] = "1000000"
    installation.start("serve", "--only", "web")
    return subprocess.run(
        [
            *(Path(sys.executable).with_name("st"), "--config-file", configuration),
            *("run", f"{address(installation)}/api/v1/openapi.json", *more),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.deep
@pytest.mark.parametrize("role", [Role.OPERATOR_MANAGER, Role.SUPERVISOR])
def test_sixty_examples_of_each_operation_find_nothing(
    installation: Installation, kernels: None, role: Role
) -> None:
    del kernels
    done = fuzzed(installation, role, examples=60)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


@pytest.mark.deep
def test_as_many_as_there_is_time_for_find_nothing(
    installation: Installation, kernels: None
) -> None:
    del kernels
    done = fuzzed(installation, Role.SUPERVISOR, 1000, ["--max-time", "600"])
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
