"""Tokens: who somebody is, without an account.

A browser or a program has one token, 128 random bits, and holds seats with it. Tables know only its
hash. On a private server a token also carries a mark, which only people who know the passphrase
get.
"""

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from functools import lru_cache

Holder = str
"""The hash of a token."""

TOKEN_PATTERN = re.compile(r"(?P<bits>[A-Za-z0-9_-]{22})(\.(?P<mark>[A-Za-z0-9_-]{22}))?")

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""The letters of codes: none looks like another."""

ID_LENGTH, CIRCLE_ID_LENGTH, CODE_LENGTH, RECOVERY_LENGTH = 10, 12, 6, 12

TABLE_ID = re.compile(f"[{LETTERS}]{{{ID_LENGTH}}}")
CIRCLE_ID = re.compile(f"[{LETTERS}]{{{CIRCLE_ID_LENGTH}}}")

YEAR_SECONDS = 365 * 86_400


def new_token() -> str:
    return encode_bytes(secrets.token_bytes(16))


def encode_bytes(bits: bytes) -> str:
    return urlsafe_b64encode(bits).rstrip(b"=").decode()


def is_well_formed(token: str) -> bool:
    return TOKEN_PATTERN.fullmatch(token) is not None


def holder_of(token: str) -> Holder:
    """The hash of a token, which is all that tables know of it."""
    return hashlib.sha256(b"pytlik token\0" + strip_passphrase_mark(token).encode()).hexdigest()


def strip_passphrase_mark(token: str) -> str:
    return token.partition(".")[0]


def random_letters(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def recovery_code(token: str, id: str, number: int) -> str:
    """The recovery code of a seat that a token has adopted at a table, or of a member of a circle.
    It follows from the token, so that it can be sent again if the answer with it was lost."""
    message = f"pytlik recovery\0{id}\0{number}".encode()
    number = int.from_bytes(hmac.digest(strip_passphrase_mark(token).encode(), message, "sha256"))
    return "".join(
        LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(RECOVERY_LENGTH)
    )


def hashed_code(id: str, code: str) -> str:
    """What a table or a circle knows of a code; people may type it in capitals and with spaces."""
    letters = "".join(letter for letter in code.lower() if letter.isalnum())
    return hashlib.sha256(f"pytlik code\0{id}\0{letters}".encode()).hexdigest()


# ---------------------------------------------------------------------------------- private servers


@lru_cache(maxsize=8)
def derive_passphrase_key(passphrase: str) -> bytes:
    """A key derived from the passphrase, slowly, so that a stolen token reveals nothing about the
    passphrase."""
    return hashlib.scrypt(passphrase.encode(), salt=b"pytlik passphrase", n=1 << 14, r=8, p=1)


def add_passphrase_mark(token: str, passphrase: str) -> str:
    """The token with the mark of somebody who knows the passphrase."""
    digest = hmac.digest(
        derive_passphrase_key(passphrase), strip_passphrase_mark(token).encode(), "sha256"
    )
    return f"{strip_passphrase_mark(token)}.{encode_bytes(digest[:16])}"


def has_passphrase_mark(token: str, passphrase: str) -> bool:
    return hmac.compare_digest(token.encode(), add_passphrase_mark(token, passphrase).encode())


# ------------------------------------------------------------------------------------------ cookies


def cookie_name(*, secure: bool, old: bool = False) -> str:
    """Browsers accept a `__Host-` cookie only from this very host, and only over TLS. The `old` one
    holds a browser's previous token until everything has moved to the new one."""
    name = "pytlik-old" if old else "pytlik"
    return f"__Host-{name}" if secure else name


def cookie_header(token: str, *, secure: bool, base_path: str = "", old: bool = False) -> str:
    """The Set-Cookie header that gives a browser its token; an empty token removes the cookie."""
    path = "/" if secure else base_path or "/"
    parts = [
        f"{cookie_name(secure=secure, old=old)}={token}",
        f"Path={path}",
        f"Max-Age={YEAR_SECONDS if token else 0}",
        "HttpOnly",
        "SameSite=Lax",
    ]
    return "; ".join([*parts, "Secure"] if secure else parts)
