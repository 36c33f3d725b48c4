"""All addresses of the system, by app."""

from django.urls import URLPattern, URLResolver, include, path

from compliance.project.operations import pages as operations
from compliance.project.operations.pages import status_page

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("compliance.urls")),
    path("", include("reports.urls")),
    path("", include("audits.urls")),
    path("api/v1/", include("compliance.api_urls")),
    path("api/v1/", include("audits.api_urls")),
    path("api/v1/", include("reports.api_urls")),
    path("status", status_page, name="status"),
    path("healthz", operations.healthz, name="healthz"),
    path("readyz", operations.readyz, name="readyz"),
    path("metrics", operations.metrics, name="metrics"),
]

handler400 = "compliance.project.errors.bad_request"
handler403 = "compliance.project.errors.forbidden"
handler404 = "compliance.project.errors.not_found"
handler500 = "compliance.project.errors.broken"
