"""The desk: whose work it is, many patterns at once, filters that are kept, cover."""

from django.urls import path

from audits.web.desk import bulk, cover, lists

urlpatterns = [
    path("", lists.work, name="work"),
    path("export/", lists.export, name="export_work"),
    path("many/", bulk.many, name="work_on_many"),
    path("filters/", lists.save, name="save_filter"),
    path("filters/remove/", lists.remove, name="remove_filter"),
    path("cover/", cover.cover, name="cover"),
    path("cover/end/", cover.end, name="end_cover"),
]
