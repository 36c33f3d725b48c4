"""The matrix of controls claims nothing that does not exist."""

from __future__ import annotations

import json
import re
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings

from compliance.accreditation.matrix import (
    baseline,
    component_definition,
    control_id,
    controls_of_agency,
    practices,
)
from compliance.project.environment import variables

ROOT = Path(settings.BASE_DIR)
TEST = re.compile(r"^\s*(?:async )?def (test_\w+)", re.MULTILINE)
TOKEN = re.compile(r"[a-zA-Z_][a-zA-Z0-9._-]*")  # OSCAL's type `token`


def test_every_named_test_setting_and_document_exists():
    tests = {
        name
        for each in (ROOT / "tests").rglob("test_*.py")
        for name in TEST.findall(each.read_text())
    }
    names = {each.name for each in variables()}
    for each in practices():
        assert set(each.tests) <= tests, each.says
        assert set(each.settings) <= names, each.says
        assert all((ROOT / place).is_file() for place in each.documents), each.says
        assert each.tests, each.says


def test_each_control_of_the_baseline_is_answered_once():
    named = [control for each in practices() for control in each.nist]
    assert len(named) == len(set(named))
    assert len(baseline()) == len(set(baseline()))
    beyond = set(named) - set(baseline())
    assert beyond == {"AU-10"}  # of the high baseline
    assert set(controls_of_agency()) | set(named) - beyond == set(baseline())


def test_component_definition_has_the_form_of_oscal():
    made = json.loads(component_definition())["component-definition"]
    assert made.keys() == {"uuid", "metadata", "components"}
    [component] = made["components"]
    [implementation] = component["control-implementations"]
    uuids = [made["uuid"], component["uuid"], implementation["uuid"]]
    for each in implementation["implemented-requirements"]:
        assert TOKEN.fullmatch(each["control-id"])
        assert each["description"]
        uuids.append(each["uuid"])
    assert len({UUID(each) for each in uuids}) == len(uuids)


@pytest.mark.parametrize(
    ("control", "written"), [("AC-2(13)", "ac-2.13"), ("IA-5", "ia-5"), ("SC-28(1)", "sc-28.1")]
)
def test_controls_are_named_as_oscal_does(control, written):
    assert control_id(control) == written
