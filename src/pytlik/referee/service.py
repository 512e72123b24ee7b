"""Reads requests, finds the function that answers each, and writes the answers."""

from functools import cache, reduce
from operator import or_
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET, Raw, UnsetType

from pytlik.game import AnyGame, Malformed, Reason, Refusal
from pytlik.games import GAMES
from pytlik.i18n import catalogue
from pytlik.referee import ubongo_requests, unikat_positions
from pytlik.referee.position_requests import Positions
from pytlik.referee.request_base import Answer, Handlers
from pytlik.text.refusals import describe_refusal

MAX_QUOTED_CHARACTERS = 300
"""How much of a bad line an error message may quote."""


class RequestId(msgspec.Struct, frozen=True):
    """Only the id, decoded first: the answer repeats it, whatever else is in the line."""

    id: Raw | UnsetType = UNSET


class PositionGame(msgspec.Struct, frozen=True):
    game: str = ""


class RequestGame(msgspec.Struct, frozen=True):
    """Which game a request is about, if it or its position names one."""

    game: str = ""
    position: PositionGame = PositionGame()


decode_request_id = msgspec.json.Decoder(RequestId).decode
decode_request_game = msgspec.json.Decoder(RequestGame).decode


def main(source: BinaryIO, sink: BinaryIO) -> int:
    """Answer every line of the source, until it ends."""
    for line in source:
        sink.write(answer(line) + b"\n")
        sink.flush()
    return 0


def answer(line: bytes | str) -> bytes:
    """The answer to one line, without the line break."""
    request_id: Answer = {}
    try:
        # Encoding or decoding also finds broken UTF-8: msgspec skips what it needn't look at.
        text = line if isinstance(line, str) else line.decode()
        request_id = copy_request_id(decode_request_id(text.encode()))
        return msgspec.json.encode(request_id | handle_request(text))
    except (msgspec.DecodeError, UnicodeError) as error:
        refusal: Refusal = Malformed(Reason.BAD_REQUEST, problem=shorten_error_message(error))
    except RecursionError:
        refusal = Malformed(Reason.BAD_REQUEST, problem="it's nested too deeply")
    except Refusal as refused:
        refusal = refused
    return msgspec.json.encode(request_id | {"error": make_error_answer(refusal)})


def handle_request(text: str) -> Answer:
    handlers, decoder = find_handlers(find_game_name(text))
    request = decoder.decode(text)
    return handlers[type(request)](request)


def find_game_name(text: str) -> str:
    try:
        request = decode_request_game(text)
    except msgspec.DecodeError:
        return ""  # decoding the whole request gives a better error message
    return request.position.game or request.game


def find_handlers(game_name: str) -> tuple[Handlers, "msgspec.json.Decoder[Any]"]:
    """The handlers for a game of another package, or else those for all of our own games, with the
    decoder for their requests."""
    game = GAMES.get(game_name) if game_name else None
    return load_handlers(game if game and "referee" in game.shows else None)


@cache
def load_handlers(game: AnyGame | None) -> tuple[Handlers, "msgspec.json.Decoder[Any]"]:
    if game is None:
        return with_decoder({**unikat_positions.POSITIONS.handlers(), **ubongo_requests.HANDLERS})
    positions: Positions = game.load("referee")
    return with_decoder(positions.handlers())


def with_decoder(handlers: Handlers) -> tuple[Handlers, "msgspec.json.Decoder[Any]"]:
    kinds: Any = reduce(or_, handlers)
    return handlers, msgspec.json.Decoder(kinds)


def copy_request_id(request: RequestId) -> Answer:
    """The id as it was in the request, on one line."""
    if isinstance(request.id, UnsetType):
        return {}
    return {"id": Raw(msgspec.json.format(bytes(request.id), indent=-1))}


def make_error_answer(refusal: Refusal) -> Answer:
    message = describe_refusal(refusal.reason, refusal.detail, catalogue("en"))
    return {"reason": refusal.reason, "message": message}


def shorten_error_message(error: Exception) -> str:
    """The error's message, cut short: it may quote a line of megabytes."""
    text = str(error)
    return text if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[:MAX_QUOTED_CHARACTERS]}..."
