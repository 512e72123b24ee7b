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
from pytlik.server import metrics, socket_requests
from pytlik.server.access import admission, request_gate
from pytlik.server.live import room, table_connections
from pytlik.server.live.table_connections import TableConnections
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.match.log_replay import ReplayResult
from pytlik.server.responses import error_responses
from pytlik.server.routes import dependencies, matches, tables
from pytlik.server.table.table_info import make_table_info
from pytlik.ubongo import view as ubongo_view
from pytlik.ubongo.messages import DeckShuffled, PieceLifted, PiecePlaced
from pytlik.ubongo.model import SOLVING_PHASES, Colour, Deal, Phase
from pytlik.unikat.messages import RoundDealt, TileDrawn, TileSwapped
from tests.server import match_scripts
from tests.server.recorded_play import PlayAndRecord
from tests.server.sent_record import SentRecord

Patch = pytest.MonkeyPatch
LeakPlanter = Callable[[Patch], None]
ORIGINAL_GAMES: dict[str, AnyGame] = {"unikat": UNIKAT, "ubongo": UBONGO}

log = logging.getLogger("pytlik.server.planted")


@dataclass(frozen=True)
class PlantedLeak:
    script: Callable[..., Any]
    plant: LeakPlanter
    kind: str
    """The name under which it's found."""
    way: str
    """Where it's found, perhaps among other places."""


# ------------------------------------------------------------------------------- ways to plant one


def change_game(name: str, **functions: Any) -> LeakPlanter:
    """Replace one of a game's functions in the registry."""
    return lambda patch: patch.setitem(
        GAMES, name, dataclasses.replace(ORIGINAL_GAMES[name], **functions)
    )


def change_view(name: str, change: Callable[[Any, Any], dict[str, Any]]) -> LeakPlanter:
    """Change the values of some fields of the view."""

    def leaky_view(state: Any, seat: int | None) -> Any:
        shown = ORIGINAL_GAMES[name].view(state, seat)
        return replace(shown, **change(state, seat))

    return change_game(name, view=leaky_view)


def send_unmasked(name: str, *kinds: Any) -> LeakPlanter:
    """Send some events unmasked."""

    def leaky_mask(event: Any, seat: int | None) -> Any:
        return event if isinstance(event, kinds) else ORIGINAL_GAMES[name].mask(event, seat)

    return change_game(name, mask=leaky_mask)


def change_table_info(change: Callable[[Any], dict[str, Any]]) -> LeakPlanter:
    """Change what people are sent about a table's first chair."""

    def leaky_info(found: Any, *args: Any) -> Any:
        info = make_table_info(found, *args)
        first = replace(info.chairs[0], **change(found.table))
        return replace(info, chairs=(first, *info.chairs[1:]))

    def plant(patch: Patch) -> None:
        for module in (room, socket_requests, dependencies, tables):
            patch.setattr(module, "make_table_info", leaky_info)

    return plant


def leak_in_refusals(name: str, detail: Callable[[Any], Any]) -> LeakPlanter:
    """Make refusals reveal something of the state."""

    def leaky_decide(state: Any, *args: Any) -> Any:
        try:
            return ORIGINAL_GAMES[name].decide(state, *args)
        except Illegal as refusal:
            raise Illegal(refusal.reason, **refusal.detail, also=detail(state)) from None

    return change_game(name, decide=leaky_decide)


def log_in_room(line: Callable[[LiveMatch, list[Any]], Any]) -> LeakPlanter:
    take_in = LiveMatch._set_replayed

    def log_and_take_in(match: LiveMatch, after: ReplayResult) -> None:
        log.info("taken in: %s", line(match, list(after.recent)))
        take_in(match, after)

    return lambda patch: patch.setattr(LiveMatch, "_set_replayed", log_and_take_in)


def let_others_watch(watches: Callable[[Any, Any], bool]) -> LeakPlanter:
    """Let someone watch who may not, in the game itself."""

    def can_see(state: Any, seat: int | None) -> bool:
        return state.phase not in SOLVING_PHASES or seat in state.solved or watches(state, seat)

    return lambda patch: patch.setattr(ubongo_view, "can_see_all_pieces", can_see)


def next_card(state: Any) -> Deal:
    card = state.cards[0]
    area = card.sides[3].area
    return Deal(card=card.id, side=3, colour=Colour.RED, area=area, pieces={})


# ------------------------------------------------------------------------- leaks in the server


def send_seat_1_to_all(patch: Patch) -> None:
    """Make one update for everyone, whatever their seat."""
    make = table_connections.make_update
    for module in (table_connections, socket_requests):
        patch.setattr(module, "make_update", lambda match, _, *more: make(match, 1, *more))


def swap_hands(patch: Patch) -> None:
    make = table_connections.make_update

    def make_for_other_seat(match: LiveMatch, seat: int | None, *more: Any) -> Any:
        return replace(make(match, (seat or 0) ^ 1, *more), seat=seat)

    for module in (table_connections, socket_requests):
        patch.setattr(module, "make_update", make_for_other_seat)


