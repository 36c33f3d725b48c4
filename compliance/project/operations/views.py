"""What machines ask: is the process alive, can it serve, how is everything."""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Gauge
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from compliance.project.operations import status


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Say that this process answers."""
    del request
    return HttpResponse("alive\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether what a request needs is there: database, migrations, archive."""
    del request
    found = status.needed_by_a_request()
    well = all(each.well for each in found)
    return JsonResponse({each.part: each.well for each in found}, status=200 if well else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Tell figures to Prometheus: in production to whoever bears the configured token."""
    token = settings.METRICS_TOKEN
    borne = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and not secrets.compare_digest(borne.encode(), token.encode()):
        return HttpResponseNotFound()
    if settings.PRODUCTION and not token:
        return HttpResponseNotFound()
    registry = CollectorRegistry()
    well = Gauge("compliance_well", "1 if the part does its duty", ["part"], registry=registry)
    seconds = Gauge(
        "compliance_seconds",
        "Seconds since the part was last heard of",
        ["part"],
        registry=registry,
    )
    for each in status.everything():
        well.labels(each.part).set(each.well)
        if each.seconds is not None:
            seconds.labels(each.part).set(each.seconds)
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
