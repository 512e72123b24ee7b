"""All randomness in a match: labelled draws from a seed that nobody can choose alone.

The server draws a secret and publishes a commitment to it before anybody sits down. Everyone who
sits down adds a share. Only then is the seed made, from the secret and all shares. When the match
is over, the secret is published, and `pytlik verify` repeats every draw.

A draw has a label ("round 2: bag") and depends on the seed and the label alone. So no position in a
stream has to be stored, and the numbers are the same on every platform.
"""

import hashlib
import struct
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

WORD_LIMIT = 1 << 64
"""One more than the largest word: a word is 64 random bits."""


def commit(secret: bytes) -> str:
    """A commitment to a secret, to be published before the match, as hexadecimal digits."""
    return hashlib.sha256(b"pytlik commitment\0" + secret).hexdigest()


def mix(secret: bytes, shares: Iterable[str]) -> "Chance":
    """The chance of a match: the server's secret and every seat's share, in seat order."""
    digest = hashlib.sha256(b"pytlik seed\0")
    for part in (secret, *(share.encode() for share in shares)):
        digest.update(len(part).to_bytes(8) + part)
    return Chance(digest.digest())


def from_text(seed: str) -> "Chance":
    """Repeatable chance from any text, for deals, decks, bots and tests."""
    return Chance(hashlib.sha256(b"pytlik text\0" + seed.encode()).digest())


class Stream:
    """Numbers made from a key: SHA-256 of the key and a counter."""

    __slots__ = ("_counter", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            block = hashlib.sha256(self._key + self._counter.to_bytes(8)).digest()
            self._counter += 1
            self._words = [int.from_bytes(block[i : i + 8]) for i in (24, 16, 8, 0)]
        return self._words.pop()

    def words(self, number: int) -> list[int]:
        """Draw several 64-bit numbers at once, the same that single draws would give."""
        found = self._words[::-1]
        blocks = max(0, -(-(number - len(found)) // 4))
        counters = range(self._counter, self._counter + blocks)
        hashes = [hashlib.sha256(self._key + counter.to_bytes(8)).digest() for counter in counters]
        self._counter += blocks
        found += struct.unpack(f">{4 * blocks}Q", b"".join(hashes))
        self._words = found[number:][::-1]
        return found[:number]

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""
        if not 0 < n <= WORD_LIMIT:
            raise ValueError(f"no number from 0 to {n - 1}")
        # Words above the last full multiple of n would make small numbers likelier, so draw again.
        limit = WORD_LIMIT - WORD_LIMIT % n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def skip(self, numbers: int) -> None:
        """Go on as if this many small numbers had been drawn. It's wrong if `below` would have had
        to draw one of them again, which for n < 256 happens once in 2 ** 56 draws."""
        beyond = numbers - len(self._words)
        if beyond < 0:
            del self._words[-beyond:]
            return
        self._words = []
        self._counter += beyond // 4
        for _ in range(beyond % 4):
            self._word()

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        """The same items in random order, each order equally likely."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)


class Chance:
    """A seed, which gives a stream of numbers for each label."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def stream(self, label: str) -> Stream:
        return Stream(hashlib.sha256(self._seed + label.encode()).digest())
