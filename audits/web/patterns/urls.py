"""Patterns: listed, looked at, claimed, decided, released."""

from django.urls import path

from audits.review_steps import STEPS
from audits.web.patterns import acts, pages

urlpatterns = [
    path("", pages.patterns, name="patterns"),
    path("export/", pages.export, name="export_patterns"),
    path("<uuid:uuid>/", pages.one, name="pattern"),
    path("<uuid:uuid>/claim/", acts.take, name="claim_pattern"),
    path("<uuid:uuid>/give/", acts.give, name="give_pattern"),
    path("<uuid:uuid>/escalate/", acts.put_before_supervisors, name="escalate_pattern"),
    path("<uuid:uuid>/release/", acts.release, name="release_pattern"),
    path("<uuid:uuid>/answer/", acts.answer, name="answer_question"),
    path("<uuid:uuid>/note/", acts.add_note, name="note_pattern"),
    path("<uuid:uuid>/agree/", acts.agree, name="second_decision"),
    path("<uuid:uuid>/refuse/", acts.refuse, name="refuse_decision"),
    *(
        path(f"<uuid:uuid>/{name}/", acts.step, {"name": name}, name=f"pattern_{name}")
        for name in STEPS
    ),
]
