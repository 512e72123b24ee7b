"""Messages on their way to a server: unanswered actions are sent again over the next connection."""

import asyncio
import secrets
from itertools import count
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection

from pytlik.game import Seat
from pytlik.protocol import messages as wire


class Outbox:
    def __init__(self) -> None:
        self._unanswered: dict[str, wire.Act] = {}
        self._unsent: list[wire.ClientMessage] = []
        self._filled = asyncio.Event()
        # Random, so that answers to someone else who holds the same seat aren't taken for ours.
        self._prefix = secrets.token_hex(6)
        self._numbers = count(1)

    def __len__(self) -> int:
        """The number of unanswered actions."""
        return len(self._unanswered)

    def add_action(self, seat: Seat, action: Any, match: str | None) -> None:
        id = f"{self._prefix}-{next(self._numbers)}"
        raw = msgspec.Raw(msgspec.json.encode(action))
        self._unanswered[id] = wire.Act(id, seat, raw, match)
        self._filled.set()

    def add_message(self, message: wire.ClientMessage) -> None:
        """Add a message that is sent once and never answered."""
        self._unsent.append(message)
        self._filled.set()

    def mark_answered(self, id: str | None) -> None:
        """Forget an action that has been answered."""
        self._unanswered.pop(id or "", None)

    async def send_all(self, socket: ClientConnection) -> None:
        """Send all unanswered actions, even those that an earlier connection has sent before."""
        sent: set[str] = set()
        while True:
            self._filled.clear()
            while self._unsent:
                await socket.send(msgspec.json.encode(self._unsent.pop(0)).decode())
            for id, act in list(self._unanswered.items()):
                if id not in sent:
                    sent.add(id)
                    await socket.send(msgspec.json.encode(act).decode())
            await self._filled.wait()
