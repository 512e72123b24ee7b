"""Match files: written, read, replayed, and verified against their seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec

from pytlik.chance import Chance, commit, mix
from pytlik.game import AnyGame, Malformed, Opening, Reason, Refusal
from pytlik.games import GAMES

HARMLESS_CHARACTERS = "\u200d\u00a0\u202f"
"""Python calls these unprintable, but they are harmless: one joins the parts of an emoji, the
others are no-break spaces."""


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sat on a seat: a person, or a bot and its name."""

    name: str
    bot: str | None = None


class Seed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the chance of a match was made from. It is published when the match is over."""

    secret: str
    """Hexadecimal digits."""
    shares: tuple[str, ...]


ActorName = Annotated[str, msgspec.Meta(pattern=r"^(person|bot|stand-in|clock|server)\Z")]
"""Who caused an event: a stand-in is a bot that played for a person."""


class MatchFileContent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a match file contains, in the order in which it's written."""

    pytlik: Literal[1]
    game: str
    options: msgspec.Raw
    seats: tuple[Player, ...]
    events: tuple[msgspec.Raw, ...]
    commitment: str
    seed: Seed | None
    actors: tuple[ActorName | None, ...] = ()


@dataclass(frozen=True)
class MatchRecord:
    """A match with all its events, as a file has it. `Match.load` makes one that can be played."""

    game: AnyGame
    seats: tuple[Player, ...]
    events: tuple[Any, ...]
    seed: Seed | None = None
    """None, unless the match is over."""
    actors: Sequence[ActorName | None] = ()
    """Who caused each event; empty if that's unknown, or follows from who sat where."""

    @property
    def has_known_deal(self) -> bool:
        """Whether its deal was known: a newcomer's first match, which doesn't claim to be fair."""
        commitment: str = self.events[0].commitment
        return commitment == self.game.first_game_commitment


def encode(match: MatchRecord) -> bytes:
    """Write a match file, with one event per line."""
    opened = match.events[0]
    content = MatchFileContent(
        pytlik=1,
        game=match.game.name,
        options=msgspec.Raw(msgspec.json.encode(opened.options)),
        seats=match.seats,
        events=tuple(msgspec.Raw(b"\n" + msgspec.json.encode(event)) for event in match.events),
        commitment=opened.commitment,
        seed=match.seed,
        actors=tuple(match.actors),
    )
    return msgspec.json.encode(content) + b"\n"


def decode(data: bytes) -> MatchRecord:
    """Read a match file. Raises Malformed."""
    try:
        file = msgspec.json.decode(data, type=MatchFileContent)
        game = GAMES[file.game]
        options = msgspec.json.decode(file.options, type=game.options)
    except KeyError:
        raise Malformed(Reason.BAD_FILE, problem="it names no game that Pytlik knows") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(Reason.BAD_FILE, problem=str(error)) from None
    events = tuple(decode_events(game, file.events))
    if not events or not is_opening_of(events[0], file, options):
        raise Malformed(Reason.BAD_FILE, problem="its first event doesn't open this match")
    if len(file.actors) not in (0, len(events)):
        raise Malformed(Reason.BAD_FILE, problem="it doesn't say who caused each event")
    seats = tuple(without_control_characters(player) for player in file.seats)
    return MatchRecord(game, seats, events, file.seed, file.actors)


def without_control_characters(player: Player) -> Player:
    """A player whose names can be printed. Those in a file could contain anything, such as commands
    to a terminal."""
    bot = player.bot and printable_text(player.bot)
    return Player(name=printable_text(player.name), bot=bot)


def printable_text(text: str) -> str:
    """A text without unprintable characters, which could control a terminal."""
    kept = (each for each in text if each.isprintable() or each in HARMLESS_CHARACTERS)
    return "".join(kept)


def is_opening_of(event: Any, file: MatchFileContent, options: Any) -> bool:
    """Whether this event opens the match that the rest of the file is about."""
    return (
        getattr(event, "game", None) == file.game
        and event.options == options
        and event.commitment == file.commitment
        and event.players == len(file.seats)
    )


