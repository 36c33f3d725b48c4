from django.urls import include, path
from django.views.generic import TemplateView

from compliance.home import home

urlpatterns = [
    path("", home, name="home"),
    path("account/", include("compliance.people.account_urls")),
    path("", include("compliance.people.urls")),
    path("api/", TemplateView.as_view(template_name="api/viewer.html"), name="api_viewer"),
    path("in-effect/", include("compliance.in_effect.urls")),
    path("controls/", include("compliance.filings.controls.urls")),
    path("filings/", include("compliance.filings.queues.urls")),
    path("letters/", include("compliance.filings.letters.urls")),
    path("requests/", include("compliance.filings.requests.urls")),
    path("games/", include("compliance.filings.games.urls")),
    path("documents/", include("compliance.filings.documents.urls")),
    path("licenses/", include("compliance.filings.licenses.urls")),
    path("suppliers/", include("compliance.filings.suppliers.urls")),
    path("law/", include("compliance.law.urls")),
    path("acts/", include("compliance.acts.urls")),
    path("holds/", include("compliance.retention.urls")),
    path("log/", include("compliance.event_log.urls")),
    path("", include("compliance.notifications.urls")),
]
