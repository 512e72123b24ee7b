"""Dialogs over the table: help, the score sheet, a question, the end of a match."""

from collections.abc import Callable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from pytlik.terminal.widgets.key_bar import BarItem, KeyBar, run_item_with_key

MAX_ANSWER_ROWS = 9


class Dialog(ModalScreen[None]):
    """A text, and what can be done about it. Escape closes it, unless it has to stay."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        #dialog { width: 76; max-width: 96%; height: auto; max-height: 100%; padding: 1 2 0 2;
                  background: $surface; border: round $primary; }
        #title { width: 100%; text-style: bold; color: $accent; padding: 0 0 1 0; }
        #title.-empty { display: none; }
        #scroll { width: 100%; height: auto; scrollbar-size-vertical: 1; }
        #text { width: 100%; height: auto; }
        #answers { width: 100%; margin: 0 0 1 0; }
        #scroll { margin: 0 0 1 0; }
    }
    """

    def __init__(
        self,
        title: str,
        text: RenderableType,
        items: Sequence[BarItem],
        *,
        stays: bool = False,
        column: bool = False,
    ) -> None:
        super().__init__()
        self.title_text = title
        self.text = Text(text) if isinstance(text, str) else text
        self.items = tuple(items)
        self.stays = stays
        """Whether it can't be closed, because there is nothing beneath it to go back to."""
        self.column = column
        """Whether the answers are listed one below the other."""

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            title = Static(self.title_text, id="title", markup=False)
            title.set_class(not self.title_text, "-empty")
            yield title
            with VerticalScroll(id="scroll", can_focus=False) as scroll:
                scroll.display = bool(self.text)
                yield Static(self.text, id="text", markup=False)
            yield from self.compose_input()
            yield KeyBar(id="answers", rows=MAX_ANSWER_ROWS, column=self.column)

    def compose_input(self) -> ComposeResult:
        yield from ()

    def on_mount(self) -> None:
        self.set_items(self.items)

    def set_items(self, items: Sequence[BarItem]) -> None:
        """Replace the answers."""
        self.items = tuple(items)
        for bar in self.query("#answers").results(KeyBar):
            bar.show(items)
            self.call_after_refresh(self.fit_to_screen)

    def on_resize(self) -> None:
        self.call_after_refresh(self.fit_to_screen)

    def fit_to_screen(self) -> None:
        """Scroll a text that is too long; the answers stay in sight."""
        if self.is_closed:
            return
        scroll, dialog = self.query_one("#scroll"), self.query_one("#dialog")
        rest = sum(
            child.outer_size.height + child.styles.margin.height
            for child in dialog.children
            if child is not scroll
        )
        room = self.size.height - 3 - dialog.gutter.height - rest
        scroll.styles.max_height = max(room, 1)

    @property
    def is_closed(self) -> bool:
        """Whether the widgets are gone. Keys and delayed calls may still arrive."""
        return self not in self.app.screen_stack

    def close_dialog(self) -> None:
        _ = self.dismiss()

    def on_key(self, event: events.Key) -> None:
        if self.is_closed:
            return
        scroll = self.query_one("#scroll", VerticalScroll)
        steps: dict[str, Callable[[], object]] = {
            "up": lambda: scroll.scroll_up(animate=False),
            "down": lambda: scroll.scroll_down(animate=False),
            "pageup": lambda: scroll.scroll_page_up(animate=False),
            "pagedown": lambda: scroll.scroll_page_down(animate=False),
        }
        if run_item_with_key(self.items, event.key):
            event.stop()
        elif event.key in steps:
            steps[event.key]()
            event.stop()
        elif event.key == "escape" and not self.stays:
            self.close_dialog()
            event.stop()


def key_table(keys: Sequence[tuple[str, str]], text: str) -> RenderableType:
    """Keys and what they do, in two columns, and a text below."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for key, what in keys:
        table.add_row(key, what)
    return Group(table, "", text)


class Question(Dialog):
    """Asks for a line: a name, or a passphrase."""

    DEFAULT_CSS = """
    Question {
        #dialog { width: 60; }
        #answer { width: 100%; margin: 0 0 1 0; }
    }
    """

    def __init__(
        self,
        title: str,
        text: str,
        button: str,
        on_answer: Callable[[str], object],
        *,
        value: str = "",
        secret: bool = False,
        stays: bool = False,
    ) -> None:
        super().__init__(
            title, text, [BarItem("Enter", button, self._submit, strong=True)], stays=stays
        )
        self._on_answer = on_answer
        self._value, self._secret = value, secret

    def compose_input(self) -> ComposeResult:
        yield Input(self._value, id="answer", password=self._secret, max_length=200)

    def on_mount(self) -> None:
        self.query_one("#answer", Input).focus()

    def on_input_submitted(self) -> None:
        self._submit()

    def _submit(self) -> None:
        if self.is_closed:
            return
        answer = self.query_one("#answer", Input).value.strip()
        if answer:
            self.close_dialog()
            self._on_answer(answer)
