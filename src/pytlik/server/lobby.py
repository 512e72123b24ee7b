"""Tables in the store. A change is read, decide, write, tell; and again, if somebody was first."""

import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec

from pytlik import chance
from pytlik.bus import Bus
from pytlik.game import Illegal, Opening, Reason, Refusal, Seat, Shift, replay
from pytlik.matchfile import Player
from pytlik.server import forgetting, seats, tables, tokens
from pytlik.server.adoption import Recovery, adopt
from pytlik.server.due import BOT, LOOK, away, due, may_bots_move, missed
from pytlik.server.log_limits import check_pause
from pytlik.server.replaying import last_event, replay_log
from pytlik.server.room import Clock
from pytlik.server.tables import Agreement, Holder, Phase, Table, is_member
from pytlik.server.unknown_fields import Documents
from pytlik.store import (
    GONE,
    AdoptResults,
    Append,
    Come,
    Conflict,
    DropDays,
    DropTable,
    ForgetResults,
    Go,
    HideName,
    HideResults,
    MoveDeadline,
    Present,
    PutSecret,
    PutTable,
    SetDeadlines,
    StillDue,
    Store,
    TableRow,
    Write,
)

DAY = 86_400_000

EMPTY_FOR = 2_700_000
"""Tables where nobody has been for so long, and nobody ever played, are deleted (ms)."""

TRIES = 50
"""So often somebody else may be first before we give up."""

SWEPT = 100
"""Tables that one sweep looks at."""

documents = Documents(Table, strict={"agreement": Agreement, "past": Player})


class Found(msgspec.Struct, frozen=True):
    """A table, which version of it this is, and who is there."""

    table: Table
    version: int
    presence: tuple[Present, ...] = ()

    @property
    def here(self) -> dict[Holder, int | None]:
        """Who is connected to any worker, and with which delay."""
        return least((present.holder, present.lag) for present in self.presence)


Changed = tuple[Table, tuple[Write, ...]]

SecondClock = Callable[[], Awaitable[int]]
"""Milliseconds since 1970, from somewhere else."""