def keep_lost_seat(patch: Patch) -> None:
    """Let someone who has lost the seat go on watching from it."""
    patch.setattr(TableConnections, "update_viewed_seats", lambda *_: None)


def treat_matches_as_over(patch: Patch) -> None:
    """Treat matches under way as over when they are asked for."""
    patch.setattr(matches.StoredMatch, "is_over", True)
    write = matches.encode_match_file

    def write_as_over(played: Any, *rest: Any) -> bytes:
        table = replace(played.table, past=(played.table.players,) * played.number)
        return write(dataclasses.replace(played, table=table), *rest)

    patch.setattr(matches, "encode_match_file", write_as_over)


def give_events_to_anybody(patch: Patch) -> None:
    """Give a seat's events to anyone who asks."""
    patch.setattr(matches, "check_may_watch_seat", lambda *_: None)


def publish_secret_as_commitment(patch: Patch) -> None:
    patch.setattr("pytlik.chance.commit", lambda secret: secret.hex())


def log_tokens(patch: Patch) -> None:
    admit = admission.admit

    def admit_and_log(*args: Any) -> Any:
        visitor = admit(*args)
        log.info("%s comes", visitor.token)
        return visitor

    patch.setattr(request_gate, "admit", admit_and_log)


def log_paths(patch: Patch) -> None:
    admit = admission.admit

    def log_and_admit(scope: Any, *args: Any) -> Any:
        log.info("somebody asks for %s", scope["path"])
        return admit(scope, *args)

    patch.setattr(request_gate, "admit", log_and_admit)


def log_chat(patch: Patch) -> None:
    say = socket_requests.add_talk

    async def log_and_add(*args: Any, **line: Any) -> None:
        log.info("somebody says %s", line)
        await say(*args, **line)

    patch.setattr(socket_requests, "add_talk", log_and_add)


def count_tables_in_metrics(patch: Patch) -> None:
    """Add a metric for each table, labelled with its name."""
    names: set[str] = set()
    join, page = socket_requests.join, metrics.render_metrics

    async def note_and_join(room: Any, *rest: Any) -> None:
        names.add(room.id)
        await join(room, *rest)

    def render_more() -> tuple[bytes, str]:
        body, kind = page()
        return body + "".join(f'pytlik_at{{table="{n}"}} 1\n' for n in names).encode(), kind

    patch.setattr(socket_requests, "join", note_and_join)
    patch.setattr(metrics, "render_metrics", render_more)


def name_host_in_refusals(patch: Patch) -> None:
    """Make error answers repeat who is who at the table."""
    body_of = error_responses.body_of
    holders: list[str] = []
    answer = dependencies.Caller.answer

    def note_and_answer(self: Any, found: Any) -> Any:
        holders.append(found.table.host)
        return answer(self, found)

    def leaky_body(refusal: Any) -> Any:
        body = body_of(refusal)
        detail = {**refusal.detail, "host": holders[-1] if holders else None}
        return replace(body, error=replace(body.error, detail=detail))

    patch.setattr(dependencies.Caller, "answer", note_and_answer)
    patch.setattr(error_responses, "body_of", leaky_body)


# ----------------------------------------------------------------------------- the planted leaks

A_SOCKET, EVENTS, THE_LOG = "a socket of", "/events", "the log"
HAND, BAG, CARD, PIECES = "another's hand", "the bag", "a card to come", "another's pieces"

