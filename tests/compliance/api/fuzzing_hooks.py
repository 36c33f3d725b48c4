"""What Schemathesis does beside its own: loaded by it, not by pytest."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import schemathesis

USABLE = re.compile("[!-~]{1,100}")


@schemathesis.hook
def before_call(ctx: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Take a new idempotency key where a usable one was made up.

    Chance makes the same short ones again, and another request under a used one is refused, as it
    must be: `test_the_same_idempotency_key_with_another_request_is_refused`.
    """
    given = (case.headers or {}).get("Idempotency-Key")
    if isinstance(given, str) and USABLE.fullmatch(given):
        case.headers["Idempotency-Key"] = str(uuid4())
