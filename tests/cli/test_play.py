"""Whole games in the terminal, with a person who types by a script and a clock that never waits."""

import os
import re
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from pytlik import matchfile
from pytlik.cli import main
from pytlik.cli.play import sit_down
from pytlik.cli.play_ubongo import play as play_ubongo
from pytlik.cli.terminal import Quit, Terminal, is_plain
from pytlik.games import UBONGO, UNIKAT
from pytlik.i18n import catalogue
from pytlik.matchfile import Player
from pytlik.terminal.chain import earns_bonus
from pytlik.terminal.table import YOU, Table
from pytlik.ubongo import model as ubongo
from pytlik.ubongo import solver
from pytlik.ubongo.text import cell_names
from pytlik.unikat import model as unikat
from pytlik.unikat.bots import BOTS, BUDGET
from pytlik.unikat.messages import Decline, Draw, Lay, Pass, Swap
from pytlik.unikat.turns import longest_turn
from tests.cli.person import Answers, Clock, screen, typing

PEOPLE = (Player("Anna"), Player("Ola", "longest"))
SOLVERS = (Player("Anna"), Player("Ola", "easy"), Player("Max", "hard"))


def unikat_table(*, seed: str = "x", **options: object) -> Table:
    chosen = unikat.Options(**{"starter": 0, **options})  # type: ignore[arg-type]
    return Table(UNIKAT, chosen, PEOPLE, seed, 0)


def played(table: Table, *lines: str) -> str:
    """What is shown to somebody who types these lines and then closes the terminal."""
    terminal, file = typing(*lines)
    assert sit_down(table, terminal, None) == 0
    return file.getvalue()


# ------------------------------------------------------------------------------ whole matches


def typed(table: Table) -> str:
    """What somebody types who plays as a bot does."""
    view = table.view(YOU)
    if view.phase is unikat.Phase.OVER:
        return ""
    action = BOTS["longest"](view, table.bot_stream(), BUDGET)
    match action:
        case Lay(tiles=chain):
            return "lay " + " ".join(f"{tile} {x},{y}" for tile, x, y in chain)
        case Swap(give=give, take=take):
            return f"swap {give} {take}"
        case Draw(take=take):
            return f"draw {take}"
        case Decline():
            return "done"
        case Pass():
            return "pass"
        case _:
            raise AssertionError(action)


def watching(answer: Callable[[], str | None], *, plain: bool) -> tuple[Terminal, StringIO]:
    console, file = screen(plain=plain)
    clock = Clock()
    return Terminal(console, Answers(clock, answer), clock, catalogue("en"), plain=plain), file


@pytest.mark.parametrize("plain", [True, False])
def test_a_whole_match_of_unikat(tmp_path: Path, *, plain: bool) -> None:
    table = unikat_table(rounds=2, next_starter="winner")
    terminal, file = watching(lambda: typed(table), plain=plain)
    out = tmp_path / "match.json"
    assert sit_down(table, terminal, out) == 0
    shown = file.getvalue()
    assert table.over
    assert "Round 1 is dealt. You begin." in shown
    assert "Total" in shown
    assert "The longest chain: " in shown
    assert shown.endswith(f"pytlik verify {out}\n")
    match = matchfile.decode(out.read_bytes())
    assert matchfile.verify(match) is None
    assert main(["verify", str(out)]) == 0
    assert plain == shown.isascii()
    assert plain == ("\x1b" not in shown)


def test_the_same_seed_gives_the_same_match() -> None:
    def events(seed: str) -> list[object]:
        table = unikat_table(seed=seed)
        terminal, _ = watching(lambda: typed(table), plain=True)
        sit_down(table, terminal, None)
        return table.events

    assert events("one") == events("one") != events("two")


def test_without_a_seed_no_two_matches_are_alike() -> None:
    tables = [Table(UNIKAT, unikat.Options(), PEOPLE, None, 0) for _ in range(2)]
    assert tables[0].commitment != tables[1].commitment
    assert tables[0].events[1] != tables[1].events[1]


