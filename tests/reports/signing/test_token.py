"""The keys that sign reports and the event log may be in a token, and never leave it."""

from __future__ import annotations

import io
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.db import transaction
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from compliance.event_log.events import EXPORTED
from compliance.event_log.proof import NoLogKeyError, SigningKey
from compliance.event_log.tree import newest_checkpoint, signing_keys
from compliance.event_log.verification import verify_log
from compliance.event_log.verifier import read_checkpoint
from compliance.event_log.writes import integrate
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.project.checks import signing_key_at_hand
from compliance.tokens import TokenError, token_at
from reports.library.verification import check_pdf
from reports.schedules.making import sign_report
from reports.signing.keys import NoReportKeyError, report_key
from tests.reports.made import approval_letter, file_of
from tests.reports.signing.sealing import agency_key, certificate_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cryptography.x509 import Certificate

# Tests with a database come before those with a browser, whose loop lets no other run.
pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
PIN = "480 317"
LOG_KEY = SigningKey.generate("demonstration.invalid/log")
LIBRARY = Path("/usr/lib/softhsm/libsofthsm2.so")  # where Debian's softhsm2 installs it


@dataclass
class TokenOfTests:
    """A token with two keys, `reports` (RSA) and `curve`, and their certificates."""

    rsa: list[Certificate]
    curve: Certificate

    def uri(self, *, label: str = "Commission%20of%20Tests", key: str = "reports") -> str:
        return f"pkcs11:token={label};object={key}?module-path={LIBRARY}"


@pytest.fixture(scope="module")
def token(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TokenOfTests]:
    folder = tmp_path_factory.mktemp("token")
    (folder / "tokens").mkdir()
    (folder / "softhsm2.conf").write_text(f"directories.tokendir = {folder / 'tokens'}\n")

    def manage(*arguments: str | Path) -> None:
        subprocess.run(["softhsm2-util", *arguments], check=True, capture_output=True)

    private, certificate, authority = agency_key()
    curve = ec.generate_private_key(ec.SECP256R1())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOFTHSM2_CONF", str(folder / "softhsm2.conf"))
        manage(
            "--init-token",
            "--free",
            "--label",
            "Commission of Tests",
            "--pin",
            PIN,
            "--so-pin",
            PIN,
        )
        keys = {"reports": private, "curve": curve, "log": LOG_KEY.private}
        for number, (label, key) in enumerate(keys.items(), 1):
            place = folder / f"{label}.pem"
            place.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            manage(
                *("--import", place, "--token", "Commission of Tests", "--pin", PIN),
                *("--label", label, "--id", f"{number:02}"),
            )
            place.unlink()
        yield TokenOfTests([certificate, authority], certificate_of(curve, "Commission of Curves"))


@pytest.fixture
def signs_by_token(settings, tmp_path):
    def configure(certificates: list[Certificate], uri: str, pin: str = PIN) -> None:
        place = tmp_path / "reports.pem"
        place.write_bytes(b"".join(each.public_bytes(Encoding.PEM) for each in certificates))
        settings.REPORT_KEY, settings.REPORT_TOKEN = str(place), uri
        settings.REPORT_KEY_PASSPHRASE = pin

    return configure


@pytest.mark.pages
@pytest.mark.parametrize("kind", ["rsa", "curve"])
def test_what_a_token_signs_is_believed_by_us_and_by_pyhanko(token, signs_by_token, kind):
    report = approval_letter()
    if kind == "rsa":
        signs_by_token(token.rsa, token.uri())
        believed = list(report_key().issuers)
    else:
        signs_by_token([token.curve], token.uri(key="curve"))
        believed = [report_key().certificate]
    sign_report(report=report)
    content = file_of(report)
    assert check_pdf(content).ok
    (signature,) = PdfFileReader(io.BytesIO(content)).embedded_signatures
    status = validate_pdf_signature(
        signature, ValidationContext(trust_roots=believed, allow_fetching=False)
    )
    assert status.bottom_line


