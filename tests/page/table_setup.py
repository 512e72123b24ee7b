"""Tables in any state that the rules allow, without the hours that people take to get there.

The engine plays them, and they're written to the database of a running server, which finds them
there as it would after a restart.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

import msgspec
from msgspec.structs import replace

from pytlik.chance import commit, mix
from pytlik.game import Expire, Seat, replay
from pytlik.protocol.circles import CircleResult, CircleSeat
from pytlik.protocol.table_agreement import Agreement, Level
from pytlik.server import tokens
from pytlik.server.circle import circles
from pytlik.server.circle.circles import Circle
from pytlik.server.circle.stored_circles import make_put_circle
from pytlik.server.live.table_changes import match_start_writes
from pytlik.server.match.deadlines import TURN_DEADLINE, match_deadlines
from pytlik.server.table import seats, tables
from pytlik.server.table.tables import Table
from pytlik.store import (
    Actor,
    Append,
    Connected,
    Heartbeat,
    PutSecret,
    PutTable,
    SetDeadlines,
    Store,
    Subscription,
)
from pytlik.store.connect import open_store
from tests.server.server_process import ServerProcess

T = TypeVar("T")
ScriptedAction = tuple[Seat | None, Any]

MATCH_SECRET = b"a secret that everybody knows"

NAMES = ("Ola", "Maximilian", "Großmutter Hannelore", "Ярослава")
"""The first is the person at the page; one name is nearly as long as names may be."""


CIRCLE_NAME = "Familie Kowalski-Šimek"
"""The name of every circle here."""

NO_STAND_INS = Agreement(away_seconds=None, chat=True)
"""No bot ever takes over."""

WORKER_NAME = "stage"
HOUR_MS = 3_600_000


class SeatedTable(NamedTuple):
    """A table, the token of its host in the first seat, and the tokens of the others."""

    table: str
    token: str
    others: tuple[str, ...] = ()


class TableSetup:
    """Writes tables and matches straight into the database of a running server."""

    def __init__(self, server: ServerProcess) -> None:
        self.address = server.address
        self._database = server.database
        # Playwright runs its own event loop in the tests' thread.
        self._thread = ThreadPoolExecutor(1)
        self._runner = asyncio.Runner()
        self._store: Store

    def __enter__(self) -> Self:
        self._store = self._run(open_store(self._database, notify=False))
        # Written only once, or the server would take this worker's clock for the right one.
        self._run(self._store.commit(Heartbeat(WORKER_NAME, current_time_ms() + HOUR_MS)))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._run(self._store.close())
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._thread.submit(self._runner.run, work).result()

    def create_lobby(self, game: str, taken: int, **agreed: Any) -> SeatedTable:
        """Create a table with four chairs, of which this many are taken."""
        held = new_tokens(4)
        table = build_table(game, held, 4, taken, {}, Agreement(**agreed))
        self._store_table(table)
        return SeatedTable(table.id, held[0])

    def create_match(
        self,
        game: str,
        players: int,
        ask: Callable[[Any], ScriptedAction | None],
        *,
        ahead: int = 0,
        paused: bool = False,
        away: int = 0,
        replaced: bool = False,
        agreed: Agreement = NO_STAND_INS,
        bots: Level | None = None,
        passed: bool = False,
        won: Sequence[int] = (),
        absent: Collection[Seat] = (),
        circle: SeatedTable | None = None,
        **options: Any,
    ) -> SeatedTable:
        """Create a match, and play it to where `ask` returns None, `ahead` milliseconds from now.

        The others are `bots` of a level, or people who do nothing, and have `won` this many matches
        before. Seats in `absent` aren't connected. If all others are `away`, a bot takes over after
        this many milliseconds. If `replaced`, a bot has played all turns of the person at the page,
        until they come. If `passed`, everyone shares one device. If there's a `circle`, its members
        play and the match counts there.
        """
        if circle:
            held = [circle.token, *circle.others][:players]
        else:
            held = [tokens.new_token()] * players if passed else new_tokens(players)
        token, *others = held
        taken = 1 if bots else players
        table = build_table(game, held, players, taken, options, agreed)
        table = replace(table, circle=circle.table if circle else None)
        for seat in range(taken, players):
            table = seats.add_bot(table, table.host, seat, bots or "medium")
        started = tables.start(table, tokens.holder_of(token))
        if won:
            both = zip(started.chairs, won, strict=True)
            counted = tuple(replace(chair, wins=wins) for chair, wins in both)
            started = replace(started, chairs=counted, match=1 + sum(won))
        _, _, lasted = play_until(started, ask, 0)
        state, events, now = play_until(started, ask, current_time_ms() - lasted + ahead)
        if outcome := started.rules.outcome(state):
            started = tables.finish(started, outcome.winners)
        elif paused:
            started = replace(started, paused=now)
        mine, *theirs = started.chairs
        if away:
            theirs = [replace(chair, stand_in_at=current_time_ms() + away) for chair in theirs]
        chairs = (replace(mine, stand_in=replaced), *theirs)
        encoded = tuple(map(msgspec.json.encode, events))
        actor = Actor.STAND_IN if replaced else Actor.SERVER
        self._store_table(
            replace(started, chairs=chairs),
            Append(match=started.match_id, seq=0, events=encoded, actor=actor),
            SetDeadlines(started.match_id, match_deadlines(started, state, now, 0)),
            absent=range(1, taken) if away else absent,
        )
        return SeatedTable(table.id, token, tuple(others))

    def create_circle(self, played: int, *, members: int = len(NAMES)) -> SeatedTable:
        """Create a circle whose members have played this many matches, and return it like a table.

        If it has several members, one of its tables is waiting for others.
        """
        token, *others = new_tokens(members)
        id = tokens.random_letters(tokens.CIRCLE_ID_LENGTH)
        circle = Circle(id=id, name=CIRCLE_NAME, created=0, members=())
        for holder, name in zip(map(tokens.holder_of, (token, *others)), NAMES, strict=False):
            circle = circles.join(circle, holder, name, lambda _: "")
        if others:
            waiting = build_table("unikat", (token, *others), 4, 2, {}, Agreement())
            self._store_table(replace(waiting, circle=id))
            circle = replace(circle, tables=(waiting.id,))
        self._run(self._store.commit(make_put_circle(circle, 0, current_time_ms())))
        for number in range(played):
            result = sample_circle_result(number)
            ended = 1_794_700_800_000 + number * 24 * HOUR_MS
            circle = circles.add_result(circle, result, ended)
            row = f"{circle.tables[0]}.{number + 1}", ended, msgspec.json.encode(result)
            write = make_put_circle(circle, number + 1, current_time_ms(), result=row)
            self._run(self._store.commit(write))
        return SeatedTable(id, token, tuple(others))

    def events(self, table: str) -> list[dict[str, Any]]:
        """Return all events of a table's first match."""
        raw = self._run(self._store.events(f"{table}.1"))
        return [msgspec.json.decode(event) for event in raw]

    def let_turn_run_out(self, table: str) -> None:
        """Let the current turn take too long."""
        self._run(
            self._store.commit(SetDeadlines(f"{table}.1", {TURN_DEADLINE: current_time_ms()}))
        )

    def subscriptions_of(self, token: str) -> list[Subscription]:
        """Where the person with this token is notified."""
        return self._run(self._store.subscriptions_of(tokens.holder_of(token)))

    def _store_table(self, table: Table, *writes: Any, absent: Collection[Seat] = ()) -> None:
        holders = {chair.holder for chair in table.chairs if chair.holder} | {table.host}
        row = PutTable(
            id=table.id,
            version=0,
            doc=msgspec.json.encode(table),
            phase=table.phase,
            listed=table.agreement.listed,
            holders=tuple(holders),
            touched=current_time_ms(),
        )
        # Everyone else is connected to a worker that seems to run.
        here = [
            Connected(table.id, holder, WORKER_NAME, 20)
            for holder in holders - {table.chairs[seat].holder for seat in absent}
        ]
        secret = PutSecret(table.match_id, MATCH_SECRET)
        self._run(self._store.commit(row, secret, *here, *writes))


