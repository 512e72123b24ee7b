"""The course of a round: the deal, the ends of turns, the end; and who has won the match."""

from pytlik import score_sheet
from pytlik.chance import Chance
from pytlik.game import EventRecorder, Outcome, Seat
from pytlik.unikat.legal import takes
from pytlik.unikat.messages import DrawOwed, Event, MatchEnded, RoundDealt, RoundEnded, TurnEnded
from pytlik.unikat.model import DISPLAY_SIZE, HAND_SIZE, TILES, Chain, Ended, Phase, State

Recorder = EventRecorder[State, Event]


def deal(log: Recorder, starter: Seat, chance: Chance, now: int) -> None:
    """Shuffle all tiles once, and deal ten to each seat in order, three to the display and one to
    the table. The rest stays in the bag (U3)."""
    players, number = log.state.players, log.state.round + 1
    tiles = chance.stream(f"round {number}: bag").shuffled(TILES)
    rest = tiles[HAND_SIZE * players :]
    log.record(
        RoundDealt(
            at=now,
            round=number,
            starter=starter,
            hands=tuple(tiles[HAND_SIZE * s : HAND_SIZE * (s + 1)] for s in range(players)),
            display=rest[:DISPLAY_SIZE],
            start=rest[DISPLAY_SIZE],
            bag=rest[DISPLAY_SIZE + 1 :],
        )
    )


def earns_bonus(state: State, chain: Chain) -> bool:
    """Did a tile touch two or more when it was laid? Only a turn's first action counts (U10)."""
    return state.phase is Phase.ACTION and any(
        len(state.board.with_chain(chain[:count]).touching(placed.cell)) > 1
        for count, placed in enumerate(chain)
    )


def draw_or_end_turn(log: Recorder, now: int) -> None:
    """Let a seat with fewer than ten tiles draw one, if there is one (U13)."""
    state = log.state
    if len(state.hand) < HAND_SIZE and takes(state):
        log.record(DrawOwed(at=now, seat=state.to_move))
    else:
        end_turn(log, now)


def end_turn(log: Recorder, now: int) -> None:
    seat, players = log.state.to_move, log.state.players
    log.record(TurnEnded(at=now, seat=seat, next=(seat + 1) % players))
    state = log.state
    with_empty_bag, with_any = (turns * players for turns in state.options.blocked)
    if state.quiet_turns >= (with_any if state.bag else min(with_empty_bag, with_any)):  # U16
        fewest = score_sheet.best([len(hand) for hand in state.hands], most=False)
        end_round(log, fewest, "blocked", now)


def end_round(log: Recorder, winners: tuple[Seat, ...], ended: Ended, now: int) -> None:
    log.record(RoundEnded(at=now, winners=winners, ended=ended, hands=log.state.hands))
    result = outcome(log.state)
    if result:
        log.record(MatchEnded(at=now, winners=result.winners, points=result.points))


def outcome(state: State) -> Outcome | None:
    """Fewest minus points after the last round wins (U17)."""
    if not state.finished:
        return None
    return score_sheet.outcome(state.sheet, state.players, most=False)
