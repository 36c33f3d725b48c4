"""Addresses of pages, for whoever tells of something and shows no page itself."""

from __future__ import annotations

from django.urls import get_resolver


def know_addresses() -> None:
    """Import every page now, before anything is written.

    A notice holds the address of what it tells, and is written in the transaction of that. A
    process that serves no pages would import all of them there, for seconds on a busy machine,
    while everybody else waits for the database.
    """
    get_resolver().reverse_dict  # noqa: B018 - asked for, so that it is made