@pytest.mark.pages
@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"pin": "000 000"}, "the PIN in REPORT_KEY_PASSPHRASE is refused"),
        ({"label": "Nobody"}, "No token matching criteria"),
        ({"key": "nothing"}, "Could not find private key"),
    ],
)
def test_a_token_that_cannot_sign_says_why(token, signs_by_token, changed, reason):
    named = {name: value for name, value in changed.items() if name != "pin"}
    signs_by_token(token.rsa, token.uri(**named), changed.get("pin", PIN))
    with pytest.raises(NoReportKeyError, match=reason), report_key().signer():
        raise AssertionError


@pytest.mark.pages
def test_token_key_of_another_certificate_signs_nothing(token, signs_by_token):
    _, of_another, authority = agency_key()
    signs_by_token([of_another, authority], token.uri())
    wrong = "not that of the certificate in REPORT_KEY"
    with pytest.raises(NoReportKeyError, match=wrong), report_key().signer():
        raise AssertionError


@pytest.mark.pages
def test_a_token_serves_again_after_it_was_refused(token, signs_by_token):
    signs_by_token(token.rsa, token.uri(), "000 000")
    with pytest.raises(NoReportKeyError, match="refused"), report_key().signer():
        raise AssertionError
    signs_by_token(token.rsa, token.uri())
    for _ in range(2):
        with report_key().signer() as signer:
            assert signer.signing_cert.subject.native["common_name"] == "Commission of Tests"


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("/etc/keys/reports.pem", "write pkcs11:token="),
        ("pkcs11:token=A;object=B", "write pkcs11:token="),
        ("pkcs11:token=A;object=B?module-path=/dev/null&pin-value=1", "and nothing else"),
        ("pkcs11:token=A;object=B?module-path=/nowhere/lib.so", "which is not a file"),
    ],
)
def test_invalid_key_uri_is_refused(uri, reason):
    with pytest.raises(TokenError, match=reason):
        token_at(uri)


def test_pin_in_key_uri_is_not_shown(signs_by_token):
    certificate = agency_key()[1]
    signs_by_token([certificate], "pkcs11:token=A;object=B?pin-value=480317")
    with pytest.raises(NoReportKeyError) as refused, report_key().signer():
        raise AssertionError
    assert "480317" not in str(refused.value)


def test_the_address_of_a_key_is_read_as_rfc_7512_writes_it():
    found = token_at(f"pkcs11:object=reports%3B1;token=The%20token?module-path={os.__file__}")
    assert (found.label, found.key, found.module) == ("The token", "reports;1", Path(os.__file__))


@pytest.fixture
def log_by_token(token, settings, tmp_path):
    (tmp_path / "public").write_text(f"{LOG_KEY.public}\n")
    settings.SIGNING_KEY = str(tmp_path / "public")
    settings.SIGNING_TOKEN, settings.SIGNING_TOKEN_PIN = token.uri(key="log"), PIN
    settings.KEPT_CHECKPOINT = str(tmp_path / "checkpoint")


@pytest.mark.pages
def test_token_signs_the_event_log(log_by_token):
    with transaction.atomic():
        record(EXPORTED, by=SYSTEM, carries={"count": 1, "filter": "", "size": 0})
    integrate()
    newest = newest_checkpoint()
    assert read_checkpoint(newest.note, [LOG_KEY.public]).size == newest.size > 0
    assert verify_log().problems == []


@pytest.mark.pages
def test_token_that_cannot_sign_the_log_says_why(token, log_by_token, settings, tmp_path):
    settings.PRODUCTION = True
    assert signing_key_at_hand() == []
    settings.SIGNING_TOKEN_PIN = "000 000"
    [problem] = signing_key_at_hand()
    assert "the PIN in SIGNING_TOKEN_PIN is refused" in problem.msg
    settings.SIGNING_TOKEN_PIN = PIN
    settings.SIGNING_TOKEN = token.uri(key="other")
    with pytest.raises(NoLogKeyError, match="SIGNING_TOKEN cannot sign"):
        signing_keys()[0].sign(b"text")
    settings.SIGNING_TOKEN = token.uri(key="log")
    another = SigningKey.generate("demonstration.invalid/log")
    (tmp_path / "public").write_text(f"{another.public}\n")
    with pytest.raises(NoLogKeyError, match="is not the one in SIGNING_KEY"):
        signing_keys()[0].sign(b"text")
    (tmp_path / "public").write_text("")
    with pytest.raises(NoLogKeyError, match="has to name a file with the public key"):
        signing_keys()
