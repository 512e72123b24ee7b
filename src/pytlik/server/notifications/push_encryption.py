"""Web Push messages: encrypted for one browser (RFC 8291) and signed by this server (RFC 8292).

Pure functions, and the only module that needs `cryptography` (the extra "push").
"""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

CURVE = ec.SECP256R1()

PADDED_BYTES = 1024
"""All messages are this long before they are encrypted, so that their length says nothing."""

RECORD_BYTES = 4096
"""The record size that a message announces. It has only one record, which is shorter."""

SIGNATURE_VALID_SECONDS = 12 * 3600
"""How long a signature is valid. Push services accept at most a day."""

PrivateKey = ec.EllipticCurvePrivateKey


def encode_base64url(data: bytes) -> str:
    """Encode as base64url without padding, as everything here is encoded."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Raises ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


# -------------------------------------------------------------------------------------------- keys


def generate_key() -> PrivateKey:
    return ec.generate_private_key(CURVE)


def private_key_to_bytes(key: PrivateKey) -> bytes:
    return key.private_numbers().private_value.to_bytes(32)


def private_key_from_bytes(data: bytes) -> PrivateKey:
    return ec.derive_private_key(int.from_bytes(data), CURVE)


def public_key_to_bytes(key: PrivateKey) -> bytes:
    """The public key as an uncompressed point, 65 bytes."""
    return key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def check_browser_keys(p256dh: str, auth: str) -> None:
    """Raise ValueError if no message could be encrypted with a browser's keys."""
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode_base64url(p256dh))
    if len(decode_base64url(auth)) != 16:
        raise ValueError("16 bytes are shared")


# -------------------------------------------------------------------------------------- encryption


def encrypt_message(message: bytes, p256dh: str, auth: str) -> bytes:
    """The body of a request to a push service. Raises ValueError if the message is too long."""
    if len(message) >= PADDED_BYTES:
        raise ValueError(f"a message has less than {PADDED_BYTES} bytes")
    # 2 marks the end of the last record, and zeros after it are padding (RFC 8188, 2).
    padded = (message + b"\x02").ljust(PADDED_BYTES, b"\0")
    return encrypt_record(
        padded, decode_base64url(p256dh), decode_base64url(auth), generate_key(), os.urandom(16)
    )


def encrypt_record(
    record: bytes, browser: bytes, auth: bytes, key: PrivateKey, salt: bytes
) -> bytes:
    """RFC 8291, 3.4. `key` and `salt` are new for each message."""
    browser_key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, browser)
    own = public_key_to_bytes(key)
    shared = key.exchange(ec.ECDH(), browser_key)
    secret = derive_key(shared, auth, b"WebPush: info\0" + browser + own, 32)
    content_key = derive_key(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive_key(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_BYTES.to_bytes(4) + bytes([len(own)]) + own
    return header + AESGCM(content_key).encrypt(nonce, record, None)


def derive_key(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


# --------------------------------------------------------------------------------------- signature


def authorization_header(key: PrivateKey, audience: str, contact: str, now: int) -> str:
    """The header that tells a push service who the sender is (RFC 8292). `audience` is the
    service's origin, `contact` where its operators can reach ours if it's an https address, and
    `now` in milliseconds."""
    claims: dict[str, str | int] = {"aud": audience, "exp": now // 1000 + SIGNATURE_VALID_SECONDS}
    if contact.startswith("https://"):
        claims["sub"] = contact
    parts = ({"typ": "JWT", "alg": "ES256"}, claims)
    signed = ".".join(encode_base64url(json.dumps(part).encode()) for part in parts)
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encode_base64url(r.to_bytes(32) + s.to_bytes(32))
    return f"vapid t={signed}.{signature}, k={encode_base64url(public_key_to_bytes(key))}"
