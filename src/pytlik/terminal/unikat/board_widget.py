"""Unikat's board on the screen. It has no border, so a window shows a part of it, which
can be dragged, scrolled and enlarged."""

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pytlik.terminal.unikat.board_picture import (
    BoardPicture,
    Camera,
    camera_centred_on,
    camera_showing_all,
)
from pytlik.terminal.unikat.tiles import TILE_SIZES, TileSize
from pytlik.terminal.widgets.theme import DARK, Palette
from pytlik.unikat.model import Cell


class ScrollableBoard(Widget):
    """The part of the board that is in sight."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.picture = BoardPicture()
        self.palette: Palette = DARK
        self.camera = Camera()
        self._is_following = True
        """Whether the window still finds its place by itself, because nobody has moved it."""

    def show(self, picture: BoardPicture, palette: Palette) -> None:
        self.picture, self.palette = picture, palette
        self._update_camera()
        self.refresh()

    def _update_camera(self) -> None:
        """Bring what matters into sight."""
        width, height = self.size
        if not (width and height):
            return
        marked = self.picture.draft.marked
        if self._is_following:
            cells, focus = self.picture.cells_to_show(), self.picture.focus_cell()
            self.camera = camera_showing_all(cells, focus, width, height, self._tile_sizes)
        if marked is not None and not self.camera.shows(marked, width, height):
            self.camera = camera_centred_on(marked, self.camera.size, width, height)

    @property
    def _tile_sizes(self) -> tuple[TileSize, ...]:
        """The sizes in use. Without colours the smallest tiles wouldn't show their background."""
        return TILE_SIZES[1:] if self.app.no_color else TILE_SIZES

    def pan(self, columns: int, rows: int) -> None:
        """Move the window."""
        self._is_following = False
        camera = self.camera
        self.camera = Camera(camera.size, camera.x - columns, camera.y - rows)
        self.refresh()

    def pan_cells(self, across: int, down: int) -> None:
        wide, high = self.camera.cell_spacing
        self.pan(across * wide, down * high)

    def zoom(self, step: int) -> None:
        """Make the tiles larger or smaller, around the middle of the window."""
        sizes = self._tile_sizes
        at = sizes.index(self.camera.size) + step
        if not 0 <= at < len(sizes):
            return
        self._is_following = False
        middle = self.camera.cell_at(self.size.width // 2, self.size.height // 2)
        self.camera = camera_centred_on(middle, sizes[at], *self.size)
        self.refresh()

    def show_whole_board(self) -> None:
        self._is_following = True
        self._update_camera()
        self.refresh()

    def on_resize(self) -> None:
        self._update_camera()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        line = self.picture.draw_row(y, width, self.camera, self.palette)
        return Strip(line).crop(0, width)


class BoardWidget(ScrollableBoard):
    """A scrollable board that reacts to the mouse."""

    class Chosen(Message):
        """A cell was clicked."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self._grabbed: tuple[int, int] | None = None
        self._dragged = False

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
        self._handle_wheel(event, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._handle_wheel(event, 1)

    def _handle_wheel(self, event: events.MouseEvent, way: int) -> None:
        event.stop()
        if event.ctrl:
            self.zoom(-way)
        elif event.shift:
            self.pan_cells(way, 0)
        else:
            self.pan_cells(0, way)
