"""Ubongo's table in every state, and its puzzles for one."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from pytlik.ubongo.model import Phase, State
from tests.page.scripted_play import ME, ubongo_until
from tests.page.stage import Seated
from tests.page.visit import Visit, still


def solving(state: State) -> bool:
    """In the third round, when two have called already and I have begun."""
    under_way = state.phase is Phase.SOLVING and bool(state.placed.get(ME))
    return state.round == 3 and under_way and len(state.settled) == 2


def ubongo(visit: Visit, stop: Callable[[State], bool], **more: Any) -> Seated:
    players, gives_up = more.pop("players", 4), more.pop("gives_up", None)
    ask = ubongo_until(stop, gives_up=gives_up, nobody=more.pop("nobody", False))
    return visit.stage.match("ubongo", players, ask, **{"seconds": 600, **more})


def third_round(visit: Visit) -> Seated:
    # Laid anew for each scene: the sand runs for ten minutes, and all tests may take longer.
    return ubongo(visit, solving)


def solve(visit: Visit, seated: Seated) -> None:
    visit.open_table(seated)
    visit.wait_for("grid", "page.ubongo.yourCard")


@still
def ubongo_ready(visit: Visit) -> None:
    visit.open_table(ubongo(visit, lambda state: state.round == 0))
    visit.wait_for("button", "page.ubongo.ready")


@still
def ubongo_countdown(visit: Visit) -> None:
    visit.open_table(ubongo(visit, lambda state: state.phase is Phase.COUNTDOWN, ahead=600_000))
    visit.sees("page.ubongo.coverAll", whole=False)


@still
def ubongo_solving(visit: Visit) -> None:
    solve(visit, third_round(visit))


@still
def ubongo_solving_four(visit: Visit) -> None:
    """With four pieces, of which one is chosen."""
    solve(visit, ubongo(visit, solving, pieces=4))
    pieces = visit.named("group", "page.ubongo.pieces")
    pieces.get_by_role("button").last.click()


@still
def ubongo_solving_two(visit: Visit) -> None:
    """Two at the table, and less time than a minute."""
    begun = ubongo(
        visit, lambda state: state.phase is Phase.SOLVING, players=2, seconds=60, ahead=200
    )
    solve(visit, begun)


@still
def ubongo_give_up(visit: Visit) -> None:
    ubongo_solving(visit)
    visit.press("page.ubongo.giveUp")
    visit.wait_for("button", "page.ubongo.giveUp.yes")


@still
def ubongo_gems(visit: Visit) -> None:
    ubongo_solving(visit)
    visit.main().get_by_role("button", name=visit.translate("page.ubongo.values.open")).click()
    expect(visit.dialog()).to_be_visible()


@still
def ubongo_second_chance(visit: Visit) -> None:
    solve(visit, ubongo(visit, lambda state: state.phase is Phase.SECOND_CHANCE, nobody=True))


@still
def ubongo_watching(visit: Visit) -> None:
    """I gave up, the others go on."""
    visit.open_table(ubongo(visit, lambda state: ME in state.gave_up, gives_up=ME))
    visit.sees("page.ubongo.said.youGaveUp", whole=False)


@still
def ubongo_watching_bots(visit: Visit) -> None:
    """I gave up, and needn't wait for the bots."""
    given_up = ubongo(visit, lambda state: ME in state.gave_up, gives_up=ME, bots="first-steps")
    visit.open_table(given_up)
    visit.wait_for("button", "page.ubongo.skip")


@still
def ubongo_watched(visit: Visit) -> None:
    """By somebody who has only the link."""
    visit.open(f"/t/{third_round(visit).table}")
    visit.sees("page.table.watching")


@still
def ubongo_screen(visit: Visit) -> None:
    visit.open(f"/screen/{third_round(visit).table}")
    visit.wait_for("timer", "page.ubongo.hourglass")


def after_third_round(visit: Visit) -> Seated:
    return ubongo(visit, lambda state: state.phase is Phase.READY and state.round == 3, gives_up=2)


@still
def ubongo_screen_round_end(visit: Visit) -> None:
    visit.open(f"/screen/{after_third_round(visit).table}")
    visit.wait_for("heading", "page.ubongo.roundOver", round=3, rounds=9)


@still
def ubongo_round_end(visit: Visit) -> None:
    visit.open_table(after_third_round(visit))
    visit.wait_for("button", "page.ubongo.readyNext")


@still
def ubongo_round_end_unsolved(visit: Visit) -> None:
    """I gave up, so I may see how it would have gone."""
    visit.open_table(
        ubongo(visit, lambda state: state.phase is Phase.READY and state.round == 3, gives_up=ME)
    )
    visit.wait_for("button", "page.ubongo.showSolution")


@still
def ubongo_deciding(visit: Visit) -> None:
    """Nobody has ever solved anything, so all are tied after nine rounds."""

    def tenth(state: State) -> bool:
        return state.deciding and state.phase is Phase.SOLVING

    solve(visit, ubongo(visit, tenth, players=3, nobody=True))


@still
def ubongo_paused(visit: Visit) -> None:
    visit.open_table(ubongo(visit, solving, paused=True))
    visit.wait_for("button", "page.table.paused.go_on")


def whole_match(visit: Visit) -> Seated:
    return visit.shared_table(
        "match", lambda: ubongo(visit, lambda state: bool(state.winners), gives_up=2)
    )


@still
def ubongo_match_end(visit: Visit) -> None:
    visit.open_table(whole_match(visit))
    visit.wait_for("button", "page.table.again")


@still
def ubongo_screen_end(visit: Visit) -> None:
    visit.open(f"/screen/{whole_match(visit).table}")
    visit.sees("page.screen.again", again=visit.translate("page.table.again"))


@still
def ubongo_bots_end(visit: Visit) -> None:
    """After a match against bots."""
    visit.open_table(
        visit.shared_table(
            "ubongo bots", lambda: ubongo(visit, lambda state: bool(state.winners), bots="master")
        )
    )
    name = visit.translate("page.bot.name.master")
    expect(visit.main().get_by_role("rowheader", name=f"{name}\u00a03")).to_be_visible()


@still
def ubongo_replay(visit: Visit) -> None:
    seated = whole_match(visit)
    visit.open(f"/replay/{seated.table}/1", seated)
    visit.wait_for("button", "page.replay.next")


@still
def ubongo_passed(visit: Visit) -> None:
    """One device for two: the curtain before the first of them solves."""
    visit.open("/")
    visit.press("page.first.pass", within=visit.game_card("ubongo"))
    visit.press("page.pass.begin")
    visit.sees("page.pass.same", whole=False)


@still
def ubongo_lesson(visit: Visit) -> None:
    visit.open("/learn/ubongo")
    visit.wait_for("grid", "page.ubongo.yourCard")


@still
def ubongo_practice(visit: Visit) -> None:
    visit.open("/practice")
    visit.wait_for("grid", "page.ubongo.yourCard")


@still
def ubongo_practice_choices(visit: Visit) -> None:
    ubongo_practice(visit)
    visit.press("page.practice.chosen.easy", n=3)
    visit.wait_for("button", "page.practice.play")


@still
def ubongo_daily(visit: Visit) -> None:
    visit.open("/daily/ubongo")
    visit.press("page.daily.start")
    visit.wait_for("grid", "page.ubongo.yourCard")