class Lobby:
    def __init__(
        self,
        store: Store,
        bus: Bus,
        clock: Clock,
        *,
        bot_pause: int = 0,
        second_clock: SecondClock | None = None,
    ) -> None:
        """Where there is a second clock, nothing is deleted that is young by either."""
        self.store = store
        self.clock = clock
        self._second_clock = second_clock
        self.bot_pause = bot_pause
        self.awake: Callable[[], Awaitable[None]] = is_awake
        """Waits until the clocks are right, after a time in which nobody could act."""
        self._bus = bus

    # ------------------------------------------------------------------------------------- reading

    async def get(self, table_id: str) -> Found:
        """Raises Illegal(NO_SUCH_TABLE)."""
        return found(await self._row(table_id))

    async def _row(self, table_id: str) -> TableRow:
        if not tokens.TABLE_ID.fullmatch(table_id):
            raise Illegal(Reason.NO_SUCH_TABLE)
        row = await self.store.table(table_id)
        if row is None:
            raise Illegal(Reason.NO_SUCH_TABLE)
        return row

    async def listed(self, phase: Phase, limit: int) -> list[Found]:
        """Tables that anyone may find, the last touched first. To join: only where somebody is, or
        empty ones would hide them."""
        only_inhabited = phase == "lobby"
        rows = await self.store.tables_in(phase, limit, only_inhabited=only_inhabited)
        return [found(row) for row in rows]

    async def held_by(self, holder: Holder) -> list[Found]:
        """The tables where somebody sits or is the host, the last touched first."""
        return [found for found in await self._that_know(holder) if is_member(found.table, holder)]

    async def _that_know(self, holder: Holder) -> list[Found]:
        """The tables that remember somebody for whatever reason, the last touched first."""
        rows = await self.store.tables_of(holder)
        return [found(row) for row in rows]

    def due(self, table: Table, state: Any, now: int) -> dict[str, int | None]:
        """What is due in a table's match."""
        return due(table, state, now, self.bot_pause)

    # ------------------------------------------------------------------------------------ changing

    async def change(self, table_id: str, alter: Callable[[Table], Table]) -> Found:
        """Alter a table. What `alter` raises is raised, and nothing has changed then."""
        return await self.change_with(table_id, lambda found: (alter(found.table), ()))

    async def change_with(
        self, table_id: str, alter: Callable[[Found], Changed], *, tries: int = TRIES
    ) -> Found:
        """Alter a table and write something else together with it, or neither."""
        for _ in range(tries):
            row = await self._row(table_id)
            before = found(row)
            table, writes = alter(before)
            table = seats.with_changes(before.table, table)
            if table == before.table and not writes:
                return before
            after = Found(table, before.version + 1, present(before.presence, writes))
            waiting = away(
                missed(before.table, before.here), missed(table, after.here), self.clock()
            )
            if bots_awake(before, after):
                waiting = {**waiting, BOT: self.clock() + self.bot_pause}
            if waiting:
                writes = (*writes, SetDeadlines(table.match_id, waiting))
            try:
                if before.table.paused != table.paused and table.phase == "playing":
                    # Or the time in which nobody could act would not be made up for: in a pause
                    # nothing is due that could be moved.
                    await self.awake()
                    writes = (*writes, *await self._clock_writes(table, before.table.paused))
                elif hands_changed(before.table, table):
                    # Perhaps it is their turn: let the clock look, whoever is connected.
                    writes = (*writes, SetDeadlines(table.match_id, {LOOK: self.clock()}))
                await self._put(table, before.version, *writes, replaced=row.doc)
            except Conflict:
                continue
            return after
        raise Conflict

    async def want_pause(self, table_id: str, holder: Holder | None, *, wanted: bool) -> Found:
        """Ask for a pause, or to go on. Raises Illegal(TOO_MANY_PAUSES) for one more where each
        would move the clocks once more; whoever is in a pause can always go on."""
        now = self.clock()

        def alter(table: Table) -> Table:
            return tables.want_pause(table, holder, now, wanted=wanted)

        before = (await self.get(table_id)).table
        alter(before)  # or they may not ask at all
        if wanted and before.paused is None:
            log = await replay_log(self.store, before.rules, before.match_id)
            if log.seq and before.rules.deadline(log.state) is not None:
                check_pause(log.tally)
        return await self.change(table_id, alter)

    async def _clock_writes(self, table: Table, paused: int | None) -> tuple[Write, ...]:
        """Nothing is due in a pause; after one since `paused` all is due later by as much."""
        game = table.rules
        log = await replay_log(self.store, game, table.match_id)
        if not log.seq:
            raise Conflict  # the table was deleted since it was read
        # Clocks differ between workers, but time never runs back in a match.
        now = max(self.clock(), log.recent[-1].at)
        state = log.state
        writes: tuple[Write, ...] = ()
        if paused is not None and game.deadline(state) is not None:
            # Moving the clocks is no matter of chance: any will do.
            shift = Shift(max(0, now - paused))
            moved = game.decide(state, None, shift, chance.from_text(""), now)
            state = replay(game.apply, moved, state)
            encoded = tuple(map(msgspec.json.encode, moved))
            writes = (Append(match=table.match_id, seq=log.seq, events=encoded),)
        return (*writes, SetDeadlines(table.match_id, self.due(table, state, now)))

    async def _put(
        self, table: Table, version: int, *writes: Write, replaced: bytes | None = None
    ) -> None:
        row = PutTable(
            id=table.id,
            version=version,
            doc=documents.encode(table, replaced),
            phase=table.phase,
            listed=table.agreement.listed,
            holders=tables.everyone(table),
            touched=self.clock(),
        )
        await self.store.commit(row, *writes)
        self._bus.publish(table.id, version + 1)
        for write in writes:
            if isinstance(write, Append):
                self._bus.publish(write.match, write.seq + len(write.events))

    async def create(
        self,
        game: str,
        host: Holder,
        *,
        chairs: int | None = None,
        options: dict[str, Any] | None = None,
        agreement: Agreement | None = None,
    ) -> Found:
        secret = secrets.token_bytes(32)
        table = tables.create(
            tokens.random_letters(tokens.ID_LENGTH),
            game,
            host,
            chance.commit(secret),
            self.clock(),
            chairs=chairs,
            options=options,
            agreement=agreement,
        )
        await self._put(table, 0, PutSecret(table.match_id, secret))
        return Found(table, 1)

    async def start(
        self, table_id: str, holder: Holder | None, *, without_free: bool = False
    ) -> Found:
        """Begin the match: the seed is made, and the first events are stored with the table."""
        match_id = (await self.get(table_id)).table.match_id
        secret = await self.store.secret(match_id)

        def alter(found: Found) -> Changed:
            table = found.table
            begun = tables.start(table, holder, without_free=without_free)
            if secret is None or table.match_id != match_id:
                raise Illegal(Reason.WRONG_PHASE)
            return begun, opening(begun, secret, self.clock(), self.bot_pause)

        return await self.change_with(table_id, alter)

    async def rematch(self, table_id: str, holder: Holder | None) -> Found:
        secret = secrets.token_bytes(32)
        commitment = chance.commit(secret)

        def alter(found: Found) -> Changed:
            again = tables.rematch(found.table, holder, commitment)
            return again, (PutSecret(again.match_id, secret),)

        return await self.change_with(table_id, alter)

    async def finish(self, table_id: str, match: int) -> Found:
        """A match at a table is over, if it is the one that is played."""
        return await self.change(
            table_id, lambda table: tables.finish(table) if table.match == match else table
        )

    async def take_back(self, table_id: str, back: tuple[Seat, ...]) -> Found:
        """Who holds these seats plays again: no bot does any longer."""

        def alter(table: Table) -> Table:
            for seat in back:
                if (holder := table.chairs[seat].holder) is not None:
                    table = seats.take_back(table, holder, seat)
            return table

        return await self.change(table_id, alter)

    async def end_turn(self, table_id: str, slow: tuple[Seat, ...], due: StillDue) -> Found:
        """Bots play for seats that took too long for a turn. Raises Conflict if somebody acted."""

        def alter(found: Found) -> Changed:
            table = found.table
            for seat in slow:
                table = seats.stand_in(table, seat, self.clock())
            return table, (due, MoveDeadline(due.match, due.kind, due.due, None))

        return await self.change_with(table_id, alter, tries=1)

    # ------------------------------------------------------------------------------- who is there

    async def sit_in(self, table_id: str, seat: Seat) -> Found:
        """A bot plays for a seat from now on, unless its person is here."""

        def alter(found: Found) -> Changed:
            table = found.table
            if table.chairs[seat].holder not in found.here:
                table = seats.stand_in(table, seat, self.clock())
            return table, ()

        return await self.change_with(table_id, alter)

    async def attend(
        self, table_id: str, worker: str, here: Callable[[Found], Mapping[Holder, int | None]]
    ) -> Found:
        """Say who is connected to a worker, and with which delay: whoever is not named has gone."""

        def alter(found: Found) -> Changed:
            return found.table, told(found, worker, here(found))

        return await self.change_with(table_id, alter)

    # ---------------------------------------------------------------------------------- forgetting

    async def forget(self, holder: Holder) -> int:
        """Take somebody's names and words from all tables and boards; from how many tables. Asked
        again it does what is left to do."""
        await self.store.commit(HideResults(holder))
        ids = await self.store.table_ids_of(holder)
        return await self._change_all(ids, lambda table: forgetting.forget(table, holder))

    async def forget_name(self, name: str) -> int:
        """Take a name from all tables and boards, whoever used it; from how many tables."""
        await self.store.commit(HideName(name))
        ids = filter(tokens.TABLE_ID.fullmatch, await self.store.all_table_ids())
        return await self._change_all(ids, lambda table: forgetting.forget_name(table, name))

    async def _change_all(self, ids: Iterable[str], alter: Callable[[Table], Table]) -> int:
        """Alter each of these tables that is still there; how many have changed."""
        number = 0
        for table_id in ids:
            changed = False

            def altered(table: Table) -> Table:
                nonlocal changed
                after = alter(table)
                changed = after != table
                return after

            with suppress(Refusal):  # the table is gone
                await self.change(table_id, altered)
                number += changed
        return number

    # ------------------------------------------------------------------------------ other devices

    async def adopt(
        self, old: Holder, new: Holder, recovery: Callable[[str], Recovery]
    ) -> tuple[str, ...]:
        """Everything that one holder has at tables and boards is another's from now on. Returns the
        tables where that isn't possible until their match is over."""
        await self.store.commit(AdoptResults(old, new))
        await self.store.commit(ForgetResults(old))
        refused: list[str] = []
        for known in await self._that_know(old):
            id = known.table.id
            try:
                await self.change(id, lambda table: adopt(table, old, new, recovery(table.id)))
            except Illegal as refusal:
                if refusal.reason is not Reason.NO_SUCH_TABLE:  # then it is gone, with all it knew
                    refused.append(id)
        return tuple(refused)

    # ------------------------------------------------------------------------------------ deleting

    async def drop(self, table_id: str) -> None:
        """Delete a table with all its matches."""
        await self.store.commit(DropTable(table_id))
        # Higher than any version: whoever hears it looks, and finds nothing.
        self._bus.publish(table_id, GONE)

    async def sweep(self, keep_days: int) -> int:
        """Delete tables that nobody has touched for so many days, and older boards of the day; how
        many tables that were."""
        before = await self._least_time() - keep_days * DAY
        await self.store.commit(DropDays(str(datetime.fromtimestamp(before / 1000, UTC).date())))
        swept = 0
        for table_id in await self.store.untouched(before, SWEPT):
            if await self._played_since(table_id, before):
                continue
            await self.drop(table_id)
            swept += 1
        return swept

    async def _least_time(self) -> int:
        now = self.clock()
        return min(now, await self._second_clock()) if self._second_clock else now

    async def sweep_empty(self) -> int:
        """Delete tables that were made and left, and never played at; how many that were."""
        before, swept = await self._least_time() - EMPTY_FOR, 0
        while ids := await self.store.never_played(before, SWEPT):
            dropped = [await self._drop_if_empty(table_id) for table_id in ids]
            swept += sum(dropped)
            if not all(dropped):
                break  # somebody has come: the others are found next time
        return swept

    async def _drop_if_empty(self, table_id: str) -> bool:
        """Unless somebody has come meanwhile, which changes the table."""
        row = await self.store.table(table_id)
        if row is None or row.presence:
            return False
        table = found(row).table
        try:
            await self._put(table, row.version, DropTable(table_id), replaced=row.doc)
        except Conflict:
            return False
        self._bus.publish(table_id, GONE)
        return True

    async def _played_since(self, table_id: str, before: int) -> bool:
        """Has there been an action in the match? Actions don't touch the table: so touch it now."""
        row = await self.store.table(table_id)
        if row is None or not tokens.TABLE_ID.fullmatch(table_id):  # a day of an older server
            return False
        table = found(row).table
        last = await last_event(self.store, table.match_id)
        if table.phase != "playing" or last is None:
            return False
        if msgspec.json.decode(last[1], type=Moment).at < before:
            return False
        with suppress(Conflict):  # then somebody has touched it
            await self._put(table, row.version, replaced=row.doc)
        return True


