"""Every address of the system, by room."""

from django.urls import URLPattern, URLResolver, include, path

from compliance.project.operations import views as operations
from compliance.project.operations.page import status_page

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("compliance.web.urls")),
    path("", include("reports.web.urls")),
    path("", include("audits.web.urls")),
    path("api/v1/", include("compliance.api.urls")),
    path("api/v1/", include("audits.api.urls")),
    path("api/v1/", include("reports.api.urls")),
    path("status", status_page, name="status"),
    path("healthz", operations.healthz, name="healthz"),
    path("readyz", operations.readyz, name="readyz"),
    path("metrics", operations.metrics, name="metrics"),
]

handler400 = "compliance.project.errors.bad_request"
handler403 = "compliance.project.errors.forbidden"
handler404 = "compliance.project.errors.not_found"
handler500 = "compliance.project.errors.broken"
