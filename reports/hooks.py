"""What reports register with the platform when Django starts.

Every process runs this, and few need the code that typesets and signs reports.
"""

from importlib import import_module

from django.conf import settings

from audits.review.releases.hooks import on_release
from compliance import health
from compliance.access.permissions import Action, PartyKind
from compliance.acts import touched
from compliance.backup import manifest
from compliance.jobs import work
from compliance.lazy import lazy
from compliance.retention import reads as holds
from compliance.retention import verification
from compliance.ui import frame, home_parts
from compliance.ui.frame import Group, Place
from reports.documents.models import ReportOrder
from reports.schedules.models import Delivery, Way

PLACES = (
    Place(
        label="Reports",
        url_name="reports",
        order=56,
        action=Action.SEE_REPORTS,
        group=Group.AUDITS,
    ),
    Place(label="Verify", url_name="verify_report", order=57, group=Group.AUDITS),
)
READING_ROOM = Place(label="Reading room", url_name="reading_room", order=940, group=Group.RULES)


def register() -> None:
    """Register events, notifications, conditions, jobs, kept files, and places in the menu."""
    touched.register_letters(lazy("reports.documents.preview.preview_letter"))
    for name in (
        "reports.documents.events",
        "reports.schedules.events",
        "reports.schedules.recipients",
    ):
        import_module(name)
    health.register("reports", "Reports", lazy("reports.schedules.watch.reports"))
    health.register("sending", "Report deliveries", lazy("reports.schedules.watch.sent_reports"))
    work.register(ReportOrder.JOB, "reports.schedules.orders.ORDER_JOBS")
    work.register(Delivery.JOBS[Way.MAIL], "reports.schedules.deliveries.MAIL_JOBS")
    work.register(Delivery.JOBS[Way.FOLDER], "reports.schedules.deliveries.FILE_JOBS")
    holds.register(
        holds.HoldKind(
            "report",
            "Report",
            "Write its reference, as it is printed on it.",
            lazy("reports.library.reads.find_report_to_hold"),
        )
    )
    verification.register(lazy("reports.library.reads.files_of_reports"))
    manifest.register("reports", lazy("reports.signing.keys.list_public_certificates"))
    on_release(lazy("reports.schedules.nights.show_reports_of_day"))
    on_release(lazy("reports.schedules.periods.show_periods_of_day"))
    for place in (*PLACES, *((READING_ROOM,) if settings.READING_ROOM else ())):
        frame.register(place)
    home_parts.register_home_part(
        home_parts.HomePart(
            name="reports",
            order=50,
            kinds=frozenset(PartyKind) - {PartyKind.COMMISSION_UNIT},
            action=Action.SEE_REPORTS,
            template="reports/home.html",
            shows=lazy("reports.library.pages.newest"),
        )
    )
    home_parts.register_capability(
        home_parts.Capability(
            title="Signed reports that anyone can verify",
            says="Decisions become letters: tagged PDF files, signed, with the proof that they "
            "are in the event log. Anyone can verify a copy, and each report can be made again, "
            "byte for byte.",
            order=60,
            url_name="verify_report",
        )
    )
