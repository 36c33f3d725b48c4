"""Page routes of rehearsals."""

from django.urls import path

from audits.replay.rehearsal import pages

urlpatterns = [path("", pages.CheckLog.as_view(), name="check_log")]
