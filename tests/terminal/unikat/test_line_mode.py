"""A turn of Unikat, typed step by step."""

import re
from collections.abc import Mapping

import pytest

from pytlik.games import UNIKAT
from pytlik.i18n import catalogue, languages
from pytlik.match import AnyMatch, Match
from pytlik.matchfile import Player
from pytlik.terminal.line_mode.vocabulary import COMMON_COMMANDS, Vocabulary
from pytlik.terminal.local import YOU
from pytlik.terminal.ubongo.line_mode import UbongoLineGame
from pytlik.terminal.unikat.chain import earns_bonus
from pytlik.terminal.unikat.line_mode import UnikatLineGame
from pytlik.unikat import model as unikat
from pytlik.unikat.engine.longest_turn import longest_turn
from pytlik.unikat.messages import TileDrawn, TileSwapped
from tests.terminal.line_matches import (
    UNIKAT_PLAYERS,
    answering_terminal,
    output_of,
    play_typed_lines,
    type_like_bot,
    unikat_match,
)


def match_with_lay() -> AnyMatch:
    """A match in which the person can lay at once."""
    matches = (unikat_match(seed=f"lay {number}") for number in range(100))
    return next(match for match in matches if match.view(YOU).choices.lay)


def test_a_chain_is_built_taken_back_and_committed() -> None:
    match = match_with_lay()
    tile, cells = next(iter(match.view(YOU).choices.lay.items()))
    first = min(cells, key=lambda cell: (cell.y, cell.x))
    shown = output_of(match, tile, "1", "undo", "undo", f"{tile} 1", "lay", "bag")
    assert "It fits at  [1] " in shown
    assert "lay = lay 1 tile, undo = take it back" in shown
    assert "There's nothing to take back." in shown
    assert f"You lay 1 tile: {tile} {first.x},{first.y}" in shown
    assert "Draw a tile" in shown


def test_undo_first_deselects_the_chosen_tile() -> None:
    match = match_with_lay()
    tile = next(iter(match.view(YOU).choices.lay))
    shown = output_of(match, tile, "undo", "1")
    assert "Pick a tile first" in shown


def test_an_earned_bonus_is_announced_before_the_chain_is_laid() -> None:
    for number in range(200):
        match = unikat_match(seed=f"bonus {number}")
        chain = longest_turn(match.view(YOU)).first
        lines = [f"{tile} {x},{y}" for tile, x, y in chain]
        if not chain or not earns_bonus(match.view(YOU), chain):
            continue
        shown = output_of(match, *lines, "lay")
        laid = shown.index(f"You lay {len(chain)} tiles")
        assert f"lay = lay {len(chain)} tiles, undo = take back the last" in shown[:laid]
        assert "[double turn!]" in shown[:laid]
        assert "You earn a double turn!" in shown[laid:]
        assert "Double turn: one more action, or done" in shown[laid:]
        return
    pytest.fail("nobody earned a double turn")


def test_the_last_tile_is_announced_too() -> None:
    typed: list[str] = []

    def answer() -> str:
        """Lay tile by tile, so that the prompt appears before the last one is laid."""
        view = match.view(YOU)
        line = type_like_bot(match)
        if not line.startswith("lay "):
            return line
        words = line.split()[1:]
        if len(words) == 2 * len(view.hand):
            typed.extend(
                f"{tile} {place}" for tile, place in zip(words[::2], words[1::2], strict=True)
            )
            typed.append("lay")
        return typed.pop(0) if typed else line

    for number in range(20):
        match = unikat_match(seed=f"last {number}")
        typed.clear()
        terminal, file = answering_terminal(lambda: typed.pop(0) if typed else answer(), plain=True)
        play_typed_lines(match, terminal)
        if "You win the game!" in file.getvalue():
            assert "[your last tile!]" in file.getvalue()
            return
    pytest.fail("the person never won")


def test_a_refusal_says_why_and_which_features_clash() -> None:
    match = unikat_match()
    view = match.view(YOU)
    start = view.board[0].tile
    unlike = next(tile for tile in view.hand if len(tile.differing_features(start)) > 1)
    shown = output_of(match, f"lay {unlike} 1,0", f"{unlike} 5,5", f"{unlike} 0,0", f"{unlike} 1,0")
    *most, last = unlike.differing_features(start)
    features = f"{', '.join(most)} and {last}"
    assert f"Tile {unlike} must differ from its neighbour" in shown
    assert shown.count(f"It differs from {start} in {features}.") == 2
    assert "A tile must touch another one, edge to edge." in shown
    assert "Something is already there." in shown


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("z", 'I don\'t know "z"'),
        ("1", "Pick a tile first"),
        ("lay", "Pick a tile first"),
        ("lay c", "Type each tile and where it goes"),
        ("lay c d", "Type each tile and where it goes"),
        ("swap", "Type the tile you give away"),
        ("swap a 9", "Type a number in the display, or bag."),
        ("draw", "Draw a tile: type its number"),
        ("draw bag", "You can't do that right now."),
        ("pass", "You can't pass while you can still lay or swap."),
        ("done", "You can't do that right now."),
        ("sort", "Type one of: sort shape"),
        ("pan sideways", "Type one of: pan left"),
        ("help", "swap c bag"),
        ("rules", "exactly one feature"),
        ("score", "Round"),
        ("9,9", "I don't know"),
        ("undo", "There's nothing to take back."),
    ],
)
def test_every_line_has_an_answer(line: str, answer: str) -> None:
    assert answer in output_of(unikat_match(), line)