UNIKAT_LEAKS = {
    "a spectator has a hand": (
        change_view("unikat", lambda s, seat: {"hand": s.hands[0]} if seat is None else {}),
        HAND,
        "a socket of a spectator",
    ),
    "all hands are shown before the end": (
        change_view("unikat", lambda s, _: {"hands": s.hands}),
        HAND,
        A_SOCKET,
    ),
    "the bag is shown when a draw is owed": (
        change_view("unikat", lambda s, _: {"display": (*s.display, *s.bag[:1])} if s.bag else {}),
        BAG,
        A_SOCKET,
    ),
    "the number of tiles in the bag is its next tile": (
        change_view("unikat", lambda s, _: {"bag": int(s.bag[0])} if s.bag else {}),
        "the view at .bag",
        A_SOCKET,
    ),
    "drawn tiles are sent": (send_unmasked("unikat", TileDrawn), HAND, A_SOCKET),
    "swapped tiles are sent": (send_unmasked("unikat", TileSwapped), HAND, A_SOCKET),
    "dealt hands are sent": (send_unmasked("unikat", RoundDealt), HAND, EVENTS),
    "the dealt bag is sent": (send_unmasked("unikat", RoundDealt), BAG, EVENTS),
    "a refusal reveals the next tile": (
        leak_in_refusals("unikat", lambda s: s.bag[:1]),
        BAG,
        A_SOCKET,
    ),
    "updates are all for one seat": (
        send_seat_1_to_all,
        "another's seat",
        "a socket of a spectator",
    ),
    "hands are mixed up": (swap_hands, HAND, A_SOCKET),
    "a lost seat is kept": (keep_lost_seat, "another's seat", "a socket of who lost"),
    "a running match counts as over": (treat_matches_as_over, "a running match", "/file"),
    "anyone may request a seat's events": (give_events_to_anybody, "another's seat", "?seat=0"),
    "the commitment is the secret": (publish_secret_as_commitment, "the secret", A_SOCKET),
    "the log has tiles": (log_in_room(lambda _, events: events), "a tile", THE_LOG),
    "the log has the seed": (
        log_in_room(lambda room, _: room.chance._seed.hex()),
        "the seed",
        THE_LOG,
    ),
    "the log has tokens": (log_tokens, "a token", THE_LOG),
    "the log has paths, which are links": (log_paths, "a table", THE_LOG),
    "the log has chat lines": (log_chat, "what was said", THE_LOG),
    "the metrics have tables": (count_tables_in_metrics, "a table", "/metrics"),
    "an error answer has a holder": (name_host_in_refusals, "a holder", "/file"),
    "a table has its holders": (
        change_table_info(lambda table: {"name": table.chairs[0].holder or ""}),
        "a holder",
        A_SOCKET,
    ),
    "a table has its recovery codes": (
        change_table_info(lambda table: {"name": table.chairs[0].recovery or ""}),
        "a recovery code",
        "GET",
    ),
    "a table has its codes": (
        change_table_info(lambda table: {"name": table.codes[0].hash if table.codes else ""}),
        "a code",
        A_SOCKET,
    ),
    "a table has its shares": (
        change_table_info(lambda table: {"name": table.chairs[0].share}),
        "a share",
        A_SOCKET,
    ),
}

UBONGO_LEAKS = {
    "placing is sent": (send_unmasked("ubongo", PiecePlaced), PIECES, A_SOCKET),
    "lifting is sent": (send_unmasked("ubongo", PieceLifted), "the event piece_lifted", A_SOCKET),
    "the deck is sent": (send_unmasked("ubongo", DeckShuffled), CARD, EVENTS),
    "the card is shown in the countdown": (
        change_view(
            "ubongo",
            lambda s, _: {"deals": {0: next_card(s)}} if s.phase is Phase.COUNTDOWN else {},
        ),
        CARD,
        A_SOCKET,
    ),
    "the number of the next card is shown": (
        change_view("ubongo", lambda s, _: {"patience": s.cards[0].id}),
        "the view at .patience",
        A_SOCKET,
    ),
    "a refusal reveals the next card": (
        leak_in_refusals("ubongo", lambda s: [list(cell) for cell in s.cards[0].sides[3].area]),
        CARD,
        A_SOCKET,
    ),
    "the number of placed pieces is shown": (
        change_view("ubongo", lambda s, _: {"points": tuple(map(len, s.placed.values()))}),
        "the view at .points",
        A_SOCKET,
    ),
    "everyone watches": (let_others_watch(lambda *_: True), PIECES, A_SOCKET),
    "a spectator watches": (
        let_others_watch(lambda _, seat: seat is None),
        PIECES,
        "a socket of a spectator",
    ),
    "someone who gave up watches before the second chance": (
        let_others_watch(lambda s, seat: seat in s.gave_up),
        PIECES,
        "a socket of the host",
    ),
    "the log has pieces": (log_in_room(lambda _, events: events), "an event", THE_LOG),
}

PLANTED_LEAKS = {
    **{
        name: PlantedLeak(match_scripts.play_unikat_opening, *leak)
        for name, leak in UNIKAT_LEAKS.items()
    },
    **{
        name: PlantedLeak(match_scripts.play_ubongo_opening, *leak)
        for name, leak in UBONGO_LEAKS.items()
    },
}


def is_found(planted: PlantedLeak, record: SentRecord) -> bool:
    return any(
        leak.kind == planted.kind and planted.way in leak.way for leak in record.find_leaks()
    )


@pytest.mark.parametrize("name", PLANTED_LEAKS)
def test_a_planted_leak_is_found_by_name(
    play_and_record: PlayAndRecord, monkeypatch: Patch, name: str
) -> None:
    planted = PLANTED_LEAKS[name]
    planted.plant(monkeypatch)
    record = play_and_record(planted.script, found=partial(is_found, planted))
    assert is_found(planted, record), {leak.kind for leak in record.find_leaks()}


@pytest.mark.parametrize(
    "script", [match_scripts.play_unikat_opening, match_scripts.play_ubongo_opening]
)
def test_nothing_is_found_without_a_planted_leak(
    play_and_record: PlayAndRecord, script: Any
) -> None:
    record = play_and_record(script)
    assert set(record.find_leaks()) == set()
