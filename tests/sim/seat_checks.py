"""Checks that people keep their seats, with everything that belongs to a seat: codes, mutes, votes,
wins."""

from typing import TYPE_CHECKING

from pytlik.game import Seat
from pytlik.server.table.seats import MIN_PLAYERS_TO_AGREE
from pytlik.server.table.tables import Chair, Table
from pytlik.server.tokens import Holder
from tests.sim.tolerances import MAX_UPDATE_SECONDS

if TYPE_CHECKING:
    from tests.sim.player import Player
    from tests.sim.server_promises import ServerPromises

SeatChange = tuple[Chair, Chair]
"""A chair before and after a change of the table."""


class SeatPromises:
    """What people have asked for, and what that may do to their seats."""

    def __init__(self, promises: "ServerPromises") -> None:
        self._promises = promises
        self.gave_up_seat: set[tuple[str, Holder]] = set()
        """People who gave up a seat at a table."""
        self.pause_voters: set[tuple[str, Holder]] = set()
        """People who asked for a pause at a table, or to continue after one."""
        self.unmute_requests: set[tuple[str, Seat]] = set()
        self.hosts_handing_over: set[tuple[str, Holder]] = set()
        """Hosts who asked someone else to be the host."""
        self.rematch_hosts: set[tuple[str, Holder]] = set()
        """Hosts who asked for another match."""
        self.rematch_voters: set[tuple[str, Holder]] = set()
        """People who voted for another match, with the match before it."""
        self.start_requests: set[str] = set()
        """Matches that a host asked to start."""
        self._muted_holders: set[tuple[str, Holder]] = set()
        self._expelled_holders: set[tuple[str, Holder]] = set()
        self._void_codes: set[str] = set()
        """Hashes of codes for seats that have passed to another holder."""

    def _check(self, kept: object, message: str) -> None:
        self._promises.check(kept, message)

    def check_change(self, old: Table, table: Table) -> None:
        """Check a new version of a table against the one before it."""
        self._promises.checked["people keep their seats"] += 1
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
            self._check(kept, f"{table.match_id} begins with shares from the match before it")
            self._check_rematch_is_wanted(old)
        if begins and table.match_id not in self.start_requests:
            self._check(
                self._is_agreed_match_ready(old) or self._was_agreed_match_ready(old),
                f"{table.match_id} begins, but not everyone has sent a share",
            )

    # ------------------------------------------------------------------------------------ seats

    def _check_holder(self, old: Table, table: Table, seat: Seat, change: SeatChange) -> None:
        was, now = change
        if now.holder is not None:
            expelled = (table.id, now.holder) in self._expelled_holders
            self._check(not expelled, f"someone who was removed is back at {table.id}")
        if was.holder is None or was.holder == now.holder:
            return
        self._void_codes |= {code.hash for code in old.codes if code.seat == seat}
        if was.recovery is not None:
            self._void_codes.add(was.recovery)
        if now.holder is not None:
            self._check(
                self._find_person(was.holder) is self._find_person(now.holder),
                f"seat {seat} of {table.id} passes to another person",
            )
            for people in (self._muted_holders, self.pause_voters):
                if (table.id, was.holder) in people:
                    people.add((table.id, now.holder))
        elif (table.id, was.holder) not in self.gave_up_seat:
            self._expelled_holders.add((table.id, was.holder))
            self._check(
                self._have_others_agreed(old, seat, was.holder),
                f"someone loses seat {seat} of {table.id} without the votes of all others",
            )

    def _have_others_agreed(self, table: Table, seat: Seat, holder: Holder) -> bool:
        promises = self._promises
        askers = promises.removal_voters[table.id, seat]
        voters = {table.host}
        if table.phase == "playing":
            here = promises.holders_present_at(table)
            playing = {chair.holder for chair in table.chairs if not chair.stand_in}
            players = {one for one in here if one in playing} - {holder}
            if len(players) < MIN_PLAYERS_TO_AGREE:
                return False
            voters |= players
        return all(self._find_person(voter).name in askers for voter in voters - {holder})

    def _find_person(self, holder: Holder) -> "Player":
        everyone = self._promises.world.everyone
        return next(player.person for player in everyone if player.holder == holder)

    def _check_codes(self, table: Table) -> None:
        codes = {code.hash for code in table.codes}
        codes |= {chair.recovery for chair in table.chairs if chair.recovery is not None}
        self._check(
            not codes & self._void_codes,
            f"{table.id} still has a code of someone who has lost that seat",
        )

    def _check_host(self, old: Table, table: Table) -> None:
        """A host who loses their last seat passes the table on, and otherwise the host stays the
        same."""
        asked = table.id, old.host
        if table.host != old.host:
            self._check(
                asked in self.gave_up_seat | self.hosts_handing_over
                or old.host in table.removed
                or self._find_person(table.host) is self._find_person(old.host),
                f"{table.id} has another host, and nobody asked for that",
            )
        elif old.held_by(old.host) and not table.held_by(table.host):
            others = any(chair.holder is not None for chair in table.chairs)
            self._check(not others, f"the host of {table.id} has left it")

    # -------------------------------------------------------------------------------------- chat

    def _check_mutes(self, table: Table, changes: list[SeatChange]) -> None:
        """Someone who is muted stays so, on any seat, until the host unmutes them."""
        for holder in {chair.holder for chair in table.chairs if chair.holder is not None}:
            mine = table.held_by(holder)
            if any(table.chairs[seat].muted for seat in mine):
                self._muted_holders.add((table.id, holder))
            elif (table.id, holder) in self._muted_holders:
                self._muted_holders.remove((table.id, holder))
                self._check(
                    any((table.id, seat) in self.unmute_requests for seat in mine),
                    f"someone at {table.id} is no longer muted, and nobody asked for that",
                )
        for was, now in changes:
            if was.muted and was.holder == now.holder and was.name != now.name:
                self._check(
                    not now.name,
                    f"someone who is muted at {table.id} has changed their name to {now.name}",
                )

    def _check_new_lines(self, old: Table, table: Table) -> None:
        last = old.talk[-1].number if old.talk else 0
        for line in table.talk:
            if line.number > last and line.change is None:
                speaker = table.speakers[line.number]
                self._check(
                    table.chairs[line.seat].holder == speaker,
                    f"line {line.number} of {table.id} is attributed to another's seat",
                )
                self._check(
                    (table.id, speaker) not in self._muted_holders,
                    f"someone who is muted says line {line.number} of {table.id}",
                )

    # ------------------------------------------------------------------------------------- votes

    def _check_pause(self, old: Table, table: Table) -> None:
        """A pause begins and ends when everyone who is playing asks for it."""
        playing = old.phase == table.phase == "playing"
        if not playing or (old.paused is None) == (table.paused is None):
            return
        self._promises.checked["pauses need everyone's vote"] += 1
        for seat, chair in enumerate(table.chairs):
            if chair.holder is not None and not chair.stand_in:
                self._check(
                    (table.id, chair.holder) in self.pause_voters,
                    f"{table.id} pauses or continues without the vote of seat {seat}",
                )

    def _check_no_votes_left(self, table: Table) -> None:
        self._check(
            not table.pausing and table.paused is None, f"{table.id} has a pause without a match"
        )
        if table.phase == "lobby":
            left = any(chair.stand_in or chair.against or chair.for_bot for chair in table.chairs)
            self._check(
                not left, f"{table.match_id} begins with votes or stand-ins from another match"
            )

    def _check_rematch_is_wanted(self, old: Table) -> None:
        promises = self._promises
        people = {chair.holder for chair in old.chairs} - {None}
        here = people.intersection(promises.holders_present_at(old))
        self._check(
            (old.id, old.host) in self.rematch_hosts
            or all((old.match_id, holder) in self.rematch_voters for holder in here),
            f"a rematch follows {old.match_id}, and not everyone asked for one",
        )

    def _is_agreed_match_ready(self, table: Table, *, all_shares: bool = False) -> bool:
        """Whether everyone who asked for a match and is here has sent a share for it. With
        `all_shares`, those who are away must have sent one too."""
        return self._is_ready(
            table, self._promises.holders_present_at(table), all_shares=all_shares
        )

    def _was_agreed_match_ready(self, table: Table) -> bool:
        """The same a moment ago, when a worker may have looked: people may have left since."""
        now, here = self._promises.world.loop.time(), self._promises.holders_present_at(table)
        just_left = [
            holder
            for (id, holder), at in self._promises.left_at.items()
            if id == table.id and now - at < MAX_UPDATE_SECONDS
        ]
        return self._is_ready(table, [*here, *just_left], all_shares=False)

    def _is_ready(self, table: Table, here: list[Holder], *, all_shares: bool) -> bool:
        agreed = [table.chairs[seat] for seat in table.again]
        present = [chair for chair in agreed if chair.holder in here]
        wanted = agreed if all_shares else present
        return bool(present) and all(chair.share for chair in wanted)

    def check_agreed_match_has_begun(self, id: str) -> None:
        """Check that a match on which everyone agreed has begun. Call this when someone's share was
        acknowledged, before anyone else sits down. If there were too few players when the last
        share came, the host has to start the match later, because those who join after that haven't
        agreed to anything."""
        table = self._promises.tables.get(id)
        if table and table.phase == "lobby":
            self._promises.checked["agreed matches begin"] += 1
            taken = sum(not chair.is_free for chair in table.chairs)
            enough = taken >= table.rules.players[0]
            self._check(
                not (enough and self._is_agreed_match_ready(table, all_shares=True)),
                f"everyone asked for {table.match_id} and has sent a share, but it doesn't begin",
            )

    def _check_wins(self, old: Table, table: Table, changes: list[SeatChange]) -> None:
        """A win is counted for each winner, and for nobody else."""
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
