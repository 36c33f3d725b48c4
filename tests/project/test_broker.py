"""The folder that stands for a broker, as its reader finds it after a full disk."""

from __future__ import annotations

from queue import Empty
from typing import TYPE_CHECKING

import pytest
from kombu import Connection

from compliance.project.broker import celery_url, transport_options

if TYPE_CHECKING:
    from pathlib import Path


def test_half_a_message_is_left_out_and_the_next_one_is_read(tmp_path: Path) -> None:
    url = "filesystem://"
    options = transport_options(url, tmp_path)
    with Connection(celery_url(url), transport_options=options) as connection:
        queue = connection.SimpleQueue("work")
        queue.put("lost")
        (half,) = (tmp_path / "messages").iterdir()
        half.write_bytes(half.read_bytes()[:100])
        queue.put("kept")
        assert queue.get(timeout=5).payload == "kept"
        with pytest.raises(Empty):
            queue.get(timeout=0.5)
        assert not list((tmp_path / "messages").iterdir())
        queue.close()
