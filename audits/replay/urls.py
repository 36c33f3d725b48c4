"""Page routes of replays."""

from django.urls import path

from audits.replay import pages

urlpatterns = [
    path("", pages.ReplayList.as_view(), name="replays"),
    path("new/", pages.NewReplay.as_view(), name="new_replay"),
    path("<uuid:uuid>/", pages.ReplayPage.as_view(), name="replay"),
    path("<uuid:uuid>/compare/", pages.CompareReplays.as_view(), name="compare_replays"),
    path("<uuid:uuid>/cancel/", pages.CancelReplay.as_view(), name="cancel_replay"),
    path("<uuid:uuid>/priority/", pages.MoveReplay.as_view(), name="move_replay"),
    path("<uuid:uuid>/retry/", pages.RetryReplay.as_view(), name="retry_replay"),
]
