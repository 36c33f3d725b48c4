"""Print the software bill of materials of this version, from its lock files."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import NAMESPACE_OID, uuid5

from django.core.management.base import BaseCommand

from compliance.project.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
NODE_MODULES = "node_modules/"
OSI = "License :: OSI Approved :: "
LONGEST_LICENSE_NAME = 80
"""Some packages have the full license text in place of its name."""


class Command(BaseCommand):
    """`manage.py sbom > sbom.json`: CycloneDX 1.6, identical for identical lock files."""

    help = "Prints the software bill of materials as CycloneDX 1.6 in JSON."
    requires_system_checks = ()

    def handle(self, *_: Any, **__: Any) -> None:
        """Print the bill of materials."""
        self.stdout.write(json.dumps(bill_of_materials(), indent=1))


def bill_of_materials() -> dict[str, Any]:
    """List every package in the lock files; the serial number is derived from the content."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    components = sorted(
        [
            *_python("requirements.lock", scope="required"),
            *_python("requirements-node.lock", scope="excluded"),
            *_npm(),
        ],
        key=lambda component: str(component["bom-ref"]),
    )
    content = json.dumps([project["version"], components]).encode()
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid5(NAMESPACE_OID, hashlib.sha256(content).hexdigest()).urn,
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": project["name"],
                "name": project["name"],
                "version": project["version"],
                "description": project["description"],
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": components,
    }


def _python(lock: str, *, scope: str) -> Iterator[dict[str, Any]]:
    """Return the packages of a lock file, with the hashes of every file it allows."""
    for entry in re.split(r"\n(?=[A-Za-z0-9])", (ROOT / lock).read_text()):
        if not (pinned := PINNED.match(entry)):
            continue
        name = re.sub(r"[-_.]+", "-", pinned[1]).lower()  # as PyPI writes names (PEP 503)
        hashes = [{"alg": "SHA-256", "content": one} for one in sorted(HASH.findall(entry))]
        purl = f"pkg:pypi/{name}@{quote(pinned[2])}"
        yield _component(purl, name, pinned[2], scope, hashes) | _python_licenses(name)


def _python_licenses(name: str) -> dict[str, Any]:
    """Return an installed package's license: its SPDX expression, or else its name."""
    try:
        package = metadata(name)
    except PackageNotFoundError:
        return {}
    if "License-Expression" in package:
        return {"licenses": [{"expression": package["License-Expression"]}]}
    names = [one.removeprefix(OSI) for one in package.get_all("Classifier", []) if OSI in one]
    text = "".join(package.get_all("License", [])).strip()
    if not names and 0 < len(text) <= LONGEST_LICENSE_NAME and "\n" not in text:
        names = [text]
    return {"licenses": [{"license": {"name": one}} for one in sorted(names)]} if names else {}


def _npm() -> Iterator[dict[str, Any]]:
    for place, package in json.loads((ROOT / "package-lock.json").read_text())["packages"].items():
        if not place:  # the project itself
            continue
        name = place.rpartition(NODE_MODULES)[2]
        scope = "excluded" if package.get("dev") else "required"
        algorithm, _, encoded = package["integrity"].partition("-")
        digest = base64.b64decode(encoded).hex()
        hashes = [{"alg": algorithm.upper().replace("SHA", "SHA-"), "content": digest}]
        purl = f"pkg:npm/{quote(name)}@{package['version']}"
        made = _component(purl, name, package["version"], scope, hashes)
        if place.count(NODE_MODULES) > 1:  # a second copy, below another package
            made["bom-ref"] = f"{purl}?place={quote(place, safe='')}"
        if text := package.get("license"):
            made["licenses"] = [{"expression": text}]
        yield made


def _component(
    purl: str, name: str, version: str, scope: str, hashes: list[dict[str, str]]
) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "scope": scope,
        "purl": purl,
        "hashes": hashes,
    }
