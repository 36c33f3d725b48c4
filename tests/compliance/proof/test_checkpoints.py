import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from compliance.event_log.proof import (
    NotASigningKeyError,
    SigningKey,
    sign_checkpoint,
    write_consistency,
    write_inclusion,
)
from compliance.event_log.verifier import (
    BrokenError,
    Checkpoint,
    InclusionProof,
    VerifierKey,
    leaf_hash,
    read_checkpoint,
    read_consistency,
    read_note,
)

# The example in the documentation of Go's golang.org/x/mod/sumdb/note, where the format began.
PUBLISHED_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PUBLISHED_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6"
    "KE6RyyBwJnAM=\n"
)
ORIGIN = "cards.example/log"


@pytest.fixture(scope="module")
def key() -> SigningKey:
    return SigningKey.generate(ORIGIN)


@pytest.fixture
def checkpoint() -> Checkpoint:
    return Checkpoint(ORIGIN, 1, leaf_hash(b"x"))


def test_a_note_signed_by_another_implementation_is_read():
    text, signers = read_note(PUBLISHED_NOTE, [VerifierKey.parse(PUBLISHED_KEY)])
    assert text.startswith("If you think cryptography")
    assert [signer.name for signer in signers] == ["PeterNeumann"]
    assert str(signers[0]) == PUBLISHED_KEY


def test_a_checkpoint_says_origin_size_and_root(key, checkpoint):
    note = sign_checkpoint(checkpoint, [key])
    lines = note.split("\n")
    assert lines[:2] == [ORIGIN, "1"]
    assert base64.b64decode(lines[2]) == checkpoint.root
    assert lines[3] == ""
    assert lines[4].startswith(f"— {ORIGIN} ")
    assert note.endswith("\n")
    assert read_checkpoint(note, [key.public]) == checkpoint


def test_any_changed_character_breaks_a_checkpoint(key, checkpoint):
    note = sign_checkpoint(checkpoint, [key])
    for at, character in enumerate(note):
        forged = note[:at] + ("A" if character != "A" else "B") + note[at + 1 :]
        with pytest.raises(BrokenError):
            read_checkpoint(forged, [key.public])


def test_a_checkpoint_signed_by_a_stranger_is_refused(key, checkpoint):
    stranger = SigningKey.generate(ORIGIN)
    with pytest.raises(BrokenError, match="no trusted key"):
        read_checkpoint(sign_checkpoint(checkpoint, [stranger]), [key.public])


def test_while_keys_rotate_both_sign_and_either_is_enough(key, checkpoint):
    successor = SigningKey.generate(ORIGIN)
    note = sign_checkpoint(checkpoint, [key, successor])
    for trusted in ([key.public], [successor.public], [key.public, successor.public]):
        assert read_checkpoint(note, trusted) == checkpoint


def test_a_retired_key_signs_nothing_beyond_its_last_size(key):
    retired = VerifierKey.parse(f"{key.public} 7")
    assert retired.until == 7
    within = Checkpoint(ORIGIN, 7, bytes(32))
    assert read_checkpoint(sign_checkpoint(within, [key]), [retired]) == within
    beyond = Checkpoint(ORIGIN, 8, bytes(32))
    with pytest.raises(BrokenError, match="no trusted key"):
        read_checkpoint(sign_checkpoint(beyond, [key]), [retired])


def test_one_false_signature_of_a_known_key_spoils_a_note(key, checkpoint):
    successor = SigningKey.generate(ORIGIN)
    good = sign_checkpoint(checkpoint, [successor])
    false = sign_checkpoint(Checkpoint(ORIGIN, 2, bytes(32)), [key]).split("\n")[-2]
    with pytest.raises(BrokenError, match="does not fit"):
        read_checkpoint(good + false + "\n", [key.public, successor.public])


@pytest.mark.parametrize(
    "note",
    [
        "",
        "\n\n",
        "no signature\n",
        f"{ORIGIN}\n1\n\n— {ORIGIN} AAAAAAAA\n",
        f"{ORIGIN}\n01\n{'A' * 43}=\n\n— {ORIGIN} AAAAAAAA\n",
        f"{ORIGIN}\n1\nAAAA\n\n— {ORIGIN} AAAAAAAA\n",
        f"{ORIGIN}\n1\n{'A' * 43}=\n\n- {ORIGIN} AAAAAAAA\n",
        f"{ORIGIN}\n1\n{'A' * 43}=\n\n— {ORIGIN} AAAA\n",
        f"{ORIGIN}\t\n1\n{'A' * 43}=\n\n— {ORIGIN} AAAAAAAA\n",
    ],
)
def test_what_is_no_signed_checkpoint_is_refused(note, key):
    with pytest.raises(BrokenError):
        read_checkpoint(note, [key.public])


@pytest.mark.parametrize(
    "line", ["", "name", "name+00000000+AAAA", "name+00000000+%%", PUBLISHED_KEY + " 01"]
)
def test_what_is_no_public_key_is_refused(line):
    with pytest.raises(BrokenError):
        VerifierKey.parse(line)


def test_a_key_under_another_name_or_id_is_refused():
    with pytest.raises(BrokenError, match="the id should be"):
        VerifierKey.parse(PUBLISHED_KEY.replace("PeterNeumann", "Peter"))


def test_a_private_key_survives_its_file(key, checkpoint):
    again = SigningKey.from_pem(ORIGIN, key.to_pem())
    assert again.public == key.public
    assert sign_checkpoint(checkpoint, [again]) == sign_checkpoint(checkpoint, [key])


def test_a_file_without_an_ed25519_key_is_refused():
    with pytest.raises(NotASigningKeyError, match="PEM"):
        SigningKey.from_pem(ORIGIN, b"nothing")
    rsa = generate_private_key(65537, 2048).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    with pytest.raises(NotASigningKeyError, match="not Ed25519"):
        SigningKey.from_pem(ORIGIN, rsa)


def test_a_proof_file_is_read_as_it_was_written(key, checkpoint):
    note = sign_checkpoint(checkpoint, [key])
    text = write_inclusion(0, [], note)
    assert InclusionProof.parse(text) == InclusionProof(0, (), note)
    with_extra = text.replace("\nindex", "\nextra AAAA\nindex")
    assert InclusionProof.parse(with_extra).check(leaf_hash(b"x"), [key.public]) == checkpoint
    text = write_inclusion(73894, [bytes(32), bytes([1]) * 32], note)
    assert InclusionProof.parse(text).path == (bytes(32), bytes([1]) * 32)


def test_a_proof_of_another_event_is_refused(key, checkpoint):
    proof = InclusionProof.parse(write_inclusion(0, [], sign_checkpoint(checkpoint, [key])))
    with pytest.raises(BrokenError, match="not what the log holds"):
        proof.check(leaf_hash(b"y"), [key.public])


@pytest.mark.parametrize(
    "text",
    ["", "c2sp.org/tlog-proof@v2\nindex 0\n\n", "c2sp.org/tlog-proof@v1\n\n",
     "c2sp.org/tlog-proof@v1\nindex 00\n\n", "c2sp.org/tlog-proof@v1\nindex 0\nAAAA\n\n"],
)  # fmt: skip
def test_what_is_no_proof_file_is_refused(text):
    with pytest.raises(BrokenError):
        InclusionProof.parse(text)


def test_a_consistency_proof_is_read_as_it_was_written():
    path = (bytes(32), bytes([1]) * 32)
    assert read_consistency(write_consistency(3, 7, path)) == (3, 7, path)
    with pytest.raises(BrokenError):
        read_consistency("consistency 3\n")
