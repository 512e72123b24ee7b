"""A round as text, as the seat to move sees it."""

from pytlik.i18n import catalogue
from pytlik.text.layout import TextFormat
from pytlik.text.unikat.table import draw_table, status_line
from pytlik.unikat.engine.kernel import ACTION, BONUS, CHAIN, OVER, TAKING, Round
from pytlik.unikat.engine.kernel_bridge import ENDED_NUMBER, PHASE_NUMBER
from pytlik.unikat.model import TILES, Options, Phase, Stone
from pytlik.unikat.view import Choices, View

WIDTH, HEIGHT = 100, 40

PHASES_BY_NUMBER = {number: phase for phase, number in PHASE_NUMBER.items()} | {
    # In the middle of an action, the rules are still in the phase in which it began.
    CHAIN: Phase.ACTION,
    TAKING: Phase.ACTION,
}

ENDINGS_BY_NUMBER = {number: ended for ended, number in ENDED_NUMBER.items()}


def view_from_round(round_: Round, options: Options) -> View:
    """What the seat to move may know, except its choices and what happened before."""
    seat = round_.to_move
    hands = tuple(tuple(TILES[tile] for tile in hand) for hand in round_.hands)
    over = round_.phase == OVER
    return View(
        seat=seat,
        players=round_.players,
        options=options,
        round=1,
        sheet=(),
        starter=0,
        board=tuple(Stone(x, y, TILES[tile]) for x, y, tile in round_.board),
        hand=hands[seat],
        counts=tuple(map(len, hands)),
        known=tuple(tuple(TILES[tile] for tile in sorted(hand)) for hand in round_.known),
        hands=hands if over else (),
        display=tuple(TILES[tile] for tile in round_.display),
        bag=len(round_.bag),
        to_move=seat,
        phase=PHASES_BY_NUMBER[round_.phase],
        laid=round_.laid,
        quiet_turns=round_.quiet_turns,
        latest=(),
        winners=round_.winners if over else (),
        ended=ENDINGS_BY_NUMBER[round_.ended],
        ready=(),
        outcome=None,
        choices=Choices(swap=round_.phase in (ACTION, BONUS)),
    )


def render_round(round_: Round, options: Options) -> str:
    """Plain text, with tiles as codes."""
    seen = view_from_round(round_, options)
    translate = catalogue("en")
    names = [f"player_{seat}" for seat in range(round_.players)]
    lines = [
        draw_table(seen, names, translate, TextFormat(plain=True, width=WIDTH, height=HEIGHT)).plain
    ]
    if seen.phase is Phase.OVER:
        lines.append(status_line(seen, names, translate))
    return "\n".join(lines)
