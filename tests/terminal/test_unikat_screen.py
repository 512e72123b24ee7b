"""Unikat on the whole screen: by keys alone, and by the mouse."""

import threading

import pytest
from textual.pilot import Pilot

from pytlik import matchfile
from pytlik.chance import Stream
from pytlik.game import Budget, Ready
from pytlik.games import UNIKAT
from pytlik.i18n import catalogue, languages
from pytlik.matchfile import Player
from pytlik.terminal.app import PlayApp
from pytlik.terminal.bar import Bar
from pytlik.terminal.board import BoardField
from pytlik.terminal.dialogs import Dialog
from pytlik.terminal.here import SeatedHere
from pytlik.terminal.rivals import UNIKAT_BOTS
from pytlik.terminal.shelf import Shelf
from pytlik.terminal.table import YOU, Table
from pytlik.terminal.tiles import SIZES
from pytlik.terminal.turn import Turn
from pytlik.terminal.unikat_screen import UnikatScreen
from pytlik.unikat.bots import BOTS, BUDGET
from pytlik.unikat.messages import Action, Decline, Draw, Lay, Pass, Swap
from pytlik.unikat.model import Cell, Options
from pytlik.unikat.view import View
from tests.terminal.playing import (
    Hasty,
    click,
    click_item,
    play,
    press,
    reads,
    say,
    status,
    unikat_screen,
    until,
    written,
)

LETTERS = "abcdefghij"


def table(seed: str = "s1", *, bot: str = "hasty", **options: object) -> Table:
    seats = (Player("Anna"), Player("Ola", bot))
    chosen = Options(**{"starter": 0, **options})  # type: ignore[arg-type]
    return Table(UNIKAT, chosen, seats, seed, 0, you="You")


def sitting(at: Table) -> PlayApp:
    return PlayApp(SeatedHere(at, Hasty()), say)


def wanted(at: Table) -> Action:
    """What a person does who plays as a bot does."""
    view = at.view(YOU)
    return Ready() if view.choices.ready else BOTS["longest"](view, at.bot_stream(), BUDGET)


def may_act(at: Table) -> bool:
    choices = at.view(YOU).choices
    can = (choices.lay, choices.swap, choices.draw, choices.decline, choices.pass_, choices.ready)
    return at.over or any(can)


def looking(app: PlayApp) -> tuple[UnikatScreen, View]:
    """The screen, and what the person sees on it."""
    screen = unikat_screen(app)
    assert screen.view is not None
    return screen, screen.view


# ----------------------------------------------------------------------------------- whole matches


def keys_for(app: PlayApp, action: Action) -> list[str]:
    screen, view = looking(app)
    order = screen.order()
    match action:
        case Lay(tiles=chain):
            keys, turn = [], Turn()
            for placed in chain:
                turn = turn.choose(view, placed.tile)
                at = turn.places(view).index(placed.cell)
                # The first nine by their number, others from one to the next.
                to_there = [str(at + 1)] if at < 9 else ["tab"] * at + ["enter"]
                keys += [LETTERS[order.index(placed.tile)], *to_there]
                turn = turn.put(view, placed.cell)
            return [*keys, "l"]
        case Swap(give=give, take=take):
            takes = list(view.choices.take)
            moves = ["right"] * takes.index(take)
            return [LETTERS[order.index(give)], "s", *moves, "enter"]
        case Draw(take=take):
            return ["right"] * view.choices.take.index(take) + ["enter"]
        case Decline():
            return ["n"]
        case Pass():
            return ["p"]
        case Ready():
            return ["enter"]


def test_a_whole_match_by_keys_alone() -> None:
    at = table("s5", rounds=2)
    app = sitting(at)

    async def course(pilot: Pilot[None]) -> None:
        while not at.over:
            await until(pilot, lambda: may_act(at))
            if at.over:
                break
            done = len(at.events)
            await press(pilot, *keys_for(app, wanted(at)))
            await until(pilot, lambda done=done: len(at.events) > done)  # type: ignore[misc]
        await until(pilot, lambda: isinstance(app.screen, Dialog))
        await reads(pilot, say("page.unikat.sheet"), "Longest chain")

    play(app, course)
    assert at.over
    match = matchfile.decode(at.file())
    assert matchfile.verify(match) is None


