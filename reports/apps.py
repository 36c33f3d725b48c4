from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.conf import settings

from compliance import holdable
from compliance.capabilities import Capability
from compliance.capabilities import register as register_capability
from compliance.choices import PartyKind
from compliance.permissions import Action
from compliance.web import home_parts
from compliance.web.navigation import Group, Place, register

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet
    from django.http import HttpRequest

    from audits.models import GamblingDay
    from compliance.models import Party
    from compliance.verification.archive import Kept
    from reports.models import Report


class ReportsConfig(AppConfig):
    """Reports, their signatures and their schedules."""

    name = "reports"
    verbose_name = "Reports"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Name the places, and say what this room can do so far."""
        from audits.day_releases import on_release
        from compliance.backup import public_keys
        from compliance.verification import archive
        from reports.made_orders import then
        from reports.selectors.holdable import KINDS

        holdable.register(KINDS)
        archive.register(_files_of_reports)
        public_keys.register("reports", _certificates)
        on_release(_show_reports_of_day)
        then(_order_what_adds_it_up)
        register(
            Place(
                label="Reports",
                url_name="reports",
                order=56,
                action=Action.SEE_REPORTS,
                group=Group.PLAY,
            )
        )
        if settings.READING_ROOM:
            register(
                Place(
                    label="Reading room",
                    url_name="reading_room",
                    order=940,
                    group=Group.RULES,
                )
            )
        register(Place(label="Verify", url_name="verify_report", order=57, group=Group.PLAY))
        home_parts.register(
            home_parts.HomePart(
                name="reports",
                order=50,
                kinds=frozenset(PartyKind) - {PartyKind.COMMISSION_UNIT},
                action=Action.SEE_REPORTS,
                template="reports/home.html",
                shows=_newest_reports,
            )
        )
        register_capability(
            Capability(
                title="Reports on paper that can be believed",
                says="Decisions become letters as tagged PDF, signed, with the proof that the log "
                "holds them. Anybody can verify a copy; each is made again, byte for byte.",
                order=60,
                url_name="verify_report",
            )
        )


# Every process starts by way of here; few of them need what sets and signs reports.


def _show_reports_of_day(day: GamblingDay) -> None:
    from reports.services.nights import show_reports_of_day
    from reports.services.periods import show_periods_of_day

    show_reports_of_day(day)
    show_periods_of_day(day)


def _files_of_reports() -> Iterator[Kept]:
    from reports.selectors.kept import files_of_reports

    return files_of_reports()


def _certificates() -> list[str]:
    from asn1crypto.pem import armor

    from reports.signing.keys import trusted_certificates

    return [armor("CERTIFICATE", each.dump()).decode() for each in trusted_certificates()]


def _order_what_adds_it_up(report: Report) -> None:
    from reports.services.periods import follow

    follow(report)


def _newest_reports(request: HttpRequest, party: Party) -> QuerySet[Report]:
    from reports.web.home import newest

    return newest(request, party)
