"""States of long matches, saved now and then, so that opening one is quick however long it is.

They are only a cache. The log stays the only truth: if a state was saved by other code or can't be
read, the whole log is replayed.
"""

import hashlib
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

import pytlik
from pytlik.game import AnyGame
from pytlik.server.match import delay_credit, round_action_limits
from pytlik.server.match.delay_credit import DelayCredits
from pytlik.server.match.log_replay import SHORT_LOG_EVENTS, ReplayResult
from pytlik.server.match.round_action_limits import Tally
from pytlik.state_codec import StateCodec
from pytlik.store import PutState, SavedState, split_match

SAVE_EVERY_EVENTS = SHORT_LOG_EVENTS
"""After how many more events a state is saved again: few enough to replay them on the event loop
when a match is opened."""


class SavedContent(msgspec.Struct, frozen=True, array_like=True):
    state: bytes
    tally: Tally
    credits: DelayCredits


encoder, decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(SavedContent)


@cache
def code_version(codec: StateCodec[Any]) -> str:
    """A version that changes with any code that gives a saved state its meaning: the game's, what
    all games share, and what the server counts."""
    folders = (
        module_path(pytlik).parent,
        module_path(sys.modules[codec.state_type.__module__]).parent,
    )
    paths = {path for folder in folders for path in folder.glob("*.py")}
    paths |= {module_path(module) for module in (delay_credit, round_action_limits)}
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def module_path(module: ModuleType) -> Path:
    assert module.__file__
    return Path(module.__file__)


def is_worth_saving(game: AnyGame, seq: int, saved: int) -> bool:
    """Whether to save the state after `seq` events, if the last one was saved after `saved`."""
    return game.state_codec is not None and seq - saved >= SAVE_EVERY_EVENTS


def encode_saved_state(game: AnyGame, match: str, replayed: ReplayResult) -> PutState:
    """The write that saves what a log has led to."""
    codec = game.state_codec
    assert codec
    content = SavedContent(codec.encode(replayed.state), replayed.tally, replayed.credits)
    id, number = split_match(match)
    return PutState(id, number, replayed.seq, code_version(codec), encoder.encode(content))


def decode_saved_state(game: AnyGame, saved: SavedState | None) -> ReplayResult | None:
    """What a log had led to when its state was saved; None if there is none that we can read."""
    codec = game.state_codec
    if saved is None or codec is None or saved.version != code_version(codec):
        return None
    try:
        content = decoder.decode(saved.state)
        state = codec.decode(content.state)
    except msgspec.DecodeError:
        return None
    return ReplayResult(state=state, seq=saved.seq, tally=content.tally, credits=content.credits)
