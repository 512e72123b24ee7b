"""What lies over the table for a while: help, the score sheet, a question, the last word."""

from collections.abc import Callable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from pytlik.terminal.bar import Bar, Item

KEYS = 15
"""In the texts about keys, what they do begins here."""


class Dialog(ModalScreen[None]):
    """A text, and what can be done about it. Escape closes it."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        #dialog { width: 76; max-width: 96%; height: auto; padding: 1 2 0 2;
                  background: $surface; border: round $primary; }
        #title { width: 100%; text-style: bold; color: $accent; padding: 0 0 1 0; }
        #title.-empty { display: none; }
        #scroll { width: 100%; height: auto; max-height: 55vh; scrollbar-size-vertical: 1; }
        #text { width: 100%; height: auto; }
        #answers { width: 100%; margin: 1 0; }
    }
    """

    def __init__(
        self, title: str, text: RenderableType, items: list[Item], *, keep: bool = False
    ) -> None:
        super().__init__()
        self.title_text = title
        self.text = Text(text) if isinstance(text, str) else text
        self.items = items
        self.keep = keep
        """Whether there is nothing beneath to go back to."""

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            title = Static(self.title_text, id="title", markup=False)
            title.set_class(not self.title_text, "-empty")
            yield title
            with VerticalScroll(id="scroll", can_focus=False):
                yield Static(self.text, id="text", markup=False)
            yield from self.compose_more()
            yield Bar(id="answers")

    def compose_more(self) -> ComposeResult:
        yield from ()

    def on_mount(self) -> None:
        self.query_one("#answers", Bar).show(self.items)

    def put_away(self) -> None:
        _ = self.dismiss()

    def on_key(self, event: events.Key) -> None:
        scroll = self.query_one("#scroll", VerticalScroll)
        steps: dict[str, Callable[[], object]] = {
            "up": lambda: scroll.scroll_up(animate=False),
            "down": lambda: scroll.scroll_down(animate=False),
            "pageup": lambda: scroll.scroll_page_up(animate=False),
            "pagedown": lambda: scroll.scroll_page_down(animate=False),
        }
        named = {"Enter": "enter", "Esc": "escape", "^q": "ctrl+q"}
        for item in self.items:
            if named.get(item.key, item.key.lower()) == event.key and item.do is not None:
                item.do()
                event.stop()
                return
        if event.key in steps:
            steps[event.key]()
            event.stop()
        elif event.key == "escape" and not self.keep:
            self.put_away()
            event.stop()


def keys_and_words(text: str) -> RenderableType:
    """Lines of a key and what it does, in two columns; an empty line ends them."""
    keys, _, rest = text.partition("\n\n")
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for line in keys.splitlines():
        table.add_row(line[:KEYS].strip(), line[KEYS:])
    return Group(table, "", rest)


class Question(Dialog):
    """Asks for a line: a name, or a passphrase."""

    DEFAULT_CSS = """
    Question {
        #dialog { width: 60; }
        #answer { width: 100%; margin: 1 0 0 0; }
    }
    """

    def __init__(
        self,
        title: str,
        text: str,
        button: str,
        answered: Callable[[str], object],
        *,
        value: str = "",
        secret: bool = False,
        keep: bool = False,
    ) -> None:
        super().__init__(title, text, [Item("Enter", button, self._go, strong=True)], keep=keep)
        self._answered = answered
        self._value, self._secret = value, secret

    def compose_more(self) -> ComposeResult:
        yield Input(self._value, id="answer", password=self._secret, max_length=200)

    def on_mount(self) -> None:
        self.query_one("#answer", Input).focus()

    def on_input_submitted(self) -> None:
        self._go()

    def _go(self) -> None:
        answer = self.query_one("#answer", Input).value.strip()
        if answer:
            self.put_away()
            self._answered(answer)
