"""Playing Unikat in a browser: by mouse, touch or keyboard."""

from collections.abc import Iterator, Mapping
from typing import Any, Self

from playwright.sync_api import Locator, Page, expect

from tests.page.page_objects import starts_with_pattern
from tests.page.page_player import Player, translate
from tests.page.touch_input import Finger

Cell = tuple[int, int]
Step = tuple[str, Cell]
NEIGHBOUR_OFFSETS = ((1, 0), (0, 1), (-1, 0), (0, -1))
LIFT_PX = 56
"""How far above the finger a dragged tile is held."""
MAX_CHAINS_TRIED = 4000
"""The longest of this many chains is long enough."""


def find_long_chain(view: Mapping[str, Any]) -> list[Step]:
    """Find a long chain that the view says may be laid now."""
    board = {(x, y): tile for x, y, tile in view["board"]}
    hand = frozenset(view["hand"])
    starts = [
        (tile, tuple(cell)) for tile, cells in view["choices"]["lay"].items() for cell in cells
    ]
    best: list[Step] = []
    tried = 0
    for start in starts:
        for found in extend_chain(board, hand, [start]):
            tried += 1
            if len(found) > len(best):
                best = found
            if tried % (MAX_CHAINS_TRIED // len(starts) + 1) == 0:
                break
    return best


def find_fitting_tile(view: Mapping[str, Any]) -> Step:
    """Find a tile of the hand and where it fits, whoever is to move."""
    board = {(x, y): tile for x, y, tile in view["board"]}
    hand = frozenset(view["hand"])
    return next(
        found[-1]
        for cell, tile in board.items()
        for found in extend_chain(board, hand, [(tile, cell)])
        if len(found) == 2
    )


def extend_chain(
    board: dict[Cell, str], hand: frozenset[str], laid: list[Step]
) -> Iterator[list[Step]]:
    yield laid
    lying = board | {cell: tile for tile, cell in laid}
    left = hand - {tile for tile, _ in laid}
    for cell in neighbours(laid[-1][1]):
        if cell in lying:
            continue
        touched = [lying[near] for near in neighbours(cell) if near in lying]
        for tile in sorted(left):
            if all(sum(a != b for a, b in zip(tile, other, strict=True)) == 1 for other in touched):
                yield from extend_chain(board, hand, [*laid, (tile, cell)])


def neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + x, cell[1] + y) for x, y in NEIGHBOUR_OFFSETS]


class UnikatPlayer(Player):
    """Plays with the mouse: every other tile is dragged, the others are clicked."""

    _dragged = False

    def open(self, path: str) -> Self:
        self.page.goto(path)
        return self

    # ----------------------------------------------------------------------------- elements

    def board_element(self) -> Locator:
        return self.by_role_and_name("grid", "page.unikat.board")

    def rack_tiles(self) -> Locator:
        return self.by_role_and_name("toolbar", "page.unikat.rack").get_by_role("button")

    def tile(self, tile: str) -> Locator:
        return self.rack_tiles().and_(self.page.locator(f'[data-tile="{tile}"]'))

    def cell(self, cell: Cell) -> Locator:
        return self.board_element().locator(f'[role="gridcell"][data-cell="{cell[0]},{cell[1]}"]')

    def filled_cells(self) -> Locator:
        """The cells with a tile."""
        return self.board_element().get_by_role("gridcell").and_(self.page.locator("[data-tile]"))

    def display_element(self) -> Locator:
        return self.by_role_and_name("toolbar", "page.unikat.display")

    def take_button(self, take: str) -> Locator:
        display = self.display_element()
        if take == "bag":
            bag = translate("page.unikat.bag", n=2).partition("2")[0]
            return display.get_by_role("button", name=starts_with_pattern(bag))
        return display.get_by_role("button").and_(self.page.locator(f'[data-tile="{take}"]'))

    def fitting_cell(self, cell: Cell) -> Locator:
        label = translate("page.unikat.cell.fits", x=cell[0], y=cell[1])
        return self.cell(cell).and_(self.page.locator(f'[aria-label="{label}"]'))

    # ----------------------------------------------------------------------------- actions

    def choose_tile(self, tile: str) -> None:
        self.tile(tile).click()

    def put_tile(self, tile: str, cell: Cell) -> None:
        self._dragged = not self._dragged
        if self._dragged:
            self.drag(tile, cell)
            return
        self.choose_tile(tile)
        self.choose_cell(cell)

    def choose_cell(self, cell: Cell) -> None:
        self.fitting_cell(cell).click()

    def drag(self, tile: str, cell: Cell) -> None:
        start, end = middle_once_still(self.tile(tile)), middle_once_still(self.cell(cell))
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=4)
        mouse.up()

    def choose_take(self, take: str) -> None:
        self.take_button(take).click()

    def press_button(self, key: str, **fill: Any) -> None:
        self.button(key, **fill).click()

    def show_whole_board(self) -> None:
        self.button("page.unikat.whole").click()

    # ---------------------------------------------------------------------- turns and matches

    def wait_for_turn(self) -> None:
        """Wait until the page lets me act, or the round is over."""
        self.wait_until(lambda: self.is_over or (self.view and self.view["to_move"] == self.seat))
        if not self.is_over:
            expect(self.rack_tiles()).to_have_count(len(self.view["hand"]))
            choices = self.view["choices"]
            key = next(
                (name for name in ("draw", "pass") if choices[name]),
                "bonus" if self.view["phase"] == "bonus" else "act" if choices["lay"] else "swap",
            )
            self.expect_text(f"page.unikat.status.{key}")

    @property
    def is_over(self) -> bool:
        return bool(self.view) and self.view["phase"] == "over"

    def act(self) -> None:
        """Take one action, and wait until the server has applied it."""
        answered, choices = self.answered, self.view["choices"]
        if choices["draw"]:
            self.choose_take(choices["take"][-1])
        elif choices["lay"]:
            self.lay(find_long_chain(self.view))
        elif choices["swap"] and not choices["decline"]:
            self.swap(self.view["hand"][-1], choices["take"][-1])
        elif choices["decline"]:
            self.press_button("page.unikat.decline")
        else:
            self.press_button("page.unikat.pass")
        # The answer, and the view that results from the act, may come in either order.
        self.wait_until(lambda: self.answered > answered and self.seq >= self.acknowledged)

    def put_chain(self, steps: list[Step]) -> None:
        self.show_whole_board()
        for tile, cell in steps:
            self.put_tile(tile, cell)
            expect(self.cell(cell)).to_have_attribute("data-tile", tile)

    def lay(self, steps: list[Step]) -> None:
        self.put_chain(steps)
        last = len(steps) == len(self.view["hand"])
        self.press_button("page.unikat.layLast" if last else "page.unikat.lay", n=len(steps))

    def swap(self, give: str, take: str) -> None:
        self.choose_tile(give)
        self.choose_take(take)
        self.press_button("page.unikat.swapBag" if take == "bag" else "page.unikat.swapOpen")

    def play(self) -> None:
        """Play to the end of the round."""
        self.wait_for_turn()
        while not self.is_over:
            self.act()
            self.wait_for_turn()


