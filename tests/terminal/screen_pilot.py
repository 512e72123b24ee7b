"""Drives the full-screen program: reads the screen and presses keys. Time is a value."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from textual.events import Key, MouseDown, MouseMove, MouseScrollDown, MouseUp
from textual.pilot import Pilot

from pytlik.i18n import catalogue
from pytlik.terminal.screens.app import PlayApp
from pytlik.terminal.ubongo.screen import UbongoScreen
from pytlik.terminal.unikat.screen import UnikatScreen
from pytlik.terminal.widgets.key_bar import KeyBar, Label

translate = catalogue("en")

SCREEN_SIZE = (80, 24)
TIMEOUT_SECONDS = 60


class ImmediateClock:
    """A clock on which nobody ever waits."""

    def __init__(self) -> None:
        self.time = 1_000_000

    def now(self) -> int:
        return self.time

    async def wait(self, until: int) -> None:
        self.time = max(self.time, until)
        await asyncio.sleep(0)


class ManualClock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.time = 1_000_000
        self._waiting: list[tuple[int, asyncio.Event]] = []

    def now(self) -> int:
        return self.time

    async def wait(self, until: int) -> None:
        if until <= self.time:
            return
        reached = asyncio.Event()
        waiting = (until, reached)
        self._waiting.append(waiting)
        try:
            await reached.wait()
        finally:
            self._waiting.remove(waiting)

    def pass_time(self, milliseconds: int) -> None:
        self.time += milliseconds
        for until, reached in self._waiting:
            if until <= self.time:
                reached.set()

    def jump_to_next_wait(self) -> bool:
        """Jump to the next moment that somebody waits for, if anybody does."""
        moments = [until for until, reached in self._waiting if not reached.is_set()]
        if moments:
            self.pass_time(max(min(moments) - self.time, 0))
        return bool(moments)


def run_app_script(
    app: PlayApp,
    script: Callable[[Pilot[None]], Coroutine[Any, Any, None]],
    size: Any = SCREEN_SIZE,
) -> None:
    async def run() -> None:
        async with asyncio.timeout(4 * TIMEOUT_SECONDS), app.run_test(size=size) as pilot:
            await wait_until(pilot, lambda: is_game_shown(app))
            await script(pilot)

    asyncio.run(run())


async def wait_until(pilot: Pilot[None], happened: Callable[[], object]) -> None:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not happened():
            await pilot.pause(0)


async def press_keys(pilot: Pilot[None], *keys: str) -> None:
    """Press one key after another, as fast as a terminal may send them."""
    for key in keys:
        character = " " if key == "space" else key if len(key) == 1 else None
        pilot.app.post_message(Key(key, character))
    await pilot.pause(0)


async def click(pilot: Pilot[None], widget: str, column: int, row: int, button: int = 1) -> None:
    """Click as a terminal reports it: the button goes down and up again."""
    region = pilot.app.screen.query_one(widget).content_region
    x, y = region.x + column, region.y + row
    for kind in (MouseMove, MouseDown, MouseUp):
        pressed = 0 if kind is MouseMove else button
        event = kind(
            None, x, y, 0, 0, pressed, shift=False, meta=False, ctrl=False, screen_x=x, screen_y=y
        )
        pilot.app.post_message(event)
    await pilot.pause(0)


async def scroll_down(pilot: Pilot[None], widget: str, column: int, row: int) -> None:
    """Turn the mouse wheel down by one notch."""
    region = pilot.app.screen.query_one(widget).content_region
    x, y = region.x + column, region.y + row
    event = MouseScrollDown(
        None, x, y, 0, 0, 0, shift=False, meta=False, ctrl=False, screen_x=x, screen_y=y
    )
    pilot.app.post_message(event)
    await pilot.pause(0)


async def click_item(pilot: Pilot[None], bar: str, text: str) -> None:
    """Click the item of a bar with this text."""

    def find_labels() -> list[Label]:
        bars = pilot.app.screen.query(bar).results(KeyBar)
        return [
            label
            for key_bar in bars
            if key_bar.size.width
            for label in key_bar.labels()
            if label.item.text == text
        ]

    await wait_until(pilot, find_labels)
    await click(pilot, bar, find_labels()[0].x + 1, find_labels()[0].y)


def is_game_shown(app: PlayApp) -> bool:
    """Whether a game is on the screen with all its parts, which are added after it."""
    return app.game_screen is not None and app.game_screen.is_ready_to_draw


def unikat_screen(app: PlayApp) -> UnikatScreen:
    assert isinstance(app.game_screen, UnikatScreen)
    return app.game_screen


def ubongo_screen(app: PlayApp) -> UbongoScreen:
    assert isinstance(app.game_screen, UbongoScreen)
    return app.game_screen


def status_line(app: PlayApp) -> str:
    """The text of the status line."""
    screen = app.game_screen
    return str(screen.query_one("#status").render()) if screen and is_game_shown(app) else ""


def screen_text(app: PlayApp) -> str:
    """Everything on the screen, without colours."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)


async def wait_for_text(pilot: Pilot[None], *texts: str) -> None:
    """Wait until all these texts are on the screen."""
    app = pilot.app
    assert isinstance(app, PlayApp)
    try:
        await wait_until(pilot, lambda: all(text in screen_text(app) for text in texts))
    except TimeoutError:
        raise AssertionError(f"{texts} can't be read in:\n{screen_text(app)}") from None
