"""Page routes of visits: list, begin, check items and end."""

from django.urls import path

from audits.review.visits import pages

urlpatterns = [
    path("", pages.VisitList.as_view(), name="visits"),
    path("plan/", pages.PlanVisit.as_view(), name="plan_visit"),
    path("plan/<uuid:uuid>/cancel/", pages.CancelPlan.as_view(), name="cancel_plan"),
    path("begin/", pages.BeginVisit.as_view(), name="begin_visit"),
    path("<uuid:uuid>/", pages.VisitPage.as_view(), name="visit"),
    path("<uuid:uuid>/end/", pages.EndVisit.as_view(), name="end_visit"),
    path("<uuid:uuid>/<int:place>/", pages.VisitItemPage.as_view(), name="visit_item"),
]
