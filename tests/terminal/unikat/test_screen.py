"""Unikat on the full screen: by keyboard, and by mouse."""

import threading
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from pytlik import matchfile
from pytlik.chance import Stream
from pytlik.game import AnyGame, Budget, Ready
from pytlik.games import UNIKAT
from pytlik.i18n import catalogue, languages
from pytlik.i18n.formats import format_list
from pytlik.match import AnyMatch, Match
from pytlik.matchfile import Player
from pytlik.terminal.local import YOU
from pytlik.terminal.local.session import LocalSession
from pytlik.terminal.screens.app import PlayApp
from pytlik.terminal.unikat.board_widget import BoardWidget
from pytlik.terminal.unikat.planned_turn import PlannedTurn
from pytlik.terminal.unikat.screen import UnikatScreen
from pytlik.terminal.unikat.tile_row import TileRow
from pytlik.terminal.unikat.tiles import TILE_SIZES
from pytlik.terminal.widgets.dialogs import Dialog
from pytlik.terminal.widgets.key_bar import KeyBar
from pytlik.unikat.bots import BOTS, DEFAULT_BUDGET
from pytlik.unikat.messages import Action, Decline, Draw, Lay, Pass, Swap
from pytlik.unikat.model import Cell, Options
from pytlik.unikat.view import View
from tests.terminal.screen_pilot import (
    ImmediateClock,
    click,
    click_item,
    press_keys,
    run_app_script,
    screen_text,
    status_line,
    translate,
    unikat_screen,
    wait_for_text,
    wait_until,
)

RACK_LETTERS = "abcdefghij"


def make_match(
    seed: str = "s1", *, bot: str = "hasty", game: AnyGame = UNIKAT, **options: object
) -> AnyMatch:
    seats = (Player("Anna"), Player("Ola", bot))
    chosen = Options(**{"starter": 0, **options})  # type: ignore[arg-type]
    return Match.new(game, seats, seed=seed, options=chosen)


def make_app(match: AnyMatch) -> PlayApp:
    return PlayApp(LocalSession(match, ("You", "Ola"), ImmediateClock()), translate)


def next_action(match: AnyMatch) -> Action:
    """Choose the next action as a bot would."""
    view = match.view(YOU)
    return (
        Ready() if view.choices.ready else BOTS["longest"](view, match.bot_stream(), DEFAULT_BUDGET)
    )


def may_act(match: AnyMatch) -> bool:
    choices = match.view(YOU).choices
    can = (choices.lay, choices.swap, choices.draw, choices.decline, choices.pass_, choices.ready)
    return bool(match.outcome) or any(can)


def screen_and_view(app: PlayApp) -> tuple[UnikatScreen, View]:
    """The screen, and what the person sees on it."""
    screen = unikat_screen(app)
    assert screen.view is not None
    return screen, screen.view


# ----------------------------------------------------------------------------------- whole matches


def keys_for_action(app: PlayApp, action: Action) -> list[str]:
    screen, view = screen_and_view(app)
    order = screen.controls.rack
    match action:
        case Lay(tiles=chain):
            keys, turn = [], PlannedTurn()
            for placed in chain:
                turn = turn.choose(view, placed.tile)
                at = turn.places(view).index(placed.cell)
                # The first nine by their numbers, the others with Tab.
                to_there = [str(at + 1)] if at < 9 else ["tab"] * at + ["enter"]
                keys += [RACK_LETTERS[order.index(placed.tile)], *to_there]
                turn = turn.put(view, placed.cell)
            return [*keys, "l"]
        case Swap(give=give, take=take):
            takes = list(view.choices.take)
            moves = ["right"] * takes.index(take)
            return [RACK_LETTERS[order.index(give)], "s", *moves, "enter"]
        case Draw(take=take):
            return ["right"] * view.choices.take.index(take) + ["enter"]
        case Decline():
            return ["n"]
        case Pass():
            return ["p"]
        case Ready():
            return ["enter"]


