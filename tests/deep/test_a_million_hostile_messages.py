"""A million messages of an attacker are in the broker: the worker skips them and continues."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from tests import servers
from tests.project.test_hostile_broker import campaign

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.installation import Installation

AMOUNT = int(os.environ.get("DEEP_MESSAGES", "1000000"))


@pytest.mark.deep
def test_million_hostile_messages_are_passed(
    installation: Installation, record_property: Callable[[str, object], None]
) -> None:
    with servers.own_redis() as installation.configuration["BROKER_URL"]:
        began = time.monotonic()
        memory = campaign(installation, AMOUNT)
        installation.end()
    record_property("messages", f"{AMOUNT:,}")
    record_property("seconds", round(time.monotonic() - began))
    record_property("worker's memory at most, MiB", round(memory))
