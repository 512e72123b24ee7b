"""Reads requests, finds who answers them, and writes the answers."""

from functools import cache, reduce
from operator import or_
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET, Raw, UnsetType

from pytlik.game import AnyGame, Malformed, Reason, Refusal
from pytlik.games import GAMES
from pytlik.i18n import catalogue
from pytlik.referee import ubongo_requests, unikat_requests
from pytlik.referee.position_requests import Positions
from pytlik.referee.requests import Answer, Handlers
from pytlik.text.refusals import describe_refusal

MAX_QUOTED = 300
"""Characters that a message may quote of what was wrong."""


class Label(msgspec.Struct, frozen=True):
    """Read first, so that the answer bears the request's id whatever else the line holds."""

    id: Raw | UnsetType = UNSET


class NamedGame(msgspec.Struct, frozen=True):
    game: str = ""


class Subject(msgspec.Struct, frozen=True):
    """Which game a request is about, if it says so."""

    game: str = ""
    position: NamedGame = NamedGame()


read_label = msgspec.json.Decoder(Label).decode
read_subject = msgspec.json.Decoder(Subject).decode


def main(source: BinaryIO, sink: BinaryIO) -> int:
    """Answer every line of the source, until it ends."""
    for line in source:
        sink.write(answer(line) + b"\n")
        sink.flush()
    return 0


def answer(line: bytes | str) -> bytes:
    """The answer to one line, without the line break."""
    label: Answer = {}
    try:
        # Encoding or decoding also finds broken UTF-8: msgspec skips what it need not look at.
        text = line if isinstance(line, str) else line.decode()
        label = copy_label(read_label(text.encode()))
        return msgspec.json.encode(label | respond(text))
    except (msgspec.DecodeError, UnicodeError) as error:
        refusal: Refusal = Malformed(Reason.BAD_REQUEST, problem=quote(error))
    except RecursionError:
        refusal = Malformed(Reason.BAD_REQUEST, problem="it's nested too deeply")
    except Refusal as refused:
        refusal = refused
    return msgspec.json.encode(label | {"error": explain(refusal)})


def respond(text: str) -> Answer:
    handlers, decoder = service_for(find_subject(text))
    request = decoder.decode(text)
    return handlers[type(request)](request)


def find_subject(text: str) -> str:
    try:
        subject = read_subject(text)
    except msgspec.DecodeError:
        return ""  # the request's own type has more to say about it
    return subject.position.game or subject.game


def service_for(name: str) -> tuple[Handlers, "msgspec.json.Decoder[Any]"]:
    """The requests about a game of another package; without one, all that are about ours."""
    game = GAMES.get(name) if name else None
    return load_service(game if game and "referee" in game.shows else None)


@cache
def load_service(game: AnyGame | None) -> tuple[Handlers, "msgspec.json.Decoder[Any]"]:
    if game is None:
        return prepare({**unikat_requests.POSITIONS.handlers(), **ubongo_requests.HANDLERS})
    positions: Positions = game.load("referee")
    return prepare(positions.handlers())


def prepare(handlers: Handlers) -> tuple[Handlers, "msgspec.json.Decoder[Any]"]:
    kinds: Any = reduce(or_, handlers)
    return handlers, msgspec.json.Decoder(kinds)


def copy_label(label: Label) -> Answer:
    """The label as it was written, in one line."""
    if isinstance(label.id, UnsetType):
        return {}
    return {"id": Raw(msgspec.json.format(bytes(label.id), indent=-1))}


def explain(refusal: Refusal) -> Answer:
    message = describe_refusal(refusal.reason, refusal.detail, catalogue("en"))
    return {"reason": refusal.reason, "message": message}


def quote(error: Exception) -> str:
    """What an error says, but not all of what it may quote of a line of megabytes."""
    text = str(error)
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}..."
