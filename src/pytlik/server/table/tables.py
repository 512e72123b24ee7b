"""A table: what is agreed, which match is played, and the host's powers. Pure functions over it.

Who sits where is in `seats.py`. A seat is held by whoever knows a token; the table knows only the
token's hash. Names are here and not in the log, so that they can be changed and deleted.
"""

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec.structs import replace

from pytlik.game import AnyGame, Illegal, Malformed, Outcome, Reason, Seat
from pytlik.games import GAMES
from pytlik.matchfile import Player
from pytlik.protocol.messages import Line
from pytlik.protocol.reasons import ServerReason
from pytlik.protocol.table_agreement import Agreement, Level, Phase
from pytlik.server.tokens import Holder

MAX_TALK_LINES = 40
"""How many lines of talk a table keeps."""


class Chair(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat at the table: free, a person's, or a bot's."""

    name: str = ""
    holder: Holder | None = None
    bot: Level | None = None
    share: str = ""
    """The share of the seed from whoever sat here when the match began."""
    stand_in: bool = False
    """A bot plays for the person until they are back, or until somebody takes the free seat."""
    stand_in_at: int | None = None
    """When a bot will start playing for a person who is away, for people to see. The deadline in
    the store decides; after downtime it's later than this."""
    recovery: str | None = None
    """The hash of the code that gives a lost seat back."""
    claim: str | None = None
    """The hash of the code with which the holder got the seat from another device."""
    muted: bool = False
    wins: int = 0
    """Matches that whoever sits here has won since they sat down."""
    holders: tuple[Holder, ...] = ()
    """Everyone who has held this seat during the match, and so knows its hand."""
    against: tuple[Holder, ...] = ()
    """Who wants the person to leave."""
    for_bot: tuple[Holder, ...] = ()
    """Who wants a bot to play while the person is away."""

    def ever_held_by(self, holder: Holder) -> bool:
        """Whether somebody has held this seat during the match."""
        return holder == self.holder or holder in self.holders

    @property
    def is_free(self) -> bool:
        return self.holder is None and self.bot is None


class SeatMoveCode(msgspec.Struct, frozen=True, kw_only=True):
    """Gives a seat to whoever enters it in time. This is how a seat moves to another device."""

    seat: Seat
    hash: str
    expires: int


class Table(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    game: str
    options: msgspec.Raw
    agreement: Agreement
    chairs: tuple[Chair, ...]
    host: Holder
    """Doesn't have to have a seat: a television can host."""
    created: int
    match: int = 1
    """The number of the match that is played or will be next."""
    commitment: str
    """The commitment to that match's secret, published before anybody sits down."""
    phase: Phase = "lobby"
    again: tuple[Seat, ...] = ()
    """Who wants another match, from the end of one to the beginning of the next."""
    pausing: tuple[Seat, ...] = ()
    """Who wants a pause, or wants to resume during one."""
    paused: int | None = None
    """When the pause began."""
    codes: tuple[SeatMoveCode, ...] = ()
    talk: tuple[Line, ...] = ()
    """The last lines."""
    speakers: dict[int, Holder] = {}
    """Who said or did it, by the line's number; unknown for lines that older servers stored."""
    past: tuple[tuple[Player, ...], ...] = ()
    """Who sat where in each match that is over."""
    past_holders: tuple[tuple[Holder | None, ...], ...] = ()
    """Whose names those are: None for bots and for people who have removed theirs, and missing for
    a match that an older server finished."""
    hosts: tuple[Holder, ...] = ()
    """Everyone who has been the host during the match."""
    muted: tuple[Holder, ...] = ()
    """Who is muted here, wherever they sit."""
    removed: tuple[Holder, ...] = ()
    """Who may no longer sit down here."""
    locked: bool = False
    """Whether nobody new may sit down."""
    circle: str | None = None
    """The circle in which its matches count."""

    @property
    def match_id(self) -> str:
        return f"{self.id}.{self.match}"

    @property
    def rules(self) -> AnyGame:
        return GAMES[self.game]

    def acting_bot_level(self, seat: Seat) -> Level | None:
        """The level of the bot that acts on a seat now. Not every game has all levels."""
        chair = self.chairs[seat]
        level = chair.bot or (self.agreement.bot_level if chair.stand_in else None)
        if level is None or level in self.rules.levels:
            return level
        return self.rules.default_bot

    @property
    def decoded_options(self) -> Any:
        """The options, as the game's own type."""
        return msgspec.json.decode(self.options, type=self.rules.options)

    def held_by(self, holder: Holder | None) -> tuple[Seat, ...]:
        return tuple(
            seat
            for seat, chair in enumerate(self.chairs)
            if holder is not None and chair.holder == holder
        )

    @property
    def has_one_person(self) -> bool:
        """Whether only one person plays here, on however many seats. Nobody waits for them, so no
        bot ever plays for them."""
        people = {chair.holder for chair in self.chairs if chair.holder is not None}
        return len(people) == 1

    @property
    def has_known_deal(self) -> bool:
        """Whether the match is a newcomer's first one, with a deal that everyone knows: only one
        person plays, and it isn't counted."""
        return self.commitment == self.rules.first_game_commitment

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits where, as match files say it."""
        return tuple(
            Player(chair.name, None if chair.holder else self.acting_bot_level(seat))
            for seat, chair in enumerate(self.chairs)
        )


def create(
    table_id: str,
    game: str,
    host: Holder,
    commitment: str,
    now: int,
    *,
    chairs: int | None = None,
    options: dict[str, Any] | None = None,
    agreement: Agreement | None = None,
    circle: str | None = None,
) -> Table:
    if game not in GAMES:
        raise Malformed(Reason.BAD_REQUEST, problem="there is no such game")
    players = GAMES[game].players
    number = players[-1] if chairs is None else chairs
    if number not in players:
        problem = f"it takes {players[0]} to {players[-1]} chairs"
        raise Malformed(Reason.BAD_REQUEST, problem=problem)
    table = Table(
        id=table_id,
        game=game,
        options=msgspec.Raw(b"{}"),
        agreement=Agreement(),
        chairs=(Chair(),) * number,
        host=host,
        created=now,
        commitment=commitment,
        circle=circle,
    )
    table = set_options(table, host, options or {})
    return set_agreement(table, host, agreement or Agreement())


# ------------------------------------------------------------------------------- what is agreed


def is_member(table: Table, holder: Holder | None) -> bool:
    """Whether somebody sits at a table or hosts it."""
    return holder is not None and (table.host == holder or bool(table.held_by(holder)))


def all_holders(table: Table) -> tuple[Holder, ...]:
    """Everyone whom a table remembers: who sits there, or has sat there during the match, who hosts
    it or has hosted it, who has left a name or a text, and who was muted or removed."""
    sitting = [chair.holder for chair in table.chairs]
    sat = [holder for chair in table.chairs for holder in chair.holders]
    before = [holder for match in table.past_holders for holder in match]
    excluded = (*table.muted, *table.removed)
    known = (
        *sitting, table.host, *sat, *table.hosts, *table.speakers.values(), *before, *excluded
    )  # fmt: skip
    return tuple(dict.fromkeys(holder for holder in known if holder is not None))


def check_host(table: Table, holder: Holder | None) -> None:
    if holder is None or holder != table.host:
        raise Illegal(ServerReason.NOT_HOST)


def check_may_start(table: Table, holder: Holder | None) -> None:
    """Check that somebody may start a match: the host, or, if the host doesn't sit here, also the
    person on the first seat. The host may be a television, and nobody may be near it."""
    people = [chair.holder for chair in table.chairs if chair.holder is not None]
    if table.host in people or holder not in people[:1]:
        check_host(table, holder)


def check_in_lobby(table: Table) -> None:
    if table.phase != "lobby":
        running = table.phase == "playing"
        raise Illegal(ServerReason.TABLE_RUNNING if running else Reason.WRONG_PHASE)


def set_options(table: Table, holder: Holder | None, options: dict[str, Any]) -> Table:
    check_host(table, holder)
    check_in_lobby(table)
    try:
        chosen = msgspec.convert(options, table.rules.options)
    except msgspec.ValidationError as error:
        raise Malformed(Reason.BAD_REQUEST, problem=f"options: {error}") from None
    table.rules.limits.check_options(chosen)
    table.rules.check_options(chosen, len(table.chairs))
    return replace(table, options=encode_options(chosen))


def encode_options(options: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(options))


def set_agreement(table: Table, holder: Holder | None, agreement: Agreement) -> Table:
    check_host(table, holder)
    if table.phase == "playing" and terms_fixed_during_match(agreement) != terms_fixed_during_match(
        table.agreement
    ):
        raise Illegal(ServerReason.TABLE_RUNNING)
    if agreement.slow:
        if not table.rules.slow_play:
            raise Malformed(
                Reason.BAD_REQUEST, problem=f"only {format_slow_games()} can be played slowly"
            )
        agreement = replace(agreement, away_seconds=None)
    if table.circle is not None:  # strangers would find the circle through it
        agreement = replace(agreement, listed=False)
    return replace(table, agreement=agreement)


def format_slow_games() -> str:
    return ", ".join(game.name.capitalize() for game in GAMES.values() if game.slow_play)


def terms_fixed_during_match(agreement: Agreement) -> Agreement:
    """The part of an agreement that may not change during a match: everything except who may watch
    and whether there is chat."""
    return replace(agreement, listed=False, chat=False)


def set_lock(table: Table, holder: Holder | None, *, locked: bool) -> Table:
    check_host(table, holder)
    return replace(table, locked=locked)


def readmit_everyone(table: Table, holder: Holder | None) -> Table:
    """Let everyone who was removed sit down again."""
    check_host(table, holder)
    return replace(table, removed=())


def add_chair(table: Table, holder: Holder | None) -> Table:
    """Add a free seat after the others."""
    check_host(table, holder)
    check_in_lobby(table)
    if len(table.chairs) + 1 not in table.rules.players:
        raise Illegal(ServerReason.TABLE_FULL)
    seats = (*range(len(table.chairs)), None)
    options = table.rules.reseat_options(table.decoded_options, seats)
    return replace(table, chairs=(*table.chairs, Chair()), options=encode_options(options))


def make_host(table: Table, holder: Holder | None, seat: Seat) -> Table:
    """Make somebody else the host."""
    check_host(table, holder)
    chair = chair_at(table, seat)
    if chair.holder is None:
        raise Illegal(ServerReason.SEAT_FREE)
    return with_host(table, chair.holder)


def with_host(table: Table, holder: Holder) -> Table:
    """The table with another host. It remembers earlier ones only during a match, when there are
    few: the first, and people who held a seat."""
    known = table.hosts if table.phase == "playing" else ()
    return replace(table, host=holder, hosts=tuple(dict.fromkeys((*known, holder))))


def chair_at(table: Table, seat: Seat) -> Chair:
    if not 0 <= seat < len(table.chairs):
        raise Illegal(ServerReason.NO_SUCH_SEAT)
    return table.chairs[seat]


# -------------------------------------------------------------------------------------- a match


def start(table: Table, holder: Holder | None, *, without_free: bool = False) -> Table:
    """Begin the match. With `without_free`, free seats are removed."""
    check_may_start(table, holder)
    check_in_lobby(table)
    taken = [seat for seat, chair in enumerate(table.chairs) if not chair.is_free]
    if len(taken) < len(table.chairs) and not without_free:
        raise Illegal(ServerReason.NOT_EVERYONE)
    if len(taken) < table.rules.players[0]:
        raise Illegal(ServerReason.TOO_FEW_PLAYERS, fewest=table.rules.players[0])
    return replace(
        table,
        phase="playing",
        again=(),
        hosts=(table.host,),
        chairs=tuple(
            replace(
                chair,
                holders=(chair.holder,) if chair.holder else (),
                share="" if table.has_known_deal else chair.share,
            )
            for chair in (table.chairs[seat] for seat in taken)
        ),
        options=encode_options(table.rules.reseat_options(table.decoded_options, taken)),
        codes=tuple(
            replace(code, seat=taken.index(code.seat)) for code in table.codes if code.seat in taken
        ),
    )


def finish(table: Table, winners: Collection[Seat] = ()) -> Table:
    """End the match, and count it for its winners, unless it was a first game."""
    if table.phase != "playing":
        return table
    counted = () if table.has_known_deal else winners
    unknown = ((),) * (len(table.past) - len(table.past_holders))
    return replace(
        table,
        phase="over",
        pausing=(),
        paused=None,
        chairs=tuple(
            replace(chair, wins=chair.wins + (seat in counted))
            for seat, chair in enumerate(table.chairs)
        ),
        past=(*table.past, table.players),
        past_holders=(
            *table.past_holders,
            *unknown,
            tuple(chair.holder for chair in table.chairs),
        ),
    )


def finish_if_current(table: Table, number: int, outcome: Outcome | None) -> Table:
    """End this match, unless another one is being played."""
    winners = outcome.winners if outcome else ()
    return finish(table, winners) if table.match == number else table


# --------------------------------------------------------------------------------------- talking


def add_talk(
    table: Table, holder: Holder | None, *, text: str | None = None, reaction: str | None = None
) -> Table:
    """Say something to everyone at the table, as somebody who sits there."""
    mine = table.held_by(holder)
    if not mine:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    if any(table.chairs[seat].muted for seat in mine):
        raise Illegal(ServerReason.MUTED)
    if text is not None and not table.agreement.chat:
        raise Illegal(ServerReason.NO_CHAT)
    return with_line(table, mine[0], holder, text=text, reaction=reaction)


def with_line(table: Table, seat: Seat, holder: Holder | None, **said: Any) -> Table:
    """Add a line about `holder`, or by them."""
    number = table.talk[-1].number + 1 if table.talk else 1
    talk = (*table.talk, Line(number=number, seat=seat, **said))[-MAX_TALK_LINES:]
    speakers = {each: who for each, who in table.speakers.items() if each >= talk[0].number}
    if holder is not None:
        speakers[number] = holder
    return replace(table, talk=talk, speakers=speakers)