def solver_lines(table: Table, clock: Clock, *, after: int) -> Callable[[], str | None]:
    """Somebody who lays a piece every second, beginning so many seconds after the start."""

    def answer() -> str | None:
        view = table.view(YOU)
        if view.choices.ready:
            return ""
        if not view.choices.solve or clock.time < view.began + 1000 * after:
            return None
        deal, placed = view.deals[YOU], view.placed[YOU]
        found = solver.first(deal.area, list(deal.pieces.values()))
        assert found is not None
        names = {cell: name for name, cell in cell_names(deal.area).items()}
        for piece, cells in zip(deal.pieces, found, strict=True):
            if piece not in placed:
                return f"place {piece} " + " ".join(names[cell] for cell in cells)
        raise AssertionError

    return answer


@pytest.mark.parametrize(
    ("options", "after"),
    [
        (ubongo.Options(), 0),
        (ubongo.Options(pieces=4, seconds=30), 31),
        (ubongo.Options(same_puzzle=True, seconds=None), 10),
        (ubongo.Options(handicap=(3, 4, 5)), 5),
    ],
)
def test_a_whole_match_of_ubongo(tmp_path: Path, options: ubongo.Options, after: int) -> None:
    table = Table(UBONGO, options, SOLVERS, "x", 0)
    console, file = screen()
    clock = Clock()
    answer = solver_lines(table, clock, after=after)
    terminal = Terminal(console, Answers(clock, answer), clock, catalogue("en"), plain=True)
    out = tmp_path / "match.json"
    assert sit_down(table, terminal, out) == 0
    shown = file.getvalue()
    assert table.over
    assert "3 ...\n2 ...\n1 ...\nUbongo! Round 1 begins." in shown
    assert "Ubongo! You have solved your card." in shown
    assert shown.isascii()
    assert ("Second chance" in shown) == (after > 30)
    assert matchfile.verify(matchfile.decode(out.read_bytes())) is None


def test_a_deciding_round_is_played_like_any_other() -> None:
    """Five pieces in half a minute are too much for all: so nobody has a gem, and all are equal."""
    people = (Player("Anna"), Player("Ola", "easy"))
    table = Table(UBONGO, ubongo.Options(pieces=5, seconds=30), people, "tie", 0)
    clock = Clock()
    console, file = screen()
    solve = solver_lines(table, clock, after=5)

    def answer() -> str | None:
        view = table.view(YOU)
        return solve() if view.deciding or view.choices.ready else None

    terminal = Terminal(console, Answers(clock, answer), clock, catalogue("en"), plain=True)
    sit_down(table, terminal, None)
    shown = file.getvalue()
    assert "Equal on top: Anna, Ola. A deciding round follows." in shown
    assert "The deciding round   no timer" in shown
    assert "You win the match!" in shown
    assert "*** Well played! ***" in shown


# --------------------------------------------------------------------------------- step by step


def laying_table() -> Table:
    """A table at which the person can lay at once."""
    tables = (unikat_table(seed=f"lay {number}") for number in range(100))
    return next(table for table in tables if table.view(YOU).choices.lay)


def test_a_chain_is_built_taken_back_and_committed() -> None:
    table = laying_table()
    tile, cells = next(iter(table.view(YOU).choices.lay.items()))
    first = min(cells, key=lambda cell: (cell.y, cell.x))
    shown = played(table, tile, "1", "undo", "undo", f"{tile} 1", "lay", "bag")
    assert "It fits at  [1] " in shown
    assert "lay = Lay 1 tile, undo = take it back" in shown
    assert "There is nothing to take back." in shown
    assert f"You lay 1 tile: {tile} {first.x},{first.y}" in shown
    assert "Take one tile" in shown


def test_undo_first_lets_go_of_the_chosen_tile() -> None:
    table = laying_table()
    tile = next(iter(table.view(YOU).choices.lay))
    shown = played(table, tile, "undo", "1")
    assert "Choose a tile first" in shown


