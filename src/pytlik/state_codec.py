"""The state of a match as bytes, so that it can be stored beside the log that it follows from."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

S = TypeVar("S")

Hook = Callable[[Any], Any]


class StateCodec(Generic[S]):
    """Encodes and decodes the states of a game.

    `encode_part` converts what msgspec doesn't know into something that it does, and `decode_parts`
    converts it back, by type.
    """

    def __init__(
        self,
        state_type: type[S],
        encode_part: Hook | None = None,
        decode_parts: dict[type, Hook] | None = None,
    ) -> None:
        parts = decode_parts or {}
        self.state_type = state_type
        self._encoder = msgspec.msgpack.Encoder(enc_hook=encode_part)
        self._decoder = msgspec.msgpack.Decoder(
            state_type, dec_hook=lambda part, encoded: parts[part](encoded)
        )

    def encode(self, state: S) -> bytes:
        return self._encoder.encode(state)

    def decode(self, data: bytes) -> S:
        """Raises msgspec.DecodeError."""
        return self._decoder.decode(data)
