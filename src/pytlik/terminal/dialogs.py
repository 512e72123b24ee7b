"""What lies over the table for a while: help, the score sheet, a name to type, and the last word."""

from collections.abc import Callable

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from pytlik.terminal.bar import Bar, Item


class Dialog(ModalScreen[None]):
    """A text, and what can be done about it. Escape closes it."""

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        #dialog { width: auto; max-width: 90%; height: auto; max-height: 90%; padding: 1 2;
                  background: $surface; border: round $primary; }
        #title { width: auto; max-width: 100%; text-style: bold; color: $accent;
                 padding: 0 0 1 0; }
        #title.-empty { display: none; }
        #scroll { width: auto; max-width: 100%; height: auto; max-height: 1fr;
                  scrollbar-size-vertical: 1; }
        #text { width: auto; max-width: 100%; height: auto; }
        #answers { width: 100%; min-width: 30; margin: 1 0 0 0; }
    }
    """

    def __init__(
        self, title: str, text: Text | str, items: list[Item], *, keep: bool = False
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
            self.dismiss()
            event.stop()


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
        super().on_mount()
        self.query_one("#answer", Input).focus()

    def on_input_submitted(self) -> None:
        self._go()

    def _go(self) -> None:
        answer = self.query_one("#answer", Input).value.strip()
        if answer:
            self.dismiss()
            self._answered(answer)