class Moment(msgspec.Struct, frozen=True):
    """Of any event only when it happened."""

    at: int


async def is_awake() -> None:
    """Where no clocks run there is nothing to wait for."""


def found(row: TableRow) -> Found:
    return Found(documents.decode(row.doc), row.version, row.presence)


def least(lags: Iterable[tuple[Holder, int | None]]) -> dict[Holder, int | None]:
    """Of several delays of somebody the least that was measured."""
    found: dict[Holder, int | None] = {}
    for holder, lag in lags:
        known = found.get(holder)
        found[holder] = lag if known is None else known if lag is None else min(known, lag)
    return found


def told(found: Found, worker: str, here: Mapping[Holder, int | None]) -> tuple[Write, ...]:
    """What has to be written so that those, and only those, are known to be connected."""
    id = found.table.id
    known = {each.holder: each.lag for each in found.presence if each.worker == worker}
    new = {who: lag for who, lag in here.items() if who not in known or known[who] != lag}
    return (
        *(Come(id, who, worker, lag) for who, lag in new.items()),
        *(Go(id, who, worker) for who in known if who not in here),
    )


def present(before: tuple[Present, ...], writes: Iterable[Write]) -> tuple[Present, ...]:
    """Who is there when some have come and gone."""
    there = {(each.holder, each.worker): each for each in before}
    for write in writes:
        match write:
            case Come(_, holder, worker, lag):
                there[holder, worker] = Present(holder, worker, lag)
            case Go(_, holder, worker):
                there.pop((holder, worker), None)
            case _:
                pass  # it is about something else
    return tuple(there.values())


