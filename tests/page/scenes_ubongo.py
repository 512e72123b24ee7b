"""Ubongo's table in every state, and its solo puzzles."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from pytlik.ubongo.model import Phase, State
from tests.page.scripted_play import MY_SEAT, play_cards_until
from tests.page.table_setup import SeatedTable
from tests.page.visit import Visit, register_window_scene


def is_third_round_under_way(state: State) -> bool:
    """Whether it's the third round, two have called already and I've started."""
    under_way = state.phase is Phase.SOLVING and bool(state.placed.get(MY_SEAT))
    return state.round == 3 and under_way and len(state.settled) == 2


def play_ubongo_until(visit: Visit, stop: Callable[[State], bool], **more: Any) -> SeatedTable:
    players, gives_up = more.pop("players", 4), more.pop("gives_up", None)
    ask = play_cards_until(stop, gives_up=gives_up, nobody=more.pop("nobody", False))
    return visit.table_setup.create_match("ubongo", players, ask, **{"seconds": 600, **more})


def play_to_third_round(visit: Visit) -> SeatedTable:
    # Played anew for each scene: the sand runs for ten minutes, and all tests may take longer.
    return play_ubongo_until(visit, is_third_round_under_way)


def open_card(visit: Visit, seated: SeatedTable) -> None:
    visit.open_table(seated)
    visit.wait_for("grid", "page.ubongo.yourCard")


@register_window_scene
def ubongo_ready(visit: Visit) -> None:
    visit.open_table(play_ubongo_until(visit, lambda state: state.round == 0))
    visit.wait_for("button", "page.ubongo.ready")


@register_window_scene
def ubongo_countdown(visit: Visit) -> None:
    visit.open_table(
        play_ubongo_until(visit, lambda state: state.phase is Phase.COUNTDOWN, ahead=600_000)
    )
    visit.expect_text("page.ubongo.coverAll", whole=False)


@register_window_scene
def ubongo_solving(visit: Visit) -> None:
    open_card(visit, play_to_third_round(visit))


@register_window_scene
def ubongo_solving_four_pieces(visit: Visit) -> None:
    """With four pieces, one of them selected."""
    open_card(visit, play_ubongo_until(visit, is_third_round_under_way, pieces=4))
    pieces = visit.by_role_and_name("group", "page.ubongo.pieces")
    pieces.get_by_role("button").last.click()


@register_window_scene
def ubongo_solving_two_players(visit: Visit) -> None:
    """Two players, and less than a minute left."""
    match = play_ubongo_until(
        visit, lambda state: state.phase is Phase.SOLVING, players=2, seconds=60, ahead=200
    )
    open_card(visit, match)


@register_window_scene
def ubongo_give_up(visit: Visit) -> None:
    ubongo_solving(visit)
    visit.press("page.ubongo.giveUp")
    visit.wait_for("button", "page.ubongo.giveUp.yes")


@register_window_scene
def ubongo_gem_values(visit: Visit) -> None:
    ubongo_solving(visit)
    visit.main().get_by_role("button", name=visit.translate("page.ubongo.values.open")).click()
    expect(visit.dialog()).to_be_visible()


@register_window_scene
def ubongo_second_chance(visit: Visit) -> None:
    open_card(
        visit,
        play_ubongo_until(visit, lambda state: state.phase is Phase.SECOND_CHANCE, nobody=True),
    )


@register_window_scene
def ubongo_after_giving_up(visit: Visit) -> None:
    """I've given up, and the others go on."""
    visit.open_table(
        play_ubongo_until(visit, lambda state: MY_SEAT in state.gave_up, gives_up=MY_SEAT)
    )
    visit.expect_text("page.ubongo.said.youGaveUp", whole=False)


@register_window_scene
def ubongo_waiting_for_bots(visit: Visit) -> None:
    """I've given up, and needn't wait for the bots."""
    given_up = play_ubongo_until(
        visit, lambda state: MY_SEAT in state.gave_up, gives_up=MY_SEAT, bots="first-steps"
    )
    visit.open_table(given_up)
    visit.wait_for("button", "page.ubongo.skip")


@register_window_scene
def ubongo_as_spectator(visit: Visit) -> None:
    """As somebody who has only the link."""
    visit.open(f"/t/{play_to_third_round(visit).table}")
    visit.expect_text("page.table.watching")


