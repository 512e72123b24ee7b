"""What the server promises, checked against the database after every step.

The database is the truth: a worker may only tell what is there, and everything that is there must
have come about by the rules.
"""

from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from pytlik.chance import mix
from pytlik.game import AnyGame, Cause, Illegal, Seat
from pytlik.games import GAMES
from pytlik.matchfile import Flaw, MatchRecord, Seed, verify
from pytlik.protocol.messages import Line
from pytlik.server.audience import digest
from pytlik.server.deadlines import (
    AGAIN,
    AWAY,
    BOT,
    LOOK,
    OVER,
    RULES,
    TURN,
    absent_players,
    may_bots_move,
    table_of,
)
from pytlik.server.forgetting import blank
from pytlik.server.log_limits import Tally, check_person, count
from pytlik.server.stored_tables import documents
from pytlik.server.tables import Holder, Table
from pytlik.store import (
    Actor,
    Append,
    Connected,
    Disconnected,
    DropTable,
    PutSecret,
    PutTable,
    Write,
)
from pytlik.ubongo.messages import ClocksShifted, RoundBegan, SandRanOut, SecondChanceBegan
from tests.sim.disclosure import NOBODY, Disclosure

if TYPE_CHECKING:
    from tests.server.load import Command
    from tests.sim.player import Player
    from tests.sim.world import World

FRESH = 2.5
"""Seconds after which whoever is connected has the newest view: the two that the documents promise,
and the way to a client."""

ANSWER = 8.0
"""Seconds within which whoever stays connected gets an answer: longer than a worker waits for a
store that has just come back."""

PROMPT = 5.0
"""Seconds within which whatever is due happens, once nothing is in its way."""

SKEW = 2.5
"""Seconds by which clocks may differ, with the length of a beat: nothing may be earlier by more."""

INEXACT = 0.1
"""Seconds by which the clocks of workers differ at most, also if the way to the store is slow."""

UNNOTICED = 2.0
"""Seconds in which nobody can act and that nobody notices, each time (`heartbeat.MAX_GAP_MS`)."""


ROWS_OF_A_TABLE = {
    "tables": "id",
    "holders": "id",
    "presence": "id",
    "events": "match",
    "commands": "match",
    "deadlines": "match",
    "secrets": "match",
}
"""Where a table is found in the database, and by which column."""


PRESENT = "SELECT id, holder, worker FROM presence"


class Broken(AssertionError):
    """A promise that was not kept."""


