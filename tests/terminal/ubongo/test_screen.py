"""Ubongo on the full screen: by keyboard, by mouse, and on the clock."""

import pytest
from textual.pilot import Pilot

from pytlik import matchfile
from pytlik.game import Ready
from pytlik.games import UBONGO
from pytlik.i18n import catalogue, languages
from pytlik.match import AnyMatch, Match
from pytlik.matchfile import Player
from pytlik.terminal.local import YOU
from pytlik.terminal.local.session import LocalSession
from pytlik.terminal.screens.app import PlayApp
from pytlik.terminal.ubongo.card_grid import WatchedCard, draw_cards_to_fit
from pytlik.terminal.ubongo.card_widget import CardWidget
from pytlik.terminal.ubongo.held_piece import HeldPiece
from pytlik.terminal.ubongo.screen import UbongoScreen
from pytlik.terminal.ubongo.tray import Tray
from pytlik.terminal.widgets.dialogs import Dialog
from pytlik.terminal.widgets.key_bar import KeyBar
from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex, Shape, move_by, normalize
from pytlik.ubongo.model import Deal, Options, Phase
from tests.terminal.screen_pilot import (
    ManualClock,
    click,
    press_keys,
    run_app_script,
    scroll_down,
    status_line,
    translate,
    ubongo_screen,
    wait_for_text,
    wait_until,
)

UBONGO_PLAYERS = (Player("Anna"), Player("Ola", "easy"), Player("Max", "hard"))


def make_app(
    players: tuple[Player, ...] = UBONGO_PLAYERS, **options: object
) -> tuple[AnyMatch, ManualClock, PlayApp]:
    clock = ManualClock()
    chosen = Options(**options)  # type: ignore[arg-type]
    match = Match.new(UBONGO, players, seed="x", options=chosen, now=clock.now())
    names = ("You", *(player.name for player in players[1:]))
    return match, clock, PlayApp(LocalSession(match, names, clock), translate)


async def begin_round(pilot: Pilot[None], match: AnyMatch, clock: ManualClock) -> None:
    """Say that you're ready, and let the countdown pass."""
    await press_keys(pilot, "enter")
    await pass_time_until(pilot, clock, lambda: match.view(YOU).phase is Phase.SOLVING)


async def pass_time_until(pilot: Pilot[None], clock: ManualClock, happened: object) -> None:
    """Let time pass until something has happened."""
    assert callable(happened)
    while not happened():
        clock.jump_to_next_wait()
        await pilot.pause(0)


def solve_own_deal(match: AnyMatch) -> dict[int, Shape]:
    return solve_deal(match.view(YOU).deals[YOU])


def solve_deal(deal: Deal) -> dict[int, Shape]:
    found = solver.first(deal.area, list(deal.pieces.values()))
    assert found is not None
    return dict(zip(deal.pieces, found, strict=True))


def chosen_piece(screen: UbongoScreen) -> int | None:
    held = screen.controls.held
    return held.chosen if held else None


def turn_to(held: HeldPiece, cells: Shape) -> tuple[HeldPiece, list[str]]:
    """Turn and flip the chosen piece to match these cells, and return the keys for it."""
    for flips in range(2):
        for turns in range(6):
            turned = held.flip() if flips else held
            turned = turned.turn(turns)
            if normalize(turned.shapes[turned.chosen]) == normalize(cells):
                return turned, ["f"] * flips + ["e"] * turns
    raise AssertionError


def cell_held_at(held: HeldPiece, cells: Shape) -> Hex:
    """The cell by which a piece on these cells is held."""
    shape = held.shapes[held.chosen]
    first, there = min(shape), min(cells)
    at = Hex(there.q - first.q, there.r - first.r)
    assert move_by(shape, at) == tuple(sorted(cells))
    return at


def keys_to_place(held: HeldPiece, piece: int, cells: Shape) -> list[str]:
    held = held.choose(piece)
    keys = [str(list(held.shapes).index(piece) + 1)]
    held, turning = turn_to(held, cells)
    keys += turning
    target = cell_held_at(held, cells)
    while held.at.r != target.r:
        down = 1 if target.r > held.at.r else -1
        keys.append("down" if down > 0 else "up")
        held = held.move_by(0, down)
    while held.at.q != target.q:
        across = 1 if target.q > held.at.q else -1
        keys.append("right" if across > 0 else "left")
        held = held.move_by(across, 0)
    return [*keys, "enter"]