@register_window_scene
def ubongo_on_television(visit: Visit) -> None:
    visit.open(f"/screen/{play_to_third_round(visit).table}")
    visit.wait_for("timer", "page.ubongo.hourglass")


def play_third_round(visit: Visit) -> SeatedTable:
    return play_ubongo_until(
        visit, lambda state: state.phase is Phase.READY and state.round == 3, gives_up=2
    )


@register_window_scene
def ubongo_on_television_round_end(visit: Visit) -> None:
    visit.open(f"/screen/{play_third_round(visit).table}")
    visit.wait_for("heading", "page.ubongo.roundOver", round=3, rounds=9)


@register_window_scene
def ubongo_round_end(visit: Visit) -> None:
    visit.open_table(play_third_round(visit))
    visit.wait_for("button", "page.ubongo.readyNext")


@register_window_scene
def ubongo_round_end_unsolved(visit: Visit) -> None:
    """I gave up, so I may see the solution."""
    visit.open_table(
        play_ubongo_until(
            visit, lambda state: state.phase is Phase.READY and state.round == 3, gives_up=MY_SEAT
        )
    )
    visit.wait_for("button", "page.ubongo.showSolution")


@register_window_scene
def ubongo_deciding_round(visit: Visit) -> None:
    """Nobody has ever solved anything, so everyone is tied after nine rounds."""

    def tenth(state: State) -> bool:
        return state.deciding and state.phase is Phase.SOLVING

    open_card(visit, play_ubongo_until(visit, tenth, players=3, nobody=True))


@register_window_scene
def ubongo_paused(visit: Visit) -> None:
    visit.open_table(play_ubongo_until(visit, is_third_round_under_way, paused=True))
    visit.wait_for("button", "page.table.paused.go_on")


def play_whole_match(visit: Visit) -> SeatedTable:
    return visit.shared_table(
        "match", lambda: play_ubongo_until(visit, lambda state: bool(state.winners), gives_up=2)
    )


@register_window_scene
def ubongo_match_end(visit: Visit) -> None:
    visit.open_table(play_whole_match(visit))
    visit.wait_for("button", "page.table.again")


@register_window_scene
def ubongo_on_television_match_end(visit: Visit) -> None:
    visit.open(f"/screen/{play_whole_match(visit).table}")
    visit.expect_text("page.screen.again", again=visit.translate("page.table.again"))


@register_window_scene
def ubongo_match_end_with_bots(visit: Visit) -> None:
    """After a match against bots."""
    visit.open_table(
        visit.shared_table(
            "ubongo bots",
            lambda: play_ubongo_until(visit, lambda state: bool(state.winners), bots="master"),
        )
    )
    name = visit.translate("page.bot.name.master")
    expect(visit.main().get_by_role("rowheader", name=f"{name}\u00a03")).to_be_visible()


@register_window_scene
def ubongo_replay(visit: Visit) -> None:
    seated = play_whole_match(visit)
    visit.open(f"/replay/{seated.table}/1", seated)
    visit.wait_for("button", "page.replay.next")


@register_window_scene
def ubongo_passed_around(visit: Visit) -> None:
    """Two people on one device: the curtain before the first of them solves."""
    visit.open("/")
    visit.press("page.first.pass", within=visit.game_card("ubongo"))
    visit.press("page.pass.begin")
    visit.expect_text("page.pass.same", whole=False)


@register_window_scene
def ubongo_lesson(visit: Visit) -> None:
    visit.open("/learn/ubongo")
    visit.wait_for("grid", "page.ubongo.yourCard")


@register_window_scene
def ubongo_practice(visit: Visit) -> None:
    visit.open("/practice")
    visit.wait_for("grid", "page.ubongo.yourCard")


@register_window_scene
def ubongo_practice_choices(visit: Visit) -> None:
    ubongo_practice(visit)
    visit.press("page.practice.chosen.easy", n=3)
    visit.wait_for("button", "page.practice.play")


@register_window_scene
def ubongo_daily(visit: Visit) -> None:
    visit.open("/daily/ubongo")
    visit.press("page.daily.start")
    visit.wait_for("grid", "page.ubongo.yourCard")
