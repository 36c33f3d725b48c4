"""The filter under a coverage-guided fuzzer, starting from legal rounds of all five games."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from games.rule_set import SLUGS
from tests.games.rounds.table import deal_table
from tests.games.written_rounds import as_line

ROOT = Path(__file__).parents[2]
RUNS = os.environ.get("FUZZ_RUNS", "100000")


@pytest.mark.deep
def test_no_bytes_make_the_filter_stumble(tmp_path):
    for slug in SLUGS:
        lines = [as_line(round_) for round_ in deal_table(Random(slug), slug, "T1", 3, {})]
        for number, line in enumerate(lines):
            (tmp_path / f"{slug}-{number}").write_bytes(line)
        (tmp_path / f"{slug}.gz").write_bytes(gzip.compress(b"".join(lines)))
    done = subprocess.run(
        [sys.executable, "-m", "tests.deep.fuzz_settle", str(tmp_path), f"-runs={RUNS}",
         "-max_len=8192", f"-artifact_prefix={tmp_path}/"],
        cwd=ROOT, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-4000:]
