"""The mail that brings a report: its file where that is no secret, or only that there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse

from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from reports.documents.kinds import kind_of

if TYPE_CHECKING:
    from compliance.models import Person
    from reports.models import Delivery, Envelope

LARGEST = 8 << 20
"""What goes along at most; mail servers refuse more, once it is written in letters."""


def mail_of(delivery: Delivery, to: Person, envelope: Envelope) -> EmailMessage:
    """The mail of a delivery.

    A kind that does not travel is named by its kind alone: no title, no figure, no party. Nothing
    that somebody wrote ends a line of the head: titles are put on one line, and Django refuses the
    rest. The same delivery has the same `Message-ID`, so that a second copy is known as one.
    """
    report, kind = delivery.report, kind_of(delivery.report.kind)
    travels = kind.travels and envelope.size <= LARGEST
    context = {
        "agency": settings.AGENCY_NAME,
        "title": report.title if kind.travels else kind.title,
        "attached": travels,
        "party": delivery.party,
        "link": f"{settings.SITE_URL}{reverse('report', args=[report.uuid])}",
        "stop": f"{settings.SITE_URL}{reverse('subscriptions')}",
        "verify": f"{settings.SITE_URL}{reverse('verify_report')}",
    }
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    mail = EmailMessage(
        _on_one_line(f"{settings.AGENCY_NAME}: {context['title']}"),
        render_to_string("reports/mail.txt", context),
        None,
        [to.email],
        headers={"Message-ID": f"<{delivery.uuid}@{host}>", "Auto-Submitted": "auto-generated"},
    )
    if travels:
        content = read_bytes(current_archive(), envelope.file)
        mail.attach(f"{report.reference}.pdf", content, "application/pdf")
    return mail


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
