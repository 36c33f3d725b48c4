from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig

from compliance.capabilities import Capability
from compliance.capabilities import register as register_capability
from compliance.permissions import Action
from compliance.web.navigation import Group, Place, register

if TYPE_CHECKING:
    from audits.models import GamblingDay
    from reports.models import Report


class ReportsConfig(AppConfig):
    """Reports, their signatures and their schedules."""

    name = "reports"
    verbose_name = "Reports"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Name the places, and say what this room can do so far."""
        from audits.day_releases import on_release
        from reports.made_orders import then

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
        register(Place(label="Verify", url_name="verify_report", order=950))
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


def _order_what_adds_it_up(report: Report) -> None:
    from reports.services.periods import follow

    follow(report)