def test_whole_match_by_keyboard() -> None:
    match = make_match("s5", rounds=2)
    app = make_app(match)

    async def script(pilot: Pilot[None]) -> None:
        while not match.outcome:
            await wait_until(pilot, lambda: may_act(match))
            if match.outcome:
                break
            done = len(match.events)
            await press_keys(pilot, *keys_for_action(app, next_action(match)))
            await wait_until(pilot, lambda done=done: len(match.events) > done)  # type: ignore[misc]
        await wait_until(pilot, lambda: isinstance(app.screen, Dialog))
        await wait_for_text(pilot, translate("page.unikat.sheet"), "Longest chain")

    run_app_script(app, script)
    assert match.outcome
    assert matchfile.verify(matchfile.decode(match.file())) is None


async def click_tile(pilot: Pilot[None], row: str, number: int) -> None:
    column = pilot.app.screen.query_one(row, TileRow).slot_column(number)
    await click(pilot, row, column + 2, 1)


async def click_cell(pilot: Pilot[None], cell: Cell) -> None:
    column, row = pilot.app.screen.query_one("#board", BoardWidget).camera.corner_of(cell)
    await click(pilot, "#board", column + 1, row)


async def act_by_clicks(pilot: Pilot[None], app: PlayApp, action: Action) -> None:
    """Do something with clicks only."""
    screen, view = screen_and_view(app)
    order = screen.controls.rack
    match action:
        case Lay(tiles=chain):
            for placed in chain:
                await click_tile(pilot, "#rack", order.index(placed.tile))
                await click_cell(pilot, placed.cell)
            last = len(chain) == len(view.hand)
            key = "page.unikat.layLast" if last else "page.unikat.lay"
            await click_item(pilot, "#actions", translate(key, n=len(chain)))
        case Swap(give=give, take=take):
            await click_tile(pilot, "#rack", order.index(give))
            # Once to preview it, and once more to do it.
            for _ in range(2):
                await click_tile(pilot, "#display", [*view.display, "bag"].index(take))
        case Draw(take=take):
            await click_tile(pilot, "#display", [*view.display, "bag"].index(take))
        case Decline():
            await click_item(pilot, "#actions", translate("page.unikat.decline"))
        case Pass():
            await click_item(pilot, "#actions", translate("page.unikat.pass"))
        case Ready():
            raise AssertionError


def test_whole_round_by_mouse() -> None:
    match = make_match("s4")
    app = make_app(match)

    async def script(pilot: Pilot[None]) -> None:
        while not match.outcome:
            await wait_until(pilot, lambda: may_act(match))
            if not match.outcome:
                done = len(match.events)
                await act_by_clicks(pilot, app, next_action(match))
                await wait_until(pilot, lambda done=done: len(match.events) > done)  # type: ignore[misc]

    run_app_script(app, script, (120, 40))
    assert match.outcome


def test_screen_responds_while_a_bot_thinks() -> None:
    thinking, may_go_on = threading.Event(), threading.Event()

    def slow_bot(view: View, stream: Stream, budget: Budget) -> Action:
        thinking.set()
        assert may_go_on.wait(60)
        return BOTS["hasty"](view, stream, budget)

    slow_unikat = replace(UNIKAT, bots={**UNIKAT.bots, "slow": slow_bot})
    match = make_match(starter=1, bot="slow", game=slow_unikat)
    app = make_app(match)

    async def script(pilot: Pilot[None]) -> None:
        await wait_until(pilot, thinking.is_set)
        assert status_line(app) == translate("page.unikat.status.thinks", name="Ola")
        board = app.screen.query_one("#board", BoardWidget)
        camera = board.camera
        await press_keys(pilot, "right")
        assert board.camera != camera
        may_go_on.set()
        await wait_until(pilot, lambda: may_act(match))

    run_app_script(app, script)


# ---------------------------------------------------------------------------------- a turn by hand


