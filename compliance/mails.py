"""The mail about notices: it names kinds alone, since it lies where others may read it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from compliance.sending import headed
from compliance.telling import notice_kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.core.mail import EmailMessage

    from compliance.models import Notice, NoticeMail


def mail_about(told: Sequence[Notice], mail: NoticeMail) -> EmailMessage:
    """How many notices of which kinds there are, and where they are read."""
    counts = Counter(notice.kind for notice in told)
    kinds = [(kind, counts[kind.name]) for kind in notice_kinds() if counts[kind.name]]
    only = kinds[0][0].mail if len(told) == 1 else ""
    context = {
        "agency": settings.AGENCY_NAME,
        "kinds": kinds,
        "link": f"{settings.SITE_URL}{reverse('notices')}",
        "stop": f"{settings.SITE_URL}{reverse('notice_choices')}",
    }
    return headed(
        about=only or f"{len(told)} new notices",
        text=render_to_string("notices/mail.txt", context),
        to=mail.person.email,
        uuid=mail.uuid,
    )
