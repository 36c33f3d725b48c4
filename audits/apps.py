from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.apps import AppConfig

from compliance import due, holdable
from compliance.capabilities import Capability, register
from compliance.choices import OPERATOR_KINDS, PartyKind
from compliance.permissions import Action
from compliance.web import home_parts, navigation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest

    from compliance.due import Due
    from compliance.models import Party
    from compliance.verification.archive import Kept


PLACES = (
    ("Work", "work", 49, Action.SEE_FINDINGS),
    ("Dashboard", "dashboard", 49, Action.SEE_FINDINGS),
    ("Rounds", "rounds", 50, Action.SEE_ROUNDS),
    ("Findings", "patterns", 52, Action.SEE_RELEASED),
    ("Cases", "cases", 53, Action.SEE_FINDINGS),
    ("Releases", "releases", 53, Action.SEE_FINDINGS),
    ("Restitution", "restitution_days", 53, Action.SEE_DISCLOSURES),
    ("Disclosures", "disclosures", 53, Action.SEE_DISCLOSURES),
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
        from audits.selectors.holdable import KINDS
        from compliance.verification import archive

        holdable.register(KINDS)
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
        due.register("audits", _due)
        unit = frozenset({PartyKind.COMMISSION_UNIT})
        for name, order, action, shows, kinds in (
            ("desk", 10, Action.REVIEW_FINDINGS, _own_desk, unit),
            ("logs", 30, Action.SEE_ROUNDS, _newest_logs, OPERATOR_KINDS),
            ("findings", 40, Action.SEE_RELEASED, _newest_findings, OPERATOR_KINDS),
        ):
            home_parts.register(
                home_parts.HomePart(
                    name=name,
                    order=order,
                    kinds=kinds,
                    action=action,
                    template=f"audits/home/{name}.html",
                    shows=shows,
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


def _due(party: Party) -> Iterator[Due]:
    from audits.selectors.audits_due import (
        hand_ins_due,
        logs_due,
        questions_due,
        restitution_due,
    )
    from audits.selectors.desk_due import patterns_due

    for source in (questions_due, logs_due, restitution_due, hand_ins_due, patterns_due):
        yield from source(party)


def _own_desk(request: HttpRequest, party: Party) -> dict[str, Any]:
    from audits.web.home.parts import desk

    return desk(request, party)


def _newest_logs(request: HttpRequest, party: Party) -> dict[str, Any]:
    from audits.web.home.parts import logs

    return logs(request, party)


def _newest_findings(request: HttpRequest, party: Party) -> dict[str, Any]:
    from audits.web.home.parts import findings

    return findings(request, party)
