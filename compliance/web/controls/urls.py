"""Internal controls: drafted, submitted, decided, compared."""

from django.urls import path

from compliance.web.controls import draft, pages, section
from compliance.web.controls.deeds import DEEDS

urlpatterns = [
    path("", pages.versions, name="controls_versions"),
    path("of/<slug:code>/draft/", draft.page, name="controls_draft"),
    path("of/<slug:code>/draft/submit/", draft.submit, name="controls_submit"),
    path("of/<slug:code>/draft/<str:part>/", section.page, name="controls_section"),
    path("of/<slug:code>/compare/", pages.compare, name="controls_compare"),
    path("<uuid:uuid>/", pages.version, name="controls_version"),
    *(
        path(f"<uuid:uuid>/{name}/", pages.do, {"name": name}, name=f"controls_{name}")
        for name in DEEDS
    ),
]