async def solve_by_keys(pilot: Pilot[None], app: PlayApp, match: AnyMatch) -> None:
    for piece, cells in solve_own_deal(match).items():
        held = ubongo_screen(app).controls.held
        assert held is not None
        await press_keys(pilot, *keys_to_place(held, piece, cells))
    assert YOU in [solved.seat for solved in match.view(YOU).solutions]


def test_whole_match_by_keyboard() -> None:
    match, clock, app = make_app((Player("Anna"), Player("Ola", "master")))

    async def script(pilot: Pilot[None]) -> None:
        while not match.outcome:
            await begin_round(pilot, match, clock)
            await solve_by_keys(pilot, app, match)
            await pass_time_until(
                pilot, clock, lambda: match.view(YOU).phase in (Phase.READY, Phase.OVER)
            )
        await wait_until(pilot, lambda: isinstance(app.screen, Dialog))
        await wait_for_text(pilot, translate("page.ubongo.end.you"), "★ You")

    run_app_script(app, script)
    assert matchfile.verify(matchfile.decode(match.file())) is None


def test_pieces_are_placed_turned_and_picked_up_with_the_mouse() -> None:
    match, clock, app = make_app()

    async def script(pilot: Pilot[None]) -> None:
        await begin_round(pilot, match, clock)
        screen = ubongo_screen(app)
        card, tray = screen.query_one("#card", CardWidget), screen.query_one("#tray", Tray)
        await wait_until(pilot, lambda: card.size.width and card.deal is not None)
        for piece, cells in solve_own_deal(match).items():
            before = dict(match.view(YOU).placed[YOU])
            _, x, y, _ = next(block for block in tray.blocks() if block[0] == piece)
            await click(pilot, "#tray", x + 1, y)
            await wait_until(pilot, lambda piece=piece: chosen_piece(screen) == piece)  # type: ignore[misc]
            assert screen.controls.held is not None
            held, keys = turn_to(screen.controls.held, cells)
            target = card.middle_of(cell_held_at(held, cells))
            for key in keys:
                if key == "f":
                    await click(pilot, "#card", *target, button=3)
                else:
                    await scroll_down(pilot, "#card", *target)
            await click(pilot, "#card", *target)
            lies = {**before, piece: tuple(sorted(cells))}
            await wait_until(pilot, lambda lies=lies: match.view(YOU).placed[YOU] == lies)  # type: ignore[misc]
            if not before:
                # Pick it up again with a click, and place it once more.
                await click(pilot, "#card", *target)
                await wait_until(pilot, lambda: match.view(YOU).placed[YOU] == {})
                await click(pilot, "#card", *target)
                await wait_until(pilot, lambda lies=lies: match.view(YOU).placed[YOU] == lies)  # type: ignore[misc]
        assert [solved.seat for solved in match.view(YOU).solutions] == [YOU]

    run_app_script(app, script, (120, 40))


def test_piece_that_does_not_fit_is_refused_with_a_reason() -> None:
    match, clock, app = make_app()

    async def script(pilot: Pilot[None]) -> None:
        await begin_round(pilot, match, clock)
        await press_keys(pilot, *["up"] * 12, "enter")
        assert status_line(app) == translate("reason.outside_area")
        await press_keys(pilot, "backspace")
        assert status_line(app) == translate("reason.not_placed")

    run_app_script(app, script)


def test_giving_up_asks_first_and_ends_in_the_solution() -> None:
    match, clock, app = make_app()

    async def script(pilot: Pilot[None]) -> None:
        await begin_round(pilot, match, clock)
        await press_keys(pilot, "g")
        await wait_until(pilot, lambda: isinstance(app.screen, Dialog))
        assert not match.view(YOU).gave_up
        await press_keys(pilot, "g")
        await wait_until(pilot, lambda: match.view(YOU).gave_up == (YOU,))
        await wait_until(pilot, lambda: status_line(app) == translate("terminal.done"))
        assert ubongo_screen(app).controls.held is None
        await pass_time_until(pilot, clock, lambda: match.view(YOU).phase is Phase.READY)
        await wait_for_text(pilot, translate("ubongo.solution"))

    run_app_script(app, script)


