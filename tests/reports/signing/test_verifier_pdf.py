"""A report is checked on an empty machine: one script, the log's key, the agency's certificate."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from django.conf import settings

from compliance.event_log.pages import build_script
from compliance.event_log.tree import trusted_keys
from tests.reports.made import approval_letter, file_of
from tests.reports.signing.sealing import agency_key

pytestmark = pytest.mark.django_db
SAMPLES = 12


def answer(folder: Path, content: bytes, *more: str) -> tuple[int, list[str]]:
    """Return the exit status of the published script, and where it found something."""
    place = folder / "report.pdf"
    place.write_bytes(content)
    command = [sys.executable, "-I", "verifier.py", "pdf", "--json", "--key", "key", *more]
    ran = subprocess.run(
        [*command, place.name], cwd=folder, capture_output=True, text=True, check=False
    )
    assert ran.stdout, ran.stderr
    return ran.returncode, [each["where"] for each in json.loads(ran.stdout)["problems"]]


def test_any_changed_missing_or_added_byte_is_reported(tmp_path):
    content = file_of(approval_letter())
    (tmp_path / "verifier.py").write_text(build_script())
    (tmp_path / "key").write_text("".join(f"{key}\n" for key in trusted_keys()))
    own = x509.load_pem_x509_certificates(Path(settings.REPORT_KEY).read_bytes())[0]
    (tmp_path / "agency.pem").write_bytes(own.public_bytes(Encoding.PEM))
    _, other, _ = agency_key()
    (tmp_path / "other.pem").write_bytes(other.public_bytes(Encoding.PEM))
    assert answer(tmp_path, content, "--certificate", "agency.pem") == (0, [])
    assert answer(tmp_path, content, "--certificate", "other.pem") == (1, ["signature"])
    first = content.index(b"/Contents <") + len(b"/Contents <")
    signature = range(first, content.index(b">", first))
    for place in range(0, len(content), len(content) // SAMPLES):
        if place in signature:  # nothing signs the certificates beside the signature
            continue
        changed = bytearray(content)
        changed[place] ^= 1
        assert answer(tmp_path, bytes(changed))[0] == 1, place
    assert answer(tmp_path, content[:-1])[0] == 1
    assert answer(tmp_path, content + b"\n")[0] == 1
    assert answer(tmp_path, b"%PDF-1.4")[0] == 1
