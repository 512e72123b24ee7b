"""Ubongo on the whole screen: by keys alone, by the mouse, and on the clock."""

import pytest
from textual.pilot import Pilot

from pytlik import matchfile
from pytlik.game import Expire, Ready
from pytlik.games import UBONGO
from pytlik.i18n import catalogue, languages
from pytlik.matchfile import Player
from pytlik.terminal.app import PlayApp
from pytlik.terminal.bar import Bar
from pytlik.terminal.card import CardField, Tray
from pytlik.terminal.dialogs import Dialog
from pytlik.terminal.here import SeatedHere
from pytlik.terminal.hold import Hold
from pytlik.terminal.table import YOU, Table
from pytlik.terminal.watching import Shown, cards
from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex, Shape, normalize, translate
from pytlik.ubongo.model import Deal, Options, Phase
from tests.terminal.playing import (
    Held,
    click,
    play,
    press,
    reads,
    say,
    status,
    ubongo_screen,
    until,
    wheel,
)

SOLVERS = (Player("Anna"), Player("Ola", "easy"), Player("Max", "hard"))


def sitting(
    players: tuple[Player, ...] = SOLVERS, **options: object
) -> tuple[Table, Held, PlayApp]:
    clock = Held()
    chosen = Options(**options)  # type: ignore[arg-type]
    table = Table(UBONGO, chosen, players, "x", clock.now(), you="You")
    return table, clock, PlayApp(SeatedHere(table, clock), say)


async def begin(pilot: Pilot[None], table: Table, clock: Held) -> None:
    """Say that one is ready, and let the countdown pass."""
    await press(pilot, "enter")
    await let(pilot, clock, lambda: table.view(YOU).phase is Phase.SOLVING)


async def let(pilot: Pilot[None], clock: Held, happened: object) -> None:
    """Let time pass until something has happened."""
    assert callable(happened)
    while not happened():
        clock.next()
        await pilot.pause(0)


def solution(table: Table) -> dict[int, Shape]:
    return solved(table.view(YOU).deals[YOU])


def solved(deal: Deal) -> dict[int, Shape]:
    found = solver.first(deal.area, list(deal.pieces.values()))
    assert found is not None
    return dict(zip(deal.pieces, found, strict=True))


def turned_to(hold: Hold, cells: Shape) -> tuple[Hold, list[str]]:
    """The chosen piece turned and flipped into the form of these cells, and the keys for that."""
    for flips in range(2):
        for turns in range(6):
            tried = hold.flipped() if flips else hold
            tried = tried.turned(turns)
            if normalize(tried.forms[tried.chosen]) == normalize(cells):
                return tried, ["f"] * flips + ["e"] * turns
    raise AssertionError


def held_at(hold: Hold, cells: Shape) -> Hex:
    """Where a piece is held that lies on these cells."""
    form = hold.forms[hold.chosen]
    first, there = min(form), min(cells)
    at = Hex(there.q - first.q, there.r - first.r)
    assert translate(form, at) == tuple(sorted(cells))
    return at


def keys_for(hold: Hold, piece: int, cells: Shape) -> list[str]:
    hold = hold.choose(piece)
    keys = [str(list(hold.forms).index(piece) + 1)]
    hold, turning = turned_to(hold, cells)
    keys += turning
    target = held_at(hold, cells)
    while hold.at.r != target.r:
        down = 1 if target.r > hold.at.r else -1
        keys.append("down" if down > 0 else "up")
        hold = hold.step(0, down)
    while hold.at.q != target.q:
        across = 1 if target.q > hold.at.q else -1
        keys.append("right" if across > 0 else "left")
        hold = hold.step(across, 0)
    return [*keys, "enter"]


async def solve(pilot: Pilot[None], app: PlayApp, table: Table) -> None:
    for piece, cells in solution(table).items():
        hold = ubongo_screen(app).hold
        assert hold is not None
        await press(pilot, *keys_for(hold, piece, cells))
    assert YOU in [solved.seat for solved in table.view(YOU).solutions]


