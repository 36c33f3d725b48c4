"""The matrix of controls and the OSCAL component definition, both from `controls.toml`."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.conf import settings

SOURCE = Path(__file__).with_name("controls.toml")
CATALOG = "https://doi.org/10.6028/NIST.SP.800-53r5"
OSCAL = "1.1.3"
HEAD = """# Controls: what this system does, and what is up to the agency

Made from `compliance/accreditation/controls.toml` by `manage.py write_references`. A test fails
when it is stale, or names a setting, a document or a test that does not exist.

Software alone meets no control: each has a part that people do. A row says what this system does,
what is left to the agency that runs it, and which tests check the first part. It is not an
assessment, and nobody has accredited this system. *NIST* is SP 800-53 Rev. 5, moderate baseline
(compare the list below with your own copy of SP 800-53B); *CJIS* is the FBI's CJIS Security Policy
by section; *SOC 2* is the Trust Services Criteria. The same file gives the
[OSCAL component definition](oscal-component.json).

| NIST | CJIS | SOC 2 | what this system does | up to the agency | settings | tests |
|---|---|---|---|---|---|---|
"""
ALONE = """
## Up to the agency alone

This system does nothing for these controls of the moderate baseline, or nothing worth claiming.
Controls that end in -1 are policies.

"""


@dataclass(frozen=True, kw_only=True)
class Practice:
    """Something that the system does for some controls, and what it leaves to the agency."""

    nist: list[str]
    cjis: list[str]
    soc2: list[str]
    says: str
    left: str
    tests: list[str]
    documents: list[str]
    settings: list[str] = field(default_factory=list)


@cache
def practices() -> list[Practice]:
    """Return everything that the system does for controls."""
    return [Practice(**each) for each in tomllib.loads(SOURCE.read_text())["practice"]]


@cache
def baseline() -> list[str]:
    """Return the controls of the moderate baseline, in order."""
    return str(tomllib.loads(SOURCE.read_text())["baseline"]).split()


def controls_of_agency() -> list[str]:
    """Return the controls of the baseline for which the system does nothing."""
    covered = {name for each in practices() for name in each.nist}
    return [name for name in baseline() if name not in covered]


def control_matrix() -> str:
    """Return the page in Markdown."""
    rows = [
        f"| {', '.join(each.nist)} | {', '.join(each.cjis)} | {', '.join(each.soc2)} | {each.says} "
        f"{_links(each.documents)} | {each.left or 'Nothing.'} | {_codes(each.settings)} | "
        f"{_codes(each.tests)} |\n"
        for each in practices()
    ]
    families: dict[str, list[str]] = {}
    for name in controls_of_agency():
        families.setdefault(name[:2], []).append(name)
    alone = [f"- **{family}**: {', '.join(names)}\n" for family, names in families.items()]
    return "".join([HEAD, *rows, ALONE, *alone])


def _codes(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _links(documents: list[str]) -> str:
    return " ".join(f"([{Path(each).stem}](../../{each}))" for each in documents)


def component_definition() -> str:
    """Return what the system does as an OSCAL component definition, in JSON.

    All identifiers come from the content, so that the same file gives the same bytes.
    """
    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    requirements = [
        {
            "uuid": _uuid(f"{control}: {each.says}"),
            "control-id": control_id(control),
            "description": each.says,
            "remarks": f"Up to the agency: {each.left or 'nothing.'}",
            "props": [{"name": "implementation-status", "value": "partial"}]
            if each.left
            else [{"name": "implementation-status", "value": "implemented"}],
        }
        for each in practices()
        for control in each.nist
    ]
    definition: dict[str, Any] = {
        "uuid": _uuid(json.dumps([version, requirements])),
        "metadata": {
            "title": "Card game compliance",
            "last-modified": "2026-11-20T00:00:00Z",
            "version": version,
            "oscal-version": OSCAL,
        },
        "components": [
            {
                "uuid": _uuid(name),
                "type": "software",
                "title": name,
                "description": project["description"],
                "control-implementations": [
                    {
                        "uuid": _uuid(f"{name} {CATALOG}"),
                        "source": CATALOG,
                        "description": "What the software does for controls of the moderate "
                        "baseline. The agency that runs it does the rest.",
                        "implemented-requirements": requirements,
                    }
                ],
            }
        ],
    }
    return json.dumps({"component-definition": definition}, indent=1) + "\n"


def control_id(control: str) -> str:
    """Return a control as OSCAL names it: AC-2(3) is ac-2.3."""
    return re.sub(r"\((\d+)\)", r".\1", control.lower())


def _uuid(text: str) -> str:
    """Return a UUID that depends on the text alone."""
    return str(uuid5(NAMESPACE_URL, f"{CATALOG}#{text}"))
