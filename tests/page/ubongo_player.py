"""Solving Ubongo's cards in a browser: by mouse, touch or keyboard."""

from collections.abc import Sequence
from math import hypot, sqrt
from typing import Any

from playwright.sync_api import Page, expect

from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex, Shape, flip, normalize, turn
from tests.page.page_player import Player, translate
from tests.page.touch_input import Finger
from tests.page.unikat_player import middle_once_still

HEX_WIDTH = sqrt(3)
LIFT_PX = 60
"""How far above the finger a dragged piece is held."""


def parse_shape(cells: Any) -> Shape:
    return tuple(sorted(Hex(q, r) for q, r in cells))


def solution(deal: Any) -> dict[int, Shape]:
    """Find where each piece goes."""
    pieces = {int(number): parse_shape(cells) for number, cells in deal["pieces"].items()}
    found = solver.first(parse_shape(deal["area"]), list(pieces.values()))
    assert found
    return dict(zip(pieces, found, strict=True))


def mirror(cells: Shape) -> Shape:
    return normalize(turn(turn(flip(cells))))


def flip_and_turns(start: Shape, end: Shape) -> tuple[bool, int]:
    """Whether a piece must be flipped, and how often it must be turned to the right after that."""
    for flipped in (False, True):
        form = mirror(start) if flipped else normalize(start)
        for turns in range(6):
            if form == normalize(end):
                return flipped, turns
            form = normalize(turn(form))
    raise AssertionError("these are different pieces")


def cell_centre(cell: Hex) -> tuple[float, float]:
    """The centre of a cell, in a drawing of cells with radius 1."""
    return HEX_WIDTH * (cell.q + cell.r / 2), 1.5 * cell.r


