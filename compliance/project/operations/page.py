"""The status page: the same conditions that the metrics tell, for people."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.permissions import Action, may
from compliance.project.operations import status
from compliance.web.who_asks import asked

TITLES = {
    "database": "Database",
    "migrations": "Tables",
    "archive": "Archive",
    "broker": "Message broker",
    "worker": "Background work",
    "event_log": "Event log",
    "nightly_run": "Nightly run",
    "reports": "Reports",
    "sending": "Sending of reports",
    "notices": "Mails about notifications",
}


@never_cache
@require_safe
def status_page(request: HttpRequest) -> HttpResponse:
    """Show how each part is doing; it is a page that answers even when a part does not.

    In production the parts are for the commission's people: anybody else learns whether it works.
    """
    conditions = status.everything()
    in_detail = not settings.PRODUCTION or may(asked(request).memberships, Action.SEE_OPERATIONS)
    context = {
        "conditions": [(TITLES.get(each.part, each.part), each) for each in conditions],
        "not_well": [TITLES.get(each.part, each.part) for each in conditions if not each.well],
        "as_of": timezone.now(),
        "in_detail": in_detail,
    }
    return render(request, "project/status.html", context)
