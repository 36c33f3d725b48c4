from django.urls import include, path
from django.views.generic import TemplateView

from compliance.web.home import home
from compliance.web.notices.calendar import feed
from compliance.web.people.registering import register

urlpatterns = [
    path("", home, name="home"),
    path("account/calendar/<str:secret>.ics", feed, name="calendar_feed"),
    path("account/", include("compliance.web.accounts.urls")),
    path("parties/register/", register, name="register_party"),
    path("people/", include("compliance.web.people.urls")),
    path("people/", include("compliance.web.keys.urls")),
    path("people/", include("compliance.web.webhooks.urls")),
    path("api/", TemplateView.as_view(template_name="api/viewer.html"), name="api_viewer"),
    path("in-force/", include("compliance.web.in_force.urls")),
    path("controls/", include("compliance.web.controls.urls")),
    path("filings/", include("compliance.web.filings.urls")),
    path("requests/", include("compliance.web.requests.urls")),
    path("games/", include("compliance.web.games.urls")),
    path("documents/", include("compliance.web.documents.urls")),
    path("licences/", include("compliance.web.licences.urls")),
    path("law/", include("compliance.web.law.urls")),
    path("holds/", include("compliance.web.retention.urls")),
    path("log/", include("compliance.web.log.urls")),
    path("notifications/", include("compliance.web.notices.urls")),
]