def test_a_whole_match_by_keys_alone() -> None:
    table, clock, app = sitting((Player("Anna"), Player("Ola", "master")))

    async def course(pilot: Pilot[None]) -> None:
        while not table.over:
            await begin(pilot, table, clock)
            await solve(pilot, app, table)
            await let(pilot, clock, lambda: table.view(YOU).phase in (Phase.READY, Phase.OVER))
        await until(pilot, lambda: isinstance(app.screen, Dialog))
        await reads(pilot, say("page.ubongo.end.you"), "★ You")

    play(app, course)
    assert matchfile.verify(matchfile.decode(table.file())) is None


def test_pieces_are_laid_turned_and_taken_up_by_the_mouse() -> None:
    table, clock, app = sitting()

    async def course(pilot: Pilot[None]) -> None:
        await begin(pilot, table, clock)
        screen = ubongo_screen(app)
        card, tray = screen.query_one("#card", CardField), screen.query_one("#tray", Tray)
        await until(pilot, lambda: card.size.width and card.deal is not None)
        for piece, cells in solution(table).items():
            before = dict(table.view(YOU).placed[YOU])
            _, x, y, _ = next(block for block in tray.blocks() if block[0] == piece)
            await click(pilot, "#tray", x + 1, y)
            await until(pilot, lambda piece=piece: screen.hold and screen.hold.chosen == piece)  # type: ignore[misc]
            assert screen.hold is not None
            held, keys = turned_to(screen.hold, cells)
            target = card.middle_of(held_at(held, cells))
            for key in keys:
                if key == "f":
                    await click(pilot, "#card", *target, button=3)
                else:
                    await wheel(pilot, "#card", *target)
            await click(pilot, "#card", *target)
            lies = {**before, piece: tuple(sorted(cells))}
            await until(pilot, lambda lies=lies: table.view(YOU).placed[YOU] == lies)  # type: ignore[misc]
            if not before:
                # Taken up again by a click on it, and laid once more.
                await click(pilot, "#card", *target)
                await until(pilot, lambda: table.view(YOU).placed[YOU] == {})
                await click(pilot, "#card", *target)
                await until(pilot, lambda lies=lies: table.view(YOU).placed[YOU] == lies)  # type: ignore[misc]
        assert [solved.seat for solved in table.view(YOU).solutions] == [YOU]

    play(app, course, (120, 40))


def test_a_piece_that_does_not_fit_is_refused_in_words() -> None:
    table, clock, app = sitting()

    async def course(pilot: Pilot[None]) -> None:
        await begin(pilot, table, clock)
        await press(pilot, *["up"] * 12, "enter")
        assert status(app) == say("reason.outside_area")
        await press(pilot, "backspace")
        assert status(app) == say("reason.not_placed")

    play(app, course)


def test_giving_up_is_asked_about_and_the_others_can_be_watched() -> None:
    table, clock, app = sitting()

    async def course(pilot: Pilot[None]) -> None:
        await begin(pilot, table, clock)
        await press(pilot, "g")
        await until(pilot, lambda: isinstance(app.screen, Dialog))
        assert not table.view(YOU).gave_up
        await press(pilot, "g")
        await until(pilot, lambda: table.view(YOU).gave_up == (YOU,))
        await until(pilot, lambda: status(app) == say("terminal.done"))
        assert ubongo_screen(app).hold is None
        await let(pilot, clock, lambda: table.view(YOU).phase is Phase.READY)
        await reads(pilot, say("ubongo.solution"))

    play(app, course)


def test_the_countdown_the_last_seconds_and_the_second_chance_are_seen() -> None:
    beginners = (Player("Anna"), Player("Ola", "first-steps"))
    table, clock, app = sitting(beginners, pieces=5, seconds=30)

    async def course(pilot: Pilot[None]) -> None:
        await press(pilot, "enter")
        assert table.view(YOU).phase is Phase.COUNTDOWN
        screen = ubongo_screen(app)
        assert screen.has_class("-counting")
        await let(pilot, clock, lambda: table.view(YOU).phase is Phase.SOLVING)
        sand = table.view(YOU).sand
        assert sand is not None
        clock.pass_time(max(sand - 7_000 - clock.now(), 0))
        await until(pilot, lambda: status(app) == say("page.ubongo.lastSeconds", n=7))
        await let(pilot, clock, lambda: table.view(YOU).phase is not Phase.SOLVING)
        await reads(pilot, say("ubongo.second_chance"))
        assert status(app) == say("page.ubongo.line.second")
        assert screen.hold is not None

    play(app, course)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)])
