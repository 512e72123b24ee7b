"""Leaks planted in the server, one by one: each is found and identified."""

import dataclasses
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from pytlik.game import AnyGame, Illegal
from pytlik.games import GAMES, UBONGO, UNIKAT
from pytlik.server import (
    admission,
    errors,
    metrics,
    middleware,
    room,
    socket_requests,
    table_connections,
)
from pytlik.server.live_match import LiveMatch
from pytlik.server.log_replay import Replayed
from pytlik.server.routes import dependencies, matches, tables
from pytlik.server.table_connections import TableConnections
from pytlik.server.table_info import describe_table
from pytlik.ubongo import view as ubongo_view
from pytlik.ubongo.messages import DeckShuffled, PieceLifted, PiecePlaced
from pytlik.ubongo.model import UNDER_WAY, Colour, Deal, Phase
from pytlik.unikat.messages import RoundDealt, TileDrawn, TileSwapped
from tests.server import match_scripts
from tests.server.recorded_play import Play
from tests.server.witness import SentRecord

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]
ORIGINAL: dict[str, AnyGame] = {"unikat": UNIKAT, "ubongo": UBONGO}

log = logging.getLogger("pytlik.server.planted")


@dataclass(frozen=True)
class Planted:
    script: Callable[..., Any]
    plant: Plant
    kind: str
    """The name under which it's found."""
    way: str
    """Where it's found, perhaps among other places."""


# ------------------------------------------------------------------------------- ways to plant one


def game(name: str, **ways: Any) -> Plant:
    """Replace one of a game's functions in the registry."""
    return lambda patch: patch.setitem(GAMES, name, dataclasses.replace(ORIGINAL[name], **ways))


def view(name: str, change: Callable[[Any, Any], dict[str, Any]]) -> Plant:
    """Change the values of some fields of the view."""

    def leaky(state: Any, seat: int | None) -> Any:
        shown = ORIGINAL[name].view(state, seat)
        return replace(shown, **change(state, seat))

    return game(name, view=leaky)


def mask(name: str, *forgets: Any) -> Plant:
    """Send some events unmasked."""

    def leaky(event: Any, seat: int | None) -> Any:
        return event if isinstance(event, forgets) else ORIGINAL[name].mask(event, seat)

    return game(name, mask=leaky)


def table_info(change: Callable[[Any], dict[str, Any]]) -> Plant:
    """Change what people are told about a table's first chair."""

    def leaky(found: Any, *args: Any) -> Any:
        info = describe_table(found, *args)
        first = replace(info.chairs[0], **change(found.table))
        return replace(info, chairs=(first, *info.chairs[1:]))

    def plant(patch: Patch) -> None:
        for module in (room, socket_requests, dependencies, tables):
            patch.setattr(module, "describe_table", leaky)

    return plant


def says(name: str, detail: Callable[[Any], Any]) -> Plant:
    """Make refusals reveal something of the state."""

    def leaky(state: Any, *args: Any) -> Any:
        try:
            return ORIGINAL[name].decide(state, *args)
        except Illegal as refusal:
            raise Illegal(refusal.reason, **refusal.detail, also=detail(state)) from None

    return game(name, decide=leaky)


def logs_in_room(line: Callable[[LiveMatch, list[Any]], Any]) -> Plant:
    take_in = LiveMatch._set_replayed

    def talkative(match: LiveMatch, after: Replayed) -> None:
        log.info("taken in: %s", line(match, list(after.recent)))
        take_in(match, after)

    return lambda patch: patch.setattr(LiveMatch, "_set_replayed", talkative)


def others_pieces(watches: Callable[[Any, Any], bool]) -> Plant:
    """Let somebody watch who may not, in the game itself."""

    def leaky(state: Any, seat: int | None) -> bool:
        return state.phase not in UNDER_WAY or seat in state.solved or watches(state, seat)

    return lambda patch: patch.setattr(ubongo_view, "may_watch", leaky)


def top_card(state: Any) -> Deal:
    card = state.cards[0]
    area = card.sides[3].area
    return Deal(card=card.id, side=3, colour=Colour.RED, area=area, pieces={})


# ------------------------------------------------------------------------------------ odd servers


def wrong_seat(patch: Patch) -> None:
    """Make one update for everyone, whatever their seat."""
    make = table_connections.make_update
    for module in (table_connections, socket_requests):
        patch.setattr(module, "make_update", lambda match, _, *more: make(match, 1, *more))


