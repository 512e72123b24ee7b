"""Lessons: every scene follows the rules and can be played to its end."""

from typing import Any, get_args

import msgspec
import pytest

from pytlik.server.lessons.ubongo_scenes import UbongoScene
from pytlik.server.lessons.unikat_scenes import UnikatScene
from pytlik.server.routes.lessons import MAX_ACTIONS
from pytlik.unikat.messages import Lay
from pytlik.unikat.model import Placement, Tile
from tests.server.http_site import Browser, Site, json_of, status_and_reason

LESSON_SCENES = [
    *(("unikat", name) for name in get_args(UnikatScene)),
    *(("ubongo", name) for name in get_args(UbongoScene)),
]


@pytest.fixture
def learner(site: Site) -> Browser:
    return site.browser()


def play_lesson(learner: Browser, game: str, scene: str, *actions: Any, **more: Any) -> Any:
    body = {"scene": scene, "actions": actions, **more}
    return json_of(learner.post(f"/api/lessons/{game}", body))


@pytest.mark.parametrize(("game", "scene"), LESSON_SCENES)
def test_example_of_every_scene_can_be_played(learner: Browser, game: str, scene: str) -> None:
    shown = play_lesson(learner, game, scene)
    assert shown["events"] == []
    assert shown["view"]["seat"] == 0
    assert shown["example"]
    for number in range(1, len(shown["example"]) + 1):
        shown = play_lesson(learner, game, scene, *shown["example"][:number])
        assert shown["events"]
    assert not learner.cookies, "nothing is stored"


def tiles_that_fit(view: Any) -> set[str]:
    return set(view["choices"]["lay"])


def test_unikat_scenes_show_what_they_teach(learner: Browser) -> None:
    assert tiles_that_fit(play_lesson(learner, "unikat", "beside")["view"]) == {"0100"}
    assert tiles_that_fit(play_lesson(learner, "unikat", "swap")["view"]) == set()
    chain = play_lesson(learner, "unikat", "chain")
    assert tiles_that_fit(chain["view"]) == {"0110"}
    assert len(chain["example"][0]["tiles"]) == 3
    first, second, third = play_lesson(learner, "unikat", "double")["example"]
    view = play_lesson(learner, "unikat", "double", first)["view"]
    assert view["phase"] == "bonus"
    assert tiles_that_fit(view), "there is something to lay as the extra action"
    assert play_lesson(learner, "unikat", "double", first, second)["view"]["phase"] == "draw"
    assert play_lesson(learner, "unikat", "double", first, second, third)["view"]["to_move"] == 1
    (last,) = play_lesson(learner, "unikat", "last")["example"]
    view = play_lesson(learner, "unikat", "last", last)["view"]
    assert (view["winners"], view["counts"], view["ended"]) == ([0], [0, 5], "last tile")


def test_unikat_scenes_refuse_illegal_actions(learner: Browser) -> None:
    for tile, why in (("1122", "unlike_neighbour"), ("0000", "not_in_hand")):
        action = msgspec.to_builtins(Lay((Placement(Tile(tile), 1, 0),)))
        refused = learner.post("/api/lessons/unikat", {"scene": "beside", "actions": [action]})
        assert status_and_reason(refused) == (409, why)


def test_ubongo_scenes_show_what_they_teach(learner: Browser) -> None:
    assert play_lesson(learner, "ubongo", "card")["view"]["placed"] == {"0": {}}
    # Whether the piece fits as it lies, or must be turned.
    for scene, as_it_lies in (("place", True), ("turn", False)):
        shown = play_lesson(learner, "ubongo", scene)
        (place,) = shown["example"]
        q, r = place["cells"][0]
        moved = [[cell[0] - q, cell[1] - r] for cell in place["cells"]]
        shape = shown["view"]["deals"]["0"]["pieces"][str(place["piece"])]
        assert (moved == shape) is as_it_lies
    race = play_lesson(learner, "ubongo", "race")
    assert race["view"]["sand"] == race["began"] + 60_000
    later = play_lesson(learner, "ubongo", "race", *race["example"], began=race["began"] - 600_000)
    gems = [event["gem"] for event in later["events"] if event["kind"] == "gem_taken"]
    assert gems[0] == "sapphire"
    assert len(gems) == 2
    second = play_lesson(learner, "ubongo", "second_chance")
    second = play_lesson(learner, "ubongo", "second_chance", *second["example"])
    kinds = [event["kind"] for event in second["events"]]
    assert kinds.count("gem_taken") == 1
    assert kinds[-1] == "round_ended"


def test_ubongo_scenes_refuse_illegal_actions(learner: Browser) -> None:
    shown = play_lesson(learner, "ubongo", "solve")
    first, second = shown["example"]
    over = {**second, "cells": first["cells"]}
    refused = learner.post("/api/lessons/ubongo", {"scene": "solve", "actions": [first, over]})
    assert refused.status_code == 409
    lifted = play_lesson(
        learner, "ubongo", "solve", first, {"kind": "lift", "piece": first["piece"]}
    )
    assert lifted["events"][-1]["kind"] == "piece_lifted"


@pytest.mark.parametrize(
    "body",
    [
        {"scene": "nowhere"},
        {"scene": "race", "actions": [{"kind": "give_up"}]},
        {"scene": "race", "actions": [{"kind": "lift", "piece": 1}] * (MAX_ACTIONS + 1)},
        {"scene": "race", "began": -1},
    ],
)
def test_malformed_requests_are_refused(learner: Browser, body: Any) -> None:
    assert status_and_reason(learner.post("/api/lessons/ubongo", body)) == (400, "bad_request")
