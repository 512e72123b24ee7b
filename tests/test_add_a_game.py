"""The tutorial's game, taken from its page and installed as a reader would: it plays wherever ours
do, and no file of ours knows it."""

import asyncio
import importlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytlik import arena
from pytlik.arena import league
from pytlik.arena.league import Contest
from pytlik.game import AnyGame, Illegal
from pytlik.games import ENTRY_POINT_GROUP, GAMES
from pytlik.match import Match
from pytlik.referee import answer
from tests.docs.samples import find_samples
from tests.server.client import Client, create_table, run_all
from tests.server.server_process import ServerProcess

ROOT = Path(__file__).parent.parent
TUTORIAL_PAGE = ROOT / "docs" / "add-a-game.md"
MAX_LINES = 200


def tutorial_files() -> dict[str, str]:
    marked = (sample for sample in find_samples(TUTORIAL_PAGE) if "file" in sample.marks)
    return {sample.marks["file"]: sample.text for sample in marked}


def install_tutorial_game(folder: Path) -> None:
    """Do what pip does, without the network: install the package, and its entry points."""
    (folder / "hermit").mkdir()
    (folder / "hermit" / "__init__.py").touch()
    files = tutorial_files()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    about = folder / f"{project['name']}-{project['version']}.dist-info"
    about.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(metadata)
    entries = project["entry-points"][ENTRY_POINT_GROUP].items()
    lines = "".join(f"{name} = {place}\n" for name, place in entries)
    (about / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\n{lines}")


@pytest.fixture(scope="module")
def tutorial_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    install_tutorial_game(folder)
    return folder


@pytest.fixture
def tutorial_game(tutorial_folder: Path) -> Iterator[AnyGame]:
    """The game, found through its entry point, and removed after the test."""
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(tutorial_folder)
    patch.setenv("PYTHONPATH", f"{tutorial_folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    patch.setattr(GAMES, "_complete", False)
    importlib.invalidate_caches()
    yield GAMES["hermit"]
    del GAMES["hermit"]
    for name in [name for name in sys.modules if name.partition(".")[0] == "hermit"]:
        del sys.modules[name]
    patch.undo()


def run_pytlik(*words: str, cwd: Path, given: str = "") -> str:
    command = [sys.executable, "-m", "pytlik", *words]
    run = subprocess.run(command, input=given, capture_output=True, text=True, cwd=cwd, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_tutorial_game_is_small() -> None:
    code = [text for name, text in tutorial_files().items() if name.endswith(".py")]
    lines = [line for text in code for line in text.splitlines() if line.strip()]
    assert len(lines) < MAX_LINES


def test_our_code_does_not_mention_it() -> None:
    files = (ROOT / "src").rglob("*.py")
    assert not [file for file in files if "hermit" in file.read_text(encoding="utf-8").lower()]


def test_importing_the_game_does_not_import_the_registry(tutorial_folder: Path) -> None:
    """Otherwise the order of imports would decide whether a half-imported game is registered."""
    code = "import sys, hermit.game; sys.exit('pytlik.games' in sys.modules)"
    env = os.environ | {"PYTHONPATH": f"{tutorial_folder}{os.pathsep}{ROOT / 'src'}"}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)


@pytest.mark.slow
def test_it_type_checks(tutorial_folder: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary"]
    command += ["--explicit-package-bases", "hermit"]
    env = os.environ | {"MYPYPATH": f"{tutorial_folder}{os.pathsep}{ROOT / 'src'}"}
    run = subprocess.run(
        command, capture_output=True, text=True, cwd=tutorial_folder, env=env, check=False
    )
    assert run.stdout == ""


def test_it_plays_through_the_library_and_can_be_verified(
    tutorial_game: AnyGame, tmp_path: Path
) -> None:
    match = Match.new("hermit", players=3, seed="x", options={"cards": 4})
    for turn in range(12):
        seat = match.awaited[turn % len(match.awaited)]
        hidden = match.masked_events((seat + 1) % 3, since=2)
        assert all(not isinstance(getattr(event, "card", None), int) or event.seat != seat
                   for event in hidden)  # fmt: skip
        match.act(seat, next(match.legal(seat)))
    assert match.outcome
    assert match.verify() is None
    match.save(tmp_path / "hermit.json")
    assert Match.load(tmp_path / "hermit.json").state == match.state
    assert "Verified" in run_pytlik("verify", "hermit.json", cwd=tmp_path)
    changed = json.loads((tmp_path / "hermit.json").read_text())
    changed["events"][1]["prizes"].reverse()
    finding = Match.load(json.dumps(changed).encode()).verify()
    assert finding


def test_it_refuses_with_its_own_reason(tutorial_game: AnyGame) -> None:
    match = Match.new(tutorial_game, seed="x")
    choose = type(next(match.legal(0)))
    with pytest.raises(Illegal) as refused:
        match.act(0, choose(9))
    assert refused.value.reason == "card_spent"
    assert refused.value.reason in tutorial_game.refusals


def test_seat_cannot_see_the_others_choice(tutorial_game: AnyGame) -> None:
    views = []
    for card in (1, 5):
        match = Match.new(tutorial_game, seed="x")
        choose = type(next(match.legal(0)))
        match.act(0, choose(card))
        views.append((match.view(1), match.masked_events(1)))
    assert views[0] == views[1]


def test_bots_play_in_the_arena(tutorial_game: AnyGame, tmp_path: Path) -> None:
    played = arena.play("hermit", ["easy", "medium", "easy"], seed="1")
    assert played.match.verify() is None
    table = league.run(Contest(game="hermit", bots=("medium", "easy"), games=200), processes=1)
    assert table.lines[0].wins > 0.5
    output = run_pytlik("arena", "hermit", "easy", "medium", "--games", "2", "--json", cwd=tmp_path)
    assert json.loads(output)["lines"][0]["games"] == 2


def test_it_is_played_in_line_mode(tutorial_game: AnyGame, tmp_path: Path) -> None:
    typed = "what\n9\n1\n2\n3\n4\n5\n"
    words = ("play", "hermit", "--lines", "--plain", "--bots", "easy,medium", "--out", "kept.json")
    output = run_pytlik(*words, "--seed", "x", cwd=tmp_path, given=typed)
    assert output.count("Which card?") == 7
    assert output.count("The cards: (") == 5
    assert "card_spent" in output
    kept = Match.load(tmp_path / "kept.json")
    assert kept.outcome
    assert kept.verify() is None


def test_it_can_be_replayed(tutorial_game: AnyGame, tmp_path: Path) -> None:
    arena.play("hermit", ["easy", "medium"], seed="1").match.save(tmp_path / "hermit.json")
    output = run_pytlik("replay", "hermit.json", "--json", cwd=tmp_path)
    assert len(output.splitlines()) == len(Match.load(tmp_path / "hermit.json").events)


def test_referee_supports_it(tutorial_game: AnyGame, tmp_path: Path) -> None:
    def ask(**request: Any) -> Any:
        return json.loads(answer(json.dumps(request)))

    request = {"do": "deal", "game": "hermit", "players": 2, "seed": "x"}
    position = ask(**request)["position"]
    assert (
        position
        == json.loads(run_pytlik("referee", cwd=tmp_path, given=json.dumps(request)))["position"]
    )
    assert ask(do="count", position=position, seat=0) == {"count": 5}
    actions = ask(do="actions", position=position, seat=1)["actions"]
    assert actions == [{"kind": "choose", "card": card} for card in range(1, 6)]
    after = ask(do="apply", position=position, seat=1, action=actions[4])
    assert after["events"] == [{"kind": "card_chosen", "v": 1, "at": 0, "seat": 1, "card": 5}]
    assert "chosen" not in ask(do="view", position=after["position"], seat=0)["view"]
    assert ask(do="best", position=after["position"], seat=0)["action"]["kind"] == "choose"
    late = ask(do="best", position=after["position"], seat=1)
    assert late["error"]["reason"] == "not_your_turn"
    spent = ask(do="apply", position=position, seat=0, action={"kind": "choose", "card": 9})
    assert spent["error"] == {"reason": "card_spent", "message": "card_spent"}
    unknown = ask(do="apply", position=position, seat=2, action=actions[0])
    assert unknown["error"]["reason"] == "bad_request"


async def play_at_a_table(address: str) -> None:
    """Play as two people and a bot who know nothing but the protocol."""
    host, other = Client(address), Client(address)
    table = await create_table(host, "hermit", chairs=3)
    for seat, person in enumerate((host, other)):
        await person.ask("POST", f"/api/tables/{table}/seats", {"name": f"P{seat}", "seat": seat})
        await person.join(table)
    await host.ask("PUT", f"/api/tables/{table}/seats/2/bot", {"level": "hard"})
    await host.ask("POST", f"/api/tables/{table}/start")

    async def play(person: Client) -> None:
        while person.view is None or not person.view["outcome"]:
            view = person.view
            if view and person.seat in view["awaited"]:
                card = view["hands"][person.seat][0]
                assert (await person.act({"kind": "choose", "card": card}))["kind"] == "done"
            await person.next_message()

    await run_all(play(host), play(other))
    for person in (host, other):
        events = [event for message in person.received for event in message.get("events", ())]
        seen = [event["card"] for event in events if event["kind"] == "card_chosen"
                and event["seat"] != person.seat]  # fmt: skip
        assert seen
        assert all(card == {"hidden": True} for card in seen)
    assert (await host.ask("POST", f"/api/tables/{table}/matches/1/verify"))["sound"]
    await host.close()
    await other.close()


def test_two_people_and_a_bot_play_it_on_a_server(tutorial_game: AnyGame, tmp_path: Path) -> None:
    with ServerProcess(str(tmp_path / "tables.db")) as server:
        asyncio.run(asyncio.wait_for(play_at_a_table(server.address), 120))