class TouchPlayer(UnikatPlayer):
    """Plays by touch: every other tile is dragged, the others are tapped."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.finger = Finger(page)

    def choose_tile(self, tile: str) -> None:
        self.tile(tile).tap()

    def choose_cell(self, cell: Cell) -> None:
        self.fitting_cell(cell).tap()

    def drag(self, tile: str, cell: Cell) -> None:
        x, y = middle_once_still(self.cell(cell))
        # The tile is held above the finger.
        self.finger.drag(middle_once_still(self.tile(tile)), (x, y + LIFT_PX))

    def choose_take(self, take: str) -> None:
        self.take_button(take).tap()

    def press_button(self, key: str, **fill: Any) -> None:
        self.button(key, **fill).tap()

    def show_whole_board(self) -> None:
        self.button("page.unikat.whole").tap()


class KeyPlayer(UnikatPlayer):
    """Plays with the keyboard only."""

    def choose_tile(self, tile: str) -> None:
        self.press("r")
        order = self.rack_tiles().evaluate_all("all => all.map(({ dataset }) => dataset.tile)")
        here = order.index(self.focused_element()["tile"])
        by = order.index(tile) - here
        self.press(*["ArrowRight" if by > 0 else "ArrowLeft"] * abs(by))
        assert self.focused_element()["tile"] == tile
        if self.tile(tile).get_attribute("aria-pressed") != "true":
            self.press("Enter")

    def put_tile(self, tile: str, cell: Cell) -> None:
        self.choose_tile(tile)
        expect(self.fitting_cell(cell)).to_be_visible()
        # From wherever the focus was on the board, in reading order.
        fits = starts_with_pattern(translate("page.unikat.cell.fits", x="", y="").partition(",")[0])
        places = (
            self.board_element()
            .get_by_role("gridcell", name=fits)
            .evaluate_all("all => all.map(({ dataset }) => dataset.cell)")
        )
        self.press("n")
        way = places.index(f"{cell[0]},{cell[1]}") - places.index(self.focused_element()["cell"])
        self.press(*["n" if way > 0 else "p"] * abs(way))
        self.press("Enter")

    def choose_take(self, take: str) -> None:
        buttons = (
            self.display_element()
            .get_by_role("button")
            .evaluate_all(
                "all => all.map(({ ariaLabel, dataset }) => [ariaLabel, dataset.tile ?? 'bag'])"
            )
        )
        names, tiles = zip(*buttons, strict=True)
        for _ in range(60):
            if self.focused_element()["words"] in names:
                break
            self.press("Shift+Tab")
        by = tiles.index(take) - tiles.index(self.focused_element().get("tile", "bag"))
        self.press(*["ArrowRight" if by > 0 else "ArrowLeft"] * abs(by))
        assert self.focused_element().get("tile", "bag") == take
        self.press("Enter")

    def press_button(self, key: str, **fill: Any) -> None:
        expect(self.button(key, **fill)).to_be_enabled()
        if key == "page.unikat.decline":
            self.tab_to(translate(key))
            self.press("Enter")
        else:
            self.press("c")

    def show_whole_board(self) -> None:
        self.press("0")


def middle_once_still(found: Locator) -> tuple[float, float]:
    """The middle of an element once it's still: the board makes room for tiles just laid."""
    x, y = found.evaluate(
        """async (element) => {
          const middle = () => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
          };
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          for (let [before, still] = [middle(), 0]; still < 3; before = middle()) {
            await frame();
            still = `${middle()}` === `${before}` ? still + 1 : 0;
          }
          return middle();
        }"""
    )
    return x, y
