"""Every page of ours in every state, each by a way that a person could have come to it."""

from tests.page import scenes_companion, scenes_read, scenes_ubongo, scenes_unikat
from tests.page.scenes_read import read_first
from tests.page.scenes_ubongo import ubongo_solving
from tests.page.scenes_unikat import unikat_one
from tests.page.visit import SCENES, Scene, Visit, visiting

__all__ = [
    "GROUPS", "SCENES", "Scene", "Visit", "read_first", "scenes_companion", "scenes_read",
    "scenes_ubongo", "scenes_unikat", "ubongo_solving", "unikat_one", "visiting",
]  # fmt: skip

GROUPS = sorted({scene.group for scene in SCENES})
