"""Messages to the workers: they say that there is work, never which."""

from __future__ import annotations

from audits.services.announce import announce

WORK = "audits.replay_segments"
MOST_AT_ONCE = 16
"""Messages for one heap of work: as many processes begin at once; each takes more by itself."""


def announce_work(*, shares: int, expires: float | None = None) -> None:
    """Tell the workers once the transaction is committed; what no message says the sweep finds."""
    announce(WORK, times=min(shares, MOST_AT_ONCE), expires=expires)
