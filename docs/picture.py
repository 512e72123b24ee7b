"""Draws docs/picture.svg for the README: a Unikat table in the terminal, in the middle of a game.

    python docs/picture.py [FILE]

The same picture every time. Nothing in it is fetched from anywhere: no font, no style sheet.
"""

import sys
from html import escape
from pathlib import Path

from rich.console import Console
from rich.text import Text

from pytlik.chance import from_text, mix
from pytlik.game import Opening
from pytlik.i18n import catalogue
from pytlik.unikat import rules
from pytlik.unikat.bots import BOTS
from pytlik.unikat.drawn import Draft, Look
from pytlik.unikat.model import Options, Phase, State
from pytlik.unikat.text import screen
from pytlik.unikat.view import View, view

COLUMN, ROW, MARGIN = 9, 18, 18
"""In pixels. A row is twice as high as a column is wide, so that the blocks of tiles meet."""
INK, GROUND = "#e8e4da", "#15201c"
FONTS = "'DejaVu Sans Mono', 'Cascadia Mono', Menlo, Consolas, monospace"


def svg(text: Text, width: int) -> str:
    """Text in a terminal's colours as a picture, each character in its place."""
    console = Console(width=width, color_system="truecolor", force_terminal=True)
    lines = console.render_lines(text, pad=False)
    parts: list[str] = []
    for row, segments in enumerate(lines):
        column = 0
        for segment in segments:
            style, cells = segment.style, segment.cell_length
            x, y = MARGIN + column * COLUMN, MARGIN + row * ROW
            if style and style.bgcolor and not style.bgcolor.is_default:
                colour = style.bgcolor.get_truecolor().hex
                size = f'width="{cells * COLUMN}" height="{ROW}"'
                parts.append(
                    f'<rect x="{x}" y="{y}" {size} fill="{colour}" shape-rendering="crispEdges"/>'
                )
            ink = INK
            if style and style.color and not style.color.is_default:
                ink = style.color.get_truecolor().hex
            bold = ' font-weight="bold"' if style and style.bold else ""
            for offset, sign in enumerate(segment.text):
                if not sign.isspace():
                    parts.append(
                        f'<text x="{x + (offset + 0.5) * COLUMN:g}" y="{y + ROW - 5}"'
                        f' fill="{ink}"{bold}>{escape(sign)}</text>'
                    )
            column += cells
    full_width, height = 2 * MARGIN + width * COLUMN, 2 * MARGIN + len(lines) * ROW
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {height}"'
        f' font-family="{FONTS}" font-size="15" text-anchor="middle">'
    )
    ground = f'<rect width="{full_width}" height="{height}" rx="10" fill="{GROUND}"/>'
    return "\n".join((head, ground, *parts, "</svg>\n"))


def played(turns: int, seed: str) -> State:
    """A match of three bots, until the first seat's turn after so many actions."""
    chance = mix(seed.encode(), ())
    opening = Opening(players=3, commitment="", shares=("",) * 3)
    state: State | None = None
    for event in rules.open_match(opening, Options(rounds=3, starter=1), chance, 0):
        state = rules.apply(state, event)
    assert state is not None
    source = from_text(seed)
    for number in range(1000):
        if number >= turns and state.to_move == 0 and state.phase is Phase.ACTION:
            break
        seat = state.to_move
        bot = "random" if seat == 0 else "longest"
        action = BOTS[bot](view(state, seat), source.stream(str(number)))
        for event in rules.decide(state, seat, action, chance, 0):
            state = rules.apply(state, event)
    return state


def chosen(seen: View) -> Draft:
    """The tile of the hand that fits in most places."""
    tile = max(seen.choices.lay, key=lambda tile: len(seen.choices.lay[tile]))
    places = sorted(seen.choices.lay[tile], key=lambda cell: (cell.y, cell.x))
    return Draft(chosen=tile, places=tuple(places))


def main() -> None:
    state = played(16, "picture 59")
    seen = view(state, 0)
    names = ("You", "Ola", "Max")
    look = Look(width=84, height=40)
    text = screen(seen, names, catalogue("en"), look, draft=chosen(seen), order=sorted(seen.hand))
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("picture.svg")
    file.write_text(svg(text, 84), encoding="utf-8")


if __name__ == "__main__":
    main()