def test_the_card_and_all_pieces_are_seen_at_any_size(size: tuple[int, int]) -> None:
    table, clock, app = sitting(pieces=4)

    async def course(pilot: Pilot[None]) -> None:
        await begin(pilot, table, clock)
        deal = table.view(YOU).deals[YOU]
        card = ubongo_screen(app).query_one("#card", CardField)
        tray = ubongo_screen(app).query_one("#tray", Tray)
        await until(pilot, lambda: card.deal == deal and card.size.width)
        for cell in deal.area:
            column, row = card.middle_of(cell)
            assert 0 <= column < card.size.width
            assert 0 <= row < card.size.height
            assert card.cell_at(column, row) == cell
        assert [piece for piece, *_ in tray.blocks()] == list(deal.pieces)

    play(app, course, size)


def test_six_turns_or_two_flips_change_nothing_and_arrows_come_back() -> None:
    table, clock, app = sitting()

    async def course(pilot: Pilot[None]) -> None:
        await begin(pilot, table, clock)
        screen = ubongo_screen(app)
        hold = screen.hold
        assert hold is not None
        await press(pilot, *["e"] * 6, "f", "f", "q", "e")
        assert screen.hold == hold
        await press(pilot, "up", "down", "left", "right", "down", "up")
        assert screen.hold == hold
        await press(pilot, "tab")
        assert screen.hold != hold

    play(app, course)


def test_everything_that_can_be_done_is_seen_in_every_language() -> None:
    table, clock, app = sitting()

    async def course(pilot: Pilot[None]) -> None:
        await begin(pilot, table, clock)
        screen = ubongo_screen(app)
        await until(pilot, lambda: screen.hold is not None)
        bar = screen.query_one("#actions", Bar)
        for language in languages():
            app.say = catalogue(language)
            screen.show()
            texts = [item.text for item in screen.actions()]
            assert len(texts) > 4
            assert [label.item.text for label in bar.labels()] == texts
            await press(pilot, "g")
            await reads(pilot, app.say("page.ubongo.giveUp.yes"), app.say("page.ubongo.giveUp.no"))
            await press(pilot, "escape")
            await until(pilot, lambda: app.screen is screen)

    play(app, course, (60, 20))


def test_pieces_are_called_by_their_keys() -> None:
    table, clock, app = sitting(pieces=4)

    async def course(pilot: Pilot[None]) -> None:
        await begin(pilot, table, clock)
        screen = ubongo_screen(app)
        await until(pilot, lambda: screen.hold is not None)
        await reads(pilot, "▸1◂", " 1–4  piece", "◆1")
        await press(pilot, "4")
        assert screen.hold is not None
        assert screen.hold.chosen == list(screen.hold.deal.pieces)[3]
        await reads(pilot, "▸4◂")

    play(app, course)


@pytest.mark.parametrize(("width", "height"), [(58, 8), (78, 13), (118, 30)])
def test_all_cards_are_seen_as_large_as_they_fit(width: int, height: int) -> None:
    table, clock, _ = sitting()
    for seat in range(3):
        table.act(seat, Ready(), clock.now())
    table.act(None, Expire(), table.deadline())  # type: ignore[arg-type]
    deals = table.view(None).deals
    shown = [Shown(f"seat {seat}", deal, solved(deal)) for seat, deal in deals.items()]
    lines = cards(shown, width, height).plain.splitlines()
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    # Every cell of every card: a digit in each, of the piece that covers it.
    digits = sum(sign.isdecimal() for line in lines[1:] for sign in line)
    assert digits == sum(len(deal.area) for deal in deals.values())
