"""The packages of `docs/deployment/` work as described, as far as this machine can test them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.installation import ROOT, Installation, wait_until

UNIT = ROOT / "docs" / "deployment" / "compliance.service"
CONTAINER = ROOT / "docs" / "deployment" / "Containerfile"
CONFINE = """
mount --bind "$VAR" "$VAR" && mount -o remount,bind,ro / &&
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
"""
"""A mount namespace in which only VAR is writable, without capabilities, like the unit's."""
LOOK = """
import errno, pathlib, re
status = pathlib.Path("/proc/self/status").read_text()
print(*re.findall(r"(?:CapEff|CapBnd|NoNewPrivs):\\s*(\\w+)", status))
try:
    pathlib.Path("left-behind").write_text("")
except OSError as refused:
    print(errno.errorcode[refused.errno])
"""


def directives() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text().splitlines():
        name, is_directive, value = line.partition("=")
        if is_directive and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


def test_unit_leaves_the_service_no_privilege(tmp_path):
    unit = directives()
    assert unit["User"] == ["compliance"]
    assert unit["CapabilityBoundingSet"] == unit["AmbientCapabilities"] == [""]
    assert unit["ProtectSystem"] == ["strict"]
    assert unit["NoNewPrivileges"] == unit["PrivateTmp"] == unit["PrivateUsers"] == ["yes"]
    assert unit["RestrictAddressFamilies"] == ["AF_INET AF_INET6 AF_UNIX"]
    assert unit["SystemCallFilter"] == ["@system-service", "~@privileged"]
    assert unit["KillMode"] == ["mixed"]
    assert int(unit["TimeoutStopSec"][0]) > 45  # a task's longest time
    assert "MemoryDenyWriteExecute" not in unit
    analyze = shutil.which("systemd-analyze")
    if analyze is None:  # without systemd, only the directives above can be checked
        return
    here = UNIT.read_text().replace("/opt/compliance/.venv/bin/python", sys.executable)
    here = here.replace("/opt/compliance", str(ROOT)).replace("=compliance\nGroup", "=root\nGroup")
    place = tmp_path / "compliance.service"
    place.write_text(here.replace("Group=compliance", "Group=root"))
    verified = subprocess.run([analyze, "verify", place], capture_output=True, text=True)
    assert (verified.returncode, verified.stderr) == (0, "")
    exposed = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=20", UNIT], capture_output=True
    )
    assert exposed.returncode == 0, exposed.stdout.decode()


def test_container_installs_by_hash_without_root():
    lines = CONTAINER.read_text().replace("\\\n", " ").splitlines()
    steps = [line for line in lines if line and not line.startswith("#")]
    assert [step for step in steps if step.startswith("FROM")] == [
        "FROM ${BASE} AS built",
        "FROM ${BASE}",
    ]
    installs = [step for step in steps if "pip install" in step]
    assert "--require-hashes" in installs[0]
    assert all("--require-hashes" in step or "--no-index" in step for step in installs)
    assert [step for step in steps if step.startswith("USER")] == ["USER 10001:10001"]
    assert not re.search(r"https?://|^ADD ", "\n".join(steps), re.MULTILINE)
    copied = {
        word.rstrip("/") for step in steps if step.startswith("COPY") for word in step.split()
    }
    for source in ("manage.py", "games", "compliance", "audits", "reports", "templates"):
        assert source in copied
        assert (ROOT / source).exists()


def confined(*arguments: object) -> list[str]:
    namespace = ["--mount"] if os.geteuid() == 0 else ["--user", "--map-root-user", "--mount"]
    unshare = shutil.which("unshare")
    assert unshare, "unshare is part of util-linux, as mount and setpriv are"
    return [unshare, *namespace, "sh", "-c", CONFINE, "sh", sys.executable, *map(str, arguments)]


@pytest.mark.services
def test_system_serves_unprivileged_on_read_only_root(installation: Installation) -> None:
    environment = {
        **installation.environment,
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "TMPDIR": str(installation.var),
        "KERNEL_CACHE": str(installation.var / "kernels"),
    }
    looked = subprocess.run(
        confined("-c", LOOK), env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert looked.stdout.split() == ["0" * 16, "0" * 16, "1", "EROFS"], looked.stderr
    with (installation.var / "output").open("a") as output:
        process = subprocess.Popen(
            confined(ROOT / "manage.py", "serve"),
            env=environment,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            text=True,
            start_new_session=True,
        )
    installation.started.append(process)
    wait_until(lambda: "Serving at" in installation.output() or process.poll() is not None)
    [address] = re.findall(r"Serving at (\S+)\.", installation.output())
    with urllib.request.urlopen(f"{address}/healthz", timeout=10) as answer:
        assert answer.status == 200
    process.terminate()
    assert process.wait(60) == 0
    assert not list(Path(ROOT).glob("left-behind"))
