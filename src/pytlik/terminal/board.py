"""Unikat's board on the screen: it has no border, so it is looked at through a window that can be
dragged, scrolled and enlarged."""

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pytlik.terminal.look import DARK, Shades
from pytlik.terminal.tiles import SIZES, Board, Camera, Size, centred, whole
from pytlik.unikat.model import Cell


class BoardField(Widget):
    class Chosen(Message):
        """A cell was clicked."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.board = Board()
        self.shades: Shades = DARK
        self.camera = Camera()
        self._follows = True
        """Whether the window finds its place by itself; not once somebody has moved it."""
        self._grabbed: tuple[int, int] | None = None
        self._dragged = False

    def show(self, board: Board, shades: Shades) -> None:
        self.board, self.shades = board, shades
        self._look()
        self.refresh()

    def _look(self) -> None:
        """Bring into sight what matters."""
        width, height = self.size
        if not (width and height):
            return
        marked = self.board.draft.marked
        if self._follows:
            self.camera = whole(self._cells(), self._focus(), width, height, self._sizes)
        if marked is not None and not self.camera.shows(marked, width, height):
            self.camera = centred(marked, self.camera.size, width, height)

    @property
    def _sizes(self) -> tuple[Size, ...]:
        """Without colours the smallest would not tell what their background is."""
        return SIZES[1:] if self.app.no_color else SIZES

    def _cells(self) -> list[Cell]:
        """All that is to be seen: what lies there, and a rim around it."""
        draft = self.board.draft
        lying = [*self.board.tiles, *(placed.cell for placed in draft.chain), *draft.places]
        return [*lying, *(near for cell in lying for near in cell.neighbours())] or [Cell(0, 0)]

    def _focus(self) -> Cell:
        draft = self.board.draft
        newest = [*draft.chain[-1:], *self.board.latest[-1:]]
        return draft.marked or (newest[0].cell if newest else Cell(0, 0))

    # ------------------------------------------------------------------------------- the window

    def pan(self, columns: int, rows: int) -> None:
        """Look further that way."""
        self._follows = False
        camera = self.camera
        self.camera = Camera(camera.size, camera.x - columns, camera.y - rows)
        self.refresh()

    def pan_cells(self, across: int, down: int) -> None:
        wide, high = self.camera.pitch
        self.pan(across * wide, down * high)

    def zoom(self, step: int) -> None:
        """Larger or smaller, around the middle of the window."""
        sizes = self._sizes
        at = sizes.index(self.camera.size) + step
        if not 0 <= at < len(sizes):
            return
        self._follows = False
        middle = self.camera.cell_at(self.size.width // 2, self.size.height // 2)
        self.camera = centred(middle, sizes[at], *self.size)
        self.refresh()

    def show_whole(self) -> None:
        self._follows = True
        self._look()
        self.refresh()

    def on_resize(self) -> None:
        self._look()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        line = self.board.line(y, width, self.camera, self.shades)
        return Strip(line).crop(0, width)

    # -------------------------------------------------------------------------------- the mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._grabbed, self._dragged = (event.screen_x, event.screen_y), False
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._grabbed is None:
            return
        across, down = self._grabbed[0] - event.screen_x, self._grabbed[1] - event.screen_y
        if across or down:
            self._grabbed, self._dragged = (event.screen_x, event.screen_y), True
            self.pan(across, down)

    def on_mouse_up(self) -> None:
        self._grabbed = None
        self.release_mouse()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if not self._dragged:
            self.post_message(self.Chosen(self.camera.cell_at(event.x, event.y)))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, 1)

    def _wheel(self, event: events.MouseEvent, way: int) -> None:
        event.stop()
        if event.ctrl:
            self.zoom(-way)
        elif event.shift:
            self.pan_cells(way, 0)
        else:
            self.pan_cells(0, way)
