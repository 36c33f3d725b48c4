"""Inputs of reports as they are kept: canonical JSON, read back as it was written.

What stands in them was handed in by others, and nothing of it may keep a report from being made: a
whole number that programs do not read exactly stands as `{"whole": "9007199254740993"}`, and a
character that cannot be kept as the one that stands for it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from compliance.proof.canonical import canonical

EXACT = 2**53 - 1
WHOLE = "whole"
CANNOT_BE_KEPT = re.compile("[\0\ud800-\udfff]")
"""NUL, and half a character."""


def write_inputs(inputs: dict[str, Any]) -> bytes:
    """Write inputs, whatever whole numbers and texts are in them."""
    return canonical(_written(inputs))


def read_inputs(content: bytes) -> dict[str, Any]:
    """Read kept inputs."""
    inputs: dict[str, Any] = json.loads(content, object_hook=_read)
    return inputs


def _written(value: Any) -> Any:
    if isinstance(value, str):
        return CANNOT_BE_KEPT.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_written(name): _written(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_written(each) for each in value]
    if isinstance(value, int) and abs(value) > EXACT:
        return {WHOLE: str(value)}
    return value


def _read(found: dict[str, Any]) -> Any:
    return int(found[WHOLE]) if found.keys() == {WHOLE} else found
