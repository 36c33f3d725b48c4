"""Page routes of the queue: the list, actions on many issues, saved filters and cover."""

from django.urls import path

from audits.review.queue import pages

urlpatterns = [
    path("", pages.QueueList.as_view(), name="work"),
    path("export/", pages.QueueExport.as_view(), name="export_work"),
    path("many/", pages.WorkOnMany.as_view(), name="work_on_many"),
    path("filters/", pages.SaveFilter.as_view(), name="save_filter"),
    path("filters/remove/", pages.RemoveFilter.as_view(), name="remove_filter"),
    path("cover/", pages.CoverPage.as_view(), name="cover"),
    path("cover/end/", pages.EndCover.as_view(), name="end_cover"),
]
