from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.compliance.webhooks.receiver import listening

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.compliance.webhooks.receiver import Receiver


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Receiver]:
    """Start a listening program, in the one open network, with a certificate we trust."""
    with listening(tmp_path) as (receiver, known_by):
        monkeypatch.setenv("SSL_CERT_FILE", str(known_by))
        settings.WEBHOOK_NETWORKS = [f"{receiver.address}/32"]
        yield receiver
