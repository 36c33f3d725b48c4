"""The handbook's client, run as a user runs it, against a real server and a real worker."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from compliance.access.permissions import Role
from tests.audits.replay.nights import NIGHT, dealt, spoiled, written
from tests.audits.submission.logs import sha256
from tests.compliance.api.programs import key_for
from tests.installation import ROOT, Installation, wait_until
from tests.project.test_serve import address

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.anywhere, pytest.mark.usefixtures("kernels")]

CLIENT = ROOT / "docs" / "how-to" / "client.py"


def client(host: str, key: str, *arguments: str | Path) -> list[Any]:
    done = subprocess.run(
        [sys.executable, "-I", CLIENT, host, "--operator", "cedar", *arguments],
        env={"KEY": key},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    whole = arguments[0] == "submission"
    return list(map(json.loads, [done.stdout] if whole else done.stdout.splitlines()))


def api(host: str, key: str) -> Any:
    spec = importlib.util.spec_from_file_location("client", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Api(host, key)


def test_log_is_submitted_audited_and_its_results_fetched(
    installation: Installation, tmp_path: Path
) -> None:
    _, theirs = key_for(Role.OPERATOR_MANAGER, "cedar")
    _, ours = key_for(Role.SUPERVISOR)
    content = written(spoiled(dealt(12), every=4))
    night = tmp_path / "night.jsonl"
    night.write_bytes(content)
    installation.start("serve", "--only", "web", "worker")
    host = address(installation)

    (receipt,) = client(host, theirs, "submission", night)
    assert (receipt["sha256"], receipt["good"]) == (sha256(content), 12)
    assert client(host, theirs, "submission", night) == [receipt]

    commission = api(host, ours)
    begun = commission.post("replays", str(uuid4()), {"operator": "cedar", "day": str(NIGHT)})
    place = f"replays/{begun['replay']}"
    wait_until(lambda: commission.get(place)["state"] == "done", seconds=300)

    assert client(host, theirs, "findings") == []  # nothing was released
    found = client(host, ours, "findings", "--day", str(NIGHT))
    settlements = [each for each in found if each["code"].startswith("settlement.")]
    wrong = {each["round"] for each in dealt(12)[::4]}
    assert {each["round"] for each in settlements if each["delta"] == 100} == wrong

    made = installation.manage("report", "nightly", "--operator", "cedar", "--day", str(NIGHT))
    assert made.returncode == 0, made.stderr
    (report,) = client(host, ours, "reports", "--into", tmp_path / "reports")
    assert (tmp_path / "reports" / f"{report['report']}.pdf").read_bytes().startswith(b"%PDF-")
