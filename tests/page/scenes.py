"""Every page of ours in every state, each reached in a way that a person could."""

from tests.page import scenes_companion, scenes_pages_and_lobby, scenes_ubongo, scenes_unikat
from tests.page.scenes_pages_and_lobby import read_home
from tests.page.scenes_ubongo import ubongo_solving
from tests.page.scenes_unikat import unikat_first_turn
from tests.page.visit import SCENES, Scene, Visit, start_visit

__all__ = [
    "SCENES",
    "SCENE_GROUPS",
    "Scene",
    "Visit",
    "read_home",
    "scenes_companion",
    "scenes_pages_and_lobby",
    "scenes_ubongo",
    "scenes_unikat",
    "start_visit",
    "ubongo_solving",
    "unikat_first_turn",
]  # fmt: skip

SCENE_GROUPS = sorted({scene.group for scene in SCENES})