def test_an_earned_bonus_is_announced_before_the_chain_is_laid() -> None:
    for number in range(200):
        table = unikat_table(seed=f"bonus {number}")
        chain = longest_turn(table.view(YOU)).first
        lines = [f"{tile} {x},{y}" for tile, x, y in chain]
        if not chain or not earns_bonus(table.view(YOU), chain):
            continue
        shown = played(table, *lines, "lay")
        laid = shown.index(f"You lay {len(chain)} tiles")
        assert f"lay = Lay {len(chain)} tiles, undo = take back the last" in shown[:laid]
        assert "[double turn!]" in shown[:laid]
        assert "You have earned a double turn!" in shown[laid:]
        assert "Double turn: one more action, or done" in shown[laid:]
        return
    pytest.fail("nobody earned a double turn")


def test_the_last_tile_is_announced_too() -> None:
    said: list[str] = []

    def answer() -> str:
        """Lay tile by tile, so that the prompt is seen before the last one is laid."""
        view = table.view(YOU)
        line = typed(table)
        if not line.startswith("lay "):
            return line
        words = line.split()[1:]
        if len(words) == 2 * len(view.hand):
            said.extend(
                f"{tile} {place}" for tile, place in zip(words[::2], words[1::2], strict=True)
            )
            said.append("lay")
        return said.pop(0) if said else line

    for number in range(20):
        table = unikat_table(seed=f"last {number}")
        said.clear()
        terminal, file = watching(lambda: said.pop(0) if said else answer(), plain=True)
        sit_down(table, terminal, None)
        if "You win the match!" in file.getvalue():
            assert "[your last tile!]" in file.getvalue()
            return
    pytest.fail("the person never won")


def test_a_refusal_says_why_and_which_features_clash() -> None:
    table = unikat_table()
    view = table.view(YOU)
    start = view.board[0].tile
    unlike = next(tile for tile in view.hand if len(tile.differing(start)) > 1)
    shown = played(table, f"lay {unlike} 1,0", f"{unlike} 5,5", f"{unlike} 0,0", f"{unlike} 1,0")
    features = " + ".join(unlike.differing(start))
    assert f"Tile {unlike} must differ in exactly one feature" in shown
    assert shown.count(f"From {start} it differs in {features}.") == 2
    assert "A tile must touch another one." in shown
    assert "There is something there already." in shown


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("z", 'I don\'t know "z"'),
        ("1", "Choose a tile first"),
        ("lay", "Choose a tile first"),
        ("lay c", "Type each tile with its place"),
        ("lay c d", "Type each tile with its place"),
        ("swap", "Type which tile you give"),
        ("swap a 9", "Type a number in the stock, or bag."),
        ("draw", "Take one tile: type its number"),
        ("draw bag", "That can't be done now."),
        ("pass", "You can lay or swap, so you can't pass."),
        ("done", "That can't be done now."),
        ("sort", "Type one of: sort shape"),
        ("pan sideways", "Type one of: pan left"),
        ("help", "swap c bag"),
        ("rules", "exactly one feature"),
        ("score", "Round"),
        ("9,9", "I don't know"),
        ("undo", "There is nothing to take back."),
    ],
)
def test_every_line_has_an_answer(line: str, answer: str) -> None:
    assert answer in played(unikat_table(), line)


def test_the_rack_can_be_sorted_and_the_table_panned() -> None:
    table = unikat_table()
    shown = played(table, "sort background", "pan left", "centre", "show", "a", "swap a bag")
    rack = [line.split()[1] for line in shown.splitlines() if line[:4].strip() in set("abcdefghij")]
    by_background = sorted(rack[10:20], key=lambda code: (code[3], code))
    assert rack[10:20] == by_background
    assert f"You swap {by_background[0]} for " in shown


def test_a_tile_that_a_bot_draws_unseen_is_never_named() -> None:
    table = Table(UNIKAT, unikat.Options(starter=1), (PEOPLE[0], Player("Ola", "random")), "h", 0)
    terminal, file = watching(lambda: typed(table), plain=True)
    sit_down(table, terminal, None)
    assert "Ola takes a tile from the bag." in file.getvalue()
    assert not re.search(r"Ola (takes|swaps \d{4} for) \d{4} from the bag", file.getvalue())
    assert re.search(r"You take \d{4} from the bag", file.getvalue())


# ------------------------------------------------------------------------------ Ubongo by hand


