"""What people do with tables: create and find them, change them, and start matches."""

import secrets
from collections.abc import Callable
from typing import Any

from pytlik import chance
from pytlik.game import Illegal, Reason, Seat
from pytlik.games import GAMES
from pytlik.protocol.table_agreement import Agreement, Phase
from pytlik.server import metrics, tokens
from pytlik.server.cleanup import delete_table
from pytlik.server.live.rooms import Rooms
from pytlik.server.live.table_changes import TableChange, match_start_writes
from pytlik.server.match.round_action_limits import check_pause
from pytlik.server.table import pause_votes, rematches, seats, tables
from pytlik.server.table.stored_tables import (
    StoredTable,
    decode_table_row,
    make_put_table,
    read_table,
)
from pytlik.server.table.tables import Table, is_member
from pytlik.server.tokens import Holder
from pytlik.store import NO_LIMIT, PutSecret, Store


class Lobby:
    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms

    @property
    def store(self) -> Store:
        return self.rooms.services.store

    def now(self) -> int:
        return self.rooms.services.clock()

    # ------------------------------------------------------------------------------------- reading

    async def get(self, table_id: str) -> StoredTable:
        """Raises Illegal(NO_SUCH_TABLE)."""
        return await read_table(self.store, table_id)

    async def list_tables(self, phase: Phase, limit: int) -> list[StoredTable]:
        """Tables that anyone may find, most recently touched first. In the lobby phase, only tables
        where somebody is connected, because empty ones would hide them."""
        only_with_people = phase == "lobby"
        rows = await self.store.listed_tables(phase, limit, only_with_people=only_with_people)
        return list(map(decode_table_row, rows))

    async def tables_held_by(self, holder: Holder, limit: int = NO_LIMIT) -> list[StoredTable]:
        """The tables where somebody sits or hosts, most recently touched first, among the `limit`
        last ones that remember them."""
        rows = await self.store.tables_of(holder, limit)
        return [stored for stored in map(decode_table_row, rows) if is_member(stored.table, holder)]

    # ------------------------------------------------------------------------------------ changing

    async def change(self, table_id: str, alter: Callable[[Table], Table]) -> StoredTable:
        """Alter a table. If `alter` raises, nothing has changed."""
        with self.rooms.open(table_id) as room:
            return await room.change(alter)

    async def change_with_writes(
        self, table_id: str, alter: Callable[[StoredTable], TableChange]
    ) -> StoredTable:
        """Alter a table and write something else with it, or do neither."""
        with self.rooms.open(table_id) as room:
            return await room.change_with_writes(alter)

    async def create(
        self,
        game: str,
        host: Holder,
        *,
        chairs: int | None = None,
        options: dict[str, Any] | None = None,
        agreement: Agreement | None = None,
        first_game: bool = False,
        circle: str | None = None,
    ) -> StoredTable:
        known = GAMES[game].first_game_secret if first_game else None
        secret = known or secrets.token_bytes(32)
        table = tables.create(
            tokens.random_letters(tokens.ID_LENGTH),
            game,
            host,
            chance.commit(secret),
            self.now(),
            chairs=chairs,
            options=options,
            agreement=agreement,
            circle=circle,
        )
        put = make_put_table(table, 0, self.now())
        await self.store.commit(put, PutSecret(table.match_id, secret))
        self.rooms.services.bus.publish(table.id, 1)
        return StoredTable(table, 1)

    async def start(
        self, table_id: str, holder: Holder | None, *, without_free: bool = False
    ) -> StoredTable:
        """Begin the match: the seed is made, and the first events are stored with the table."""
        match_id = (await self.get(table_id)).table.match_id
        secret = await self.store.secret(match_id)
        services = self.rooms.services

        def alter(stored: StoredTable) -> TableChange:
            table = stored.table
            playing = tables.start(table, holder, without_free=without_free)
            if secret is None or table.match_id != match_id:
                raise Illegal(Reason.WRONG_PHASE)
            return playing, match_start_writes(
                playing,
                secret,
                self.now(),
                services.bot_pause_ms,
                gives_notice=services.notices is not None,
            )

        stored = await self.change_with_writes(table_id, alter)
        metrics.MATCHES_STARTED.labels(stored.table.game).inc()
        return stored

    async def rematch(self, table_id: str, holder: Holder | None) -> StoredTable:
        secret = secrets.token_bytes(32)
        commitment = chance.commit(secret)

        def alter(stored: StoredTable) -> TableChange:
            again = rematches.rematch(stored.table, holder, commitment)
            return again, (PutSecret(again.match_id, secret),)

        return await self.change_with_writes(table_id, alter)

    async def vote_for_rematch(self, table_id: str, holder: Holder | None) -> StoredTable:
        """Vote for another match, which is prepared when everyone who is here wants it."""
        secret = secrets.token_bytes(32)
        commitment = chance.commit(secret)

        def alter(stored: StoredTable) -> TableChange:
            again = rematches.vote_for_rematch(stored.table, holder, stored.here, commitment)
            prepared = again.match != stored.table.match
            return again, (PutSecret(again.match_id, secret),) if prepared else ()

        return await self.change_with_writes(table_id, alter)

    async def set_share(
        self, table_id: str, holder: Holder | None, seat: Seat, share: str
    ) -> StoredTable:
        """Set a share for a rematch. If everyone has agreed to it, the last missing share starts
        the match, unless too few are left: then it's for the host to start it, because
        whoever sits down later hasn't agreed to anything."""
        stored = await self.change(table_id, lambda old: seats.set_share(old, holder, seat, share))
        if not rematches.is_rematch_ready(stored.table, stored.here):
            return stored
        try:
            return await self.start(table_id, stored.table.host, without_free=True)
        except Illegal:  # too few sit here, or somebody has just begun it
            return await self.get(table_id)

    async def delete_table(self, table_id: str) -> None:
        """Delete a table with all its matches."""
        await delete_table(self.store, self.rooms.services.bus, table_id)

    async def vote_on_pause(
        self, table_id: str, holder: Holder | None, *, wanted: bool
    ) -> StoredTable:
        """Ask for a pause, or to resume. Raises Illegal(TOO_MANY_PAUSES) after too many pauses in a
        game whose clocks they move; it's always possible to resume."""
        now = self.now()

        def alter(table: Table) -> Table:
            return pause_votes.vote_on_pause(table, holder, now, wanted=wanted)

        with self.rooms.open(table_id) as room:
            before = (await self.get(table_id)).table
            alter(before)  # raises if they may not ask at all
            if wanted and before.paused is None:
                match = await room.open_match(before)
                await room.catch_up(match)
                if match.game.deadline(match.state) is not None:
                    check_pause(match.replayed.tally)
            return await room.change(alter)