class Log:
    """A match as it is on disk, with all its states."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.events: list[Any] = []
        self.states: list[Any] = []
        self.times: list[float] = []
        """When each event was committed."""
        self.active = 0.0
        """When it last grew, as clocks may count."""
        self.sand: tuple[float, float] | None = None
        """How long anybody could act when the timer was turned, and how long it runs."""
        self.breaks = 0
        """How often nobody could act, until then."""
        self.acted: tuple[float, float, float] | None = None
        """When somebody last acted: when it was sent, when it was on disk, and when the log says
        that it was."""
        self.paused = 0.0
        """The same, when it was last paused."""
        self.tally = Tally()
        self._views: dict[tuple[int, Seat | None], str] = {}

    @property
    def state(self) -> Any:
        return self.states[-1]

    def view_hash(self, seq: int, seat: Seat | None) -> str:
        key = (seq, seat)
        if key not in self._views:
            view = self.game.view(self.states[seq - 1], seat)
            self._views[key] = digest(msgspec.json.encode(view))
        return self._views[key]

    def length_at(self, time: float) -> int:
        return bisect_right(self.times, time)


class Promises:
    def __init__(self, world: "World") -> None:
        self.world = world
        self.logs: dict[str, Log] = {}
        self.tables: dict[str, Table] = {}
        self.versions: dict[str, list[float]] = defaultdict(list)
        """When each version of a table was committed."""
        self.held: defaultdict[tuple[str, Seat], dict[Holder, float]] = defaultdict(dict)
        """Everybody who has ever held a seat in a match, and when they were last known to."""
        self.stood_in: set[tuple[str, Seat | None]] = set()
        """Seats that a bot has played for a person."""
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
        self.unwanted: set[tuple[str, Seat]] = set()
        """Seats whose person somebody wanted to leave: if they are away and it was the host, a bot
        plays at once."""
        self.unneeded: set[str] = set()
        """Tables that somebody wanted to delete."""
        self.deleted: set[str] = set()
        self.secrets: dict[str, bytes] = {}
        self.disclosure = Disclosure(self)
        self.checked: defaultdict[str, int] = defaultdict(int)
        """How often each promise was looked at: a check that never happens proves nothing."""

    @property
    def _counted(self) -> float:
        """Seconds as clocks may count them: those in which anybody could act, and the short breaks
        that nobody notices."""
        return self.world.active + UNNOTICED * self.world.breaks

    def broken(self, what: str) -> None:
        self.world.fail(Broken(f"at {self.world.loop.time():.3f} s: {what}"))

    def check_ended(self, id: str, seats: list[Seat], old: Holder) -> None:
        """Somebody was told that a former token of theirs has lost these seats, and the table."""
        self.checked["other devices lose their seats"] += 1
        if (table := self.tables.get(id)) is not None:
            kept = [seat for seat in table.held_by(old) if seat in seats]
            self.expect(not kept, f"{old} still has seats {kept} at {id}")
            self.expect(table.host != old, f"{old} still hosts {id}")

    def expect(self, kept: object, what: str) -> None:
        if not kept:
            self.broken(what)

    # ------------------------------------------------------------------------- what is on disk

    def committed(self, writes: tuple[Write, ...]) -> None:
        for write in writes:
            self.world.note(f"disk: {brief(write)}")
            match write:
                case Append():
                    self._appended(write)
                case PutTable():
                    self._table_changed(write)
                case DropTable(id):
                    self._deleted(id)
                case PutSecret(match, secret):
                    self.secrets[match] = secret
                case Connected(id, holder, worker, _):
                    self.here[id, holder].add(worker)
                case Disconnected(id, holder, worker):
                    there = self.here[id, holder]
                    there.discard(worker)
                    if not there:
                        self.absent[id, holder] = self._counted
                        self.left[id, holder] = self.world.loop.time()
                case _:
                    pass
        for table in self.tables.values():
            if may_bots_move(table, anyone_here=bool(self._everyone_at(table))):
                self.empty.pop(table.id, None)
            else:
                self.empty.setdefault(table.id, self.world.loop.time())
            self._deadlines_stand(table, writes)

    def _everyone_at(self, table: Table) -> list[Holder]:
        """Who is there, as the database has it; spectators as one."""
        return [holder for (id, holder), at in self.here.items() if id == table.id and at]

    def _deleted(self, id: str) -> None:
        self.expect(id in self.unneeded, f"{id} is deleted, and nobody wanted that")
        self.deleted.add(id)
        if table := self.tables.pop(id, None):
            self._note_holders(table)

    def _note_holders(self, table: Table) -> None:
        for seat, chair in enumerate(table.chairs):
            if chair.holder is not None:
                self.held[table.match_id, seat][chair.holder] = self.world.loop.time()

    def _appended(self, write: Append) -> None:
        now = self.world.loop.time()
        if table_of(write.match) in self.deleted:
            self.broken(f"{write.match} goes on after its table was deleted")
            return
        # A match begins together with a change of its table, which may be written before or after.
        log = self.logs.get(write.match)
        if log is None:
            opened = msgspec.json.decode(write.events[0])
            log = self.logs[write.match] = Log(GAMES[opened["game"]])
        self.checked["no gap and no fork"] += 1
        self.expect(write.seq == len(log.events), f"{write.match} has a gap or a fork")
        events = [log.game.event_decoder.decode(raw) for raw in write.events]
        self._not_too_often(write, log, events)
        log.tally = count(log.game, log.tally, events)
        for event in events:
            before = log.state if log.states else None
            if log.events and event.at < log.events[-1].at:
                self.broken(f"time runs back in {write.match}")
            log.events.append(event)
            log.states.append(log.game.apply(before, event))
            log.times.append(now)
            self._sand(write.match, log, event)
        log.active = self._counted
        self._caused(write, log.game.cause(log.events[write.seq]))

    def _not_too_often(self, write: Append, log: Log, events: list[Any]) -> None:
        """Nobody fills a log with what leads nowhere, whichever workers they ask."""
        cause = log.game.cause(events[0])
        if write.actor is Actor.PERSON and cause and cause.seat is not None:
            self.checked["nobody fills a log"] += 1
            try:
                check_person(log.game, log.tally, log.state, cause.seat, events)
            except Illegal as refusal:
                self.broken(f"{write.match} at {write.seq}: {refusal}")

    def _caused(self, write: Append, cause: Cause | None) -> None:
        """It is known who caused each event, and it was they."""
        self.checked["everyone acts for themselves"] += 1
        seat = cause.seat if cause else None
        match write.actor:
            case Actor.PERSON:
                holder = self.world.asked.get((write.match, write.command))
                kept = seat is not None and holder in self.held[write.match, seat]
                self._not_in_a_pause(write)
                self._at_its_time(write)
            case Actor.STAND_IN:
                self._not_in_a_pause(write)
                self._not_where_nobody_is(write)
                kept = (write.match, seat) in self.stood_in
            case Actor.BOT:
                self._not_in_a_pause(write)
                self._not_where_nobody_is(write)
                table = self.tables[table_of(write.match)]
                kept = seat is not None and table.chairs[seat].bot is not None
            case _:  # the clock or the server
                kept = seat is None
        self.expect(kept, f"{write.match} at {write.seq}: {write.actor}, seat {seat}")

    def _at_its_time(self, write: Append) -> None:
        """Between two actions the log has as much time as has really passed, whichever workers they
        came to: so no ranking depends on whose clock is how wrong."""
        log, now = self.logs[write.match], self.world.loop.time()
        at = log.events[-1].at / 1000
        sent = self.world.first_sent.get((write.match, write.command or ""), 0.0)
        if log.acted and not self.world.clock_was_set:
            self.checked["the log has true times"] += 1
            last_sent, last_now, last_at = log.acted
            passed = at - last_at
            self.expect(
                sent - last_now - INEXACT <= passed <= now - last_sent + INEXACT,
                f"{write.match} has {passed:.3f} s between two actions, of which the first was sent"
                f" {now - last_sent:.3f} s ago and done {sent - last_now:.3f} s before the second",
            )
        log.acted = sent, now, at

    def _not_in_a_pause(self, write: Append) -> None:
        """What was decided just before the pause may still be written."""
        self.checked["nobody acts in a pause"] += 1
        table, log = self.tables[table_of(write.match)], self.logs[write.match]
        if table.match_id == write.match and table.paused is not None:
            since = self.world.active - log.paused
            self.expect(
                since < FRESH or self.world.well_for < FRESH,
                f"somebody acts in {write.match}, {since:.1f} s after a pause began",
            )

    def _not_where_nobody_is(self, write: Append) -> None:
        """What a bot thought of before the last one left may still be written."""
        self.checked["bots stand still where nobody is"] += 1
        now = self.world.loop.time()
        alone = now - self.empty.get(table_of(write.match), now)
        self.expect(
            alone < PROMPT or self.world.well_for < PROMPT,
            f"a bot moves in {write.match}, where nobody has been for {alone:.1f} s",
        )

    def _sand(self, match: str, log: Log, event: Any) -> None:
        active = self.world.active
        match event:
            case RoundBegan(sand=int(sand), at=at) | SecondChanceBegan(sand=int(sand), at=at):
                log.sand, log.breaks = (active, (sand - at) / 1000), self.world.breaks
            case ClocksShifted():
                pass  # then it ends later, which is no matter here
            case SandRanOut() if log.sand:
                began, seconds = log.sand
                self.checked["sand lasts while anybody can act"] += 1
                ran = active - began
                lost = UNNOTICED * (self.world.breaks - log.breaks)
                self.expect(
                    ran >= seconds - SKEW - lost,
                    f"the sand of {match} ran {ran:.1f} s of {seconds:.0f} in which one could act",
                )

    def _table_changed(self, write: PutTable) -> None:
        table = documents.decode(write.doc)
        old = self.tables.get(write.id)
        if old:
            self._note_holders(old)
        self.tables[write.id] = table
        self.documents[write.id, write.version + 1] = table
        if table.phase == "playing":
            self.first.setdefault(table.match_id, table)
        self._note_holders(table)
        self._talked(old, table)
        self.versions[write.id].append(self.world.loop.time())
        for hashed in (*(chair.recovery for chair in table.chairs), *(c.hash for c in table.codes)):
            if hashed:
                self.disclosure.own(hashed, NOBODY)
        for seat, chair in enumerate(table.chairs):
            if chair.stand_in:
                self.stood_in.add((table.match_id, seat))
            if chair.holder is not None:
                self.absent.setdefault((table.id, chair.holder), self._counted)
        if old is None or old.match_id != table.match_id or old.phase != table.phase:
            for key in self.absent:
                if key[0] == table.id:  # the wait for whoever is away begins with the match
                    self.absent[key] = max(self.absent[key], self._counted)
            return
        log = self.logs.get(table.match_id)
        if old.paused is None and table.paused is not None and log:
            log.paused = self.world.active
        if old.paused is not None and table.paused is None:
            if log and log.sand:  # in a pause no sand runs
                log.sand = (log.sand[0] + self.world.active - log.paused, log.sand[1])
            for key in self.absent:
                if key[0] == table.id:
                    self.absent[key] = self._counted
        for seat, (was, now) in enumerate(zip(old.chairs, table.chairs, strict=True)):
            if now.stand_in and not was.stand_in and now.holder and now.holder == was.holder:
                self._stand_in(table, seat, now.holder)

    def _talked(self, old: Table | None, table: Table) -> None:
        """Lines are numbered without a gap, and none changes once it was said, unless whoever said
        it has asked to be forgotten. Then it stays so."""
        lines = self.lines[table.id]
        for line in table.talk:
            key = table.id, line.number
            if line.number <= len(lines):
                said = lines[line.number - 1][1]
                speaker = old.speakers.get(line.number) if old else None
                if line != said and line == blank(said) and speaker in self.asked_to_forget:
                    self.taken_back.add(key)
                kept = line == (blank(said) if key in self.taken_back else said)
            else:
                kept = line.number == len(lines) + 1
                if line.text is not None:  # everything that people write is different
                    again = any(line.text == said.text for _, said in lines)
                    self.expect(not again, f"at {table.id} somebody said twice: {line.text}")
                lines.append((self.world.loop.time(), line))
            self.expect(kept, f"at {table.id} line {line.number} is another than it was")

    def told_forgotten(self, holder: Holder, asked: Table) -> None:
        """Somebody is told that what there was of them at a table, when they asked, is gone."""
        self.checked["who asks for it is forgotten"] += 1
        table = self.tables.get(asked.id)
        if table is None:
            return
        for line in table.talk:
            # Unless they went on on another device meanwhile, whose it is now.
            if asked.speakers.get(line.number) == holder != table.speakers.get(line.number):
                gone = line == blank(line) or line.number in table.speakers
                self.expect(gone, f"{table.id} still has line {line.number}")
        for match, before in enumerate(asked.past_holders):
            for seat, sitter in enumerate(before):
                if sitter == holder and table.past_holders[match][seat] is None:
                    name = table.past[match][seat].name
                    self.expect(not name, f"{table.id} still knows who sat at {seat}: {name}")
        then = table.past_holders[: len(asked.past_holders)]
        known = {sitter for match in then for sitter in match}
        left = holder in known or holder in (
            speaker for number, speaker in table.speakers.items() if number in asked.speakers
        )
        self.expect(not left, f"{table.id} still knows whose lines or matches are {holder}'s")

    def _stand_in(self, table: Table, seat: Seat, holder: Holder) -> None:
        """A bot sits in only for who took too long for a turn or was away for too long, or who is
        away when the host wants it."""
        self.checked["nobody is replaced early"] += 1
        agreement, active = table.agreement, self._counted
        log = self.logs[table.match_id]
        thought = active - log.active
        away = active - self.absent[table.id, holder] if not self.here[table.id, holder] else 0
        self.expect(
            (agreement.turn_seconds and thought >= agreement.turn_seconds - SKEW)
            or (agreement.away_seconds and away >= agreement.away_seconds - SKEW)
            or (not self.here[table.id, holder] and (table.id, seat) in self.unwanted),
            f"a bot sits in on seat {seat} of {table.id} after {thought:.1f} s for a turn"
            f" and {away:.1f} s away",
        )

    # ---------------------------------------------------------------------- answers to commands

    def told_refused(self, player: "Player", command: "Command", asked: float) -> None:
        """`asked` is when it was first sent on this connection."""
        self.checked["what was done is not refused"] += 1
        rows = self.world.database.rows(
            "SELECT seq FROM commands WHERE match = ? AND command = ?",
            command.match,
            command.stored,
        )
        for (seq,) in rows:
            self.expect(
                self.logs[command.match].times[seq - 1] >= asked,
                f"{player.name} is refused {command}, which was done before",
            )

    def told_done(self, command: "Command", action: dict[str, Any], seq: int) -> None:
        if table_of(command.match) in self.deleted:
            return
        self.checked["what was acknowledged is on disk"] += 1
        rows = self.world.database.rows(
            "SELECT seq FROM commands WHERE match = ? AND command = ?",
            command.match,
            command.stored,
        )
        if rows or action["kind"] != "ready":  # who was ready already changes nothing
            self.expect(rows == [(seq,)], f"{command} was acknowledged at {seq}, and is at {rows}")
        log = self.logs[command.match]
        self.expect(seq <= len(log.events), f"{command} was acknowledged, and is not on disk")

    # ---------------------------------------------------------------------------- as time passes

    def tick(self) -> None:
        """To be called several times a second."""
        well_for = self.world.well_for
        if well_for > FRESH:
            for player in self.world.players:
                self._fresh(player)
        if well_for > PROMPT:
            self._prompt()

    def _fresh(self, player: "Player") -> None:
        now = self.world.loop.time()
        if player.connected_for < FRESH or player.table not in self.tables:
            return
        self.checked["whoever asks is answered"] += 1
        waiting = min(player.waiting_for, player.connected_for, self.world.well_for)
        self.expect(waiting < ANSWER, f"{player.name} has no answer after {waiting:.1f} s")
        self.checked["whoever stays connected is up to date"] += 1
        versions = self.versions[player.table]
        expected = bisect_right(versions, now - FRESH)
        self.expect(
            player.version >= expected,
            f"{player.name} knows version {player.version} of the table, and not {expected}",
        )
        said = bisect_right([at for at, _ in self.lines[player.table]], now - FRESH)
        self.expect(
            player.line >= said,
            f"{player.name} has heard line {player.line} of the talk, and not {said}",
        )
        table = self.tables[player.table]
        log = self.logs.get(table.match_id)
        if table.phase != "lobby" and log is not None:
            length = log.length_at(now - FRESH)
            seen = player.known.get(table.match_id, 0)
            self.expect(
                seen >= length or not length,
                f"{player.name} sees {table.match_id} at {seen}, and it is at {length}",
            )

    def _prompt(self) -> None:
        self.checked["what is due happens"] += 1
        now = self.world.server_time
        for match, kind, due in self.world.database.rows("SELECT * FROM deadlines"):
            late = (now - due) / 1000
            if late > PROMPT:
                self.broken(f"{kind} of {match} is due for {late:.1f} s")

    # ------------------------------------------------------------------------------- in the end

    def finish(self) -> None:
        """After some time in which nothing went wrong."""
        self._disk_is_known()
        for table in self.tables.values():
            self._presence_is_true(table)
        for match, log in self.logs.items():
            if table_of(match) not in self.deleted:
                self._verifies(match, log)
        self._nothing_is_left()
        self.disclosure.check_knowledge()
        for player in self.world.everyone:
            for command, (action, seq) in player.acknowledged.items():
                self.told_done(command, action, seq)

    def _disk_is_known(self) -> None:
        """Whatever is on disk was committed, and the other way round: a commit that was refused has
        left nothing behind."""
        self.checked["a refused commit leaves nothing behind"] += 1
        rows = self.world.database.rows
        tables = {id: documents.decode(doc) for id, doc in rows("SELECT id, doc FROM tables")}
        self.expect(tables == self.tables, "tables are on disk that nobody has committed")
        logs = dict(rows("SELECT match, count(*) FROM events GROUP BY match"))
        known = {
            match: len(log.events)
            for match, log in self.logs.items()
            if table_of(match) not in self.deleted
        }
        self.expect(logs == known, "events are on disk that nobody has committed")
        here = {(id, holder, worker) for id, holder, worker in rows(PRESENT)}
        said = {(*key, worker) for key, workers in self.here.items() for worker in workers}
        said = {each for each in said if each[0] not in self.deleted}
        self.expect(here == said, "people are here on disk whom nobody has committed")

    def _deadlines_stand(self, table: Table, writes: tuple[Write, ...]) -> None:
        """Whatever will have to happen in a match is written down, together with its cause."""
        log = self.logs.get(table.match_id)
        if table.phase != "playing" or table.paused is not None or log is None:
            return
        self.checked["deadlines are written down"] += 1
        kinds = dict(
            self.world.database.rows(
                "SELECT kind, due FROM deadlines WHERE match = ?", table.match_id
            )
        )
        if LOOK in kinds or AGAIN in kinds:
            return  # they will be set anew in a moment
        game, state = log.game, log.state
        if game.outcome(state):
            self.expect(OVER in kinds, f"nobody will notice that {table.match_id} is over")
            return
        awaited = game.awaited(state)
        bots = [seat for seat in awaited if table.automatic(seat)]
        if game.deadline(state) is not None:
            self.expect(RULES in kinds, f"nobody will end the time of {table.match_id}")
        elif bots and table.id not in self.empty:
            self.expect(BOT in kinds, f"nobody will move the bots of {table.match_id}")
        if table.agreement.turn_seconds and len(awaited) > len(bots):
            self.expect(TURN in kinds, f"{table.match_id} has lost its turn clock")
            left = (kinds[TURN] - log.events[-1].at) / 1000 if TURN in kinds else 0
            if any(isinstance(each, Append) and each.match == table.match_id for each in writes):
                self.expect(
                    left >= table.agreement.turn_seconds - SKEW,
                    f"a turn of {table.match_id} begins with only {left:.1f} s",
                )
        for seat, _, _ in absent_players(table, self._everyone_at(table)):
            self.expect(f"{AWAY}{seat}" in kinds, f"seat {seat} is away, and no bot will sit in")

    def _nothing_is_left(self) -> None:
        for id in self.deleted:
            self.checked["a deleted table leaves nothing behind"] += 1
            for name, column in ROWS_OF_A_TABLE.items():
                sql = f"SELECT 1 FROM {name} WHERE {column} = ? OR {column} LIKE ? LIMIT 1"
                left = self.world.database.rows(sql, id, f"{id}.%")
                self.expect(not left, f"{name} still has rows of {id}, which was deleted")

    def _presence_is_true(self, table: Table) -> None:
        self.checked["everyone knows who is here"] += 1
        seated = {chair.holder for chair in table.chairs if chair.holder}
        really = {
            player.holder
            for player in self.world.players
            if player.table == table.id and player.connected_for > FRESH
        }
        said = {holder for (id, holder), at in self.here.items() if id == table.id and at}
        now = self.world.loop.time()
        just_left = {holder for (id, holder), at in self.left.items() if now - at < FRESH}
        self.expect(
            really & seated - just_left <= said,
            f"at {table.id} somebody is here, and nobody knows it",
        )
        gone = {
            player.holder
            for player in self.world.everyone
            if player.table == table.id
            and not player.socket_open
            and self.world.loop.time() - player.gone_at > FRESH
        }
        self.expect(not (said & gone - really), f"at {table.id} somebody is gone, and seems here")
        connected = {
            (player.holder, player.worker_name)
            for player in self.world.everyone
            if (player.table == table.id and now - player.gone_at < FRESH) or player.socket_open
        }
        workers = {worker.presence: worker.process.name for worker in self.world.workers}
        for (id, holder), there in self.here.items():
            # Spectators are written as one, whoever they are.
            for worker in there if id == table.id and holder and holder not in just_left else ():
                self.expect(
                    (holder, workers.get(worker)) in connected,
                    f"at {table.id} somebody seems connected to {workers.get(worker, worker)}",
                )
        for player in self.world.players:
            if player.table == table.id and player.connected_for > 2 * FRESH:
                self._presence_is_told(player, table, really - just_left)

    def _presence_is_told(self, player: "Player", table: Table, really: set[Holder]) -> None:
        for seat, (chair, told) in enumerate(
            zip(table.chairs, player.info["chairs"], strict=False)
        ):
            if chair.holder in really:
                self.expect(told["here"], f"{player.name} believes that seat {seat} is away")

    def _verifies(self, match: str, log: Log) -> None:
        self.checked["matches follow from their seed"] += 1
        ((secret,),) = self.world.database.rows("SELECT secret FROM secrets WHERE match = ?", match)
        shares = log.events[0].shares
        mix(secret, shares)
        finding = verify(MatchRecord(log.game, (), tuple(log.events), Seed(secret.hex(), shares)))
        over = log.game.outcome(log.state) is not None
        if finding is not None and not (finding.flaw is Flaw.CUT_OFF and not over):
            self.broken(f"{match} does not follow from its seed: {finding}")
        if over:
            self.checked["finished matches follow from their seed"] += 1
        self.expect(table_of(match) in self.tables, f"{match} has no table")


def brief(write: Write) -> str:
    """What is written, in a line."""
    match write:
        case Append(match=match, seq=seq, events=events, command=command):
            kinds = ", ".join(msgspec.json.decode(event)["kind"] for event in events)
            return f"{match} {seq} + {kinds} (command {command})"
        case PutTable():
            table = documents.decode(write.doc)
            chairs = "".join(
                "s" if chair.stand_in else "b" if chair.bot else "p" if chair.holder else "."
                for chair in table.chairs
            )
            paused = " paused" if table.paused is not None else ""
            return f"{write.id} version {write.version + 1}: {table.phase} {chairs}{paused}"
        case _:
            return repr(write)
