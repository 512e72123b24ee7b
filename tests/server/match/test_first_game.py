"""A newcomer's first game: its deal is known, and nothing claims that it was fair."""

from pathlib import Path
from typing import Any

import pytest

from pytlik.chance import commit, mix
from pytlik.cli import main
from pytlik.game import Opening, replay
from pytlik.games import UNIKAT
from pytlik.matchfile import decode
from pytlik.unikat.engine.longest_turn import longest_chain
from tests.server.http_site import (
    Browser,
    Site,
    empty_database,
    json_of,
    make_site,
    site,
    status_and_reason,
)

__all__ = ["empty_database", "make_site", "site"]


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser()


@pytest.fixture
def max_(site: Site) -> Browser:
    return site.browser(address="203.0.113.6")


def begin_first_game(person: Browser, *, bots: int = 1, share: str = "") -> str:
    table = person.create_table(first_game=True, chairs=bots + 1)
    person.sit_down(table, seat=0, share=share)
    for seat in range(1, bots + 1):
        json_of(person.put(f"{table}/seats/{seat}/bot", {"level": "easy"}))
    person.start_match(table)
    return table


def first_view(person: Browser, table: str) -> Any:
    return json_of(person.get(f"{table}/matches/1/views?seat=0&after=1"))["views"][0]


@pytest.mark.parametrize("bots", [1, 2, 3])
def test_newcomer_begins_and_can_lay(ola: Browser, max_: Browser, bots: int) -> None:
    """The deal is the same whatever share of the seed someone sends, so nobody can choose one."""
    views = [
        first_view(person, begin_first_game(person, bots=bots, share=share))
        for person, share in ((ola, "one share"), (max_, "another"))
    ]
    assert views[0] == views[1]
    assert views[0]["to_move"] == 0
    assert views[0]["choices"]["lay"]


def test_two_players_have_a_good_start() -> None:
    """The secret was chosen for this."""
    opening = Opening(players=2, commitment="", shares=("", ""))
    secret = UNIKAT.first_game_secret
    assert secret
    state = replay(
        UNIKAT.apply, UNIKAT.open(opening, UNIKAT.options(), mix(secret, opening.shares), 0)
    )
    view = UNIKAT.view(state, 0)
    assert len(view.choices.lay) == 3
    assert len(longest_chain(view)) == 5


def test_everyone_sees_that_it_is_a_first_game(site: Site, ola: Browser) -> None:
    table = begin_first_game(ola)
    assert json_of(site.browser().get(table))["table"]["first_game"]
    usual = ola.create_table()
    assert not json_of(ola.get(usual))["table"]["first_game"]


def test_game_without_a_known_deal_is_dealt_as_usual(site: Site, ola: Browser) -> None:
    table = ola.create_table("ubongo", first_game=True)
    info = json_of(ola.get(table))["table"]
    assert not info["first_game"]
    secret = site.run(site.store.secret(f"{info['id']}.1"))
    assert secret
    assert info["commitment"] == commit(secret)


def test_nobody_else_can_sit_down(ola: Browser, max_: Browser) -> None:
    """They wouldn't know the deal, which the other person may know."""
    table = ola.create_table(first_game=True, chairs=3)
    ola.sit_down(table)
    assert status_and_reason(max_.post(f"{table}/seats", {"name": "Max"})) == (403, "table_locked")
    ola.sit_down(table, "Ola too")
    json_of(ola.put(f"{table}/seats/2/bot", {"level": "easy"}))
    ola.start_match(table)
    json_of(ola.delete(f"{table}/seats/1"))
    assert status_and_reason(max_.post(f"{table}/seats", {"name": "Max"})) == (403, "table_locked")


def test_first_game_does_not_count_and_the_next_deal_is_random(
    site: Site, ola: Browser, max_: Browser
) -> None:
    table = begin_first_game(ola)
    site.play_match_to_end(table.rpartition("/")[2])
    over = json_of(ola.get(table))["table"]
    assert (over["phase"], [chair["wins"] for chair in over["chairs"]]) == ("over", [0, 0])
    again = json_of(ola.post(f"{table}/rematch"))["table"]
    assert not again["first_game"]
    assert again["commitment"] != over["commitment"]
    json_of(ola.put(f"{table}/seats/0/share", {"share": "a share"}))
    ola.start_match(table)
    [opened] = json_of(ola.get(f"{table}/matches/2/events?limit=1"))["events"]
    assert "a share" in opened["shares"]


def test_its_file_verifies_and_is_marked_as_a_first_game(
    site: Site, ola: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = f"{begin_first_game(ola)}/matches/1"
    site.play_match_to_end(path.split("/")[3])
    verdict = {"sound": True, "flaw": None, "event": None, "first_game": True}
    assert json_of(ola.post(f"{path}/verify")) == verdict
    data = ola.get(f"{path}/file").content
    assert decode(data).has_known_deal
    file = tmp_path / "match.json"
    file.write_bytes(data)
    assert main(["verify", str(file), "--lang", "en"]) == 0
    verified, first = capsys.readouterr().out.splitlines()
    assert verified.startswith("Verified: all ")
    assert first.startswith("It's a first game")
    assert main(["verify", str(file), "--json"]) == 0
    assert '"first_game": true' in capsys.readouterr().out