async def click_tile(pilot: Pilot[None], shelf: str, number: int) -> None:
    column = pilot.app.screen.query_one(shelf, Shelf).column(number)
    await click(pilot, shelf, column + 2, 1)


async def click_cell(pilot: Pilot[None], cell: Cell) -> None:
    column, row = pilot.app.screen.query_one("#board", BoardField).camera.corner(cell)
    await click(pilot, "#board", column + 1, row)


async def click_out(pilot: Pilot[None], app: PlayApp, action: Action) -> None:
    """Do something by clicks alone."""
    screen, view = looking(app)
    order = screen.order()
    match action:
        case Lay(tiles=chain):
            for placed in chain:
                await click_tile(pilot, "#rack", order.index(placed.tile))
                await click_cell(pilot, placed.cell)
            last = len(chain) == len(view.hand)
            key = "page.unikat.layLast" if last else "page.unikat.lay"
            await click_item(pilot, "#actions", say(key, n=len(chain)))
        case Swap(give=give, take=take):
            await click_tile(pilot, "#rack", order.index(give))
            # Once to see what would happen, and once more to do it.
            for _ in range(2):
                await click_tile(pilot, "#stock", [*view.display, "bag"].index(take))
        case Draw(take=take):
            await click_tile(pilot, "#stock", [*view.display, "bag"].index(take))
        case Decline():
            await click_item(pilot, "#actions", say("page.unikat.decline"))
        case Pass():
            await click_item(pilot, "#actions", say("page.unikat.pass"))
        case Ready():
            raise AssertionError


def test_a_whole_round_by_the_mouse_alone() -> None:
    at = table("s4")
    app = sitting(at)

    async def course(pilot: Pilot[None]) -> None:
        while not at.over:
            await until(pilot, lambda: may_act(at))
            if not at.over:
                done = len(at.events)
                await click_out(pilot, app, wanted(at))
                await until(pilot, lambda done=done: len(at.events) > done)  # type: ignore[misc]

    play(app, course, (120, 40))
    assert at.over


def test_the_screen_answers_while_a_bot_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, may_go_on = threading.Event(), threading.Event()

    def slow(view: View, stream: Stream, budget: Budget) -> Action:
        thinking.set()
        assert may_go_on.wait(60)
        return BOTS["hasty"](view, stream, budget)

    monkeypatch.setitem(UNIKAT_BOTS, "hasty", slow)
    at = table(starter=1)
    app = sitting(at)

    async def course(pilot: Pilot[None]) -> None:
        await until(pilot, thinking.is_set)
        assert status(app) == say("page.unikat.status.thinks", name="Ola")
        board = app.screen.query_one("#board", BoardField)
        camera = board.camera
        await press(pilot, "right")
        assert board.camera != camera
        may_go_on.set()
        await until(pilot, lambda: may_act(at))

    play(app, course)


# ---------------------------------------------------------------------------------- a turn by hand


def test_a_chain_is_taken_back_tile_by_tile_and_nothing_is_done_before_it_is_laid() -> None:
    at = table("s25")
    app = sitting(at)

    async def course(pilot: Pilot[None]) -> None:
        screen = unikat_screen(app)
        lay = wanted(at)
        assert isinstance(lay, Lay)
        assert len(lay.tiles) > 2
        events = len(at.events)
        keys = keys_for(app, lay)[:-1]
        await press(pilot, *keys)
        assert screen.turn.chain == lay.tiles
        await reads(pilot, say("page.unikat.lay", n=len(lay.tiles)))
        assert status(app) == say("page.unikat.status.earned")
        await press(pilot, "backspace")
        assert screen.turn.chain == lay.tiles[:-1]
        await click_cell(pilot, lay.tiles[0].cell)
        assert screen.turn == Turn()
        assert len(at.events) == events
        # A tile that lies on the board is taken back by its letter as well.
        await press(pilot, *keys[:2], keys[0])
        assert screen.turn == Turn()

    play(app, course)