def test_the_rack_can_be_sorted_and_the_table_panned() -> None:
    match = unikat_match()
    shown = output_of(match, "sort background", "pan left", "centre", "show", "a", "swap a bag")
    rack = [line.split()[1] for line in shown.splitlines() if line[:4].strip() in set("abcdefghij")]
    by_background = sorted(rack[10:20], key=lambda code: (code[3], code))
    assert rack[10:20] == by_background
    assert f"You swap {by_background[0]} for " in shown


def test_commands_are_typed_in_the_persons_language() -> None:
    match = match_with_lay()
    tile, cells = next(iter(match.view(YOU).choices.lay.items()))
    first = min(cells, key=lambda cell: (cell.y, cell.x))
    translate = catalogue("de")
    shown = output_of(match, tile, "1", "zurück", f"{tile} 1", "legen", "beutel", lang="de")
    placed = f"{tile} {first.x},{first.y}"
    assert translate("unikat.told.laid.you", n=1, tiles=placed) in shown
    assert translate("unikat.turn.draw") in shown
    assert next(event for event in match.events if isinstance(event, TileDrawn)).seat == YOU


def test_sort_and_pan_work_in_other_languages_and_without_accents() -> None:
    for lang, lines in (
        ("uk", ["сортувати тло", "зсунути ліворуч", "центр", "показати", "замінити a мішечок"]),
        ("cs", ["serad pozadi", "posun vlevo", "stred", "ukaz", "vymen a pytlik"]),
        ("pl", ["sortuj tlo", "przesun dol", "srodek", "pokaz", "wymien a woreczek"]),
        ("fr", ["trier fond", "deplacer gauche", "centre", "montrer", "echanger a sac"]),
    ):
        match = unikat_match()
        output_of(match, *lines, lang=lang)
        swapped = next(event for event in match.events if isinstance(event, TileSwapped))
        hand = unikat_match().view(YOU).hand
        assert swapped.give == min(hand, key=lambda tile: (tile.value[3], tile)), lang


@pytest.mark.parametrize("lang", languages())
def test_every_language_has_a_word_for_every_command(lang: str) -> None:
    for commands in ({}, UnikatLineGame.commands, UbongoLineGame.commands):
        keys = {**COMMON_COMMANDS, **commands}
        vocabulary = Vocabulary(commands, catalogue(lang))
        for command, key in keys.items():
            word = catalogue(lang)(key)
            assert vocabulary.to_english_command(command) == command
            assert vocabulary.to_english_command(word) == command, (word, "stands for two commands")
            # Single letters are tiles and abbreviations, and a command is one word.
            assert len(word) > 1
            assert not any(letter.isspace() for letter in word)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize(
    ("key", "commands", "own"),
    [
        (
            "unikat.help",
            UnikatLineGame.commands,
            "lay swap bag done pass undo score sort pan centre",
        ),
        ("ubongo.help", UbongoLineGame.commands, "lift give"),
    ],
)
def test_help_teaches_the_words_of_the_language(
    key: str, commands: Mapping[str, str], own: str, lang: str
) -> None:
    translate, keys = catalogue(lang), {**COMMON_COMMANDS, **commands}
    words = set(re.findall(r"\w+", translate(key)))
    taught = (*COMMON_COMMANDS, *own.split())
    assert [command for command in taught if translate(keys[command]) not in words] == []
    assert max(map(len, translate(key).splitlines())) < 80


def test_unknown_word_is_quoted_as_typed() -> None:
    translate = catalogue("de")
    assert translate("play.unknown", word="links") in output_of(unikat_match(), "links", lang="de")


def test_a_tile_that_a_bot_draws_unseen_is_never_named() -> None:
    match = Match.new(
        UNIKAT,
        (UNIKAT_PLAYERS[0], Player("Ola", "random")),
        seed="h",
        options=unikat.Options(starter=1),
    )
    terminal, file = answering_terminal(lambda: type_like_bot(match), plain=True)
    play_typed_lines(match, terminal)
    assert "Ola draws a tile from the bag." in file.getvalue()
    assert not re.search(r"Ola (draws|swaps \d{4} for) \d{4} from the bag", file.getvalue())
    assert re.search(r"You draw \d{4} from the bag", file.getvalue())
