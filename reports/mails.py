"""The mail that brings a report: its file where that is no secret, or only that there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.sending import headed
from reports.documents.kinds import kind_of

if TYPE_CHECKING:
    from django.core.mail import EmailMessage

    from compliance.models import Person
    from reports.models import Delivery, Envelope

LARGEST = 8 << 20
"""What goes along at most; mail servers refuse more, once it is written in letters."""


def mail_of(delivery: Delivery, to: Person, envelope: Envelope) -> EmailMessage:
    """The mail of a delivery.

    A kind that does not travel is named by its kind alone: no title, no figure, no party.
    """
    report, kind = delivery.report, kind_of(delivery.report.kind)
    travels = kind.travels and envelope.size <= LARGEST
    context: dict[str, Any] = {
        "agency": settings.AGENCY_NAME,
        "title": report.title if kind.travels else kind.title,
        "attached": travels,
        "party": delivery.party,
        "link": f"{settings.SITE_URL}{reverse('report', args=[report.uuid])}",
        "stop": f"{settings.SITE_URL}{reverse('subscriptions')}",
        "verify": f"{settings.SITE_URL}{reverse('verify_report')}",
    }
    mail = headed(
        about=context["title"],
        text=render_to_string("reports/mail.txt", context),
        to=to.email,
        uuid=delivery.uuid,
    )
    if travels:
        content = read_bytes(current_archive(), envelope.file)
        mail.attach(report.file_name, content, "application/pdf")
    return mail
