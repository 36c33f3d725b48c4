"""The people of the parties one may see."""

from django.urls import path

from compliance.web.people import pages

urlpatterns = [
    path("", pages.parties, name="parties"),
    path("<slug:code>/", pages.people, name="people"),
    path("<slug:code>/invite/", pages.invite_person, name="invite_person"),
    path(
        "<slug:code>/invitations/<uuid:uuid>/withdraw/", pages.withdraw, name="withdraw_invitation"
    ),
    path("<slug:code>/roles/<int:membership>/end/", pages.end, name="end_role"),
]
