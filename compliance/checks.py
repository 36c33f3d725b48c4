"""Django system checks of the configuration and the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core import checks
from django.core.checks import CheckMessage, Tags, register
from django.db import connections

from compliance import history

if TYPE_CHECKING:
    from collections.abc import Sequence


CONFIGURATION = "configuration"
"""The tag of the checks on environment variables. Commands that serve no pages run only these: the
others import every page, and belong to `manage.py check`.
"""


@register(Tags.database)
def history_is_guarded(
    app_configs: object = None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Report each history table that could be changed.

    A warning and not an error: the fix is `migrate`, and `migrate` runs this check first.
    """
    return [
        checks.Warning(
            f"{table} is history, and triggers that keep it so are missing or not ours.",
            hint="Run `manage.py migrate`, then `manage.py verify log`.",
            id="compliance.W001",
        )
        for alias in databases or []
        for table in history.missing(connections[alias])
    ]
