"""A lease that is renewed while something is done that cannot be cut."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

import structlog
from django.db import DatabaseError, connection

from audits.services.ledger import RENEWED_AFTER_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from audits.services.ledger import Lease

log = structlog.get_logger(__name__)


@contextmanager
def renewed(lease: Lease, renew: Callable[[Lease], bool]) -> Iterator[None]:
    """Renew a lease every now and then, in a thread with a connection of its own.

    What does not hold any more is not renewed; whoever worked in vain learns it when it writes.
    """
    ended = Event()

    def keep() -> None:
        try:
            while not ended.wait(RENEWED_AFTER_SECONDS) and renew(lease):
                pass
        except DatabaseError as error:
            log.warning("a lease could not be renewed", share=lease.row, error=str(error))
        finally:
            connection.close()

    keeper = Thread(target=keep, name=f"lease-{lease.row}", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        ended.set()
        keeper.join()
