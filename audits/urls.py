"""Page routes of audits."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("rounds/", include("audits.intake.urls")),
    path("rounds/checklist/", include("audits.review.nightly_run.urls")),
    path("rounds/tables/", include("audits.intake.table_records.urls")),
    path("rounds/mappings/", include("audits.intake.mapping.urls")),
    path("rounds/check/", include("audits.replay.rehearsal.urls")),
    path("work/", include("audits.review.queue.urls")),
    path("help/", include("audits.review.help.urls")),
    path("cases/", include("audits.review.cases.urls")),
    path("rounds/", include("audits.review.rounds.urls")),
    path("search/", include("audits.search.urls")),
    path("dashboard/", include("audits.review.dashboard.urls")),
    path("findings/", include("audits.review.issues.urls")),
    path("disclosures/", include("audits.review.disclosures.urls")),
    path("releases/", include("audits.review.releases.urls")),
    path("restitution/", include("audits.review.restitution.urls")),
    path("visits/", include("audits.review.visits.urls")),
    path("watch/", include("audits.watch.urls")),
    path("replays/", include("audits.replay.urls")),
]
