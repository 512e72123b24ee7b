"""Lessons: scenes in which learners try something, played by the real rules."""

from typing import Annotated, Any

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from pytlik.server.lessons import scenes, ubongo_scenes, unikat_scenes
from pytlik.server.lessons.ubongo_scenes import UbongoScene
from pytlik.server.lessons.unikat_scenes import UnikatScene
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import Body, TheLobby
from pytlik.ubongo.messages import Lift, Place
from pytlik.unikat.messages import TurnAction

MAX_ACTIONS = 60

Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class LearnUnikat(Body, frozen=True, kw_only=True):
    scene: UnikatScene
    actions: Annotated[tuple[TurnAction, ...], msgspec.Meta(max_length=MAX_ACTIONS)] = ()
    """What you've done in the scene so far."""


class LearnUbongo(Body, frozen=True, kw_only=True):
    scene: UbongoScene
    actions: Annotated[tuple[Place | Lift, ...], msgspec.Meta(max_length=MAX_ACTIONS)] = ()
    """What you've done in the scene so far."""
    began: Milliseconds | None = None
    """The value from the first answer; by default, now."""


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    began: int
    now: int
    events: tuple[Any, ...]
    """The events of the last action."""
    view: Any
    example: tuple[Any, ...]
    """One way to complete the scene, from its beginning."""


@post("/api/lessons/unikat", responses=REFUSAL_RESPONSES, status_code=200)
async def learn_unikat(data: JSONBody[LearnUnikat], lobby: TheLobby) -> Lesson:
    """Play a scene of Unikat: get it as it is after your actions. You have seat 0."""
    now = lobby.now()
    scene = unikat_scenes.begin_scene(data.scene, now)
    return play_lesson(scene, data.actions, now, now)


@post("/api/lessons/ubongo", responses=REFUSAL_RESPONSES, status_code=200)
async def learn_ubongo(data: JSONBody[LearnUbongo], lobby: TheLobby) -> Lesson:
    """Play a scene of Ubongo: get it as it is after your actions. You have seat 0."""
    now = lobby.now()
    began = now if data.began is None else data.began
    scene = ubongo_scenes.begin_scene(data.scene, began)
    return play_lesson(scene, data.actions, began, now)


def play_lesson(scene: scenes.Scene, actions: tuple[Any, ...], began: int, now: int) -> Lesson:
    progress = scenes.play_learner_actions(scene, actions, began)
    return Lesson(
        began=began, now=now, events=progress.events, view=progress.view, example=scene.example
    )


router = Router("/", route_handlers=[learn_unikat, learn_ubongo], tags=["lessons"])
