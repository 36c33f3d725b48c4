"""Page addresses, for code that links to pages without serving them."""

from __future__ import annotations

from django.urls import get_resolver


def know_addresses() -> None:
    """Import every page now, before anything is written.

    A notification contains the address of its subject and is written in the same transaction. A
    process that serves no pages would import all of them there, for seconds on a busy machine,
    while everyone else waits for the database.
    """
    get_resolver().reverse_dict  # noqa: B018 - asked for, so that it is made