def decode_events(game: AnyGame, events: Sequence[msgspec.Raw]) -> Iterator[Any]:
    decoder = msgspec.json.Decoder(game.event)
    for index, event in enumerate(events):
        try:
            yield decoder.decode(event)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(Reason.BAD_FILE, problem=f"event {index}: {error}") from None


def states(match: MatchRecord) -> Iterator[Any]:
    """The state after each event. Raises Malformed where an event can't follow those before it."""
    state = None
    for index, event in enumerate(match.events):
        try:
            state = match.game.apply(state, event)
        except Exception as error:  # a made-up event can break anything
            problem = f"event {index} can't follow the ones before it ({type(error).__name__})"
            raise Malformed(Reason.BAD_FILE, problem=problem) from error
        yield state


class Flaw(StrEnum):
    """What can be wrong with a match."""

    NO_SEED = "no_seed"
    """The secret isn't in the file: the match isn't over, or it was removed."""
    BROKEN_COMMITMENT = "broken_commitment"
    """The secret isn't the one that the server had committed itself to."""
    OTHER_SHARES = "other_shares"
    """The shares aren't those that the match was opened with."""
    TIME_RUNS_BACK = "time_runs_back"
    AGAINST_RULES = "against_rules"
    """The rules didn't allow what was done, or nobody did anything that leads to the event."""
    NOT_FROM_SEED = "not_from_seed"
    """Seed and rules lead to another event."""
    CUT_OFF = "cut_off"
    """The match isn't over after its last event."""


@dataclass(frozen=True)
class Finding:
    """What is wrong with a match, and the first event that is wrong, if it is an event."""

    flaw: Flaw
    event: int | None = None


def verify(match: MatchRecord) -> Finding | None:
    """Repeat the whole match from its seed: None if every event follows."""
    opened, seed = match.events[0], match.seed
    if seed is None:
        return Finding(Flaw.NO_SEED)
    try:
        secret = bytes.fromhex(seed.secret)
    except ValueError:
        return Finding(Flaw.BROKEN_COMMITMENT)
    if commit(secret) != opened.commitment:
        return Finding(Flaw.BROKEN_COMMITMENT)
    if seed.shares != opened.shares:
        return Finding(Flaw.OTHER_SHARES)
    return repeat_and_compare(match, mix(secret, seed.shares))


def verify_file(data: bytes) -> Finding | None:
    """Verify a match file. Raises Malformed."""
    return verify(decode(data))


def repeat_and_compare(match: MatchRecord, chance: Chance) -> Finding | None:
    """Repeat all decisions of a match, and return the first event that differs, if any."""
    game, events = match.game, match.events
    state, index = None, 0
    while index < len(events):
        try:
            expected = repeat_decision(game, state, events[index], chance)
        except Refusal:
            return Finding(Flaw.AGAINST_RULES, index)
        for event in expected:
            if index == len(events):
                return Finding(Flaw.CUT_OFF, index)
            if events[index] != event:
                return Finding(Flaw.NOT_FROM_SEED, index)
            state, index = game.apply(state, event), index + 1
        if not expected:
            return Finding(Flaw.AGAINST_RULES, index)
        if index < len(events) and events[index].at < events[index - 1].at:
            return Finding(Flaw.TIME_RUNS_BACK, index)
    return None if game.outcome(state) else Finding(Flaw.CUT_OFF, index)


def repeat_decision(game: AnyGame, state: Any, event: Any, chance: Chance) -> list[Any]:
    """Decide again on the action that led to an event, and return all events that follow."""
    if state is None:
        opening = Opening(players=event.players, commitment=event.commitment, shares=event.shares)
        return game.open(opening, event.options, chance, event.at)
    cause = game.cause(event)
    if cause is None:
        return []
    return game.decide(state, cause.seat, cause.action, chance, event.at, cause.lag)
