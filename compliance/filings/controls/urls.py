"""Internal controls: drafted, submitted, decided, compared."""

from django.urls import path

from compliance.filings.controls import draft_pages, pages
from compliance.filings.controls.actions import ACTIONS

urlpatterns = [
    path("", pages.ControlsList.as_view(), name="controls_versions"),
    path("of/<slug:code>/draft/", draft_pages.DraftPage.as_view(), name="controls_draft"),
    path("of/<slug:code>/draft/submit/", draft_pages.SubmitDraft.as_view(), name="controls_submit"),
    path(
        "of/<slug:code>/draft/<str:part>/",
        draft_pages.SectionPage.as_view(),
        name="controls_section",
    ),
    path("of/<slug:code>/compare/", pages.CompareControls.as_view(), name="controls_compare"),
    path("<uuid:uuid>/", pages.ControlsPage.as_view(), name="controls_version"),
    *(
        path(
            f"<uuid:uuid>/{name}/",
            pages.TakeAction.as_view(),
            {"name": name},
            name=f"controls_{name}",
        )
        for name in ACTIONS
    ),
]