def sample_circle_result(number: int) -> CircleResult:
    """A result of members who win in turn, one who never does, a bot and a guest."""
    game, best, others = (("unikat", 0, (12, 31)), ("ubongo", 41, (23, 18)))[number % 2]
    chairs = (
        CircleSeat(member=1 + number % 3, points=best, won=True),
        CircleSeat(member=4, points=7 + number, helped=number % 10 == 3),
        CircleSeat(bot="hard", points=others[0]),
        CircleSeat(points=others[1]),
    )
    return CircleResult(game=game, rounds=(1, 9)[number % 2], seats=chairs)


def new_tokens(players: int) -> list[str]:
    """A token for each player."""
    return [tokens.new_token() for _ in range(players)]


def build_table(
    game: str,
    held: Sequence[str],
    chairs: int,
    taken: int,
    options: dict[str, Any],
    agreement: Agreement,
) -> Table:
    """Build a table that the holder of the first token hosts, with this many seats taken."""
    host = tokens.holder_of(held[0])
    table = tables.create(
        tokens.random_letters(tokens.ID_LENGTH),
        game,
        host,
        commit(MATCH_SECRET),
        current_time_ms(),
        chairs=chairs,
        options=options,
        agreement=agreement,
    )
    for seat in range(taken):
        holder, share = tokens.holder_of(held[seat]), f"share {seat}"
        table = seats.sit(table, holder, seat, name=NAMES[seat], recovery="", share=share)
    return table


def play_until(
    table: Table, ask: Callable[[Any], ScriptedAction | None], now: int
) -> tuple[Any, list[Any], int]:
    """Return the state when `ask` returns None, all events, and when the last of them happened."""
    game = table.rules
    chance = mix(MATCH_SECRET, [chair.share for chair in table.chairs])
    first = match_start_writes(table, MATCH_SECRET, now, 0)[0]
    assert isinstance(first, Append)
    events = [game.event_decoder.decode(raw) for raw in first.events]
    state = replay(game.apply, events)
    while next_action := ask(state):
        seat, action = next_action
        if isinstance(action, Expire):
            now = max(now, game.deadline(state) or 0)
        new = game.decide(state, seat, action, chance, now)
        state = replay(game.apply, new, state)
        events += new
    return state, events, now


def current_time_ms() -> int:
    return time.time_ns() // 10**6