def test_chain_is_taken_back_tile_by_tile_before_it_is_laid() -> None:
    match = make_match("s25")
    app = make_app(match)

    async def script(pilot: Pilot[None]) -> None:
        screen = unikat_screen(app)
        lay = next_action(match)
        assert isinstance(lay, Lay)
        assert len(lay.tiles) > 2
        events = len(match.events)
        keys = keys_for_action(app, lay)[:-1]
        await press_keys(pilot, *keys)
        assert screen.controls.turn.chain == lay.tiles
        await wait_for_text(pilot, translate("page.unikat.lay", n=len(lay.tiles)))
        assert status_line(app) == translate("page.unikat.status.earned")
        await press_keys(pilot, "backspace")
        assert screen.controls.turn.chain == lay.tiles[:-1]
        await click_cell(pilot, lay.tiles[0].cell)
        assert screen.controls.turn == PlannedTurn()
        assert len(match.events) == events
        # A tile on the board can also be taken back by its letter.
        await press_keys(pilot, *keys[:2], keys[0])
        assert screen.controls.turn == PlannedTurn()

    run_app_script(app, script)


def test_places_of_a_tile_are_shown_and_cycled_through() -> None:
    match = make_match()
    app = make_app(match)

    async def script(pilot: Pilot[None]) -> None:
        screen, view = screen_and_view(app)
        tile, places = max(view.choices.lay.items(), key=lambda item: len(item[1]))
        await press_keys(pilot, RACK_LETTERS[screen.controls.rack.index(tile)])
        assert screen.controls.turn.marked in places
        assert set(screen.controls.turn.places(view)) == set(places)
        assert translate("page.unikat.places", n=len(places)) in status_line(app)
        marked = {screen.controls.turn.marked}
        for _ in places:
            await press_keys(pilot, "tab")
            marked.add(screen.controls.turn.marked)
        assert marked == set(places)
        first = screen.controls.turn.marked
        await press_keys(pilot, "left")
        left = screen.controls.turn.marked
        assert left is not None
        assert first is not None
        assert left.x < first.x
        await press_keys(pilot, "escape")
        assert screen.controls.turn == PlannedTurn()

    run_app_script(app, script)


def test_click_where_a_tile_does_not_fit_names_the_clash() -> None:
    match = make_match()
    app = make_app(match)

    async def script(pilot: Pilot[None]) -> None:
        screen, view = screen_and_view(app)
        start = view.board[0].tile
        unlike = next(
            tile for tile in screen.controls.rack if len(tile.differing_features(start)) > 1
        )
        await press_keys(pilot, RACK_LETTERS[screen.controls.rack.index(unlike)])
        await click_cell(pilot, Cell(1, 0))
        features = format_list(unlike.differing_features(start), translate)
        assert status_line(app) == translate("page.unikat.status.clash", features=features)
        await click_cell(pilot, Cell(0, 0))
        assert status_line(app) == translate("reason.occupied")
        await click_cell(pilot, Cell(2, 2))
        assert status_line(app) == translate("reason.touches_nothing")

    run_app_script(app, script)


def test_swap_needs_confirmation() -> None:
    match = make_match()
    app = make_app(match)

    async def script(pilot: Pilot[None]) -> None:
        screen = unikat_screen(app)
        events = len(match.events)
        await press_keys(pilot, "a", "s")
        assert status_line(app) == translate("page.unikat.status.sure")
        await press_keys(pilot, "0")
        assert screen.controls.turn.take == "bag"
        assert len(match.events) == events
        await press_keys(pilot, "escape")
        assert screen.controls.turn == PlannedTurn()
        # The other way round: first the tile to take, then the one to give.
        await press_keys(pilot, "s")
        assert status_line(app) == translate("page.unikat.status.give")
        give = screen.controls.rack[0]
        await press_keys(pilot, "a", "0", "enter")
        assert give not in match.view(YOU).hand

    run_app_script(app, script)


def test_board_is_dragged_scrolled_and_zoomed() -> None:
    app = make_app(make_match())

    async def script(pilot: Pilot[None]) -> None:
        board = app.screen.query_one("#board", BoardWidget)
        camera = board.camera
        await press_keys(pilot, "right", "down")
        wide, high = camera.cell_spacing
        assert (board.camera.x, board.camera.y) == (camera.x - wide, camera.y - high)
        await press_keys(pilot, "minus")
        assert board.camera.size.width < camera.size.width
        await press_keys(pilot, "w")
        assert board.camera == camera
        await pilot.mouse_down("#board", offset=(10, 5))
        await pilot.hover("#board", offset=(14, 7))
        await pilot.mouse_up("#board", offset=(14, 7))
        assert (board.camera.x, board.camera.y) == (camera.x + 4, camera.y + 2)

    run_app_script(app, script)


