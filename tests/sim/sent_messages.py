"""Checks of everything that people are sent, against what is on disk and what they may know."""

from typing import TYPE_CHECKING, Any

import msgspec

from pytlik.game import Seat
from pytlik.server.live.table_connections import hash_view
from pytlik.server.match.deadlines import table_id_of
from pytlik.server.table.tables import Chair, Table
from pytlik.server.tokens import Holder
from tests.server.seat_knowledge import MatchTruth

if TYPE_CHECKING:
    from tests.sim.player import Player
    from tests.sim.replayed_match import ReplayedMatch
    from tests.sim.server_promises import ServerPromises

LOST_SEAT_GRACE_SECONDS = 2.5
"""Seconds after which someone who has lost a seat must not see anything more from it."""

NOBODY = "nobody"
"""The owner of what must never leave the server."""


class SentMessages:
    def __init__(self, promises: "ServerPromises") -> None:
        self._promises = promises
        self._credentials: dict[str, Holder | None] = {}
        """Tokens and codes, and whose they are."""
        self._seen_seats: dict[tuple[str, Player], set[Seat]] = {}
        """The seats from which each person has seen each match."""
        self._sent_events: list[tuple[str, str, int, Seat | None, list[Any]]] = []
        """Events that were sent: to whom, of which match, up to which seq, and from which seat."""

    def _check(self, kept: object, message: str) -> None:
        self._promises.check(kept, message)

    def _count(self, promise: str) -> None:
        self._promises.checked[promise] += 1

    # ------------------------------------------------------------------------------ credentials

    def add_credential(self, credential: str, holder: Holder | None) -> None:
        """From now on, nobody but the holder may be sent this."""
        self._credentials[credential] = holder

    def check_credentials(self, name: str, holder: Holder | None, text: str) -> None:
        """Nobody is sent someone else's token or code or the hash of one, or the secret of a match
        that isn't over."""
        self._count("nobody is sent someone else's credentials")
        for credential, owner in self._credentials.items():
            if owner != holder and credential in text:
                self._promises.report_broken(
                    f"{name} is sent a credential of someone else: {text[:200]}"
                )
        for match, secret in self._promises.secrets.items():
            log = self._promises.logs.get(match)
            over = log is not None and log.game.outcome(log.state)
            if not over and secret.hex() in text:
                self._promises.report_broken(
                    f"{name} is sent the secret of {match}, which isn't over"
                )

    # ------------------------------------------------------------------------------------ tables

    def check_table_is_as_stored(
        self, name: str, holder: Holder | None, message: dict[str, Any]
    ) -> None:
        """A table is sent as it's stored in the version that the message names."""
        self._count("tables are sent as stored")
        info = message["table"]
        id, version = info["id"], info["version"]
        table = self._promises.table_versions.get((id, version))
        if table is None:
            self._promises.report_broken(
                f"{name} is sent version {version} of {id}, which isn't on disk"
            )
            return
        self._check(
            table_as_sent(info) == table_as_stored(table),
            f"{name} is sent version {version} of {id} with other contents: {table_as_sent(info)}",
        )
        self._check(
            message["yours"] == list(table.held_by(holder)),
            f"{name} is told that they hold {message['yours']} in version {version} of {id}",
        )
        host = holder is not None and table.host == holder
        self._check(message["host"] == host, f"{name} is told wrongly whether they host {id}")

    def check_chat_line(self, player: "Player", line: dict[str, Any]) -> None:
        """A chat line is sent as it was said."""
        self._count("chat lines are sent as said")
        number = line["number"]
        lines = self._promises.chat_lines[player.table]
        if number > len(lines):
            self._promises.report_broken(
                f"{player.name} is sent line {number}, which isn't on disk"
            )
            return
        said = lines[number - 1][1]
        texts = {said.text}
        if said.text is not None and (player.table, number) in self._promises.retracted_lines:
            texts.add("")
        self._check(
            (said.seat, said.reaction) == (line["seat"], line["reaction"])
            and line["text"] in texts,
            f"{player.name} is sent line {number} with other contents than were said",
        )

    # ----------------------------------------------------------------------------------- matches

    def check_update(self, player: "Player", message: dict[str, Any]) -> None:
        match, seq, seat = message["match"], message["seq"], message["seat"]
        promises = self._promises
        promises.world.add_to_journal(f"{player.name} sees {match} at {seq} from seat {seat}")
        log = promises.logs.get(match)
        if log is None or seq > len(log.events):
            promises.report_broken(
                f"{player.name} is sent event {seq} of {match}, which isn't on disk"
            )
            return
        self._count("only stored events are sent")
        current = f"{player.table}.{player.table_info['match']}"
        self._check(
            match == current,
            f"{player.name} is sent an update of {match}, but knows that {current} is being played",
        )
        self._check(
            seat in player.own_seats
            or (seat is None and (not player.own_seats or player.has_changed_seat_view)),
            f"{player.name} has seats {player.own_seats}, but is shown the match from {seat}",
        )
        self._check_seat_may_be_seen(player, match, seat)
        if message["hash"] != log.view_hash(seq, seat):
            promises.report_broken(
                f"{player.name} is sent another view of {match} at {seq} than that of seat {seat}"
            )
        view = msgspec.json.encode(message["view"])
        self._check(
            hash_view(view) == message["hash"],
            f"{player.name} is sent a view of {match} that doesn't match its hash",
        )
        self._check(
            message["awaited"] == list(log.game.awaited(log.states[seq - 1])),
            f"{player.name} is told that {match} waits for {message['awaited']} at {seq}",
        )
        self._sent_events.append((player.name, match, seq, seat, message["events"]))
        first = seq - len(message["events"])
        self._check(
            first in (seq, player.shown_seqs.get(match, 0)),
            f"{player.name} has seen {match} up to {player.shown_seqs.get(match)}, but is sent the"
            f" events after {first}",
        )
        for index, event in enumerate(message["events"], first):
            if event != mask_event(log, index, seat):
                promises.report_broken(
                    f"{player.name} is sent another event {index + 1} of {match} than the stored"
                    " one"
                )
        floor = player.known_seqs.get(match, 0)
        self._check(
            seq >= floor, f"{player.name} has seen {match} at {floor}, and is now shown it at {seq}"
        )

    def check_events_reveal_nothing(self) -> None:
        """Events reveal nothing that their recipients may not know. Doesn't use the code that masks
        events."""
        truths = {
            match: MatchTruth(log.game, list(map(msgspec.json.encode, log.events)))
            for match, log in self._promises.logs.items()
        }
        for name, match, seq, seat, events in self._sent_events:
            self._count("events reveal no secrets")
            for number, event in enumerate(events, seq - len(events) + 1):
                for leak in truths[match].find_leaks(event, number, seat):
                    self._promises.report_broken(
                        f"event {number} of {match} reveals {leak} to {name}"
                    )

    def check_match_record(self, player: "Player", record: dict[str, Any]) -> None:
        """Check the events or views of a match that someone requested over HTTP."""
        self._count("match records are sent as stored")
        match, seq, seat = record["match"], record["seq"], record["seat"]
        log = self._promises.logs[match]
        self._check(
            seq <= len(log.events),
            f"{player.name} is given {seq} events of {match}, which has fewer",
        )
        if record["over"]:
            self._check(log.game.outcome(log.state), f"{match} is said to be over, but isn't")
        else:
            self._check_seat_may_be_seen(player, match, seat)
        for index, event in enumerate(record.get("events", ())):
            expected = (
                to_json_value(log.events[index]) if record["over"] else mask_event(log, index, seat)
            )
            if event != expected:
                self._promises.report_broken(
                    f"{player.name} is given another event {index + 1} of {match} than the stored"
                    " one"
                )
        see = log.game.open_view if record["over"] else log.game.view
        for index, view in enumerate(record.get("views", ())):
            if view != to_json_value(see(log.states[index], seat)):
                self._promises.report_broken(
                    f"{player.name} is given another view {index + 1} of {match} than that of the"
                    " stored state"
                )

    def _check_seat_may_be_seen(self, player: "Player", match: str, seat: Seat | None) -> None:
        if seat is None:
            return
        self._count("nobody sees another seat's view")
        self._check(
            self._may_see(player, match, seat),
            f"{player.name} sees what seat {seat} of {match} sees",
        )
        self._check_sees_no_other_hand(player, match, seat)

    def _check_sees_no_other_hand(self, player: "Player", match: str, seat: Seat) -> None:
        """People who began a match with some seats see it from those, on any device. Someone who
        came later sees it from at most one seat, and the match's host from none."""
        self._count("nobody sees a second player's hand")
        seen = self._seen_seats.setdefault((match, player.person), set())
        seen.add(seat)
        first = self._promises.tables_at_start[match]
        devices = {
            each.holder for each in self._promises.world.everyone if each.person is player.person
        }
        own = {number for number, chair in enumerate(first.chairs) if chair.holder in devices}
        self._check(
            seen <= own or (not own and len(seen) == 1 and first.host not in devices),
            f"{player.name} has seen the hands of {sorted(seen)} in {match}, but began with {own}",
        )

    def _may_see(self, player: "Player", match: str, seat: Seat) -> bool:
        """Whether the player holds the seat or held it until just now. It may take longer until a
        worker in trouble hears of a change, or until someone reads what they were sent before
        it."""
        promises, world = self._promises, self._promises.world
        table = promises.tables.get(table_id_of(match))
        if table and table.match_id == match and table.chairs[seat].holder == player.holder:
            return True
        left = promises.last_held_at[match, seat].get(player.holder)
        return left is not None and (
            world.loop.time() - left < LOST_SEAT_GRACE_SECONDS
            or world.seconds_healthy < LOST_SEAT_GRACE_SECONDS
            or player.seconds_connected < LOST_SEAT_GRACE_SECONDS
        )


def to_json_value(value: Any) -> Any:
    """Convert a value to what a client gets, which only knows JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def mask_event(log: "ReplayedMatch", index: int, seat: Seat | None) -> Any:
    return to_json_value(log.game.mask(log.events[index], seat))


def table_as_sent(info: dict[str, Any]) -> Any:
    chairs = [(one["name"], one["kind"], one["stand_in"], one["muted"]) for one in info["chairs"]]
    names = ("game", "agreement", "match", "phase", "commitment", "pausing", "paused")
    return [chairs, *(info[name] for name in names)]


def table_as_stored(table: Table) -> Any:
    chairs = [(one.name, chair_kind(one), one.stand_in, one.muted) for one in table.chairs]
    agreement = msgspec.to_builtins(table.agreement)
    rest = (table.match, table.phase, table.commitment, list(table.pausing), table.paused)
    return [chairs, table.game, agreement, *rest]


def chair_kind(chair: Chair) -> str:
    return "person" if chair.holder else "bot" if chair.bot else "free"