def other_hand_under_own_name(patch: Patch) -> None:
    make = table_connections.make_update

    def mixed_up(match: LiveMatch, seat: int | None, *more: Any) -> Any:
        return replace(make(match, (seat or 0) ^ 1, *more), seat=seat)

    for module in (table_connections, socket_requests):
        patch.setattr(module, "make_update", mixed_up)


def seat_kept(patch: Patch) -> None:
    """Let someone who has lost the seat go on watching from it."""
    patch.setattr(TableConnections, "reseat", lambda *_: None)


def all_is_over(patch: Patch) -> None:
    """Treat matches under way as over when they are asked for."""
    patch.setattr(matches.PlayedMatch, "over", True)
    write = matches.write_file

    def written(played: Any, *rest: Any) -> bytes:
        table = replace(played.table, past=(played.table.players,) * played.number)
        return write(dataclasses.replace(played, table=table), *rest)

    patch.setattr(matches, "write_file", written)


def anybodys_events(patch: Patch) -> None:
    """Give a seat's events to whoever asks."""
    patch.setattr(matches, "check_seat", lambda *_: None)


def commitment_is_the_secret(patch: Patch) -> None:
    patch.setattr("pytlik.chance.commit", lambda secret: secret.hex())


def tokens_logged(patch: Patch) -> None:
    admit = admission.admit

    def talkative(*args: Any) -> Any:
        visitor = admit(*args)
        log.info("%s comes", visitor.token)
        return visitor

    patch.setattr(middleware, "admit", talkative)


def paths_logged(patch: Patch) -> None:
    admit = admission.admit

    def talkative(scope: Any, *args: Any) -> Any:
        log.info("somebody asks for %s", scope["path"])
        return admit(scope, *args)

    patch.setattr(middleware, "admit", talkative)


def talk_logged(patch: Patch) -> None:
    say = socket_requests.add_talk

    async def talkative(*args: Any, **said: Any) -> None:
        log.info("somebody says %s", said)
        await say(*args, **said)

    patch.setattr(socket_requests, "add_talk", talkative)


def tables_counted(patch: Patch) -> None:
    """Add a metric for each table, labelled with its name."""
    names: set[str] = set()
    join, page = socket_requests.join, metrics.render_metrics

    async def counted(room: Any, *more: Any) -> None:
        names.add(room.id)
        await join(room, *more)

    def more() -> tuple[bytes, str]:
        body, kind = page()
        return body + "".join(f'pytlik_at{{table="{n}"}} 1\n' for n in names).encode(), kind

    patch.setattr(socket_requests, "join", counted)
    patch.setattr(metrics, "render_metrics", more)


def refusals_name_the_asker(patch: Patch) -> None:
    """Make error answers repeat who is who at the table."""
    body_of = errors.body_of
    holders: list[str] = []
    answer = dependencies.Caller.answer

    def noted(self: Any, found: Any) -> Any:
        holders.append(found.table.host)
        return answer(self, found)

    def leaky(refusal: Any) -> Any:
        made = body_of(refusal)
        detail = {**refusal.detail, "host": holders[-1] if holders else None}
        return replace(made, error=replace(made.error, detail=detail))

    patch.setattr(dependencies.Caller, "answer", noted)
    patch.setattr(errors, "body_of", leaky)


# ------------------------------------------------------------------------------------- what is sown

A_SOCKET, EVENTS, THE_LOG = "a socket of", "/events", "the log"
HAND, BAG, CARD, PIECES = "another's hand", "the bag", "a card to come", "another's pieces"