def ubongo_shown(*lines: str, options: ubongo.Options | None = None) -> tuple[str, Table]:
    """A first round with these lines typed one second after the other, and then the end."""
    table = Table(UBONGO, options or ubongo.Options(), SOLVERS[:2], "hand", 0)
    clock, left = Clock(), list(lines)
    console, file = screen()

    def answer() -> str | None:
        if table.view(YOU).choices.ready:
            return ""
        if not table.view(YOU).choices.solve:
            return None
        if not left:
            raise Quit
        clock.time += 100
        return left.pop(0)

    terminal = Terminal(console, Answers(clock, answer), clock, catalogue("en"), plain=True)
    with pytest.raises(Quit):
        play_ubongo(table, terminal)
    return file.getvalue(), table


def test_pieces_are_turned_flipped_laid_and_lifted() -> None:
    _, table = ubongo_shown()
    deal = table.view(YOU).deals[YOU]
    found = solver.first(deal.area, list(deal.pieces.values()))
    assert found is not None
    names = {cell: name for name, cell in cell_names(deal.area).items()}
    piece, cells = next(iter(deal.pieces)), " ".join(names[cell] for cell in found[0])
    shown, table = ubongo_shown(f"{piece} q e f", f"turn {piece}", f"flip {piece}", cells)
    assert list(table.view(YOU).placed[YOU]) == [piece]
    assert f"[{piece}]" in shown
    shown, table = ubongo_shown(f"{piece} {cells}", f"lift {piece}", "x")
    assert table.view(YOU).placed[YOU] == {}
    assert f"You take off piece {piece}." in shown
    assert "That piece does not lie on your card." in shown


def test_six_turns_or_two_flips_change_nothing() -> None:
    plain, _ = ubongo_shown("show")
    turned, _ = ubongo_shown("q e left right turn q f f")
    area = [line for line in plain.splitlines() if line.startswith("   ")]
    assert area == [line for line in turned.splitlines() if line.startswith("   ")]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("99", "You don't have that piece."),
        ("z9", "There is no such cell on your card."),
        ("a1 a2", "The piece can't be turned or flipped into that shape."),
        ("help", "turn it left, turn it right, flip it"),
        ("rules", "Cover every white cell"),
        ("nonsense", 'I don\'t know "nonsense"'),
        ("lift", "That piece does not lie on your card."),
    ],
)
def test_every_line_of_ubongo_has_an_answer(line: str, answer: str) -> None:
    assert answer in ubongo_shown(line)[0]


def test_the_sand_warns_before_it_runs_out() -> None:
    table = Table(UBONGO, ubongo.Options(pieces=4, seconds=60), SOLVERS[:2], "sand", 0)
    clock = Clock()
    console, file = screen()

    def answer() -> str | None:
        view = table.view(YOU)
        if view.round == 1 and view.phase is ubongo.Phase.READY:
            raise EOFError
        return "" if view.choices.ready else None

    terminal = Terminal(console, Answers(clock, answer), clock, catalogue("en"), plain=True)
    sit_down(table, terminal, None)
    shown = file.getvalue()
    assert shown.index("30 seconds left!") < shown.index("10 seconds left!")
    assert "This would have filled your card:" in shown


# -------------------------------------------------------------------------- leaving and saving


@pytest.mark.parametrize("lines", [["quit"], []])
def test_who_leaves_keeps_the_match_so_far(tmp_path: Path, lines: list[str]) -> None:
    table = unikat_table()
    terminal, file = typing(*lines)
    out = tmp_path / "match.json"
    assert sit_down(table, terminal, out) == 0
    assert "You leave the table." in file.getvalue()
    assert "pytlik replay" in file.getvalue()
    match = matchfile.decode(out.read_bytes())
    assert match.seed is None
    assert list(match.events) == table.events


def test_leaving_ubongo_keeps_the_match_too(tmp_path: Path) -> None:
    table = Table(UBONGO, ubongo.Options(), SOLVERS, "x", 0)
    terminal, _ = typing("", "quit")
    out = tmp_path / "match.json"
    assert sit_down(table, terminal, out) == 0
    assert matchfile.decode(out.read_bytes()).seed is None


