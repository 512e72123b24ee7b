"""People at a table: they play, lose their connection, come back, repeat requests, and read
slowly."""

import asyncio
import json
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from pytlik.game import Seat
from pytlik.server import tokens
from pytlik.server.table_socket import NOT_FOUND
from tests.server.server_load import ACTION_CHOOSERS, Command
from tests.sim.loop import call_outside_processes
from tests.sim.network import ClosedByServer, ConnectionLost, Socket
from tests.sim.refusal_checks import Decision, check_refusal_is_justified

if TYPE_CHECKING:
    from tests.sim.world import World

SILENCE_TIMEOUT_SECONDS = 25.0
"""Seconds without a message after which a client takes its connection for lost."""


POSSIBLE_REFUSALS_AFTER_SUCCESS = ("unavailable", "not_your_seat")
"""Reasons why a command may be refused although it was acknowledged before: the server can't tell
at the moment, or the seat is no longer this person's."""


def act_message(command: Command, action: dict[str, Any]) -> dict[str, Any]:
    match, seat, id = command
    return {"kind": "act", "id": id, "seat": seat, "action": action, "match": match}


class Player:
    """A person on one device, or a television that only watches."""

    def __init__(self, world: "World", name: str, token: str, table: str) -> None:
        self.world = world
        self.name = name
        self.token = token
        self.holder = tokens.holder_of(token)
        for credential in (token, self.holder):
            world.promises.sent_messages.add_credential(credential, self.holder)
        self.table = table
        self.random = Random(f"{world.seed} {name}")
        self.known_seqs: dict[str, int] = {}
        """How far this person has seen each match."""
        self.shown_seqs: dict[str, int] = {}
        """How far they have seen each match on this connection."""
        self.arrived_at = 0.0
        """When this connection first showed anything."""
        self.acknowledged: dict[Command, tuple[dict[str, Any], int]] = {}
        """Each acknowledged command with its action and the seq that it reached."""
        self.sent: Counter[Command] = Counter()
        self.known_version = 0
        self.last_line = 0
        """The last chat line that this person has received."""
        self.lines_on_page: dict[int, dict[str, Any]] = {}
        """The chat lines on their page, by number."""
        self.table_info: dict[str, Any] = {}
        self.view: dict[str, Any] | None = None
        self._prying_random = Random(f"{world.seed} {name} pries")
        self._pries = Random(f"{world.seed} pries").random() < 0.2
        """Whether they try to see the match from other people's seats."""
        self.lazy = False
        """Whether they let turns pass."""
        self.procrastinates = False
        """Whether they act just when their time for a turn is up."""
        self.max_pong_delay = 0.0
        """The most seconds they take to answer a measurement of their connection."""
        self.worker_change_chance = 0.0
        """How often they change workers as soon as an action of theirs is acknowledged."""
        self.pace = 1.5
        """Actions per second."""
        self.max_reading_seconds = 0.0
        """The most seconds they take to read a message."""
        self.disconnect_chance = 0.0
        """How often they lose the connection, per message."""
        self.person = self
        """The person whose device this is, represented by the first device that they played on."""
        self.worker_name = ""
        """The worker of the current connection, or of the last one."""
        self.own_seats: list[Seat] = []
        self._match_id = ""
        self.viewed_seat: Seat | None = None
        """The seat from which they see the match."""
        self.has_changed_seat_view = False
        """Whether they have asked, on this connection, to see the match from another seat or from
        none."""
        self._returns_at = 0.0
        """When they return, if they have left for a moment."""
        self._outside_since: float | None = None
        """Since when they have wanted to come to the table without being let in."""
        self._socket: Socket | None = None
        self._joined_at: float | None = None
        self._pending: tuple[Command, dict[str, Any]] | None = None
        self._wanted_view: tuple[Seat | None] | None = None
        """The seat that they last asked to see the match from, until they do."""
        self._decision = Decision(0, 0, 0)
        """What they knew when they chose the action that is still unanswered."""
        self._first_sent_at: dict[Command, float] = {}
        """When each command was first sent on this connection."""
        self._last_sent_at = 0.0
        self._has_plan = self._acts_at_last_moment = False
        self._destination: str | None = None
        """The worker to connect to next; None for any."""
        self._has_stopped_reading = False
        self._last_number = 0
        """Numbers their commands and chat lines, so that each is different."""
        self._has_gone_home = False

    # ------------------------------------------------------------------------------- connection

    @property
    def has_open_socket(self) -> bool:
        return self._socket is not None and self._socket.is_open

    @property
    def gone_at(self) -> float:
        """When the server can know that the last connection is gone, whoever ended it."""
        return self._socket.gone_at if self._socket else 0.0

    @property
    def seconds_connected(self) -> float:
        """How long this person has been connected and reading without a break."""
        if (
            self._joined_at is None
            or self.max_reading_seconds
            or self._has_stopped_reading
            or not self.has_open_socket
        ):
            return 0
        return self.world.loop.time() - self._joined_at

    @property
    def seconds_outside(self) -> float:
        """How long they have been trying to come to the table, or back to it."""
        return 0 if self._outside_since is None else self.world.loop.time() - self._outside_since

    @property
    def seconds_unanswered(self) -> float:
        """How long ago the action that is still unanswered was last sent."""
        return self.world.loop.time() - self._last_sent_at if self._pending else 0

    def lose_connection(self, notice_seconds: float) -> None:
        """Lose the connection. The server notices it `notice_seconds` later."""
        if self._socket:
            self._socket.abort(notice_seconds)

    def start_behaving_well(self) -> None:
        """From now on, read, think and stay connected as everyone would wish."""
        self.max_reading_seconds = self.disconnect_chance = self.worker_change_chance = 0
        self.lazy = self.procrastinates = self._has_plan = False
        self._plan_next_action()

    def leave_briefly(self, seconds: float) -> None:
        """Leave for a moment."""
        self._returns_at = self.world.loop.time() + seconds
        self.lose_connection(0)

    def leave_for_good(self, notice_seconds: float) -> None:
        """Close the page and never come back. A bot has to play for them."""
        self.world.add_to_journal(f"{self.name} goes home")
        self._has_gone_home = True
        self._outside_since = None
        self.lose_connection(notice_seconds)

    async def play(self) -> None:
        """Play, and reconnect whenever the connection is lost."""
        self._outside_since = self.world.loop.time()
        while not self._has_gone_home:
            try:
                await self._run_session()
            except ClosedByServer as closed:
                self._note_connection_lost()
                if closed.code == NOT_FOUND:
                    self._outside_since = None
                    return  # the table was deleted
            except (ConnectionLost, TimeoutError):
                self._note_connection_lost()
            if (seconds := self._returns_at - self.world.loop.time()) > 0:
                self._outside_since = None
                await asyncio.sleep(seconds)
                self._note_connection_lost()
            hurry = self._destination is not None
            await asyncio.sleep(0.001 if hurry else self.random.uniform(0.05, 1))

    def _note_connection_lost(self) -> None:
        self._joined_at = None
        if self._outside_since is None and not self._has_gone_home:
            self._outside_since = self.world.loop.time()

    def _change_workers(self) -> None:
        """Go at once to a worker that serves someone else at the table: it may not have heard of
        the latest events, and people are talking there at that moment."""
        others = [
            player
            for player in self.world.connected_players
            if player.table == self.table and player.worker_name != self.worker_name
        ]
        if others:
            other = self.random.choice(others)
            self._destination = other.worker_name
            self.lose_connection(0)
            for _ in range(3):
                call_outside_processes(
                    self.world.loop, self.random.uniform(0, 0.3), other.send_reaction
                )

    def send_reaction(self) -> None:
        if self._socket and self.has_open_socket:
            self._socket.send({"kind": "react", "reaction": "clap"})

    async def _run_session(self) -> None:
        destination, self._destination = self._destination, None
        worker = self.world.find_ready_worker(destination) or self.world.random_ready_worker(
            self.random
        )
        if worker is None:
            raise ConnectionLost
        path = f"/api/tables/{self.table}/socket"
        self._socket = socket = self.world.connect(worker, path, self.token)
        self.worker_name = worker.process.name
        self._joined_at, self.view, self._first_sent_at, self.shown_seqs = None, None, {}, {}
        self._wanted_view, self.has_changed_seat_view = None, False
        self.world.add_to_journal(f"{self.name} connects to {worker.process.name}")
        try:
            while True:
                async with asyncio.timeout(SILENCE_TIMEOUT_SECONDS):
                    text = await socket.recv()
                sent_messages = self.world.promises.sent_messages
                sent_messages.check_credentials(self.name, self.holder, text)
                self._handle_message(socket, json.loads(text))
                if self.max_reading_seconds:
                    await self._stop_reading_for_a_while()
                if self.random.random() < self.disconnect_chance:
                    raise ConnectionLost
        finally:
            socket.abort(self.random.choice((0, 0.05, self.random.uniform(0, 20))))

    async def _stop_reading_for_a_while(self) -> None:
        self._has_stopped_reading = True
        try:
            await asyncio.sleep(self.random.uniform(0, self.max_reading_seconds))
        finally:
            self._has_stopped_reading = False
        if self._joined_at is not None:
            self._joined_at = self.world.loop.time()  # they can be up to date only from now on

    def _handle_message(self, socket: Socket, message: dict[str, Any]) -> None:
        promises = self.world.promises
        match message["kind"]:
            case "hello" | "table_changed":
                promises.sent_messages.check_table_is_as_stored(self.name, self.holder, message)
                if self.random.random() < 0.05:
                    self._resend_acknowledged_command(socket)
                promises.check(
                    message["table"]["version"] >= self.known_version,
                    f"{self.name} knows version {self.known_version} of the table, but is sent an"
                    " earlier one",
                )
                self.table_info, self.known_version = message["table"], message["table"]["version"]
                self.own_seats = message["yours"]
                self.world.add_to_journal(f"{self.name} knows version {self.known_version}")
                if message["kind"] == "hello":
                    self._joined_at = self.arrived_at = self.world.loop.time()
                    self._outside_since = None
                    self.lines_on_page = {line["number"]: line for line in message["talk"]}
                    for line in message["talk"]:
                        promises.sent_messages.check_chat_line(self, line)
                        self.last_line = line["number"]
                    if self._pending:
                        self._send(*self._pending)
            case "update":
                promises.sent_messages.check_update(self, message)
                self._match_id, self.viewed_seat = message["match"], message["seat"]
                self.known_seqs[self._match_id] = max(
                    message["seq"], self.known_seqs.get(self._match_id, 0)
                )
                self.shown_seqs[self._match_id] = message["seq"]
                self.view = message["view"]
                if self._wanted_view == (self.viewed_seat,):
                    self._wanted_view = None
                self._send_something_unusual(socket, message)
            case "done":
                self._handle_acknowledgement(message["id"], message["seq"])
            case "refused":
                self._handle_refusal(message)
            case "ping":
                self._answer_ping(socket, message["n"])
            case "line":
                promises.sent_messages.check_chat_line(self, message)
                is_retracted = "" in (message["text"], message["name"])
                promises.check(
                    message["number"] == self.last_line + 1
                    or (is_retracted and message["number"] <= self.last_line),
                    f"{self.name} receives line {message['number']} after {self.last_line}",
                )
                self.last_line = max(self.last_line, message["number"])
                self.lines_on_page[message["number"]] = message
            case other:
                promises.check(
                    other == "table_gone", f"{self.name} receives an unexpected message: {other}"
                )
                promises.checked["people are told that a table is deleted"] += 1
                promises.check(self.table in promises.deleted_at, f"{self.table} isn't deleted")
        self._plan_next_action()

    def _answer_ping(self, socket: Socket, number: int) -> None:
        """Answer a measurement. Cheats answer late once they have acted over a quick connection:
        then everything they do seems to have been done earlier."""
        pong = {"kind": "pong", "n": number}
        if self.max_pong_delay and self.acknowledged:
            delay = self.random.uniform(0, self.max_pong_delay)
            call_outside_processes(self.world.loop, delay, socket.send, pong)
        else:
            socket.send(pong)

    def _send_something_unusual(self, socket: Socket, update: dict[str, Any]) -> None:
        """Do what clients do now and then, and what some people would like to do."""
        drawn = self.random.random()
        if drawn < 0.03:
            socket.send({"kind": "sync", "seq": update["seq"], "hash": update["hash"]})
        elif drawn < 0.05:
            socket.send({"kind": "sync", "seq": 0, "hash": ""})
        elif drawn < 0.08:
            self._act_for_another_seat(socket, update)
        elif drawn < 0.10:
            socket.send({"kind": "react", "reaction": "clap"})
        elif drawn < 0.12:
            self._last_number += 1
            socket.send({"kind": "chat", "text": f"{self.name} says {self._last_number}"})
        elif drawn < 0.14:
            self._switch_view_later(socket, None)
        elif drawn < 0.2:
            self._resend_acknowledged_command(socket)
        if self._pries and self._prying_random.random() < 0.1:
            seats = range(len(self.table_info["chairs"]))
            if others := [seat for seat in seats if seat not in self.own_seats]:
                self.has_changed_seat_view = True
                socket.send({"kind": "sit", "seat": self._prying_random.choice(others)})
        if update["seat"] is None and self.own_seats:
            self._switch_view_later(socket, self.random.choice(self.own_seats))

    def _resend_acknowledged_command(self, socket: Socket) -> None:
        """Send an acknowledged command again, as if its answer had been lost."""
        mine = [
            (command, action)
            for command, (action, _) in self.acknowledged.items()
            # Someone who was already ready is told so, and nothing is written.
            if command.seat in self.own_seats and action["kind"] != "ready"
        ]
        if mine:
            command, action = self.random.choice(mine[-5:])
            self.world.add_to_journal(f"{self.name} sends {command.stored_id} again")
            socket.send(act_message(command, action))

    def _switch_view_later(self, socket: Socket, seat: Seat | None) -> None:
        """After a moment, look at the match from another of their seats or from none."""

        def look() -> None:
            if self._socket is socket and self.has_open_socket:
                self._wanted_view, self.has_changed_seat_view = (seat,), True
                socket.send({"kind": "sit", "seat": seat})

        call_outside_processes(self.world.loop, self.random.uniform(0.5, 2), look)

    def _act_for_another_seat(self, socket: Socket, update: dict[str, Any]) -> None:
        """Try to act for another seat, with an action that is legal there."""
        log = self.world.promises.logs[update["match"]]
        for seat in log.game.awaited(log.state):
            if seat not in self.own_seats:
                view = msgspec.to_builtins(log.game.view(log.state, seat), str_keys=True)
                action = ACTION_CHOOSERS[view["game"]](view, self.random)
                if action is not None:
                    self._last_number += 1
                    id = f"{self.name}-cheats-{self._last_number}"
                    self.world.command_senders[update["match"], f"{seat} {id}"] = self.holder
                    socket.send({"kind": "act", "id": id, "seat": seat, "action": action})

    # ----------------------------------------------------------------------------------- actions

    def _plan_next_action(self) -> None:
        if self._has_plan or self._pending or self.view is None or not self.has_open_socket:
            return
        if self.table_info["phase"] != "playing":
            return
        if self.table_info["paused"] is not None and self.random.random() < 0.8:
            return  # the others try to act all the same
        if self.view["outcome"] or self.viewed_seat is None:
            return
        self._has_plan = True
        slow = self.lazy and self.random.random() < 0.3
        think_seconds = self.random.uniform(15, 40) if slow else self.random.expovariate(self.pace)
        left = self.world.promises.turn_seconds_left(self._match_id, self.viewed_seat)
        self._acts_at_last_moment = self.procrastinates and left is not None
        if self._acts_at_last_moment and left is not None:
            # Ending a turn takes about eight requests to the store, so act while they're made.
            conditions = self.world.conditions
            late = (
                self.random.uniform(0, 16) * conditions.store_seconds - conditions.network_seconds
            )
            think_seconds = max(0.0, left + late)
        call_outside_processes(self.world.loop, think_seconds, self._act_as_planned)

    def _act_as_planned(self) -> None:
        self._has_plan = False
        if (
            self._pending
            or self.view is None
            or not self.has_open_socket
            or self.viewed_seat is None
        ):
            return
        if self.procrastinates and not self._acts_at_last_moment:
            left = self.world.promises.turn_seconds_left(self._match_id, self.viewed_seat)
            if left is not None:  # it has become their turn in the meantime
                self._plan_next_action()
                return
        action = ACTION_CHOOSERS[self.view["game"]](self.view, self.random)
        if action is None:
            if others := [seat for seat in self.own_seats if seat != self.viewed_seat]:
                assert self._socket
                self._switch_view_later(self._socket, self.random.choice(others))
            return
        self._last_number += 1
        now = self.world.earliest_server_time
        self._decision = Decision(self.shown_seqs[self._match_id], self.known_version, now)
        self._pending = (
            Command(self._match_id, self.viewed_seat, f"{self.name}-{self._last_number}"),
            action,
        )
        self._send(*self._pending)

    def _send(self, command: Command, action: dict[str, Any]) -> None:
        assert self._socket
        self.world.add_to_journal(
            f"{self.name} sends {command.stored_id} to {self._socket.process.name}"
        )
        self._first_sent_at.setdefault(command, self.world.loop.time())
        self._last_sent_at = self.world.loop.time()
        copies = 1 if self.random.random() < 0.7 else self.random.randint(2, 5)
        self.sent[command] += copies
        self.world.actions_sent += copies
        self.world.command_senders[command.match, command.stored_id] = self.holder
        self.world.first_sent_at.setdefault((command.match, command.stored_id), self._last_sent_at)
        for _ in range(copies):
            self._socket.send(act_message(command, action))

    def _handle_acknowledgement(self, id: str, seq: int) -> None:
        if self._pending and self._pending[0].id == id:
            (command, action), self._pending = self._pending, None
            self.acknowledged[command] = action, seq
        for command, (action, before) in self.acknowledged.items():
            if command.id == id:
                same = before == seq or action["kind"] == "ready"
                self.world.promises.check(
                    same, f"{command} is acknowledged twice, with different results"
                )
                self.world.promises.check_acknowledged_is_stored(command, action, seq)
        if self.random.random() < self.worker_change_chance:
            self._change_workers()

    def _handle_refusal(self, message: dict[str, Any]) -> None:
        id, reason = message["id"], message["reason"]
        if reason not in POSSIBLE_REFUSALS_AFTER_SUCCESS:
            for command in self.acknowledged:
                if command.id == id:
                    self.world.promises.check_completed_is_not_refused(
                        self, command, self._joined_at or 0
                    )
        if id is None and self._wanted_view and self._socket:
            if reason == "unavailable":
                self._switch_view_later(self._socket, *self._wanted_view)
            elif reason == "not_your_seat" and self.own_seats:  # they have just lost the seat
                self._switch_view_later(self._socket, self.random.choice(self.own_seats))
        if not self._pending or id != self._pending[0].id:
            return
        if reason == "unavailable":
            # It may or may not have been done, so send it again a little later, with the same id.
            waiting, socket = self._pending, self._socket

            def resend() -> None:
                if self._pending == waiting and self._socket is socket and self.has_open_socket:
                    self._send(*waiting)

            call_outside_processes(self.world.loop, self.random.uniform(0.1, 1), resend)
        else:
            self.world.refused[reason] += 1
            (command, action), self._pending = self._pending, None
            check_refusal_is_justified(
                self.world.promises, self, command, action, self._decision, reason
            )
            if reason != "not_your_seat":  # otherwise the seat is someone else's by now
                self.world.promises.check_completed_is_not_refused(
                    self, command, self._first_sent_at[command]
                )
