"""People at a table: they play, lose their connection, come back, ask again, and read slowly."""

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
from tests.sim.refusal_checks import Decision, check_refusal_has_reason

if TYPE_CHECKING:
    from tests.sim.world import World

SILENCE_TIMEOUT_SECONDS = 25.0
"""Seconds without a word after which a client takes its connection for lost."""


REFUSALS_AFTER_SUCCESS = ("unavailable", "not_your_seat")
"""Reasons to refuse a command that was acknowledged before: nobody knows it now, or it is no longer
this person's to know."""


def act_message(command: Command, action: dict[str, Any]) -> dict[str, Any]:
    match, seat, id = command
    return {"kind": "act", "id": id, "seat": seat, "action": action, "match": match}


class Player:
    """One person, or a television that only looks on."""

    def __init__(self, world: "World", name: str, token: str, table: str) -> None:
        self.world = world
        self.name = name
        self.token = token
        self.holder = tokens.holder_of(token)
        for credential in (token, self.holder):
            world.promises.sent_messages.add_credential(credential, self.holder)
        self.table = table
        self.random = Random(f"{world.seed} {name}")
        self.known: dict[str, int] = {}
        """How far this person has seen each match."""
        self.shown: dict[str, int] = {}
        """The same on this connection."""
        self.arrived = 0.0
        """When this connection began to show anything."""
        self.acknowledged: dict[Command, tuple[dict[str, Any], int]] = {}
        """What was asked, and how far the log had come with it."""
        self.sent: Counter[Command] = Counter()
        self.version = 0
        self.line = 0
        """The last line that this person has heard at the table."""
        self.heard: dict[int, dict[str, Any]] = {}
        """The lines that this person has on their page, by number."""
        self.info: dict[str, Any] = {}
        self.view: dict[str, Any] | None = None
        self._prying = Random(f"{world.seed} {name} pries")
        self._pries = Random(f"{world.seed} pries").random() < 0.2
        """Whether they would like to see the match from the seats of others."""
        self.lazy = False
        """Whether this person lets turns pass."""
        self.procrastinates = False
        """Whether they act just when their time for a turn is up."""
        self.answers_late = 0.0
        """Within how many seconds they answer measurements of their line."""
        self.changes_workers = 0.0
        """How often they go to another worker as soon as something of theirs is done."""
        self.pace = 1.5
        """Actions a second."""
        self.slow = 0.0
        """Seconds that they take to read a message."""
        self.restless = 0.0
        """How often they lose the connection, for each message."""
        self.person = self
        """Whose device this is: the first one that somebody played on."""
        self.worker_name = ""
        """Where the last connection goes, or went, to."""
        self.yours: list[Seat] = []
        self._match = ""
        self.seat: Seat | None = None
        """From where they see the match."""
        self.has_looked_elsewhere = False
        """Whether they have asked on this connection to see the match from another seat, or from
        none."""
        self._returns_at = 0.0
        """When they are back, if they are away for a moment."""
        self._outside_since: float | None = None
        """Since when they want to come to the table and haven't been let in."""
        self._socket: Socket | None = None
        self._joined: float | None = None
        self._waiting: tuple[Command, dict[str, Any]] | None = None
        self._wanted: tuple[Seat | None] | None = None
        """Where they asked last to look from, unless they see the match from there."""
        self._decision = Decision(0, 0, 0)
        """What they knew when they decided on what they wait for."""
        self._asked: dict[Command, float] = {}
        """When each command was first sent on this connection."""
        self._sent_at = 0.0
        self._planned = self._last_moment = False
        self._destination: str | None = None
        """The worker to connect to next; None for any."""
        self._dozing = False
        self._number = 0
        self._home = False

    # --------------------------------------------------------------------------- the connection

    @property
    def has_open_socket(self) -> bool:
        return self._socket is not None and self._socket.is_open

    @property
    def gone_at(self) -> float:
        """When the server can know that the last connection is gone, whoever has ended it."""
        return self._socket.gone_at if self._socket else 0.0

    @property
    def seconds_connected(self) -> float:
        """How many seconds this person has been connected and reading without a break."""
        if self._joined is None or self.slow or self._dozing or not self.has_open_socket:
            return 0
        return self.world.loop.time() - self._joined

    @property
    def seconds_outside(self) -> float:
        """How many seconds they have wanted to come to the table, or back there."""
        return 0 if self._outside_since is None else self.world.loop.time() - self._outside_since

    @property
    def seconds_unanswered(self) -> float:
        """How many seconds ago something was last asked that has no answer yet."""
        return self.world.loop.time() - self._sent_at if self._waiting else 0

    def lose_connection(self, notice: float) -> None:
        """Lose the connection; the server notices it later."""
        if self._socket:
            self._socket.abort(notice)

    def start_behaving_well(self) -> None:
        """From now on they read, think and stay as everyone would wish."""
        self.slow = self.restless = self.changes_workers = 0
        self.lazy = self.procrastinates = self._planned = False
        self._plan_next_action()

    def step_out(self, seconds: float) -> None:
        """Be away for a moment."""
        self._returns_at = self.world.loop.time() + seconds
        self.lose_connection(0)

    def leave_for_good(self, notice: float) -> None:
        """Close the page and never come back: a bot has to play for them."""
        self.world.add_to_journal(f"{self.name} goes home")
        self._home = True
        self._outside_since = None
        self.lose_connection(notice)

    async def play(self) -> None:
        """Come back whenever the connection is lost."""
        self._outside_since = self.world.loop.time()
        while not self._home:
            try:
                await self._session()
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
        self._joined = None
        if self._outside_since is None and not self._home:
            self._outside_since = self.world.loop.time()

    def _change_workers(self) -> None:
        """Go at once to a worker where somebody else is, which may not have heard of the latest
        events, and where people talk just then."""
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

    async def _session(self) -> None:
        destination, self._destination = self._destination, None
        worker = self.world.find_ready_worker(destination) or self.world.random_ready_worker(
            self.random
        )
        if worker is None:
            raise ConnectionLost
        path = f"/api/tables/{self.table}/socket"
        self._socket = socket = self.world.connect(worker, path, self.token)
        self.worker_name = worker.process.name
        self._joined, self.view, self._asked, self.shown = None, None, {}, {}
        self._wanted, self.has_looked_elsewhere = None, False
        self.world.add_to_journal(f"{self.name} connects to {worker.process.name}")
        try:
            while True:
                async with asyncio.timeout(SILENCE_TIMEOUT_SECONDS):
                    text = await socket.recv()
                sent_messages = self.world.promises.sent_messages
                sent_messages.check_credentials(self.name, self.holder, text)
                self._handle_message(socket, json.loads(text))
                if self.slow:
                    await self._stop_reading_for_a_while()
                if self.random.random() < self.restless:
                    raise ConnectionLost
        finally:
            socket.abort(self.random.choice((0, 0.05, self.random.uniform(0, 20))))

    async def _stop_reading_for_a_while(self) -> None:
        self._dozing = True
        try:
            await asyncio.sleep(self.random.uniform(0, self.slow))
        finally:
            self._dozing = False
        if self._joined is not None:
            self._joined = self.world.loop.time()  # only from now on they can be up to date

    def _handle_message(self, socket: Socket, message: dict[str, Any]) -> None:
        promises = self.world.promises
        match message["kind"]:
            case "hello" | "table_changed":
                promises.sent_messages.check_table_is_as_stored(self.name, self.holder, message)
                if self.random.random() < 0.05:
                    self._resend_acknowledged(socket)
                promises.check(
                    message["table"]["version"] >= self.version,
                    f"{self.name} knows version {self.version} of the table, and is told of an"
                    " earlier one",
                )
                self.info, self.version = message["table"], message["table"]["version"]
                self.yours = message["yours"]
                self.world.add_to_journal(f"{self.name} knows version {self.version}")
                if message["kind"] == "hello":
                    self._joined = self.arrived = self.world.loop.time()
                    self._outside_since = None
                    self.heard = {line["number"]: line for line in message["talk"]}
                    for line in message["talk"]:
                        promises.sent_messages.check_chat_line(self, line)
                        self.line = line["number"]
                    if self._waiting:
                        self._send(*self._waiting)
            case "update":
                promises.sent_messages.check_update(self, message)
                self._match, self.seat = message["match"], message["seat"]
                self.known[self._match] = max(message["seq"], self.known.get(self._match, 0))
                self.shown[self._match] = message["seq"]
                self.view = message["view"]
                if self._wanted == (self.seat,):
                    self._wanted = None
                self._send_something_unusual(socket, message)
            case "done":
                self._handle_acknowledgement(message["id"], message["seq"])
            case "refused":
                self._handle_refusal(message)
            case "ping":
                self._answer_ping(socket, message["n"])
            case "line":
                promises.sent_messages.check_chat_line(self, message)
                taken_back = "" in (message["text"], message["name"])
                promises.check(
                    message["number"] == self.line + 1
                    or (taken_back and message["number"] <= self.line),
                    f"{self.name} hears line {message['number']} after {self.line}",
                )
                self.line = max(self.line, message["number"])
                self.heard[message["number"]] = message
            case other:
                promises.check(other == "table_gone", f"{self.name} is told: {other}")
                promises.checked["whoever looks at a deleted table is told"] += 1
                promises.check(self.table in promises.deleted, f"{self.table} isn't gone")
        self._plan_next_action()

    def _answer_ping(self, socket: Socket, number: int) -> None:
        """Those who cheat answer late once they have acted with a quick line: then everything that
        they do seems to have been done earlier."""
        pong = {"kind": "pong", "n": number}
        if self.answers_late and self.acknowledged:
            delay = self.random.uniform(0, self.answers_late)
            call_outside_processes(self.world.loop, delay, socket.send, pong)
        else:
            socket.send(pong)

    def _send_something_unusual(self, socket: Socket, update: dict[str, Any]) -> None:
        """What clients do now and then, and what some would like to."""
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
            self._number += 1
            socket.send({"kind": "chat", "text": f"{self.name} says {self._number}"})
        elif drawn < 0.14:
            self._switch_view_later(socket, None)
        elif drawn < 0.2:
            self._resend_acknowledged(socket)
        if self._pries and self._prying.random() < 0.1:
            seats = range(len(self.info["chairs"]))
            if others := [seat for seat in seats if seat not in self.yours]:
                self.has_looked_elsewhere = True
                socket.send({"kind": "sit", "seat": self._prying.choice(others)})
        if update["seat"] is None and self.yours:
            self._switch_view_later(socket, self.random.choice(self.yours))

    def _resend_acknowledged(self, socket: Socket) -> None:
        """Something that was acknowledged before, as if the answer had been lost."""
        mine = [
            (command, action)
            for command, (action, _) in self.acknowledged.items()
            # Who was ready already is told so, and nothing is written.
            if command.seat in self.yours and action["kind"] != "ready"
        ]
        if mine:
            command, action = self.random.choice(mine[-5:])
            self.world.add_to_journal(f"{self.name} sends {command.stored_id} again")
            socket.send(act_message(command, action))

    def _switch_view_later(self, socket: Socket, seat: Seat | None) -> None:
        """Look from another seat that is theirs, or from none, after a moment."""

        def look() -> None:
            if self._socket is socket and self.has_open_socket:
                self._wanted, self.has_looked_elsewhere = (seat,), True
                socket.send({"kind": "sit", "seat": seat})

        call_outside_processes(self.world.loop, self.random.uniform(0.5, 2), look)

    def _act_for_another_seat(self, socket: Socket, update: dict[str, Any]) -> None:
        """Act for somebody else, as that seat could."""
        log = self.world.promises.logs[update["match"]]
        for seat in log.game.awaited(log.state):
            if seat not in self.yours:
                view = msgspec.to_builtins(log.game.view(log.state, seat), str_keys=True)
                action = ACTION_CHOOSERS[view["game"]](view, self.random)
                if action is not None:
                    self._number += 1
                    id = f"{self.name}-cheats-{self._number}"
                    self.world.asked[update["match"], f"{seat} {id}"] = self.holder
                    socket.send({"kind": "act", "id": id, "seat": seat, "action": action})

    # ------------------------------------------------------------------------------------ acting

    def _plan_next_action(self) -> None:
        if self._planned or self._waiting or self.view is None or not self.has_open_socket:
            return
        if self.info["phase"] != "playing":
            return
        if self.info["paused"] is not None and self.random.random() < 0.8:
            return  # the others try it all the same
        if self.view["outcome"] or self.seat is None:
            return
        self._planned = True
        slow = self.lazy and self.random.random() < 0.3
        think = self.random.uniform(15, 40) if slow else self.random.expovariate(self.pace)
        left = self.world.promises.turn_seconds_left(self._match, self.seat)
        self._last_moment = self.procrastinates and left is not None
        if self._last_moment and left is not None:
            # Whoever ends a turn asks the store about eight times for it: act in between.
            conditions = self.world.conditions
            late = (
                self.random.uniform(0, 16) * conditions.store_seconds - conditions.network_seconds
            )
            think = max(0.0, left + late)
        call_outside_processes(self.world.loop, think, self._act_as_planned)

    def _act_as_planned(self) -> None:
        self._planned = False
        if self._waiting or self.view is None or not self.has_open_socket or self.seat is None:
            return
        if self.procrastinates and not self._last_moment:
            left = self.world.promises.turn_seconds_left(self._match, self.seat)
            if left is not None:  # it has become their turn meanwhile
                self._plan_next_action()
                return
        action = ACTION_CHOOSERS[self.view["game"]](self.view, self.random)
        if action is None:
            if others := [seat for seat in self.yours if seat != self.seat]:
                assert self._socket
                self._switch_view_later(self._socket, self.random.choice(others))
            return
        self._number += 1
        now = self.world.earliest_server_time
        self._decision = Decision(self.shown[self._match], self.version, now)
        self._waiting = Command(self._match, self.seat, f"{self.name}-{self._number}"), action
        self._send(*self._waiting)

    def _send(self, command: Command, action: dict[str, Any]) -> None:
        assert self._socket
        self.world.add_to_journal(
            f"{self.name} sends {command.stored_id} to {self._socket.process.name}"
        )
        self._asked.setdefault(command, self.world.loop.time())
        self._sent_at = self.world.loop.time()
        copies = 1 if self.random.random() < 0.7 else self.random.randint(2, 5)
        self.sent[command] += copies
        self.world.sent += copies
        self.world.asked[command.match, command.stored_id] = self.holder
        self.world.first_sent.setdefault((command.match, command.stored_id), self._sent_at)
        for _ in range(copies):
            self._socket.send(act_message(command, action))

    def _handle_acknowledgement(self, id: str, seq: int) -> None:
        if self._waiting and self._waiting[0].id == id:
            (command, action), self._waiting = self._waiting, None
            self.acknowledged[command] = action, seq
        for command, (action, before) in self.acknowledged.items():
            if command.id == id:
                same = before == seq or action["kind"] == "ready"
                self.world.promises.check(same, f"{command} is acknowledged twice, otherwise")
                self.world.promises.check_acknowledged_is_stored(command, action, seq)
        if self.random.random() < self.changes_workers:
            self._change_workers()

    def _handle_refusal(self, message: dict[str, Any]) -> None:
        id, reason = message["id"], message["reason"]
        if reason not in REFUSALS_AFTER_SUCCESS:
            for command in self.acknowledged:
                if command.id == id:
                    self.world.promises.check_refusal_is_right(self, command, self._joined or 0)
        if id is None and self._wanted and self._socket:
            if reason == "unavailable":
                self._switch_view_later(self._socket, *self._wanted)
            elif reason == "not_your_seat" and self.yours:  # they have just lost it
                self._switch_view_later(self._socket, self.random.choice(self.yours))
        if not self._waiting or id != self._waiting[0].id:
            return
        if reason == "unavailable":
            # Whether it was done is not known: ask again, with the same id, a little later.
            waiting, socket = self._waiting, self._socket

            def again() -> None:
                if self._waiting == waiting and self._socket is socket and self.has_open_socket:
                    self._send(*waiting)

            call_outside_processes(self.world.loop, self.random.uniform(0.1, 1), again)
        else:
            self.world.refused[reason] += 1
            (command, action), self._waiting = self._waiting, None
            check_refusal_has_reason(
                self.world.promises, self, command, action, self._decision, reason
            )
            if reason != "not_your_seat":  # then it's somebody else's matter by now
                self.world.promises.check_refusal_is_right(self, command, self._asked[command])
