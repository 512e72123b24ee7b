"""What the server promises, checked against the database after every step.

The database is the truth: a worker may only tell what is there, and everything that is there must
have come about by the rules.
"""

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from pytlik.game import Seat
from pytlik.games import GAMES
from pytlik.protocol.circles import CircleResult
from pytlik.protocol.messages import Line
from pytlik.server.circle.circles import Circle
from pytlik.server.live.room import Room
from pytlik.server.match.deadlines import TURN_DEADLINE, may_bots_move, table_id_of
from pytlik.server.table.stored_tables import table_codec
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import (
    Append,
    Connected,
    DeleteCircle,
    DeleteTable,
    Disconnected,
    EndDowntime,
    Heartbeat,
    MoveDeadline,
    PutCircle,
    PutSecret,
    PutTable,
    Write,
    split_match,
)
from pytlik.ubongo.messages import ClocksShifted
from tests.sim.append_checks import check_actor_is_right, check_log_limits, check_stand_in_is_due
from tests.sim.chat_checks import check_stored_chat_lines
from tests.sim.circle_checks import (
    check_circles_at_end,
    record_circle_deletion,
    record_circle_version,
)
from tests.sim.deadline_checks import (
    check_deadlines_written,
    check_deletion_told,
    check_is_prompt,
    check_nothing_overdue,
    check_player_gets_in,
    check_player_is_up_to_date,
    check_time_is_not_too_long,
    note_logs_being_read,
)
from tests.sim.delay_checks import check_delay_credit
from tests.sim.final_checks import (
    check_database_matches_commits,
    check_deleted_tables,
    check_lines_taken_back,
    check_match_follows_seed,
    check_rooms_closed,
    check_stored_presence,
    note_unused_rooms,
)
from tests.sim.hourglass_checks import check_clock_shift, check_sand, record_heartbeat
from tests.sim.lease_checks import Taken, record_moved_deadline
from tests.sim.replayed_match import ReplayedMatch
from tests.sim.seat_checks import SeatPromises
from tests.sim.sent_messages import NOBODY, SentMessages
from tests.sim.table_checks import (
    check_commit_concerns_one_table,
    check_phase_order,
    check_tables_are_consistent,
    check_unplayed_table_is_deleted,
    is_long_unplayed,
    record_stand_ins,
)
from tests.sim.tolerances import (
    MAX_ANSWER_SECONDS,
    MAX_OVERDUE_SECONDS,
    MAX_UNNOTICED_BREAK_SECONDS,
    MAX_UPDATE_SECONDS,
)
from tests.sim.write_descriptions import describe_write

if TYPE_CHECKING:
    from tests.server.server_load import Command
    from tests.sim.player import Player
    from tests.sim.world import World


class BrokenPromise(AssertionError):
    """A promise that was not kept."""


