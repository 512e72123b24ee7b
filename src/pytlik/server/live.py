"""All that goes on at tables on this worker: rooms, connections, clocks and bots.

Whatever happens comes in here as an action, a wake-up from another worker, or a deadline, and
leaves as an update to the connections of the table.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from pytlik.bus import Bus
from pytlik.chance import mix
from pytlik.game import Illegal, Malformed, Reason, Refusal, Seat, Shift
from pytlik.server import metrics, tables
from pytlik.server.clocks import Clocks
from pytlik.server.due import BOT, LOOK, TURN, look_again, table_of
from pytlik.server.hub import Connection, Hub
from pytlik.server.info import describe
from pytlik.server.lobby import Found, Lobby, due_changed, hands_changed
from pytlik.server.plain import plain
from pytlik.server.presence import Presence
from pytlik.server.replaying import is_long
from pytlik.server.room import Clock, Room, Told
from pytlik.server.table_news import TableNews
from pytlik.server.tables import Table, is_member
from pytlik.server.tasks import Tasks
from pytlik.server.wire import Hello, TableChanged, TableGone, TableInfo
from pytlik.store import (
    GONE,
    Actor,
    Conflict,
    SetDeadlines,
    Store,
    Unavailable,
)

LONGEST_LINE = 280

SHOWN = 5
"""A delay that has changed by so much is shown anew (ms)."""


class Live(Tasks):
    def __init__(
        self,
        store: Store,
        bus: Bus,
        lobby: Lobby,
        clock: Clock,
        *,
        bot_workers: int = 1,
        keep_days: int = 90,
    ) -> None:
        super().__init__()
        self.hub = Hub(clock)
        self._news = TableNews(self._tell_table)
        self._store = store
        self._bus = bus
        self._lobby = lobby
        self.clock = clock
        self.presence = Presence(store, lobby, self.hub, clock, self.missed)
        lobby.awake = self.presence.awake
        self._rooms: dict[str, Room] = {}
        self._tables: dict[str, Found] = {}
        self._needed: Counter[str] = Counter()
        """Tables that are at hand for more than connections here."""
        self._doubted: set[str] = set()
        """Matches of which a write has failed, so that the log is looked at again."""
        self._doubtful = self._looking = False
        self.clocks = Clocks(
            self, store, lobby, clock, bot_workers=bot_workers, keep_days=keep_days
        )

    async def start(self) -> None:
        await self._bus.start(self._heard, self.missed)
        self.later(self.clocks.run())

    async def stop(self) -> None:
        await self._end_all()
        for table in self.hub.tables():
            for connection in self.hub.at(table):
                connection.close()
        self.clocks.close()
        self._news.close()
        with suppress(Unavailable, Conflict):  # then the others will notice
            await self.presence.end()

    # ---------------------------------------------------------------------------- tables and rooms

    async def table(self, id: str) -> Found:
        """The table as this worker knows it, which is as it is while anybody here looks at it."""
        return self._tables.get(id) or await self._lobby.get(id)

    async def room(self, table: Table) -> Room:
        """The match that is played at a table."""
        room = self._rooms.get(table.match_id)
        if room is None:
            secret = await self._store.secret(table.match_id)
            if secret is None:
                raise Illegal(Reason.WRONG_PHASE, phase=table.phase)
            chance = mix(secret, [chair.share for chair in table.chairs])
            room = Room(
                self._store,
                table.rules,
                table.match_id,
                chance,
                self.clock,
                self._told,
                self._due,
            )
            room = self._rooms.setdefault(table.match_id, room)
            metrics.ROOMS.set(len(self._rooms))
        await room.ready()
        return room

    def remember(self, found: Found) -> None:
        """Have a table at hand as it is now, until it is forgotten. If it was another, everyone
        there is told, and whoever has lost their seat sees nothing more from it."""
        table = found.table
        known = self._tables.get(table.id)
        if known is not None and known.version >= found.version:
            return
        self._tables[table.id] = found
        if known is not None and known.table == table:  # only others are here
            self._news.changed(table.id, essential=False)
        elif known is not None:
            for connection in self.hub.at(table.id):
                reseat(connection, known.table, table)
            only_talk = without_talk(known.table) == without_talk(table)
            self._news.changed(table.id, essential=not only_talk)
            self._tell_talk(known.table, table)
            self.later(self._insist(partial(self._changed, known.table, table)))
        if not self.presence.is_said(found):
            self._say_who_is_here(table.id)

    @contextmanager
    def at_hand(self, found: Found) -> Iterator[None]:
        """Have a table at hand, whoever comes and goes meanwhile."""
        id = found.table.id
        self._needed[id] += 1
        self.remember(found)
        try:
            yield
        finally:
            self._needed[id] -= 1
            if not self._needed[id]:
                del self._needed[id]
                self.forget(found.table)

    def forget(self, table: Table) -> None:
        """Nobody here looks at a table any more."""
        if not self.hub.at(table.id) and not self._needed[table.id]:
            self._tables.pop(table.id, None)
            self._news.forget(table.id)
            self._drop_room(table.match_id)

    def _due(self, match: str, before: Any, state: Any, now: int) -> dict[str, int | None]:
        """What is due from now on; but for what was not due before and is not now, which is what
        most actions are about, and for which nothing needs to be written."""
        found = self._tables.get(table_of(match))
        if found is None:
            return {}
        was = self._lobby.due(found.table, before, now)
        return {
            kind: at
            for kind, at in self._lobby.due(found.table, state, now).items()
            if at is not None or was.get(kind) is not None
        }

    async def act(
        self,
        connection: Connection,
        seat: Seat,
        raw: bytes | msgspec.Raw,
        command: str,
        match: str | None = None,
    ) -> int:
        """An action of somebody who sits at a table."""
        await self.presence.awake()
        found = await self.table(connection.table)
        table = found.table
        if seat not in table.held_by(connection.holder):
            raise Illegal(Reason.NOT_YOUR_SEAT)
        if match is not None and match != table.match_id:
            refusal = Illegal(Reason.OTHER_MATCH, match=table.match_id)
            return await self._done_before(table, match, seat, command, refusal)
        if table.phase == "lobby":
            # This worker may not have heard yet that the match has begun.
            refusal = Illegal(Reason.WRONG_PHASE, phase=table.phase)
            return await self._done_before(table, table.match_id, seat, command, refusal)
        if table.paused is not None:
            refusal = Illegal(Reason.PAUSED)
            return await self._done_before(table, table.match_id, seat, command, refusal)
        try:
            action = table.rules.action_decoder.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(Reason.BAD_REQUEST, problem=str(error)) from None
        if table.chairs[seat].stand_in:  # who acts is back
            found = await self._lobby.take_back(table.id, (seat,))
        # To its end, even if this is cancelled: once it is on disk everyone must hear of it.
        doing = self._act(found, seat, action, command, self._delay(found, connection))
        return await asyncio.shield(self._started(doing))

    def _delay(self, found: Found, connection: Connection) -> int:
        """The delay that an action is credited with, at least 1 where one was measured. Without a
        measurement on this very connection there is none: it may be quicker than the others."""
        if connection.lag is None:
            return 0
        return max(1, self.presence.delay(found, connection.holder) or 0)

    async def _act(self, found: Found, seat: Seat, action: Any, command: str, lag: int) -> int:
        with self.at_hand(found):
            room = await self.room(found.table)
            # A command's id is its seat's own: nobody can use up another's.
            return await self.do(
                found.table, room, seat, action, f"{seat} {command}", lag, actor=Actor.PERSON
            )

    async def _done_before(
        self, table: Table, match: str, seat: Seat, command: str, refusal: Illegal
    ) -> int:
        """An action in a match that isn't played now was done when it was, or won't be."""
        if table_of(match) == table.id:
            seq = await self._store.done(match, f"{seat} {command}")
            if seq is not None:
                return seq
        raise refusal

    async def do(
        self,
        table: Table,
        room: Room,
        seat: Seat | None,
        action: Any,
        command: str | None,
        lag: int = 0,
        *,
        actor: Actor,
    ) -> int:
        """An action, and what follows from it."""
        began = time.perf_counter()
        try:
            seq = await room.act(seat, action, command, lag, actor=actor)
        except Unavailable:
            # It may be on disk all the same, and then nobody else has been told.
            self._doubt(room)
            raise
        metrics.COMMIT.observe(time.perf_counter() - began)
        metrics.ACTIONS.labels(room.game.name).inc()
        self._bus.publish(room.match, seq)
        if table.phase == "playing" and room.game.outcome(room.state):
            await self._lobby.finish(table.id, table.match)
        return seq

    def _doubt(self, room: Room) -> None:
        """Look at the log as soon as the store answers; once, however many were refused."""
        if room.match not in self._doubted:
            self._doubted.add(room.match)
            self.later(self._insist(partial(self._look_again, room)))

    async def _look_again(self, room: Room) -> None:
        await room.doubt()
        self._bus.publish(room.match, room.seq)
        self._doubted.discard(room.match)

    def _told(self, room: Room, told: Told) -> None:
        self.hub.keep(room, told)
        self._update(table_of(room.match), room)
        # Only now: what is due is on disk, where the clock looks for it.
        deadlines = told.due
        if deadlines is None and (found := self._tables.get(table_of(room.match))):
            deadlines = self._lobby.due(found.table, room.state, self.clock())
        self.clocks.noted(deadlines or {})

    def _update(self, table: str, room: Room) -> None:
        """Bring everyone at a table up to date, and let them know first what it is about."""
        if self.hub.behind(table, room):
            self._news.catch_up(table)
        self.hub.update(table, room)

    # ------------------------------------------------------------------------- coming and going

    async def join(
        self, connection: Connection, admit: Callable[[Table], None] | None = None
    ) -> None:
        """Somebody looks at a table from now on, from their own seat if they have one. `admit`
        raises what is raised here, if they may not."""
        unknown = connection.table not in self._tables
        found = await self._lobby.get(connection.table)
        if admit:
            admit(found.table)
        self.remember(found)
        found = self._tables[connection.table]
        table = found.table
        self.hub.join(connection)
        yours = table.held_by(connection.holder)
        connection.seat = yours[0] if yours else None
        hello = Hello(
            table=self.info(found),
            yours=yours,
            host=table.host == connection.holder,
            talk=table.talk,
            now=self.clock(),
        )
        connection.send(hello)
        if yours:
            # To its end, even if this is cancelled: what is being written could still be written
            # after everyone was told that they have gone.
            await asyncio.shield(self._started(self._attend(table.id)))
            table = (await self.table(table.id)).table
            held = table.held_by(connection.holder)
            back = tuple(seat for seat in held if table.chairs[seat].stand_in)
            if back:  # and need nobody to sit in for them
                await self._lobby.take_back(table.id, back)
        elif not self.presence.is_said(found):
            self._say_who_is_here(table.id)
        if unknown:
            # It may have changed while it was read, and nobody here listened.
            await self._reload(table.id)

    async def _attend(self, id: str) -> None:
        """Let everyone know who is connected here."""
        try:
            found = await self.presence.say(id)
        except Refusal:
            return  # the table is gone
        if id in self._tables:
            self.remember(found)

    def _say_who_is_here(self, id: str) -> None:
        tell = partial(self._news.changed, id, essential=False)
        self.later(self._insist(partial(self._attend, id), meanwhile=tell))

    async def is_heavy_to_show(self, connection: Connection) -> bool:
        """Would a long log have to be replayed first?"""
        match = (await self.table(connection.table)).table.match_id
        return match not in self._rooms and await is_long(self._store, match)

    async def show(self, connection: Connection) -> None:
        """Send the match as the connection's seat may see it, whole."""
        connection.seen = ("", 0)
        table = (await self.table(connection.table)).table
        while table.phase != "lobby":
            room = await self.room(table)
            # Another worker may have shown more of it already, and its wake-up be late.
            await room.doubt()
            before, table = table, (await self.table(connection.table)).table
            if table.match_id == before.match_id:
                connection.shown = True
                self._update(table.id, room)
                return
        connection.shown = True

    async def leave(self, connection: Connection) -> None:
        self.hub.leave(connection)
        found = self._tables.get(connection.table)
        if found is None:
            return
        self.forget(found.table)
        self._say_who_is_here(connection.table)

    def is_member(self, connection: Connection) -> bool:
        """Whether somebody belongs to the table that they look at."""
        found = self._tables.get(connection.table)
        return found is not None and is_member(found.table, connection.holder)

    def measured(self, connection: Connection, n: int, now: int) -> None:
        """A ping has come back: everyone sees the delay that is credited."""
        before = connection.lag
        connection.pong(n, now)
        lag = connection.lag
        if lag is not None and (before is None or abs(lag - before) >= SHOWN):
            self._news.changed(connection.table, essential=False)
        found = self._tables.get(connection.table)
        if found and not self.presence.is_said(found):
            self._say_who_is_here(connection.table)

    async def sit(self, connection: Connection, seat: Seat | None) -> None:
        """Look from another seat that is one's own, or from none."""
        table = (await self.table(connection.table)).table
        if seat is not None and seat not in table.held_by(connection.holder):
            raise Illegal(Reason.NOT_YOUR_SEAT)
        before, connection.seat = connection.seat, seat
        try:
            await self.show(connection)
        except Unavailable:
            # A refusal changes nothing, unless the seat was lost in the meantime.
            found = self._tables.get(connection.table)
            yours = found.table.held_by(connection.holder) if found else ()
            connection.seat = before if before in yours else None
            raise

    async def sync(self, connection: Connection, seq: int, digest: str) -> None:
        """Whoever is behind or wrong gets one whole update."""
        table = (await self.table(connection.table)).table
        if table.phase == "lobby":
            return
        room = await self.room(table)
        await room.doubt()
        if (room.seq, self.hub.made(room, connection.seat, 0).hash) != (seq, digest):
            await self.show(connection)

    async def say(
        self, connection: Connection, *, text: str | None = None, reaction: str | None = None
    ) -> None:
        """Something for everyone at the table: with the table it reaches all workers."""
        if text is not None:
            text = plain(text, LONGEST_LINE)
            if not text:
                return
        await self._lobby.change(
            connection.table,
            lambda table: tables.say(table, connection.holder, text=text, reaction=reaction),
        )

    # -------------------------------------------------------------------------------- wake-ups

    def _heard(self, id: str, number: int) -> None:
        """Another worker, or a request here, has changed a match or a table."""
        if "." in id:
            room = self._rooms.get(id)
            if room and room.seq < number:
                self.later(self._insist(lambda: room.reached(number)))
        elif id in self._tables and self._tables[id].version < number:
            self.later(self._insist(lambda: self._reload(id)))

    def missed(self) -> None:
        """Wake-ups may have been lost."""
        self._doubtful = True
        if not self._looking:
            self.later(self._look_at_everything())

    async def _look_at_everything(self) -> None:
        """Once at a time, however often it is asked for; but again, if it was asked for since."""
        self._looking = True
        try:
            while self._doubtful:
                self._doubtful = False
                looks = [room.doubt for room in self._rooms.values()]
                looks += [partial(self._reload, id) for id in self._tables]
                await asyncio.gather(*map(self._insist, looks))
        finally:
            self._looking = False

    async def look(self) -> None:
        """See whether anything here has gone further than wake-ups have told: one may be lost with
        the worker that should have sent it, or with a bus that has silently failed."""
        rooms, tables = list(self._rooms), list(self._tables)
        for id, number in (await self._store.progress(rooms, tables)).items():
            self._heard(id, GONE if not number and id in self._tables else number)

    async def _reload(self, id: str) -> None:
        """A table has changed: see how it is now."""
        try:
            found = await self._lobby.get(id)
        except Refusal:
            self._gone(id)
            return
        if id in self._tables:
            self.remember(found)

    def _gone(self, id: str) -> None:
        found = self._tables.pop(id, None)
        self._news.forget(id)
        if found is not None:
            self._drop_room(found.table.match_id)
        for connection in self.hub.at(id):
            connection.send(TableGone())
            connection.close()

    def _drop_room(self, match: str) -> None:
        self._rooms.pop(match, None)
        metrics.ROOMS.set(len(self._rooms))
        self.hub.forget(match)
        self.clocks.forget(match)

    async def _changed(self, old: Table, table: Table) -> None:
        """What follows from a change of a table for the match that is played there."""
        if old.match_id != table.match_id:
            self._drop_room(old.match_id)
        found = self._tables.get(table.id)
        if found is None or found.table.phase == "lobby":
            return
        if hands_changed(old, table):
            self.clocks.noted({LOOK: self.clock()})
        with suppress(Refusal):  # the table is gone
            self._update(table.id, await self.room(found.table))
        self.forget(found.table)  # if everyone has left meanwhile

    async def shift(self, id: str, by: int, command: str) -> None:
        """Nothing could happen at a table for some time: its clocks are later by that."""
        found = await self._lobby.get(id)
        with self.at_hand(found):
            room = await self.room(found.table)
            await self.do(found.table, room, None, Shift(by), command, actor=Actor.SERVER)

    async def set_deadlines(self, table: Table, room: Room, *, again: bool) -> None:
        """Set what is due in a match anew."""
        deadlines = await self._due_anew(table, room, kept=(TURN,))
        await self.put_deadlines(table, room, deadlines, again=again)

    async def check_deadlines(self, table: Table, room: Room) -> None:
        """The same where it was done before, and bots may be thinking already."""
        deadlines = await self._due_anew(table, room, kept=(TURN, BOT))
        await self.put_deadlines(table, room, deadlines, again=False)

    async def put_deadlines(
        self, table: Table, room: Room, deadlines: dict[str, int | None], *, again: bool
    ) -> None:
        """Set deadlines that follow from the state and the table. If the log has grown meanwhile or
        a seat has changed hands, what came with that must not stay overwritten: with `again` not
        even if this worker dies before it can look."""
        while True:
            seq = room.seq
            later = look_again(self.clock()) if again else {}
            await self._store.commit(SetDeadlines(room.match, deadlines | later))
            self.clocks.noted(deadlines)
            await room.doubt()
            try:
                before, table = table, (await self._lobby.get(table.id)).table
            except Refusal:
                return  # the table is gone: the clock drops what is due there
            if room.seq == seq and not due_changed(before, table):
                return
            deadlines = await self._due_anew(table, room, kept=(TURN,))

    async def _due_anew(
        self, table: Table, room: Room, kept: Collection[str]
    ) -> dict[str, int | None]:
        """What should be due by now. Of some kinds what is due already stays: nobody gets more time
        for a turn that has begun."""
        known = await self._store.deadlines_of(room.match)
        return {
            kind: at
            for kind, at in self._lobby.due(table, room.state, self.clock()).items()
            if at is None or kind not in kept or kind not in known
        }

    def _tell_table(self, id: str) -> None:
        found = self._tables.get(id)
        if found is None:
            return
        info, said = self.info(found), dict[tuple[Any, ...], bytes]()
        for connection in self.hub.at(id):
            yours = found.table.held_by(connection.holder)
            host = found.table.host == connection.holder
            if (yours, host) not in said:  # of spectators there may be many
                news = TableChanged(table=info, yours=yours, host=host)
                said[yours, host] = msgspec.json.encode(news)
            connection.put(said[yours, host])

    def _tell_talk(self, old: Table, table: Table) -> None:
        # Also those that were heard before, if somebody has taken back what they said.
        heard = {line.number: line for line in old.talk}
        lines = [line for line in table.talk if heard.get(line.number) != line]
        if lines:
            self._news.catch_up(table.id)
        for line in lines:
            for connection in self.hub.at(table.id):
                connection.send(line)

    def info(self, found: Found) -> TableInfo:
        """What everyone may know of a table."""
        return describe(found, self.presence.everyone(found))


def without_talk(table: Table) -> Table:
    return replace(table, talk=(), speakers={})


def reseat(connection: Connection, old: Table, table: Table) -> None:
    """Who has lost their seat looks from another of theirs or from none; who has just sat down
    looks from there."""
    yours = table.held_by(connection.holder)
    lost = connection.seat is not None and connection.seat not in yours
    came = connection.seat is None and yours and not old.held_by(connection.holder)
    if lost or came:
        connection.seat = yours[0] if yours else None
        connection.seen = ("", 0)
