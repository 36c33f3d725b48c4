"""What an operator's program does besides submitting: disclose, check controls, answer."""

import json

import pytest
from django.urls import reverse

from compliance.access.permissions import Role
from tests.compliance.api.programs import program_of
from tests.compliance.pages.browsing import browser_as, words

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def test_program_discloses_once_and_reads_it_back():
    program = program_of(Role.OPERATOR_MANAGER)
    data = {"operator": "card-room", "day": "2025-07-12", "facts": "A card fell."}
    made = program.post("/api/v1/disclosures", data)
    assert made.status_code == 201
    assert program.get(made.headers["Location"]).json() == made.json()
    (listed,) = program.get("/api/v1/disclosures").json()["items"]
    assert listed | {"papers": []} == made.json()
    assert program.post("/api/v1/disclosures", data).status_code == 409
    assert program.post("/api/v1/disclosures", data | {"day": "2199-01-01"}).status_code == 409
    assert program.post("/api/v1/disclosures", data | {"operator": "other"}).status_code == 404


def test_empty_controls_are_not_ready_to_file():
    program = program_of(Role.OPERATOR_MANAGER)
    data = {"operator": "card-room", "content": {}}
    checked = program.post("/api/v1/controls/check", data).json()
    assert not checked["ready"]
    refused = program.post("/api/v1/controls", data)
    assert refused.status_code == 409
    assert refused.json()["code"] == "not_ready"
    assert len(refused.json()["errors"]) == len(checked["problems"])
    assert program.get("/api/v1/controls").json()["items"] == []


def test_a_report_about_another_operator_is_not_ordered():
    program = program_of(Role.OPERATOR_MANAGER, "here")
    program_of(Role.OPERATOR_MANAGER, "there")
    data = {"kind": "in_effect_on_a_day", "operator": "there", "day": "2025-07-12"}
    assert program.post("/api/v1/report-orders", data).status_code in {404, 422}


def test_where_nothing_is_asked_there_is_nothing_to_answer():
    program = program_of(Role.OPERATOR_MANAGER)
    assert program.get("/api/v1/questions").json() == {"items": [], "next": None}


def test_draft_parts_are_saved_without_overwriting_others():
    program = program_of(Role.OPERATOR_MANAGER)
    place, whose = "/api/v1/controls/draft", {"operator": "card-room"}

    def part(name):
        result = program.get(place, **whose).json()
        return next((each for each in result["parts"] if each["part"] == name), None)

    def saved(name, value, seen):
        body = json.dumps({**whose, "value": value, "seen": seen})
        return program.client.put(
            f"{place}/{name}", body, "application/json", headers=program.headers
        )

    seen = part("tips")["seen"]
    assert saved("tips", "Tips go into the box.", seen).status_code == 200
    assert part("tips")["value"] == "Tips go into the box."
    overtaken = saved("tips", "Tips are kept.", seen)
    assert (overtaken.status_code, overtaken.json()["code"]) == (409, "overtaken")
    clerk = browser_as(Role.OPERATOR_CLERK, "card-room")
    assert "by a program" in words(clerk.get(reverse("controls_draft", args=["card-room"])))
    assert part("tips")["value"] == "Tips go into the box."
    assert saved("tips", None, part("tips")["seen"]).json()["parts"][0]["value"] is None
    for name, value in (
        ("tips", 1),
        ("tips", "\u202eTips"),
        ("hours", {"monday": ["10:00"]}),
        ("games.pyramid-poker", {"tables": None}),
        ("games.pyramid-poker", {"tables": {"T\u0000": {}}}),
    ):
        refused = saved(name, value, part("hours")["seen"])
        assert (refused.status_code, refused.json()["code"]) == (409, "unreadable")
    assert saved("no_such_part", "x", seen).status_code == 404


def test_a_draft_is_submitted_as_it_was_read():
    program = program_of(Role.OPERATOR_MANAGER)
    place, whose = "/api/v1/controls/draft", {"operator": "card-room"}
    body = {**whose, "seen": "0" * 64}
    assert program.post(f"{place}/submit", body).json()["code"] == "overtaken"
    body["seen"] = program.get(place, **whose).json()["seen"]
    refused = program.post(f"{place}/submit", body).json()
    assert refused["code"] == "not_ready"
    assert all(each["pointer"].startswith("/content") for each in refused["errors"])
