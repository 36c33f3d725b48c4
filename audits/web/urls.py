"""Every address of this room."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("rounds/", include("audits.web.logs.urls")),
    path("work/", include("audits.web.desk.urls")),
    path("help/", include("audits.web.help.urls")),
    path("cases/", include("audits.web.cases.urls")),
    path("rounds/", include("audits.web.rounds.urls")),
    path("dashboard/", include("audits.web.dashboard.urls")),
    path("findings/", include("audits.web.patterns.urls")),
    path("disclosures/", include("audits.web.disclosures.urls")),
    path("releases/", include("audits.web.releases.urls")),
    path("restitution/", include("audits.web.restitution.urls")),
    path("visits/", include("audits.web.visits.urls")),
    path("replays/", include("audits.web.replays.urls")),
]