UNIKAT_LEAKS = {
    "a spectator has a hand": (
        view("unikat", lambda s, seat: {"hand": s.hands[0]} if seat is None else {}),
        HAND,
        "a socket of a spectator",
    ),
    "all hands are shown before the end": (
        view("unikat", lambda s, _: {"hands": s.hands}),
        HAND,
        A_SOCKET,
    ),
    "the bag is shown when a draw is owed": (
        view("unikat", lambda s, _: {"display": (*s.display, *s.bag[:1])} if s.bag else {}),
        BAG,
        A_SOCKET,
    ),
    "the number of tiles in the bag is its next tile": (
        view("unikat", lambda s, _: {"bag": int(s.bag[0])} if s.bag else {}),
        "the view at .bag",
        A_SOCKET,
    ),
    "drawn tiles are told": (mask("unikat", TileDrawn), HAND, A_SOCKET),
    "swapped tiles are told": (mask("unikat", TileSwapped), HAND, A_SOCKET),
    "the deal is told, by hand": (mask("unikat", RoundDealt), HAND, EVENTS),
    "the deal is told, by bag": (mask("unikat", RoundDealt), BAG, EVENTS),
    "a refusal tells the next tile": (says("unikat", lambda s: s.bag[:1]), BAG, A_SOCKET),
    "updates are all for one seat": (wrong_seat, "another's seat", "a socket of a spectator"),
    "hands are mixed up": (other_hand_under_own_name, HAND, A_SOCKET),
    "a lost seat is kept": (seat_kept, "another's seat", "a socket of who lost"),
    "a running match counts as over": (all_is_over, "a running match", "/file"),
    "anybody may ask for a seat's events": (anybodys_events, "another's seat", "?seat=0"),
    "the commitment is the secret": (commitment_is_the_secret, "the secret", A_SOCKET),
    "the log has tiles": (logs_in_room(lambda _, events: events), "a tile", THE_LOG),
    "the log has the seed": (
        logs_in_room(lambda room, _: room.chance._seed.hex()),
        "the seed",
        THE_LOG,
    ),
    "the log has tokens": (tokens_logged, "a token", THE_LOG),
    "the log has paths, which invite": (paths_logged, "a table", THE_LOG),
    "the log has what is said": (talk_logged, "what was said", THE_LOG),
    "the numbers have tables": (tables_counted, "a table", "/metrics"),
    "an error answer has a holder": (refusals_name_the_asker, "a holder", "/file"),
    "a table has its holders": (
        table_info(lambda table: {"name": table.chairs[0].holder or ""}),
        "a holder",
        A_SOCKET,
    ),
    "a table has its recovery codes": (
        table_info(lambda table: {"name": table.chairs[0].recovery or ""}),
        "a recovery code",
        "GET",
    ),
    "a table has its codes": (
        table_info(lambda table: {"name": table.codes[0].hash if table.codes else ""}),
        "a code",
        A_SOCKET,
    ),
    "a table has its shares": (
        table_info(lambda table: {"name": table.chairs[0].share}),
        "a share",
        A_SOCKET,
    ),
}

UBONGO_LEAKS = {
    "placing is told": (mask("ubongo", PiecePlaced), PIECES, A_SOCKET),
    "lifting is told": (mask("ubongo", PieceLifted), "the event piece_lifted", A_SOCKET),
    "the deck is told": (mask("ubongo", DeckShuffled), CARD, EVENTS),
    "the card is shown in the countdown": (
        view(
            "ubongo",
            lambda s, _: {"deals": {0: top_card(s)}} if s.phase is Phase.COUNTDOWN else {},
        ),
        CARD,
        A_SOCKET,
    ),
    "the number of the next card is shown": (
        view("ubongo", lambda s, _: {"patience": s.cards[0].id}),
        "the view at .patience",
        A_SOCKET,
    ),
    "a refusal tells of the next card": (
        says("ubongo", lambda s: [list(cell) for cell in s.cards[0].sides[3].area]),
        CARD,
        A_SOCKET,
    ),
    "how many pieces lie is shown": (
        view("ubongo", lambda s, _: {"points": tuple(map(len, s.placed.values()))}),
        "the view at .points",
        A_SOCKET,
    ),
    "everyone watches": (others_pieces(lambda *_: True), PIECES, A_SOCKET),
    "a spectator watches": (
        others_pieces(lambda _, seat: seat is None),
        PIECES,
        "a socket of a spectator",
    ),
    "who gave up watches before the second chance": (
        others_pieces(lambda s, seat: seat in s.gave_up),
        PIECES,
        "a socket of the host",
    ),
    "the log has pieces": (logs_in_room(lambda _, events: events), "an event", THE_LOG),
}

PLANTED = {
    **{
        name: Planted(match_scripts.play_unikat_opening, *leak)
        for name, leak in UNIKAT_LEAKS.items()
    },
    **{
        name: Planted(match_scripts.play_ubongo_opening, *leak)
        for name, leak in UBONGO_LEAKS.items()
    },
}


def found(planted: Planted, record: SentRecord) -> bool:
    return any(leak.kind == planted.kind and planted.way in leak.way for leak in record.leaks())


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_leak_is_found_by_name(play: Play, monkeypatch: Patch, name: str) -> None:
    planted = PLANTED[name]
    planted.plant(monkeypatch)
    record = play(planted.script, found=partial(found, planted))
    assert found(planted, record), {leak.kind for leak in record.leaks()}


@pytest.mark.parametrize(
    "script", [match_scripts.play_unikat_opening, match_scripts.play_ubongo_opening]
)
def test_where_nothing_is_planted_nothing_is_found(play: Play, script: Any) -> None:
    record = play(script)
    assert set(record.leaks()) == set()
