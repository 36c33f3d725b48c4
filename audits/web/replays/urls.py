"""Replays: listed, begun, followed, put before others, cancelled, compared."""

from django.urls import path

from audits.web.replays import comparing, pages

urlpatterns = [
    path("", pages.replays, name="replays"),
    path("new/", pages.new, name="new_replay"),
    path("<uuid:uuid>/", pages.one, name="replay"),
    path("<uuid:uuid>/compare/", comparing.compare, name="compare_replays"),
    path("<uuid:uuid>/cancel/", pages.cancel, name="cancel_replay"),
    path("<uuid:uuid>/priority/", pages.move, name="move_replay"),
    path("<uuid:uuid>/retry/", pages.retry, name="retry_replay"),
]
