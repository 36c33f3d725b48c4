"""Which keys sign reports, and which are rejected."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from django.conf import settings as configured

from reports.signing.keys import (
    NoReportKeyError,
    own_certificate,
    report_key,
    trusted_certificates,
    under_demonstration_keys,
)
from tests.reports.signing.sealing import agency_key, certificate_of


def test_demonstration_key_is_readable_by_owner_only():
    assert under_demonstration_keys()
    assert Path(configured.REPORT_KEY).stat().st_mode & 0o077 == 0


def test_production_rejects_a_demonstration_key_anywhere(settings, tmp_path):
    copy = tmp_path / "key.pem"
    copy.write_bytes(Path(settings.REPORT_KEY).read_bytes())
    settings.REPORT_KEY, settings.PRODUCTION = str(copy), True
    with pytest.raises(NoReportKeyError, match="demonstration's"):
        report_key()


@pytest.mark.parametrize("passphrase", ["", "correct horse"])
def test_a_key_comes_from_pkcs_12_with_its_issuers(settings, tmp_path, passphrase):
    key, certificate, issuer = agency_key()
    protection = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
    place = tmp_path / "key.p12"
    place.write_bytes(
        pkcs12.serialize_key_and_certificates(b"reports", key, certificate, [issuer], protection)
    )
    settings.REPORT_KEY, settings.REPORT_KEY_PASSPHRASE = str(place), passphrase
    read = report_key()
    assert read.name == "Commission of Tests"
    assert [each.subject.native["common_name"] for each in read.issuers] == ["Authority of Tests"]


def test_wrong_passphrase_is_not_a_missing_file(settings, tmp_path):
    key, certificate, _ = agency_key()
    place = tmp_path / "key.p12"
    place.write_bytes(
        pkcs12.serialize_key_and_certificates(
            b"reports", key, certificate, None, BestAvailableEncryption(b"right")
        )
    )
    settings.REPORT_KEY, settings.REPORT_KEY_PASSPHRASE = str(place), "wrong"
    with pytest.raises(NoReportKeyError, match="Is the passphrase right"):
        report_key()
    settings.REPORT_KEY = str(tmp_path / "none.p12")
    with pytest.raises(NoReportKeyError, match="No such file"):
        report_key()


def test_a_key_without_its_certificate_signs_nothing(settings, tmp_path):
    key, _, _ = agency_key()
    _, other, _ = agency_key()
    place = tmp_path / "key.pem"
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    place.write_bytes(pem + other.public_bytes(Encoding.PEM))
    settings.REPORT_KEY = str(place)
    with pytest.raises(NoReportKeyError, match="no certificate of its private key"):
        report_key()


def test_retired_certificates_are_still_trusted(settings, tmp_path):
    _, retired, _ = agency_key()
    place = tmp_path / "retired.pem"
    place.write_bytes(retired.public_bytes(Encoding.PEM))
    settings.RETIRED_CERTIFICATES = str(place)
    fingerprints = [each.sha256 for each in trusted_certificates()]
    assert retired.fingerprint(hashes.SHA256()) in fingerprints
    assert len(fingerprints) == 2


def test_an_elliptic_key_serves_as_well(settings, tmp_path):
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = certificate_of(key, "Commission of Curves")
    place = tmp_path / "key.pem"
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    place.write_bytes(pem + certificate.public_bytes(Encoding.PEM))
    settings.REPORT_KEY = str(place)
    assert report_key().name == "Commission of Curves"


def test_a_web_without_the_key_trusts_its_certificate(tmp_path, settings):
    trusted = [each.sha256 for each in trusted_certificates()]
    public = tmp_path / "certificate.pem"
    public.write_bytes(own_certificate())
    assert b"PRIVATE KEY" not in public.read_bytes()
    settings.REPORT_KEY, settings.REPORT_CERTIFICATES = "", str(public)
    assert [each.sha256 for each in trusted_certificates()] == trusted