def test_the_places_of_a_tile_are_shown_and_walked_through() -> None:
    at = table()
    app = sitting(at)

    async def course(pilot: Pilot[None]) -> None:
        screen, view = looking(app)
        tile, places = max(view.choices.lay.items(), key=lambda item: len(item[1]))
        await press(pilot, LETTERS[screen.order().index(tile)])
        assert screen.turn.marked in places
        assert set(screen.turn.places(view)) == set(places)
        assert say("page.unikat.places", n=len(places)) in status(app)
        marked = {screen.turn.marked}
        for _ in places:
            await press(pilot, "tab")
            marked.add(screen.turn.marked)
        assert marked == set(places)
        first = screen.turn.marked
        await press(pilot, "left")
        left = screen.turn.marked
        assert left is not None
        assert first is not None
        assert left.x < first.x
        await press(pilot, "escape")
        assert screen.turn == Turn()

    play(app, course)


def test_a_click_where_a_tile_does_not_fit_says_which_features_clash() -> None:
    at = table()
    app = sitting(at)

    async def course(pilot: Pilot[None]) -> None:
        screen, view = looking(app)
        start = view.board[0].tile
        unlike = next(tile for tile in screen.order() if len(tile.differing(start)) > 1)
        await press(pilot, LETTERS[screen.order().index(unlike)])
        await click_cell(pilot, Cell(1, 0))
        features = ", ".join(unlike.differing(start))
        assert status(app) == say("page.unikat.status.clash", features=features)
        await click_cell(pilot, Cell(0, 0))
        assert status(app) == say("reason.occupied")
        await click_cell(pilot, Cell(2, 2))
        assert status(app) == say("reason.touches_nothing")

    play(app, course)


def test_a_swap_is_done_only_when_it_is_said_again() -> None:
    at = table()
    app = sitting(at)

    async def course(pilot: Pilot[None]) -> None:
        screen = unikat_screen(app)
        events = len(at.events)
        await press(pilot, "a", "s")
        assert status(app) == say("page.unikat.status.sure")
        await press(pilot, "0")
        assert screen.turn.take == "bag"
        assert len(at.events) == events
        await press(pilot, "escape")
        assert screen.turn == Turn()
        # The other way round: what is taken first, then what is given for it.
        await press(pilot, "s")
        assert status(app) == say("page.unikat.status.give")
        give = screen.order()[0]
        await press(pilot, "a", "0", "enter")
        assert give not in at.view(YOU).hand

    play(app, course)


def test_the_board_is_dragged_scrolled_and_enlarged() -> None:
    app = sitting(table())

    async def course(pilot: Pilot[None]) -> None:
        board = app.screen.query_one("#board", BoardField)
        camera = board.camera
        await press(pilot, "right", "down")
        wide, high = camera.pitch
        assert (board.camera.x, board.camera.y) == (camera.x - wide, camera.y - high)
        await press(pilot, "minus")
        assert board.camera.size.width < camera.size.width
        await press(pilot, "w")
        assert board.camera == camera
        await pilot.mouse_down("#board", offset=(10, 5))
        await pilot.hover("#board", offset=(14, 7))
        await pilot.mouse_up("#board", offset=(14, 7))
        assert (board.camera.x, board.camera.y) == (camera.x + 4, camera.y + 2)

    play(app, course)


# ------------------------------------------------------------------------------------- the looks


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (50, 18)])
def test_the_screen_shows_what_matters_at_any_size(size: tuple[int, int]) -> None:
    app = sitting(table())

    async def course(pilot: Pilot[None]) -> None:
        assert status(app) == say("page.unikat.status.act")
        await reads(pilot, "You 10", say("terminal.key.help"), "57")

    play(app, course, size)


