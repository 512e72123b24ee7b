"""Encryption and signatures, against the examples of RFC 8291 and from the receiver's side."""

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag

from pytlik.server.notifications import push_encryption
from pytlik.server.notifications.push_encryption import (
    authorization_header,
    decode_base64url,
    encode_base64url,
    encrypt_message,
    encrypt_record,
)
from tests.server.http_site import START_TIME_MS
from tests.server.push_service import Device, verify_authorization

# RFC 8291, section 5 and appendix A.
PLAINTEXT = b"When I grow up, I want to be a watermelon"
SENDER_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BROWSER_KEY = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
AUTH_SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
ENCRYPTED_MESSAGE = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_rfc_example() -> None:
    key = push_encryption.private_key_from_bytes(decode_base64url(SENDER_KEY))
    record = PLAINTEXT + b"\x02"
    sealed = encrypt_record(
        record,
        decode_base64url(BROWSER_KEY),
        decode_base64url(AUTH_SECRET),
        key,
        decode_base64url(SALT),
    )
    assert encode_base64url(sealed) == ENCRYPTED_MESSAGE


def test_only_the_device_can_read_a_message() -> None:
    device, other = Device("https://push.example/1"), Device("https://push.example/2")
    keys = device.subscription()
    sealed = encrypt_message("Žofia".encode(), keys["p256dh"], keys["auth"])
    assert device.decrypt(sealed) == "Žofia".encode()
    with pytest.raises(InvalidTag):
        other.decrypt(sealed)
    assert encrypt_message("Žofia".encode(), keys["p256dh"], keys["auth"]) != sealed


def test_all_messages_are_equally_long() -> None:
    keys = Device("https://push.example/1").subscription()
    lengths = {
        len(encrypt_message(message, keys["p256dh"], keys["auth"]))
        for message in (b"", b"short", b"x" * (push_encryption.PADDED_BYTES - 1))
    }
    assert len(lengths) == 1
    assert max(lengths) <= 4096  # what every push service takes
    with pytest.raises(ValueError, match="bytes"):
        encrypt_message(b"x" * push_encryption.PADDED_BYTES, keys["p256dh"], keys["auth"])


def test_a_signature_names_the_service_and_expires() -> None:
    key = push_encryption.generate_key()
    header = authorization_header(
        key, "https://push.example", "https://games.example", START_TIME_MS
    )
    claims, by = verify_authorization(header)
    assert claims == {
        "aud": "https://push.example",
        "exp": START_TIME_MS // 1000 + 12 * 3600,
        "sub": "https://games.example",
    }
    assert by == encode_base64url(push_encryption.public_key_to_bytes(key))
    other = encode_base64url(push_encryption.public_key_to_bytes(push_encryption.generate_key()))
    with pytest.raises(InvalidSignature):
        verify_authorization(header.replace(by, other))


def test_unreachable_address_is_not_given_as_contact() -> None:
    header = authorization_header(
        push_encryption.generate_key(), "https://push.example", "http://localhost", START_TIME_MS
    )
    assert "sub" not in verify_authorization(header)[0]


def test_private_key_can_be_restored_from_bytes() -> None:
    key = push_encryption.generate_key()
    again = push_encryption.private_key_from_bytes(push_encryption.private_key_to_bytes(key))
    assert push_encryption.public_key_to_bytes(again) == push_encryption.public_key_to_bytes(key)


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH_SECRET),
        (BROWSER_KEY[:-4], AUTH_SECRET),
        (SENDER_KEY, AUTH_SECRET),
        (BROWSER_KEY, ""),
        (BROWSER_KEY, SENDER_KEY),
        ("B" * 87, AUTH_SECRET),
    ],
)
def test_unusable_browser_keys_are_refused(p256dh: str, auth: str) -> None:
    push_encryption.check_browser_keys(BROWSER_KEY, AUTH_SECRET)
    with pytest.raises(ValueError, match=r"."):
        push_encryption.check_browser_keys(p256dh, auth)
