"""The bill of materials has what CycloneDX 1.6 requires, and every package in the lock files."""

from __future__ import annotations

import io
import json
import re

import pytest
from django.core.management import call_command

from compliance.project.settings import BASE_DIR

# https://cyclonedx.org/docs/1.6/json/, read by hand
SERIAL = re.compile(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
HEX = {"SHA-1": 40, "SHA-256": 64, "SHA-384": 96, "SHA-512": 128}
SCOPES = {"required", "optional", "excluded"}
PURL = re.compile(r"pkg:(pypi|npm)/(%40[a-z0-9.-]+/)?[a-z0-9._-]+@[A-Za-z0-9.+_-]+")


def printed() -> str:
    out = io.StringIO()
    call_command("sbom", stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def bill() -> dict:
    return json.loads(printed())


def test_sbom_has_every_required_field_of_cyclonedx(bill):
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert SERIAL.fullmatch(bill["serialNumber"])
    assert bill["metadata"]["component"]["type"] == "application"
    assert bill["metadata"]["component"]["name"] == "card-game-compliance"
    for each in bill["components"]:
        assert each["type"] == "library"
        assert each["name"]
        assert each["scope"] in SCOPES
        assert PURL.fullmatch(each["purl"]), each["purl"]
        assert each["hashes"]
        for one in each["hashes"]:
            assert re.fullmatch(f"[0-9a-f]{{{HEX[one['alg']]}}}", one["content"])
        licenses = each.get("licenses", [])
        expressions = [one for one in licenses if "expression" in one]
        assert len(expressions) == 0 or len(licenses) == 1  # one expression, or names
        assert all(set(one["license"]) <= {"id", "name"} for one in licenses if "license" in one)
    references = [each["bom-ref"] for each in bill["components"]]
    assert len(references) == len(set(references))


def test_sbom_lists_every_package_of_the_locks(bill):
    listed = {(each["name"], each["version"]) for each in bill["components"]}
    lock = (BASE_DIR / "requirements.lock").read_text()
    pinned = set(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, re.MULTILINE))
    assert ("django" in dict(pinned), len(pinned) > 40) == (True, True)
    assert pinned <= listed
    assert ("@uswds/uswds", "3.14.0") in listed
    licensed = {each["name"]: each["licenses"] for each in bill["components"] if "licenses" in each}
    assert licensed["django"] == [{"expression": "BSD-3-Clause"}]
    assert {each["name"] for each in bill["components"] if each["scope"] == "required"} >= dict(
        pinned
    ).keys()


def test_sbom_is_the_same_bytes_each_time():
    assert printed() == printed()
