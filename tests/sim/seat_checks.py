"""Seats stay with their people, and so does what belongs to a seat: codes, mutes, votes, wins."""

from typing import TYPE_CHECKING

from pytlik.game import Seat
from pytlik.server.table.seats import MIN_PLAYERS_TO_AGREE
from pytlik.server.table.tables import Chair, Table
from pytlik.server.tokens import Holder

if TYPE_CHECKING:
    from tests.sim.player import Player
    from tests.sim.server_promises import ServerPromises

SeatChange = tuple[Chair, Chair]
"""A chair before and after a change of the table."""


class SeatPromises:
    """What people have asked for, and what follows from it for their seats."""

    def __init__(self, promises: "ServerPromises") -> None:
        self._promises = promises
        self.asked_to_go: set[tuple[str, Holder]] = set()
        """Who wanted to give up a seat of theirs at a table."""
        self.asked_to_pause: set[tuple[str, Holder]] = set()
        """Who wanted a pause at a table, or wanted to go on."""
        self.asked_to_unmute: set[tuple[str, Seat]] = set()
        self.offered_table: set[tuple[str, Holder]] = set()
        """Hosts who wanted somebody else to be the host."""
        self.called_rematch: set[tuple[str, Holder]] = set()
        """Hosts who wanted another match."""
        self.asked_again: set[tuple[str, Holder]] = set()
        """Who wanted another match after which one."""
        self.pressed_start: set[str] = set()
        """Matches that a host wanted to begin."""
        self._muted: set[tuple[str, Holder]] = set()
        self._expelled: set[tuple[str, Holder]] = set()
        self._void_codes: set[str] = set()
        """The hashes of codes for seats that are somebody else's by now."""

    def _check(self, kept: object, what: str) -> None:
        self._promises.check(kept, what)

    def check_change(self, old: Table, table: Table) -> None:
        """To be called with every version of a table but the first."""
        self._promises.checked["seats stay with their people"] += 1
        begins = (old.phase, table.phase) == ("lobby", "playing")
        chairs = [chair for chair in old.chairs if not (begins and chair.is_free)]
        self._check(len(chairs) == len(table.chairs), f"{table.id} has lost a seat")
        changes = list(zip(chairs, table.chairs, strict=False))
        for seat, change in enumerate(changes):
            self._check_holder(old, table, seat, change)
        self._check_codes(table)
        self._check_host(old, table)
        self._check_mutes(table, changes)
        self._check_new_lines(old, table)
        self._check_pause(old, table)
        self._check_wins(old, table, changes)
        if table.phase != "playing":
            self._check_no_votes_left(table)
        if table.match != old.match:
            kept = not any(chair.share for chair in table.chairs)
            self._check(kept, f"{table.match_id} begins with shares of the match before it")
            self._check_rematch_is_wanted(old)
        if begins and table.match_id not in self.pressed_start:
            self._check(
                self._is_agreed_match_ready(old),
                f"{table.match_id} begins, and not everyone has sent a share",
            )

    # --------------------------------------------------------------------------------- who sits

    def _check_holder(self, old: Table, table: Table, seat: Seat, change: SeatChange) -> None:
        was, now = change
        if now.holder is not None:
            expelled = (table.id, now.holder) in self._expelled
            self._check(not expelled, f"somebody is back at {table.id} who had to leave")
        if was.holder is None or was.holder == now.holder:
            return
        self._void_codes |= {code.hash for code in old.codes if code.seat == seat}
        if was.recovery is not None:
            self._void_codes.add(was.recovery)
        if now.holder is not None:
            self._check(
                self._person(was.holder) is self._person(now.holder),
                f"seat {seat} of {table.id} passes to somebody else",
            )
            for people in (self._muted, self.asked_to_pause):
                if (table.id, was.holder) in people:
                    people.add((table.id, now.holder))
        elif (table.id, was.holder) not in self.asked_to_go:
            self._expelled.add((table.id, was.holder))
            self._check(
                self._have_others_agreed(old, seat, was.holder),
                f"somebody loses seat {seat} of {table.id}, and not all others wanted that",
            )

    def _have_others_agreed(self, table: Table, seat: Seat, holder: Holder) -> bool:
        promises = self._promises
        askers = promises.asked_to_leave[table.id, seat]
        voters = {table.host}
        if table.phase == "playing":
            here = promises.holders_present_at(table)
            playing = {chair.holder for chair in table.chairs if not chair.stand_in}
            players = {one for one in here if one in playing} - {holder}
            if len(players) < MIN_PLAYERS_TO_AGREE:
                return False
            voters |= players
        return all(self._person(voter).name in askers for voter in voters - {holder})

    def _person(self, holder: Holder) -> "Player":
        everyone = self._promises.world.everyone
        return next(player.person for player in everyone if player.holder == holder)

    def _check_codes(self, table: Table) -> None:
        codes = {code.hash for code in table.codes}
        codes |= {chair.recovery for chair in table.chairs if chair.recovery is not None}
        self._check(
            not codes & self._void_codes, f"{table.id} has a code of who has lost that seat"
        )

    def _check_host(self, old: Table, table: Table) -> None:
        """A host who loses their last seat passes the table on, and nobody else becomes the
        host."""
        asked = table.id, old.host
        if table.host != old.host:
            self._check(
                asked in self.asked_to_go | self.offered_table
                or old.host in table.removed
                or self._person(table.host) is self._person(old.host),
                f"{table.id} has another host, and nobody wanted that",
            )
        elif old.held_by(old.host) and not table.held_by(table.host):
            others = any(chair.holder is not None for chair in table.chairs)
            self._check(not others, f"the host of {table.id} has left it")

    # --------------------------------------------------------------------------------- who talks

    def _check_mutes(self, table: Table, changes: list[SeatChange]) -> None:
        """Whoever is muted stays so until the host takes it back, on any seat."""
        for holder in {chair.holder for chair in table.chairs if chair.holder is not None}:
            mine = table.held_by(holder)
            if any(table.chairs[seat].muted for seat in mine):
                self._muted.add((table.id, holder))
            elif (table.id, holder) in self._muted:
                self._muted.remove((table.id, holder))
                self._check(
                    any((table.id, seat) in self.asked_to_unmute for seat in mine),
                    f"somebody at {table.id} is muted no more, and nobody wanted that",
                )
        for was, now in changes:
            if was.muted and was.holder == now.holder and was.name != now.name:
                self._check(not now.name, f"somebody who is muted at {table.id} is {now.name}")

    def _check_new_lines(self, old: Table, table: Table) -> None:
        last = old.talk[-1].number if old.talk else 0
        for line in table.talk:
            if line.number > last and line.change is None:
                speaker = table.speakers[line.number]
                self._check(
                    table.chairs[line.seat].holder == speaker,
                    f"line {line.number} of {table.id} is said on another's seat",
                )
                self._check(
                    (table.id, speaker) not in self._muted,
                    f"somebody who is muted says line {line.number} of {table.id}",
                )

    # --------------------------------------------------------------------------------- who votes

    def _check_pause(self, old: Table, table: Table) -> None:
        """A pause begins and ends when everyone who is there wants it."""
        playing = old.phase == table.phase == "playing"
        if not playing or (old.paused is None) == (table.paused is None):
            return
        self._promises.checked["everyone wants a pause"] += 1
        for seat, chair in enumerate(table.chairs):
            if chair.holder is not None and not chair.stand_in:
                self._check(
                    (table.id, chair.holder) in self.asked_to_pause,
                    f"{table.id} pauses or goes on, and seat {seat} has not asked for it",
                )

    def _check_no_votes_left(self, table: Table) -> None:
        self._check(
            not table.pausing and table.paused is None, f"{table.id} has a pause without a match"
        )
        if table.phase == "lobby":
            left = any(chair.stand_in or chair.against or chair.for_bot for chair in table.chairs)
            self._check(not left, f"{table.match_id} begins with votes or bots of another match")

    def _check_rematch_is_wanted(self, old: Table) -> None:
        promises = self._promises
        people = {chair.holder for chair in old.chairs} - {None}
        here = people.intersection(promises.holders_present_at(old))
        self._check(
            (old.id, old.host) in self.called_rematch
            or all((old.match_id, holder) in self.asked_again for holder in here),
            f"there is another match after {old.match_id}, and not everyone wanted that",
        )

    def _is_agreed_match_ready(self, table: Table, *, all_shares: bool = False) -> bool:
        """Whether everyone who wanted a match is here and has sent a share for it, or has sent one
        even if they are away."""
        here = self._promises.holders_present_at(table)
        agreed = [table.chairs[seat] for seat in table.again]
        present = [chair for chair in agreed if chair.holder in here]
        wanted = agreed if all_shares else present
        return bool(present) and all(chair.share for chair in wanted)

    def check_agreed_match_has_begun(self, id: str) -> None:
        """To be called when somebody's share was acknowledged, before anybody else sits down. If
        too few sat there when the last share came, the host has to start the match later: whoever
        sits down then hasn't agreed to anything."""
        table = self._promises.tables.get(id)
        if table and table.phase == "lobby":
            self._promises.checked["an agreed match begins"] += 1
            taken = sum(not chair.is_free for chair in table.chairs)
            enough = taken >= table.rules.players[0]
            self._check(
                not (enough and self._is_agreed_match_ready(table, all_shares=True)),
                f"everyone wants {table.match_id} and has sent a share, and it doesn't begin",
            )

    def _check_wins(self, old: Table, table: Table, changes: list[SeatChange]) -> None:
        """A match counts for those who have won it."""
        log = self._promises.logs.get(table.match_id)
        ended = (old.phase, table.phase) == ("playing", "over")
        outcome = log.game.outcome(log.state) if log and ended else None
        winners = outcome.winners if outcome else ()
        for seat, (was, now) in enumerate(changes):
            if now.holder is not None and was.holder is not None:
                self._check(
                    now.wins == was.wins + (seat in winners),
                    f"seat {seat} of {table.id} has {now.wins} wins, after {was.wins}",
                )
