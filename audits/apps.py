from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig

from compliance.capabilities import Capability, register
from compliance.permissions import Action
from compliance.web import navigation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.verification.archive import Kept


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
        navigation.register(
            navigation.Place(
                label="Rounds",
                url_name="rounds",
                order=50,
                action=Action.SEE_ROUNDS,
                group=navigation.Group.PLAY,
            )
        )
        navigation.register(
            navigation.Place(
                label="Work",
                url_name="work",
                order=49,
                action=Action.SEE_FINDINGS,
                group=navigation.Group.PLAY,
            )
        )
        navigation.register(
            navigation.Place(
                label="Findings",
                url_name="patterns",
                order=52,
                action=Action.SEE_RELEASED,
                group=navigation.Group.PLAY,
            )
        )
        navigation.register(
            navigation.Place(
                label="Cases",
                url_name="cases",
                order=53,
                action=Action.SEE_FINDINGS,
                group=navigation.Group.PLAY,
            )
        )
        navigation.register(
            navigation.Place(
                label="Visits",
                url_name="visits",
                order=56,
                action=Action.SEE_FINDINGS,
                group=navigation.Group.PLAY,
            )
        )
        navigation.register(
            navigation.Place(
                label="Dashboard",
                url_name="dashboard",
                order=49,
                action=Action.SEE_FINDINGS,
                group=navigation.Group.PLAY,
            )
        )
        navigation.register(
            navigation.Place(
                label="Replays",
                url_name="replays",
                order=54,
                action=Action.SEE_FINDINGS,
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
