"""Audit the segments that standard input names: how later releases run this one.

Each line of input is JSON with the paths `segment`, `terms`, `carried` (or null) and `out`; each
line of output has the digest of the findings file and its counts. Later releases rely on this form.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from audits.replay.auditing.segment import audit_segment
from audits.replay.auditing.terms import read_terms

COUNTS = ("digest", "rounds", "findings", "over", "under")


def main() -> None:
    """Audit one segment after the other."""
    for line in sys.stdin:
        given = json.loads(line)
        audited = audit_segment(
            segment=Path(given["segment"]),
            terms=read_terms(Path(given["terms"]).read_bytes()),
            carried=Path(given["carried"]) if given["carried"] else None,
            out=Path(given["out"]),
        )
        counts = {name: getattr(audited, name) for name in COUNTS}
        sys.stdout.write(json.dumps(counts) + "\n")


if __name__ == "__main__":
    main()
