"""The state of the system: the status page, and endpoints for monitoring."""

import secrets

import django_tables2 as tables
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Gauge
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from compliance.access.permissions import Action, may
from compliance.health import State, all_conditions, is_ready
from compliance.secret import revealed
from compliance.ui.access import asked
from compliance.ui.tables import ListTable, show_state

STATES = {
    State.OK: ("working", "OK"),
    State.FAILING: ("failing", "Failing"),
    State.WARNING: ("attention", "Warning"),
    State.UNKNOWN: ("unknown", "Unknown"),
}


class ConditionTable(ListTable):
    """The state of each part of the system."""

    title = tables.Column(verbose_name="Condition")
    state = tables.Column()
    says = tables.TemplateColumn(
        template_name="project/condition.html", verbose_name="What is wrong, and what to do"
    )
    caption = "Conditions, worst first"

    def render_state(self, value: State) -> SafeString:
        return show_state(*STATES[value])


@never_cache
@require_safe
def status_page(request: HttpRequest) -> HttpResponse:
    """Show the state of each part; the page works even when a part does not.

    In production only the commission's people see the parts: anyone else sees whether the system
    works.
    """
    conditions = all_conditions()
    in_detail = not settings.PRODUCTION or may(asked(request).memberships, Action.SEE_OPERATIONS)
    context = {
        "table": ConditionTable(conditions) if in_detail else None,
        "failing": [each.title for each in conditions if each.state == State.FAILING],
        "to_look_at": [
            each.title for each in conditions if each.state in {State.UNKNOWN, State.WARNING}
        ],
        "as_of": timezone.now(),
        "in_detail": in_detail,
    }
    return render(request, "project/status.html", context)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Respond if this process is running."""
    del request
    return HttpResponse("alive\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Report whether requests can be served: database, migrations, archive with space."""
    del request
    found = all_conditions(needed_only=True)
    status = 200 if is_ready(found) else 503
    return JsonResponse({each.name: each.state for each in found}, status=status)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return metrics for Prometheus: in production, only with the configured token."""
    token = revealed(settings.METRICS_TOKEN)
    borne = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and not secrets.compare_digest(borne.encode(), token.encode()):
        return HttpResponseNotFound()
    if settings.PRODUCTION and not token:
        return HttpResponseNotFound()
    registry = CollectorRegistry()
    state = Gauge(
        "compliance_condition",
        "1 for the state that the condition is in",
        ["condition", "state"],
        registry=registry,
    )
    count = Gauge(
        "compliance_condition_count", "How many are wrong", ["condition"], registry=registry
    )
    since = Gauge(
        "compliance_condition_since_seconds",
        "When the oldest of what is wrong began, in seconds since 1970",
        ["condition"],
        registry=registry,
    )
    for each in all_conditions():
        for possible in State:
            state.labels(each.name, possible).set(each.state == possible)
        if each.count is not None:
            count.labels(each.name).set(each.count)
        if each.since is not None:
            since.labels(each.name).set(each.since.timestamp())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
