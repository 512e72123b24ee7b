"""The course of a round: dealt, from turn to turn, ended; and who has won after the last one."""

from pytlik import scores
from pytlik.chance import Chance
from pytlik.game import Outcome, Seat, Telling
from pytlik.unikat.legal import takes
from pytlik.unikat.messages import DrawOwed, Event, MatchEnded, RoundDealt, RoundEnded, TurnEnded
from pytlik.unikat.model import DISPLAY_SIZE, HAND_SIZE, TILES, Chain, Ended, Phase, State

Story = Telling[State, Event]


def deal(telling: Story, starter: Seat, chance: Chance, now: int) -> None:
    """All tiles are mixed, once. Ten each in seat order, three for the display, one for the
    table; the rest stays in the bag (U3)."""
    players, number = telling.state.players, telling.state.round + 1
    tiles = chance.stream(f"round {number}: bag").shuffled(TILES)
    rest = tiles[HAND_SIZE * players :]
    telling.tell(
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
    """Did a tile touch two or more as it was laid? Only a turn's first action earns (U10)."""
    return state.phase is Phase.ACTION and any(
        len(state.board.with_chain(chain[:count]).touching(placed.cell)) > 1
        for count, placed in enumerate(chain)
    )


def end_actions(telling: Story, now: int) -> None:
    """Who has fewer than ten tiles takes one, where there is one (U13)."""
    state = telling.state
    if len(state.hand) < HAND_SIZE and takes(state):
        telling.tell(DrawOwed(at=now, seat=state.to_move))
    else:
        end_turn(telling, now)


def end_turn(telling: Story, now: int) -> None:
    seat, players = telling.state.to_move, telling.state.players
    telling.tell(TurnEnded(at=now, seat=seat, next=(seat + 1) % players))
    state = telling.state
    with_empty_bag, with_any = (turns * players for turns in state.options.blocked)
    if state.quiet_turns >= (with_any if state.bag else min(with_empty_bag, with_any)):  # U16
        fewest = scores.best([len(hand) for hand in state.hands], most=False)
        end_round(telling, fewest, "blocked", now)


def end_round(telling: Story, winners: tuple[Seat, ...], ended: Ended, now: int) -> None:
    telling.tell(RoundEnded(at=now, winners=winners, ended=ended, hands=telling.state.hands))
    result = outcome(telling.state)
    if result:
        telling.tell(MatchEnded(at=now, winners=result.winners, points=result.points))


def outcome(state: State) -> Outcome | None:
    """Fewest minus points after the last round wins (U17)."""
    if not state.finished:
        return None
    return scores.outcome(state.sheet, state.players, most=False)