def test_saving_leaves_one_file_and_nothing_else(tmp_path: Path) -> None:
    out, other = tmp_path / "match.json", tmp_path / "other.json"
    out.write_text("old")
    other.write_text("other")
    terminal, _ = typing("quit")
    sit_down(unikat_table(), terminal, out)
    assert sorted(os.listdir(tmp_path)) == ["match.json", "other.json"]  # noqa: PTH208
    assert other.read_text() == "other"
    matchfile.decode(out.read_bytes())


# ------------------------------------------------------------------------------- the command


def command(monkeypatch: pytest.MonkeyPatch, text: str, *words: str) -> int:
    monkeypatch.setattr(sys, "stdin", StringIO(text))
    return main(["play", *words])


def test_the_command_plays_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "m.json"
    words = ("--seed", "s", "--name", "Zoë", "--bots", "random,longest,random", "--out", str(out))
    assert command(monkeypatch, "help\nquit\n", "unikat", *words) == 0
    shown = capsys.readouterr().out
    assert "Unikat, with Ola, Max, Hana." in shown
    assert matchfile.decode(out.read_bytes()).seats[0] == Player("Zoë")


def test_unikat_is_what_is_played_if_no_game_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, "") == 0
    assert "Unikat, with Ola." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["chess"], "chess"),
        (["--bots", "genius"], 'no bot "genius"'),
        (["--bots", ""], 'no bot ""'),
        (["--bots", "random,random,random,random"], "One to three bots"),
        (["--name", "x" * 41], "at most 40"),
        (["--rounds", "0"], "--rounds"),
        (["--rounds", "21"], "--rounds"),
        (["--rounds", "many"], "--rounds"),
        (["--starter", "3"], "from 1 to 2"),
        (["--blocked", "1"], "--blocked"),
        (["--blocked", "0,5"], "--blocked"),
        (["--seconds", "60"], "--seconds is an option of ubongo"),
        (["--same-puzzle"], "--same-puzzle is an option of ubongo"),
        (["ubongo", "--rounds", "2"], "--rounds is an option of unikat"),
        (["ubongo", "--bots", "longest"], 'no bot "longest"'),
        (["ubongo", "--pieces", "6"], "--pieces"),
        (["ubongo", "--seconds", "5"], "--seconds"),
        (["ubongo", "--patience", "1"], "--patience"),
        (["ubongo", "--handicap", "3"], "each of the 2 players"),
        (["ubongo", "--handicap", "3,9"], "--handicap"),
        (["--out", "/no/such/place/match.json"], "--out"),
        (["--out", "/"], "--out"),
    ],
)
def test_called_wrongly(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    complaint: str,
) -> None:
    try:
        status = command(monkeypatch, "", *words)
    except SystemExit as exit_:  # argparse leaves so
        status = int(exit_.code or 0)
    assert status == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert not captured.out


@pytest.mark.parametrize(
    "words",
    [
        ["--rounds", "3", "--bots", "hard,easy", "--starter", "2", "--next-starter", "rotate"],
        ["--extra-action", "continue", "--blocked", "1,9"],
        ["ubongo", "--pieces", "5", "--seconds", "none", "--patience", "none"],
        ["ubongo", "--handicap", "3,5", "--same-puzzle", "--bots", "master"],
    ],
)
def test_every_option_of_a_table_can_be_asked_for(
    monkeypatch: pytest.MonkeyPatch, words: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "match.json"
    assert command(monkeypatch, "", *words, "--out", str(out)) == 0
    options = matchfile.decode(out.read_bytes()).events[0].options
    assert options != type(options)()


class Screen(StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "encoding", "plain"),
    [
        ({"TERM": "xterm-256color"}, "utf-8", False),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "utf-8", True),
        ({"TERM": "dumb"}, "utf-8", True),
        ({}, "utf-8", True),
        ({"TERM": "xterm"}, "iso8859-2", True),
    ],
)
def test_where_colour_and_unicode_are_left_out(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], encoding: str, *, plain: bool
) -> None:
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    file = Screen()
    file.encoding = encoding
    assert is_plain(file) is plain
    assert is_plain(StringIO())