# ------------------------------------------------------------------------------------- the looks


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (50, 18)])
def test_the_screen_shows_what_matters_at_any_size(size: tuple[int, int]) -> None:
    app = make_app(make_match())

    async def script(pilot: Pilot[None]) -> None:
        assert status_line(app) == translate("page.unikat.status.act")
        await wait_for_text(pilot, "You 10", translate("terminal.key.help"), "57")

    run_app_script(app, script, size)


def test_key_toggles_light_and_dark_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORFGBG", "0;15")
    app = make_app(make_match())

    async def script(pilot: Pilot[None]) -> None:
        assert app.theme == "pytlik-light"
        await press_keys(pilot, "f5")
        assert app.theme == "pytlik-dark"

    run_app_script(app, script)


def test_no_color_variable_removes_all_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(make_match())

    async def script(pilot: Pilot[None]) -> None:
        await press_keys(pilot, "a")
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
        # Tiles never become so small that only colour tells them apart.
        await press_keys(pilot, "escape", *["minus"] * 4)
        board = app.screen.query_one("#board", BoardWidget)
        assert board.camera.size == TILE_SIZES[1]

    run_app_script(app, script)


def test_help_lists_the_keys_and_the_rules() -> None:
    app = make_app(make_match())

    async def script(pilot: Pilot[None]) -> None:
        await press_keys(pilot, "question_mark")
        await wait_until(pilot, lambda: isinstance(app.screen, Dialog))
        await wait_for_text(pilot, "pick a tile from your rack")
        await press_keys(pilot, "escape")
        await wait_until(pilot, lambda: not isinstance(app.screen, Dialog))

    run_app_script(app, script)


def test_all_actions_are_visible_in_every_language() -> None:
    app = make_app(make_match())

    async def script(pilot: Pilot[None]) -> None:
        screen, view = screen_and_view(app)
        bar, rack = screen.query_one("#actions", KeyBar), screen.query_one("#rack", TileRow)
        tile = next(iter(view.choices.lay))
        await press_keys(pilot, RACK_LETTERS[screen.controls.rack.index(tile)])
        for language in languages():
            app.translate = catalogue(language)
            screen.redraw_if_ready()
            # All ten tiles of the rack, and everything in the bars.
            assert rack.slot_column(9) + rack.tile_size.width <= rack.size.width
            texts = [item.text for item in screen.action_bar_items(view)]
            assert [label.item.text for label in bar.labels()] == texts
            # The help is longer than the screen and can be scrolled, and the way out stays visible.
            await press_keys(pilot, "question_mark")
            await wait_for_text(pilot, "Esc", app.translate("page.close"))
            dialog, scroll = app.screen.query_one("#dialog"), app.screen.query_one("#scroll")
            assert app.screen.region.contains_region(dialog.region)
            await press_keys(pilot, "pagedown")
            await wait_until(pilot, lambda scroll=scroll: scroll.scroll_y > 0)  # type: ignore[misc]
            await press_keys(pilot, "escape")
            await wait_until(pilot, lambda: app.screen is screen)

    run_app_script(app, script, (60, 20))


def test_too_small_window_shows_a_message_until_enlarged() -> None:
    app = make_app(make_match())

    async def script(pilot: Pilot[None]) -> None:
        await wait_for_text(pilot, "it needs 50 columns and 18")
        assert translate("unikat.rack") not in screen_text(app)
        await pilot.resize_terminal(60, 20)
        await wait_for_text(pilot, translate("unikat.display"), translate("page.unikat.status.act"))

    run_app_script(app, script, (45, 15))


def test_laid_tiles_are_logged_as_pictures() -> None:
    match = make_match("s25")
    app = make_app(match)

    async def script(pilot: Pilot[None]) -> None:
        lay = next_action(match)
        assert isinstance(lay, Lay)
        await press_keys(pilot, *keys_for_action(app, lay))
        lines = [line.plain for line, _ in unikat_screen(app).event_log._lines]
        text = next(line for line in lines if line.startswith("You lay"))
        assert not any(sign.isdecimal() for sign in text.partition(":")[2])

    run_app_script(app, script)
