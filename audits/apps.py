from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig

from compliance.capabilities import Capability, register
from compliance.permissions import Action
from compliance.web import navigation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.verification.archive import Kept


PLACES = (
    ("Work", "work", 49, Action.SEE_FINDINGS),
    ("Dashboard", "dashboard", 49, Action.SEE_FINDINGS),
    ("Rounds", "rounds", 50, Action.SEE_ROUNDS),
    ("Findings", "patterns", 52, Action.SEE_RELEASED),
    ("Cases", "cases", 53, Action.SEE_FINDINGS),
    ("Replays", "replays", 54, Action.SEE_FINDINGS),
    ("Visits", "visits", 56, Action.SEE_FINDINGS),
)
"""Label, address, order and who sees it, of what the navigation calls play."""


class AuditsConfig(AppConfig):
    """Round logs, replay, findings and their review."""

    name = "audits"
    verbose_name = "Audits"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say what this room can do so far, what it keeps in the archive, and name its places."""
        from compliance.verification import archive

        archive.register(_files_of_round_logs)
        archive.register(_files_of_replays)
        for label, url_name, order, action in PLACES:
            navigation.register(
                navigation.Place(
                    label=label,
                    url_name=url_name,
                    order=order,
                    action=action,
                    group=navigation.Group.PLAY,
                )
            )
        register(
            Capability(
                title="Judge round logs",
                says="Each round of a log is settled again by the rules of play. What differs is "
                "flagged by its clause, with the difference in cents.",
                order=0,
            )
        )
        register(
            Capability(
                title="Review what was found",
                says="Findings of one cause stand together as a pattern, with the money that moved "
                "and the reading that explains it. An agent decides; the operator sees what was "
                "released.",
                order=5,
                url_name="patterns",
            )
        )


# Every process starts by way of here; what makes files good brings Numba and Arrow along, and few
# processes need them.


def _files_of_round_logs() -> Iterator[Kept]:
    from audits.services.kept_files import files_of_round_logs

    return files_of_round_logs()


def _files_of_replays() -> Iterator[Kept]:
    from audits.services.kept_replay_files import files_of_replays

    return files_of_replays()
