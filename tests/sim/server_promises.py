"""What the server promises, checked against the database after every step.

The database is the truth: a worker may only send what is stored there, and everything that is
stored there must follow from the rules.
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
    check_deadlines_are_stored,
    check_is_on_time,
    check_nothing_overdue,
    check_player_is_let_in,
    check_player_is_up_to_date,
    check_time_left_is_not_too_long,
    check_told_of_deletion,
    note_logs_being_read,
)
from tests.sim.delay_checks import check_delay_credit
from tests.sim.final_checks import (
    check_database_matches_commits,
    check_deleted_tables,
    check_match_follows_seed,
    check_retracted_lines_are_gone,
    check_stored_presence,
    check_unused_rooms_are_closed,
    note_unused_rooms,
)
from tests.sim.hourglass_checks import check_clock_shift, check_sand, record_heartbeat
from tests.sim.lease_checks import TakenDeadline, record_moved_deadline
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
    """A promise that wasn't kept."""


class ServerPromises:
    def __init__(self, world: "World") -> None:
        self.world = world
        self.logs: dict[str, ReplayedMatch] = {}
        self.tables: dict[str, Table] = {}
        self.version_times: dict[str, list[float]] = defaultdict(list)
        """When each version of a table was committed."""
        self.last_held_at: defaultdict[tuple[str, Seat], dict[Holder, float]] = defaultdict(dict)
        """Everyone who has ever held a seat in a match, and when they were last known to hold
        it."""
        self.stand_in_seats: set[tuple[str, Seat | None]] = set()
        """Seats that a stand-in has played."""
        self.stand_in_since: dict[tuple[str, Seat], float] = {}
        """Seats that a stand-in is playing now, and since when."""
        self.stand_in_until: dict[tuple[str, Seat], float] = {}
        """Seats that people have taken back from a stand-in, and when."""
        self.presence: defaultdict[tuple[str, Holder], set[str]] = defaultdict(set)
        self.absent_since: dict[tuple[str, Holder], float] = {}
        """Since when someone has been away, in seconds that clocks may count."""
        self.left_at: dict[tuple[str, Holder], float] = {}
        """Since when someone has been away, in virtual time."""
        self.tables_at_start: dict[str, Table] = {}
        """The table at the start of each match."""
        self.empty_since: dict[str, float] = {}
        """Since when bots mustn't move at a table, because nobody is there."""
        self.table_versions: dict[tuple[str, int], Table] = {}
        """Every version of every table."""
        self.chat_lines: defaultdict[str, list[tuple[float, Line]]] = defaultdict(list)
        """Everything said at each table, and when it was committed."""
        self.asked_to_be_forgotten: set[Holder] = set()
        self.retracted_lines: set[tuple[str, int]] = set()
        """Lines that have lost their text or name because their author asked to be forgotten."""
        self.removal_voters: defaultdict[tuple[str, Seat], set[str]] = defaultdict(set)
        """Who voted for the person on a seat to leave. If that person is away and enough others
        vote, a stand-in begins at once."""
        self.stand_in_voters: defaultdict[tuple[str, Seat], set[Holder]] = defaultdict(set)
        """The same votes, as far as they were given since the person was last present. Each vote
        has its holder, because people who shared a device may have their own by now."""
        self.pending_removal_votes: Counter[tuple[str, Seat, Holder]] = Counter()
        """How many such requests are on their way."""
        self.deletion_requests: set[str] = set()
        """Tables that someone asked to delete."""
        self.unplayed_tables: set[str] = set()
        """Tables that were created by people who don't intend to play there."""
        self.deleted_at: dict[str, float] = {}
        """When each deleted table was deleted."""
        self.secrets: dict[str, bytes] = {}
        self.circles: dict[str, Circle] = {}
        self.member_removals: set[tuple[str, int, Holder]] = set()
        """Members whom someone asked to remove from a circle, and who asked."""
        self.joined_at: dict[tuple[str, Holder], float] = {}
        """When a holder became a member of a circle."""
        self.circle_results: dict[str, dict[str, CircleResult]] = {}
        """The matches that count in each circle."""
        self.rooms_unused_since: dict[Room, float] = {}
        """Rooms that nobody is connected to, and since when. Work may still go on there."""
        self.log_last_unread_at: dict[tuple[str, str], float] = {}
        """When each worker last had a match open whose log it hadn't read yet."""
        self.heartbeats: list[int] = []
        """Every value that the newest heartbeat of any worker has had (ms), the current one
        last."""
        self.taken_deadlines: dict[tuple[str, str], TakenDeadline] = {}
        """The last time that each deadline of a match was taken."""
        self.sent_messages = SentMessages(self)
        self.seats = SeatPromises(self)
        self.checked: defaultdict[str, int] = defaultdict(int)
        """How often each promise was checked: a check that never runs proves nothing."""

    @property
    def countable_seconds(self) -> float:
        """The seconds that clocks may count: those in which anyone could act, and breaks that are
        too short to be noticed."""
        return self.world.active_seconds + MAX_UNNOTICED_BREAK_SECONDS * self.world.break_count

    def report_broken(self, message: str) -> None:
        self.world.fail(BrokenPromise(f"at {self.world.loop.time():.3f} s: {message}"))

    def check_old_token_has_no_access(self, id: str, seats: list[Seat], old: Holder) -> None:
        """Someone was told that their former token has lost these seats and the table."""
        self.checked["old tokens lose their seats"] += 1
        if (table := self.tables.get(id)) is not None:
            kept = [seat for seat in table.held_by(old) if seat in seats]
            self.check(not kept, f"{old} still has seats {kept} at {id}")
            self.check(table.host != old, f"{old} still hosts {id}")

    def check(self, kept: object, message: str) -> None:
        if not kept:
            self.report_broken(message)

    # --------------------------------------------------------------------------------- commits

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
                    check_time_left_is_not_too_long(self)
                case MoveDeadline():
                    record_moved_deadline(self, write)
                case PutCircle():
                    record_circle_version(self, write)
                case DeleteCircle(id):
                    record_circle_deletion(self, id)
                case PutSecret(match, secret):
                    self.secrets[match] = secret
                case Connected(id, holder, worker, _):
                    self.presence[id, holder].add(worker)
                    self._forget_stand_in_votes(id, holder)
                case Disconnected(id, holder, worker):
                    there = self.presence[id, holder]
                    there.discard(worker)
                    if not there:
                        self.absent_since[id, holder] = self.countable_seconds
                        self.left_at[id, holder] = self.world.loop.time()
                case _:
                    pass
        check_commit_concerns_one_table(self, writes)
        check_tables_are_consistent(self, writes)
        for table in self.tables.values():
            if may_bots_move(table, anyone_here=bool(self.holders_present_at(table))):
                self.empty_since.pop(table.id, None)
            else:
                self.empty_since.setdefault(table.id, self.world.loop.time())
            check_deadlines_are_stored(self, table, writes)

    def _forget_stand_in_votes(self, id: str, holder: Holder) -> None:
        """Someone is present again: if they leave once more, stand-ins need new votes."""
        for seat in self.tables[id].held_by(holder) if id in self.tables else ():
            self.stand_in_voters[id, seat] = {
                asker
                for asker in self.stand_in_voters[id, seat]
                if self.pending_removal_votes[id, seat, asker]
            }

    def holders_present_at(self, table: Table) -> list[Holder]:
        """Who is present according to the database. All spectators count as one."""
        return [holder for (id, holder), at in self.presence.items() if id == table.id and at]

    def turn_seconds_left(self, match: str, seat: Seat) -> float | None:
        """Seconds until a seat's turn clock runs out; None if it isn't on turn or has no clock.
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
            id in self.deletion_requests or is_long_unplayed(self, id),
            f"{id} is deleted, and nobody asked for that",
        )
        self.deleted_at[id] = self.world.loop.time()
        if table := self.tables.pop(id, None):
            self._note_holders(table)

    def _note_holders(self, table: Table) -> None:
        for seat, chair in enumerate(table.chairs):
            if chair.holder is not None:
                self.last_held_at[table.match_id, seat][chair.holder] = self.world.loop.time()

    def seconds_since_held(self, match: str, seat: Seat, holder: Holder) -> float:
        """How long ago someone lost a seat: 0 if they still have it, and infinity if they never had
        it in that match."""
        table = self.tables.get(table_id_of(match))
        if table and table.match_id == match and table.chairs[seat].holder == holder:
            return 0.0
        return self.world.loop.time() - self.last_held_at[match, seat].get(holder, -math.inf)

    def _check_append(self, write: Append, *, ends_pause: bool) -> None:
        now = self.world.loop.time()
        if table_id_of(write.match) in self.deleted_at:
            self.report_broken(f"{write.match} continues after its table was deleted")
            return
        # A match begins together with a change of its table, written before or after it.
        log = self.logs.get(write.match)
        if log is None:
            opened = msgspec.json.decode(write.events[0])
            log = self.logs[write.match] = ReplayedMatch(GAMES[opened["game"]])
        self.checked["logs have no gap and no fork"] += 1
        self.check(write.seq == len(log.events), f"{write.match} has a gap or a fork")
        events = [log.game.event_decoder.decode(raw) for raw in write.events]
        check_log_limits(self, write, log, events)
        check_is_on_time(self, write, log)
        for event in events:
            before = log.state if log.states else None
            if log.events and event.at < log.events[-1].at:
                self.report_broken(f"time runs backwards in {write.match}")
            log.events.append(event)
            log.states.append(log.game.apply(before, event))
            log.times.append(now)
            if (cause := log.game.cause(event)) and cause.seat is not None:
                log.last_actors[cause.seat] = write.actor
            check_sand(self, write.match, log, event)
            check_delay_credit(self, write.match, log, event)
            if isinstance(event, ClocksShifted):
                check_clock_shift(self, write.match, log, event, ends_pause=ends_pause)
        log.last_append = self.countable_seconds
        check_actor_is_right(self, write, log.game.cause(log.events[write.seq]))
        self.checked["lists show whose turn it is"] += 1
        awaited = log.game.awaited(log.state)
        self.check(
            write.awaited == awaited,
            f"{write.match} awaits {awaited}, but {write.awaited} is stored",
        )

    def _record_table(self, write: PutTable) -> None:
        table = table_codec.decode(write.doc)
        old = self.tables.get(write.id)
        if old:
            self._note_holders(old)
        self.tables[write.id] = table
        self.table_versions[write.id, write.version + 1] = table
        if table.phase == "playing":
            self.tables_at_start.setdefault(table.match_id, table)
        self._note_holders(table)
        check_stored_chat_lines(self, old, table)
        record_stand_ins(self, old, table)
        if old:
            check_phase_order(self, old, table)
            self.seats.check_change(old, table)
        self.version_times[write.id].append(self.world.loop.time())
        for hashed in (*(chair.recovery for chair in table.chairs), *(c.hash for c in table.codes)):
            if hashed:
                self.sent_messages.add_credential(hashed, NOBODY)
        for seat, chair in enumerate(table.chairs):
            if chair.stand_in:
                self.stand_in_seats.add((table.match_id, seat))
            if chair.holder is not None:
                self.absent_since.setdefault((table.id, chair.holder), self.countable_seconds)
        if old is None or old.match_id != table.match_id or old.phase != table.phase:
            for key in self.absent_since:
                if key[0] == table.id:  # waiting for someone who is away begins with the match
                    self.absent_since[key] = max(self.absent_since[key], self.countable_seconds)
            return
        log = self.logs.get(table.match_id)
        if old.paused is None and table.paused is not None and log:
            log.last_pause, log.paused_at = self.world.active_seconds, table.paused
        if old.paused is not None and table.paused is None:
            if log and log.sand:  # no sand runs during a pause
                log.sand = (log.sand[0] + self.world.active_seconds - log.last_pause, log.sand[1])
            for key in self.absent_since:
                if key[0] == table.id:
                    self.absent_since[key] = self.countable_seconds
        for seat, (was, now) in enumerate(zip(old.chairs, table.chairs, strict=True)):
            if now.stand_in and not was.stand_in and now.holder and now.holder == was.holder:
                check_stand_in_is_due(self, table, seat, now.holder)

    # ---------------------------------------------------------------------- answers to commands

    def check_completed_is_not_refused(
        self, player: "Player", command: "Command", asked: float
    ) -> None:
        """A command that was done before it was asked for on this connection isn't refused. `asked`
        is when it was first sent there."""
        self.checked["completed commands are not refused"] += 1
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
        if table_id_of(command.match) in self.deleted_at:
            return
        self.checked["acknowledged actions are on disk"] += 1
        rows = self.world.database.query(
            "SELECT seq FROM commands WHERE id = ? AND match = ? AND command = ?",
            *split_match(command.match),
            command.stored_id,
        )
        if rows or action["kind"] != "ready":  # being ready twice changes nothing
            self.check(
                rows == [(seq,)], f"{command} was acknowledged at {seq}, but is stored at {rows}"
            )
        log = self.logs[command.match]
        self.check(seq <= len(log.events), f"{command} was acknowledged, but isn't on disk")

    # ---------------------------------------------------------------------------- regular checks

    def check_regularly(self) -> None:
        """Check what can be checked at any time. Call this several times a second."""
        note_logs_being_read(self)
        healthy = self.world.seconds_healthy
        if healthy > MAX_UPDATE_SECONDS:
            for player in self.world.connected_players:
                check_player_is_up_to_date(self, player)
                check_told_of_deletion(self, player)
        for player in self.world.everyone if healthy > MAX_ANSWER_SECONDS else ():
            check_player_is_let_in(self, player)
        if healthy > MAX_OVERDUE_SECONDS:
            check_nothing_overdue(self)
        if self.world.calm:
            note_unused_rooms(self)

    # ------------------------------------------------------------------------ checks at the end

    def check_at_end(self) -> None:
        """Check everything once more, after some time in which nothing went wrong."""
        check_database_matches_commits(self)
        for table in self.tables.values():
            check_stored_presence(self, table)
            check_unplayed_table_is_deleted(self, table)
        for match, log in self.logs.items():
            if table_id_of(match) not in self.deleted_at:
                check_match_follows_seed(self, match, log)
        check_deleted_tables(self)
        check_retracted_lines_are_gone(self)
        check_unused_rooms_are_closed(self)
        check_circles_at_end(self)
        self.sent_messages.check_events_reveal_nothing()
        for player in self.world.everyone:
            for command, (action, seq) in player.acknowledged.items():
                self.check_acknowledged_is_stored(command, action, seq)