class ServerPromises:
    def __init__(self, world: "World") -> None:
        self.world = world
        self.logs: dict[str, ReplayedMatch] = {}
        self.tables: dict[str, Table] = {}
        self.versions: dict[str, list[float]] = defaultdict(list)
        """When each version of a table was committed."""
        self.held: defaultdict[tuple[str, Seat], dict[Holder, float]] = defaultdict(dict)
        """Everybody who has ever held a seat in a match, and when they were last known to."""
        self.stood_in: set[tuple[str, Seat | None]] = set()
        """Seats that a bot has played for a person."""
        self.sits_in: dict[tuple[str, Seat], float] = {}
        """Seats of a match that a bot plays for whoever holds them, and since when."""
        self.sat_in: dict[tuple[str, Seat], float] = {}
        """The same for seats that people have taken back: until when."""
        self.here: defaultdict[tuple[str, Holder], set[str]] = defaultdict(set)
        self.absent: dict[tuple[str, Holder], float] = {}
        """Since when somebody is not here, as clocks may count."""
        self.left: dict[tuple[str, Holder], float] = {}
        """The same, as the clock has it."""
        self.first: dict[str, Table] = {}
        """The table as it was when each match began."""
        self.empty: dict[str, float] = {}
        """Since when bots should stand still at a table, because nobody is there."""
        self.documents: dict[tuple[str, int], Table] = {}
        """Every version of every table."""
        self.lines: defaultdict[str, list[tuple[float, Line]]] = defaultdict(list)
        """Everything said at each table, and when it was committed."""
        self.asked_to_forget: set[Holder] = set()
        self.taken_back: set[tuple[str, int]] = set()
        """Lines of who has asked to be forgotten, that have lost their text or name."""
        self.asked_to_leave: defaultdict[tuple[str, Seat], set[str]] = defaultdict(set)
        """Who wanted the person on a seat to leave. If that person is away and enough others want
        it, a bot plays at once."""
        self.wanted_bot: defaultdict[tuple[str, Seat], set[Holder]] = defaultdict(set)
        """The same, since the person was last here. Whoever shared a device may have their own by
        now."""
        self.asking_to_leave: Counter[tuple[str, Seat, Holder]] = Counter()
        """What is asked of these just now."""
        self.unneeded: set[str] = set()
        """Tables that somebody wanted to delete."""
        self.unplayed: set[str] = set()
        """Tables that were made without anybody intending to play there."""
        self.deleted: dict[str, float] = {}
        """Tables that are gone, and since when."""
        self.secrets: dict[str, bytes] = {}
        self.circles: dict[str, Circle] = {}
        self.asked_to_remove: set[tuple[str, int, Holder]] = set()
        """Members of circles who should go, and who wanted that."""
        self.joined: dict[tuple[str, Holder], float] = {}
        """When a holder became a member of a circle."""
        self.results: dict[str, dict[str, CircleResult]] = {}
        """The matches that count in each circle."""
        self.unused_rooms: dict[Room, float] = {}
        """Rooms that nobody is connected to, and since when. Something may go on there."""
        self.log_unread: dict[tuple[str, str], float] = {}
        """When each worker last had a match open whose log it hadn't read yet."""
        self.heartbeats: list[int] = []
        """The last heartbeat of any worker (ms), and all that were the last before."""
        self.taken: dict[tuple[str, str], Taken] = {}
        """The last time that each deadline of a match was taken."""
        self.sent_messages = SentMessages(self)
        self.seats = SeatPromises(self)
        self.checked: defaultdict[str, int] = defaultdict(int)
        """How often each promise was looked at: a check that never happens proves nothing."""

    @property
    def countable_seconds(self) -> float:
        """Seconds as clocks may count them: those in which anybody could act, and the short breaks
        that nobody notices."""
        return self.world.active + MAX_UNNOTICED_BREAK_SECONDS * self.world.breaks

    def report_broken(self, what: str) -> None:
        self.world.fail(BrokenPromise(f"at {self.world.loop.time():.3f} s: {what}"))

    def check_access_ended(self, id: str, seats: list[Seat], old: Holder) -> None:
        """Somebody was told that a former token of theirs has lost these seats, and the table."""
        self.checked["other devices lose their seats"] += 1
        if (table := self.tables.get(id)) is not None:
            kept = [seat for seat in table.held_by(old) if seat in seats]
            self.check(not kept, f"{old} still has seats {kept} at {id}")
            self.check(table.host != old, f"{old} still hosts {id}")

    def check(self, kept: object, what: str) -> None:
        if not kept:
            self.report_broken(what)

    # ------------------------------------------------------------------------- what is on disk

    def check_commit(self, writes: tuple[Write, ...]) -> None:
        for write in writes:
            self.world.add_to_journal(f"disk: {describe_write(write)}")
            match write:
                case Append():
                    ends_pause = any(isinstance(each, PutTable) for each in writes)
                    self._check_append(write, ends_pause=ends_pause)
                case PutTable():
                    self._record_table(write)
                case DeleteTable(id):
                    self._record_deletion(id)
                case Heartbeat():
                    record_heartbeat(self)
                case EndDowntime():
                    record_heartbeat(self)
                    check_time_is_not_too_long(self)
                case MoveDeadline():
                    record_moved_deadline(self, write)
                case PutCircle():
                    record_circle_version(self, write)
                case DeleteCircle(id):
                    record_circle_deletion(self, id)
                case PutSecret(match, secret):
                    self.secrets[match] = secret
                case Connected(id, holder, worker, _):
                    self.here[id, holder].add(worker)
                    self._forget_wanted_bots(id, holder)
                case Disconnected(id, holder, worker):
                    there = self.here[id, holder]
                    there.discard(worker)
                    if not there:
                        self.absent[id, holder] = self.countable_seconds
                        self.left[id, holder] = self.world.loop.time()
                case _:
                    pass
        check_commit_concerns_one_table(self, writes)
        check_tables_are_consistent(self, writes)
        for table in self.tables.values():
            if may_bots_move(table, anyone_here=bool(self.holders_present_at(table))):
                self.empty.pop(table.id, None)
            else:
                self.empty.setdefault(table.id, self.world.loop.time())
            check_deadlines_written(self, table, writes)

    def _forget_wanted_bots(self, id: str, holder: Holder) -> None:
        """Somebody is back: if they go again, everyone is asked anew."""
        for seat in self.tables[id].held_by(holder) if id in self.tables else ():
            self.wanted_bot[id, seat] = {
                asker
                for asker in self.wanted_bot[id, seat]
                if self.asking_to_leave[id, seat, asker]
            }

    def holders_present_at(self, table: Table) -> list[Holder]:
        """Who is there, as the database has it; spectators as one."""
        return [holder for (id, holder), at in self.here.items() if id == table.id and at]

    def turn_seconds_left(self, match: str, seat: Seat) -> float | None:
        """Seconds until a seat's time for a turn is up; None if it isn't on turn, or has no clock.
        People see that clock on their page."""
        log = self.logs.get(match)
        if log is None or seat not in log.game.awaited(log.state):
            return None
        rows = self.world.database.query(
            "SELECT due FROM deadlines WHERE id = ? AND match = ? AND kind = ?",
            *split_match(match),
            TURN_DEADLINE,
        )
        return (rows[0][0] - self.world.server_time) / 1000 if rows else None

    def _record_deletion(self, id: str) -> None:
        self.check(
            id in self.unneeded or is_long_unplayed(self, id),
            f"{id} is deleted, and nobody wanted that",
        )
        self.deleted[id] = self.world.loop.time()
        if table := self.tables.pop(id, None):
            self._note_holders(table)

    def _note_holders(self, table: Table) -> None:
        for seat, chair in enumerate(table.chairs):
            if chair.holder is not None:
                self.held[table.match_id, seat][chair.holder] = self.world.loop.time()

    def seconds_since_held(self, match: str, seat: Seat, holder: Holder) -> float:
        """How long ago somebody lost a seat: nothing if they have it, and for ever if they never
        had it in that match."""
        table = self.tables.get(table_id_of(match))
        if table and table.match_id == match and table.chairs[seat].holder == holder:
            return 0.0
        return self.world.loop.time() - self.held[match, seat].get(holder, -math.inf)

    def _check_append(self, write: Append, *, ends_pause: bool) -> None:
        now = self.world.loop.time()
        if table_id_of(write.match) in self.deleted:
            self.report_broken(f"{write.match} goes on after its table was deleted")
            return
        # A match begins together with a change of its table, which may be written before or after.
        log = self.logs.get(write.match)
        if log is None:
            opened = msgspec.json.decode(write.events[0])
            log = self.logs[write.match] = ReplayedMatch(GAMES[opened["game"]])
        self.checked["no gap and no fork"] += 1
        self.check(write.seq == len(log.events), f"{write.match} has a gap or a fork")
        events = [log.game.event_decoder.decode(raw) for raw in write.events]
        check_log_limits(self, write, log, events)
        check_is_prompt(self, write, log)
        for event in events:
            before = log.state if log.states else None
            if log.events and event.at < log.events[-1].at:
                self.report_broken(f"time runs back in {write.match}")
            log.events.append(event)
            log.states.append(log.game.apply(before, event))
            log.times.append(now)
            if (cause := log.game.cause(event)) and cause.seat is not None:
                log.last_actors[cause.seat] = write.actor
            check_sand(self, write.match, log, event)
            check_delay_credit(self, write.match, log, event)
            if isinstance(event, ClocksShifted):
                check_clock_shift(self, write.match, log, event, ends_pause=ends_pause)
        log.active = self.countable_seconds
        check_actor_is_right(self, write, log.game.cause(log.events[write.seq]))
        self.checked["lists say whose turn it is"] += 1
        awaited = log.game.awaited(log.state)
        self.check(write.awaited == awaited, f"{write.match} awaits {awaited}, not {write.awaited}")

    def _record_table(self, write: PutTable) -> None:
        table = table_codec.decode(write.doc)
        old = self.tables.get(write.id)
        if old:
            self._note_holders(old)
        self.tables[write.id] = table
        self.documents[write.id, write.version + 1] = table
        if table.phase == "playing":
            self.first.setdefault(table.match_id, table)
        self._note_holders(table)
        check_stored_chat_lines(self, old, table)
        record_stand_ins(self, old, table)
        if old:
            check_phase_order(self, old, table)
            self.seats.check_change(old, table)
        self.versions[write.id].append(self.world.loop.time())
        for hashed in (*(chair.recovery for chair in table.chairs), *(c.hash for c in table.codes)):
            if hashed:
                self.sent_messages.add_credential(hashed, NOBODY)
        for seat, chair in enumerate(table.chairs):
            if chair.stand_in:
                self.stood_in.add((table.match_id, seat))
            if chair.holder is not None:
                self.absent.setdefault((table.id, chair.holder), self.countable_seconds)
        if old is None or old.match_id != table.match_id or old.phase != table.phase:
            for key in self.absent:
                if key[0] == table.id:  # the wait for whoever is away begins with the match
                    self.absent[key] = max(self.absent[key], self.countable_seconds)
            return
        log = self.logs.get(table.match_id)
        if old.paused is None and table.paused is not None and log:
            log.paused, log.paused_at = self.world.active, table.paused
        if old.paused is not None and table.paused is None:
            if log and log.sand:  # in a pause no sand runs
                log.sand = (log.sand[0] + self.world.active - log.paused, log.sand[1])
            for key in self.absent:
                if key[0] == table.id:
                    self.absent[key] = self.countable_seconds
        for seat, (was, now) in enumerate(zip(old.chairs, table.chairs, strict=True)):
            if now.stand_in and not was.stand_in and now.holder and now.holder == was.holder:
                check_stand_in_is_due(self, table, seat, now.holder)

    # ---------------------------------------------------------------------- answers to commands

    def check_refusal_is_right(self, player: "Player", command: "Command", asked: float) -> None:
        """`asked` is when it was first sent on this connection."""
        self.checked["what was done is not refused"] += 1
        rows = self.world.database.query(
            "SELECT seq FROM commands WHERE id = ? AND match = ? AND command = ?",
            *split_match(command.match),
            command.stored_id,
        )
        for (seq,) in rows:
            self.check(
                self.logs[command.match].times[seq - 1] >= asked,
                f"{player.name} is refused {command}, which was done before",
            )

    def check_acknowledged_is_stored(
        self, command: "Command", action: dict[str, Any], seq: int
    ) -> None:
        if table_id_of(command.match) in self.deleted:
            return
        self.checked["what was acknowledged is on disk"] += 1
        rows = self.world.database.query(
            "SELECT seq FROM commands WHERE id = ? AND match = ? AND command = ?",
            *split_match(command.match),
            command.stored_id,
        )
        if rows or action["kind"] != "ready":  # who was ready already changes nothing
            self.check(rows == [(seq,)], f"{command} was acknowledged at {seq}, and is at {rows}")
        log = self.logs[command.match]
        self.check(seq <= len(log.events), f"{command} was acknowledged, and is not on disk")

    # ---------------------------------------------------------------------------- as time passes

    def check_regularly(self) -> None:
        """To be called several times a second."""
        note_logs_being_read(self)
        healthy = self.world.seconds_healthy
        if healthy > MAX_UPDATE_SECONDS:
            for player in self.world.connected_players:
                check_player_is_up_to_date(self, player)
                check_deletion_told(self, player)
        for player in self.world.everyone if healthy > MAX_ANSWER_SECONDS else ():
            check_player_gets_in(self, player)
        if healthy > MAX_OVERDUE_SECONDS:
            check_nothing_overdue(self)
        if self.world.calm:
            note_unused_rooms(self)

    # ------------------------------------------------------------------------------- in the end

    def check_at_end(self) -> None:
        """After some time in which nothing went wrong."""
        check_database_matches_commits(self)
        for table in self.tables.values():
            check_stored_presence(self, table)
            check_unplayed_table_is_deleted(self, table)
        for match, log in self.logs.items():
            if table_id_of(match) not in self.deleted:
                check_match_follows_seed(self, match, log)
        check_deleted_tables(self)
        check_lines_taken_back(self)
        check_rooms_closed(self)
        check_circles_at_end(self)
        self.sent_messages.check_events_reveal_nothing()
        for player in self.world.everyone:
            for command, (action, seq) in player.acknowledged.items():
                self.check_acknowledged_is_stored(command, action, seq)
