"""Inputs of reports as they are kept: canonical JSON, read back as it was written."""

from __future__ import annotations

import json
from typing import Any


def read_inputs(content: bytes) -> dict[str, Any]:
    """Read kept inputs."""
    inputs: dict[str, Any] = json.loads(content)
    return inputs
