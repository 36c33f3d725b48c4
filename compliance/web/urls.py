from django.urls import include, path
from django.views.generic import TemplateView

from compliance.web.home import home

urlpatterns = [
    path("", home, name="home"),
    path("account/", include("compliance.web.accounts.urls")),
    path("people/", include("compliance.web.people.urls")),
    path("people/", include("compliance.web.keys.urls")),
    path("api/", TemplateView.as_view(template_name="api/viewer.html"), name="api_viewer"),
    path("in-force/", include("compliance.web.in_force.urls")),
    path("controls/", include("compliance.web.controls.urls")),
    path("requests/", include("compliance.web.requests.urls")),
    path("games/", include("compliance.web.games.urls")),
    path("documents/", include("compliance.web.documents.urls")),
    path("licences/", include("compliance.web.licences.urls")),
    path("law/", include("compliance.web.law.urls")),
    path("log/", include("compliance.web.log.urls")),
]