def test_countdown_last_seconds_and_second_chance_are_shown() -> None:
    beginners = (Player("Anna"), Player("Ola", "first-steps"))
    match, clock, app = make_app(beginners, pieces=5, seconds=30)

    async def script(pilot: Pilot[None]) -> None:
        await press_keys(pilot, "enter")
        assert match.view(YOU).phase is Phase.COUNTDOWN
        screen = ubongo_screen(app)
        assert screen.has_class("-counting")
        await pass_time_until(pilot, clock, lambda: match.view(YOU).phase is Phase.SOLVING)
        sand = match.view(YOU).sand
        assert sand is not None
        clock.pass_time(max(sand - 7_000 - clock.now(), 0))
        await wait_until(
            pilot, lambda: status_line(app) == translate("page.ubongo.lastSeconds", n=7)
        )
        await pass_time_until(pilot, clock, lambda: match.view(YOU).phase is not Phase.SOLVING)
        await wait_for_text(pilot, translate("ubongo.second_chance"))
        assert status_line(app) == translate("page.ubongo.line.second")
        assert screen.controls.held is not None

    run_app_script(app, script)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)])
def test_card_and_all_pieces_are_visible_at_any_size(size: tuple[int, int]) -> None:
    match, clock, app = make_app(pieces=4)

    async def script(pilot: Pilot[None]) -> None:
        await begin_round(pilot, match, clock)
        deal = match.view(YOU).deals[YOU]
        card = ubongo_screen(app).query_one("#card", CardWidget)
        tray = ubongo_screen(app).query_one("#tray", Tray)
        await wait_until(pilot, lambda: card.deal == deal and card.size.width)
        for cell in deal.area:
            column, row = card.middle_of(cell)
            assert 0 <= column < card.size.width
            assert 0 <= row < card.size.height
            assert card.cell_at(column, row) == cell
        assert [piece for piece, *_ in tray.blocks()] == list(deal.pieces)

    run_app_script(app, script, size)


def test_six_turns_two_flips_or_opposite_arrows_change_nothing() -> None:
    match, clock, app = make_app()

    async def script(pilot: Pilot[None]) -> None:
        await begin_round(pilot, match, clock)
        screen = ubongo_screen(app)
        held = screen.controls.held
        assert held is not None
        await press_keys(pilot, *["e"] * 6, "f", "f", "q", "e")
        assert screen.controls.held == held
        await press_keys(pilot, "up", "down", "left", "right", "down", "up")
        assert screen.controls.held == held
        await press_keys(pilot, "tab")
        assert screen.controls.held != held

    run_app_script(app, script)


def test_all_actions_are_visible_in_every_language() -> None:
    match, clock, app = make_app()

    async def script(pilot: Pilot[None]) -> None:
        await begin_round(pilot, match, clock)
        screen = ubongo_screen(app)
        await wait_until(pilot, lambda: screen.controls.held is not None)
        bar = screen.query_one("#actions", KeyBar)
        for language in languages():
            app.translate = catalogue(language)
            screen.redraw_if_ready()
            view = screen.view
            assert view is not None
            texts = [item.text for item in screen.action_bar_items(view)]
            assert len(texts) > 4
            assert [label.item.text for label in bar.labels()] == texts
            await press_keys(pilot, "g")
            await wait_for_text(
                pilot,
                app.translate("page.ubongo.giveUp.yes"),
                app.translate("page.ubongo.giveUp.no"),
            )
            await press_keys(pilot, "escape")
            await wait_until(pilot, lambda: app.screen is screen)

    run_app_script(app, script, (60, 20))


def test_pieces_are_chosen_by_their_keys() -> None:
    match, clock, app = make_app(pieces=4)

    async def script(pilot: Pilot[None]) -> None:
        await begin_round(pilot, match, clock)
        screen = ubongo_screen(app)
        await wait_until(pilot, lambda: screen.controls.held is not None)
        await wait_for_text(pilot, "▸1◂", " 1–4  piece", "◆1")
        await press_keys(pilot, "4")
        assert screen.controls.held is not None
        assert screen.controls.held.chosen == list(screen.controls.held.deal.pieces)[3]
        await wait_for_text(pilot, "▸4◂")

    run_app_script(app, script)


@pytest.mark.parametrize(("width", "height"), [(58, 8), (78, 13), (118, 30)])
def test_all_cards_are_drawn_within_the_space(width: int, height: int) -> None:
    match, clock, _ = make_app()
    for seat in range(3):
        match.act(seat, Ready(), now=clock.now())
    match.expire()
    deals = match.view(None).deals
    shown = [WatchedCard(f"seat {seat}", deal, solve_deal(deal)) for seat, deal in deals.items()]
    lines = draw_cards_to_fit(shown, width, height).plain.splitlines()
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    # Every cell of every card has the digit of the piece that covers it.
    digits = sum(sign.isdecimal() for line in lines[1:] for sign in line)
    assert digits == sum(len(deal.area) for deal in deals.values())