def test_light_and_dark_change_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORFGBG", "0;15")
    app = sitting(table())

    async def course(pilot: Pilot[None]) -> None:
        assert app.theme == "pytlik-light"
        await press(pilot, "f5")
        assert app.theme == "pytlik-dark"

    play(app, course)


def test_without_colours_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = sitting(table())

    async def course(pilot: Pilot[None]) -> None:
        await press(pilot, "a")
        painted = {
            colour.name
            for strip in app.screen._compositor.render_strips()
            for filtered in app._filters
            for segment in strip.apply_filter(filtered, app.screen.background_colors[1])
            if segment.style and filtered.enabled
            for colour in (segment.style.color, segment.style.bgcolor)
            if colour is not None and type(filtered).__name__ == "NoColor"
        }
        assert painted == {"default"}
        # Tiles never become so small that only a colour would tell them apart.
        await press(pilot, "escape", *["minus"] * 4)
        board = app.screen.query_one("#board", BoardField)
        assert board.camera.size == SIZES[1]

    play(app, course)


def test_help_lists_the_keys_and_the_rules() -> None:
    app = sitting(table())

    async def course(pilot: Pilot[None]) -> None:
        await press(pilot, "question_mark")
        await until(pilot, lambda: isinstance(app.screen, Dialog))
        await reads(pilot, "pick a tile from your rack")
        await press(pilot, "escape")
        await until(pilot, lambda: not isinstance(app.screen, Dialog))

    play(app, course)


def test_everything_that_can_be_done_is_seen_in_every_language() -> None:
    app = sitting(table())

    async def course(pilot: Pilot[None]) -> None:
        screen, view = looking(app)
        bar, rack = screen.query_one("#actions", Bar), screen.query_one("#rack", Shelf)
        tile = next(iter(view.choices.lay))
        await press(pilot, LETTERS[screen.order().index(tile)])
        for language in languages():
            app.say = catalogue(language)
            screen.show()
            # All ten tiles of the rack, and whatever stands in the bars.
            assert rack.column(9) + rack.tile_size.width <= rack.size.width
            texts = [item.text for item in screen.actions()]
            assert [label.item.text for label in bar.labels()] == texts
            # Help is longer than the screen, and can be scrolled; the way out stays in sight.
            await press(pilot, "question_mark")
            await reads(pilot, "Esc", app.say("page.close"))
            dialog, scroll = app.screen.query_one("#dialog"), app.screen.query_one("#scroll")
            assert app.screen.region.contains_region(dialog.region)
            await press(pilot, "pagedown")
            await until(pilot, lambda scroll=scroll: scroll.scroll_y > 0)  # type: ignore[misc]
            await press(pilot, "escape")
            await until(pilot, lambda: app.screen is screen)

    play(app, course, (60, 20))


def test_a_window_that_is_too_small_is_told_so_until_it_is_large_enough() -> None:
    app = sitting(table())

    async def course(pilot: Pilot[None]) -> None:
        await reads(pilot, "it needs 50 columns and 18")
        assert say("unikat.rack") not in written(app)
        await pilot.resize_terminal(60, 20)
        await reads(pilot, say("unikat.display"), say("page.unikat.status.act"))

    play(app, course, (45, 15))


def test_what_was_laid_is_told_by_pictures_alone() -> None:
    at = table("s25")
    app = sitting(at)

    async def course(pilot: Pilot[None]) -> None:
        lay = wanted(at)
        assert isinstance(lay, Lay)
        await press(pilot, *keys_for(app, lay))
        lines = [line.plain for line, _ in unikat_screen(app).lines]
        told = next(line for line in lines if line.startswith("You lay"))
        assert not any(sign.isdecimal() for sign in told.partition(":")[2])

    play(app, course)
