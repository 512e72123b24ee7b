"""Unikat, as the rest of Pytlik uses it."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pytlik.game import Game, Illegal, LogLimits, Malformed, Ready, Reason, Seat
from pytlik.state_codec import StateCodec
from pytlik.unikat import legal as legal_actions
from pytlik.unikat import messages, rounds, rules
from pytlik.unikat import view as views
from pytlik.unikat.bots import BOTS, LEVELS
from pytlik.unikat.messages import Action, Event, TileSwapped
from pytlik.unikat.model import TILES, Board, Options, Placement, State, Tile
from pytlik.unikat.reasons import UnikatReason
from pytlik.unikat.view import View

__all__ = ["UNIKAT", "Action", "Event", "Options", "State", "View"]

MAX_SWAPS_PER_ROUND = 100
"""The most swaps by one seat in a round on a server. Someone who can't lay may still swap."""

MAX_QUIET_TURNS_PER_PLAYER = 100
"""The most turns per player without a lay that a table can choose for U16. The rules themselves
would allow ten times as many."""

FIRST_GAME_SECRET = b"Unikat: a first game, 15549"
"""Chosen for its deal: with two players, three tiles fit right away, and five can be laid as a
chain."""


def legal(view: View) -> Iterator[Action]:
    """Every action of the seat that sees this. In the middle of a round there may be a great many,
    so take only as many as you need."""
    if view.choices.ready:
        yield Ready()
    if view.seat == view.to_move:
        yield from legal_actions.legal(state_from_view(view))


def state_from_view(view: View) -> State:
    """A state in which the seat to move can do exactly what it can do in the match. Everything that
    it doesn't know is made up."""
    board = Board(Placement(stone.tile, stone.x, stone.y) for stone in view.board)
    return State(
        options=view.options,
        players=view.players,
        board=board,
        hands=tuple(view.hand if seat == view.seat else () for seat in range(view.players)),
        display=view.display,
        bag=TILES[: view.bag],
        to_move=view.to_move,
        phase=view.phase,
    )


def automatic_action(view: View) -> Action | None:
    return Ready() if view.choices.ready else None


def reseat_options(options: Options, seats: Sequence[Seat | None]) -> Options:
    if options.starter is None:
        return options
    stays = options.starter in seats
    return replace(options, starter=seats.index(options.starter) if stays else None)


def check_swap_limit(state: State, events: Sequence[Event], swaps: int) -> None:
    if swaps < MAX_SWAPS_PER_ROUND or not isinstance(events[0], TileSwapped):
        return
    # After a lay in the same turn the swap is the turn's extra action, and does no harm.
    if not state.laid and legal_actions.can_lay(state):
        raise Illegal(UnikatReason.TOO_MANY_SWAPS, most=MAX_SWAPS_PER_ROUND)


def check_quiet_turn_limit(options: Options) -> None:
    if max(options.blocked) > MAX_QUIET_TURNS_PER_PLAYER:
        problem = f"options: blocked: at most {MAX_QUIET_TURNS_PER_PLAYER} turns a player"
        raise Malformed(Reason.BAD_REQUEST, problem=problem)


def encode_board(board: Board) -> list[Placement]:
    return list(board.placements())


def decode_board(placements: list[tuple[str, int, int]]) -> Board:
    return Board(Placement(Tile(tile), x, y) for tile, x, y in placements)


UNIKAT: Game[State, View, Action, Event, Options] = Game(
    name="unikat",
    players=rules.PLAYERS,
    options=Options,
    action=Action,
    event=Event,
    view_type=View,
    refusals=UnikatReason,
    open=rules.open_match,
    decide=rules.decide,
    apply=rules.apply,
    cause=rules.cause,
    outcome=rounds.outcome,
    awaited=rules.awaited,
    round_begins=messages.RoundDealt,
    forgotten=messages.TURN_EVENTS,
    state_codec=StateCodec(State, encode_board, {Board: decode_board}),
    view=views.view,
    open_view=views.open_view,
    mask=views.mask,
    legal=legal,
    check_options=rules.check_options,
    reseat_options=reseat_options,
    slow_play=True,
    first_game_secret=FIRST_GAME_SECRET,
    limits=LogLimits(
        counted=(TileSwapped,),
        starts_again=(messages.RoundDealt,),
        check=check_swap_limit,
        check_options=check_quiet_turn_limit,
    ),
    bots={**BOTS, **LEVELS},
    levels=tuple(LEVELS),
    default_bot="medium",
    searching_levels=frozenset({"master"}),
    automatic_action=automatic_action,
    shows={
        "coach": "pytlik.unikat.coach",
        "openspiel": "pytlik.adapters.bots_from_openspiel:BOTS",
        "text": "pytlik.text.unikat:TEXT",
        "coach_text": "pytlik.text.unikat.coach",
        "lines": "pytlik.terminal.unikat.line_mode:UnikatLineGame",
        "screen": "pytlik.terminal.unikat.screen:UnikatScreen",
    },
)
