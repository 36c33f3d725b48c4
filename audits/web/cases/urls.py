"""Cases: listed, opened, gathered, written, closed."""

from django.urls import path

from audits.web.cases import acts, pages

urlpatterns = [
    path("", pages.cases, name="cases"),
    path("new/", pages.new, name="new_case"),
    path("<uuid:uuid>/", pages.one, name="case"),
    path("<uuid:uuid>/items/", acts.put_in, name="gather_in_case"),
    path("<uuid:uuid>/items/pattern/", acts.put_pattern, name="pattern_into_case"),
    path("<uuid:uuid>/items/<uuid:item>/take-out/", acts.remove, name="take_out_of_case"),
    path("<uuid:uuid>/facts/", acts.write, name="write_case"),
    path("<uuid:uuid>/level/", acts.level, name="recommend_in_case"),
    path("<uuid:uuid>/note/", acts.add_note, name="note_on_case"),
    path("<uuid:uuid>/close/", acts.close, name="close_case"),
    path("<uuid:uuid>/reopen/", acts.reopen, name="reopen_case"),
]
