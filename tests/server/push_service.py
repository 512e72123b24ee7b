"""A push service for tests, and devices that can read what it delivers."""

import asyncio
import json
import os
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pytlik.server.notifications.push_client import PushClient
from pytlik.server.notifications.push_encryption import (
    CURVE,
    decode_base64url,
    derive_key,
    encode_base64url,
    generate_key,
    public_key_to_bytes,
)

HOST_NAME = "localhost"


class Device:
    """A browser that has subscribed at a push service."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.key = generate_key()
        self.auth = os.urandom(16)

    def subscription(self, language: str = "en") -> dict[str, str]:
        return {
            "endpoint": self.endpoint,
            "p256dh": encode_base64url(public_key_to_bytes(self.key)),
            "auth": encode_base64url(self.auth),
            "language": language,
        }

    def decrypt(self, body: bytes) -> bytes:
        """Decrypt a message as in RFC 8291, and remove the padding."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        )
        info = b"WebPush: info\0" + public_key_to_bytes(self.key) + sender
        secret = derive_key(shared, self.auth, info, 32)
        content_key = derive_key(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive_key(secret, salt, b"Content-Encoding: nonce\0", 12)
        record = AESGCM(content_key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert record.endswith(b"\x02")
        return record[:-1]

    def read(self, body: bytes) -> Any:
        return json.loads(self.decrypt(body))


def verify_authorization(header: str) -> tuple[dict[str, Any], str]:
    """Return the claims of a signed token and its public key. Raises InvalidSignature."""
    scheme, token, key = header.replace(",", "").split()
    assert scheme == "vapid"
    head, claims, signature = token.removeprefix("t=").split(".")
    raw = decode_base64url(signature)
    r, s = int.from_bytes(raw[:32]), int.from_bytes(raw[32:])
    public = ec.EllipticCurvePublicKey.from_encoded_point(
        CURVE, decode_base64url(key.removeprefix("k="))
    )
    signed = f"{head}.{claims}".encode()
    public.verify(encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))
    assert json.loads(decode_base64url(head)) == {"typ": "JWT", "alg": "ES256"}
    return json.loads(decode_base64url(claims)), key.removeprefix("k=")


class Delivery:
    def __init__(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.path = path
        self.headers = headers
        self.body = body


class PushService:
    """Answers with `statuses`, one after the other and then 201, and keeps what it accepted."""

    def __init__(self, port: int, tls: ssl.SSLContext) -> None:
        self.address = f"https://{HOST_NAME}:{port}"
        self.tls = tls
        """With this context, a client trusts the service."""
        self.statuses: list[int] = []
        self.requests = 0
        self.delivered: asyncio.Queue[Delivery] = asyncio.Queue()

    def new_client(self) -> PushClient:
        """A client that may contact this machine."""
        return PushClient(is_allowed=lambda *_: True, tls=self.tls)

    def new_device(self, path: str = "/ola") -> Device:
        return Device(self.address + path)

    async def handle_request(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:-2])
        verbatim = dict(line.split(": ", 1) for line in head[1:-2])
        body = await reader.readexactly(int(headers["content-length"]))
        self.requests += 1
        status = self.statuses.pop(0) if self.statuses else 201
        if status < 300:
            self.delivered.put_nowait(Delivery(head[0].split()[1], verbatim, body))
        writer.write(f"HTTP/1.1 {status} Whatever\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()


@asynccontextmanager
async def run_push_service(folder: Path) -> AsyncIterator[PushService]:
    certificate, key = make_certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    service: PushService

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await service.handle_request(reader, writer)

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    service = PushService(port, ssl.create_default_context(cafile=certificate))
    try:
        yield service
    finally:
        server.close()


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine, and its key."""
    key = generate_key()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST_NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST_NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "push.crt", folder / "push.key"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files
