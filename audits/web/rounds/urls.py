"""Any round: looked for, and looked at."""

from django.urls import path, register_converter

from audits.web.rounds import pages, search
from audits.web.rounds.addresses import RoundId

register_converter(RoundId, "round_id")

urlpatterns = [
    path("find/", search.find, name="find_round"),
    path("of/<slug:operator>/<round_id:id_>/", pages.one, name="round"),
]