def box_middle(cells: Shape) -> tuple[float, float]:
    xs, ys = zip(*map(cell_centre, cells), strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def middle_cell(cells: Shape) -> Hex:
    """The cell nearest to the middle; the first one in a tie."""
    x, y = box_middle(cells)
    best = cells[0]
    for cell in cells:
        if distance_to(cell, x, y) < distance_to(best, x, y) - 1e-9:
            best = cell
    return best


def distance_to(cell: Hex, x: float, y: float) -> float:
    return hypot(cell_centre(cell)[0] - x, cell_centre(cell)[1] - y)


class UbongoPlayer(Player):
    """Plays with the mouse: pieces are turned by buttons and dragged."""

    @property
    def deal(self) -> Any:
        return self.view["deals"][str(self.seat)]

    @property
    def is_over(self) -> bool:
        return bool(self.view) and self.view["outcome"] is not None

    @property
    def is_solving(self) -> bool:
        return bool(self.view) and self.view["choices"]["solve"]

    def card(self) -> Any:
        return self.by_role_and_name("grid", "page.ubongo.yourCard")

    def piece(self, number: int) -> Any:
        return self.page.locator(f'button[aria-label*=": piece {number},"]')

    def expect_on_card(self, number: int) -> None:
        """Expect the page to show the piece on the card."""
        words = translate("page.ubongo.piece.onCard", position=0, piece=0, colour="", cells=0)
        ending = words.rpartition(",")[2].strip()
        lying = self.page.locator(f'[aria-label$="{ending}"]')
        expect(self.piece(number).and_(lying)).to_be_visible()

    def to_screen_point(self, point: tuple[float, float]) -> tuple[float, float]:
        """Where a point of the drawing is on the screen."""
        x, y = point
        found: list[float] = self.card().evaluate(
            """(drawing, [x, y]) => {
              const at = new DOMPoint(x, y).matrixTransform(drawing.getScreenCTM());
              return [at.x, at.y];
            }""",
            [x, y],
        )
        return found[0], found[1]

    # ------------------------------------------------------------------------------------ actions

    def click(self, found: Any) -> None:
        found.click()

    def choose_piece(self, number: int) -> None:
        """Select a piece, unless it's selected: that would turn it."""
        if self.piece(number).get_attribute("aria-pressed") != "true":
            self.click(self.piece(number))

    def turn_and_flip(self, number: int, cells: Shape) -> None:
        self.choose_piece(number)
        flipped, turns = flip_and_turns(parse_shape(self.deal["pieces"][str(number)]), cells)
        if flipped:
            self.click(self.button("page.ubongo.flip"))
        for _ in range(turns):
            self.click(self.button("page.ubongo.turnRight"))

    def place_piece(self, number: int, cells: Shape) -> None:
        self.turn_and_flip(number, cells)
        start = middle_once_still(self.piece(number))
        x, y = self.to_screen_point(box_middle(cells))
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(x, y, steps=4)
        mouse.up()

    def press_ready(self, key: str) -> None:
        self.click(self.button(key))

    # --------------------------------------------------------------------------- rounds and matches

    def get_ready(self) -> None:
        """Say that we're ready for the next round."""
        self.wait_until(lambda: self.view and self.view["choices"]["ready"])
        first = self.view["round"] == 0 or self.view["deciding"]
        self.press_ready("page.ubongo.ready" if first else "page.ubongo.readyNext")

    def wait_for_card(self) -> None:
        self.wait_until(lambda: self.is_solving)
        expect(self.card()).to_be_visible()
        numbers = [int(number) for number in self.deal["pieces"]]
        expect(self.piece(numbers[0])).to_be_enabled()
        for number in numbers:
            expect(self.piece(number)).to_be_visible()

    def solve(self) -> None:
        self.wait_for_card()
        pieces = solution(self.deal)
        for at, (number, cells) in enumerate(pieces.items()):
            self.place_piece(number, cells)
            if at < len(pieces) - 1:
                self.expect_on_card(number)
        self.wait_until(lambda: not self.is_solving)


def play_whole_match(players: Sequence[UbongoPlayer]) -> None:
    """Play all nine rounds. Everyone solves in this order each time, so there's no tie."""
    while not players[0].is_over:
        for player in players:
            player.get_ready()
        for player in players:
            player.solve()
        for player in players:
            player.wait_until(
                lambda player=player: (  # type: ignore[misc]
                    player.is_over or player.view["choices"]["ready"]
                )
            )


class TouchSolver(UbongoPlayer):
    """Plays by touch: every other piece is dragged, the others are tapped into place."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.finger = Finger(page)
        self._dragged = False

    def click(self, found: Any) -> None:
        found.tap()

    def place_piece(self, number: int, cells: Shape) -> None:
        self.turn_and_flip(number, cells)
        self._dragged = not self._dragged
        if self._dragged:
            start = middle_once_still(self.piece(number))
            x, y = self.to_screen_point(box_middle(cells))
            self.finger.drag(start, (x, y + LIFT_PX))
        else:
            held = middle_cell(cells)
            self.card().locator(f'[data-cell="{held.q},{held.r}"]').tap()


class KeySolver(UbongoPlayer):
    """Plays with the keyboard only."""

    def place_piece(self, number: int, cells: Shape) -> None:
        start = parse_shape(self.deal["pieces"][str(number)])
        flipped, turns = flip_and_turns(start, cells)
        position = list(self.deal["pieces"]).index(str(number)) + 1
        self.press(str(position), *["f"] * flipped, *["e"] * turns)
        self.move_focus_to(middle_cell(cells))
        self.press("Enter")

    def move_focus_to(self, cell: Hex) -> None:
        for _ in range(60):
            q, r = map(int, self.focused_element()["cell"].split(","))
            if (q, r) == cell:
                return
            if r != cell.r:
                self.press("ArrowDown" if r < cell.r else "ArrowUp")
            else:
                self.press("ArrowRight" if q < cell.q else "ArrowLeft")
        raise AssertionError(f"the arrow keys don't lead to {cell}")

    def press_ready(self, key: str) -> None:
        expect(self.button(key)).to_be_visible()
        self.tab_to(translate(key))
        self.press("Enter")