def bots_awake(before: Found, after: Found) -> bool:
    """Has somebody come to a running match where bots stood still?"""
    if before.table.phase != "playing" or after.table.phase != "playing" or after.table.paused:
        return False
    was, now = (
        may_bots_move(found.table, anyone_here=bool(found.presence)) for found in (before, after)
    )
    return now and not was


def hands_changed(before: Table, after: Table) -> bool:
    """Does a bot play now for a seat of a running match where a person did, or the other way?"""
    if before.phase != "playing" or after.phase != "playing":
        return False
    seats = range(len(after.chairs))
    return any(after.automatic(seat) != before.automatic(seat) for seat in seats)


def due_changed(before: Table, after: Table) -> bool:
    """Is something else due in a match now, although nobody has acted?"""
    return before.paused != after.paused or hands_changed(before, after)


def opening(table: Table, secret: bytes, now: int, bot_pause: int) -> tuple[Write, ...]:
    """What is written when a match begins."""
    shares = tuple(chair.share for chair in table.chairs)
    begins = Opening(players=len(shares), commitment=table.commitment, shares=shares)
    game = table.rules
    events = game.open(begins, table.chosen, chance.mix(secret, shares), now)
    state = replay(game.apply, events)
    return (
        Append(match=table.match_id, seq=0, events=tuple(map(msgspec.json.encode, events))),
        SetDeadlines(table.match_id, due(table, state, now, bot_pause)),
    )
