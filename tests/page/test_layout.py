"""Nothing is cut off, covered or pushed out of the window, on any screen, in long languages too."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from pytlik.i18n import catalogue, languages
from tests.page import words
from tests.page.conftest import NewPage
from tests.page.scenes import SCENES, Scene, visiting
from tests.page.stage import NAMES, Stage

SIZES = ((360, 640), (390, 844), (768, 1024), (1440, 900))

ON_ITS_SIDE = (844, 390)
"""A phone, for whoever sits at a table, or has it lying there."""

TABLES = {"unikat", "ubongo", "companion"}

TOUCH = 44

CHECK = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")


def page_length(lang: str) -> int:
    """How long all texts of the page are together."""
    translate = catalogue(lang)
    return sum(
        len(text)
        for key in translate
        if key.startswith("page.")
        for text in translate.templates(key)
    )


LANGUAGES = sorted((lang for lang in languages() if lang != "en"), key=page_length, reverse=True)
"""The longest first."""

AT_ALL_SIZES = LANGUAGES[:2]
"""The other languages only have to fit where there's least room: a made-up one that is longer than
all of them is looked at in all sizes."""

BEGIN_ANEW = re.compile(r"/(replay|learn|practice|daily|rules)/?")
"""Pages that load texts of their own: in another language they are shown from their beginning."""

TOGETHER = 8
"""So many scenes share a page: one that is open is quicker than a new one."""

PARTS = [SCENES[start : start + TOGETHER] for start in range(0, len(SCENES), TOGETHER)]


def sizes_of(scene: Scene, lang: str) -> list[tuple[int, int]]:
    sizes = [ON_ITS_SIDE] if scene.group in TABLES else []
    return [*sizes, *(SIZES if lang in (words.LONG, *AT_ALL_SIZES) else SIZES[:1])]


def problems(page: Page, scene: Scene, lang: str) -> Iterator[str]:
    for width, height in sizes_of(scene, lang):
        page.set_viewport_size({"width": width, "height": height})
        asked = {"still": scene.still, "names": NAMES, "touch": TOUCH}
        for problem in page.evaluate(LASTING, asked):
            yield f"{scene.name} in {lang} at {width} x {height}: {problem}"


FRAMES = 30

LASTING = f"""async (asked) => {{
  let found = [];
  for (let frames = 0; frames < {FRAMES}; frames++) {{
    await new Promise((done) => requestAnimationFrame(done));
    found = ({CHECK})(asked);
    if (!found.length) break;
  }}
  return found;
}}"""
"""What still is wrong when everything has followed the new size of the window. Frames are counted
and no time: a browser that stands still draws none."""


@pytest.mark.every_page
@pytest.mark.parametrize("part", PARTS, ids=lambda part: f"from-{part[0].name}")
def test_everything_fits(new_page: NewPage, stage: Stage, part: list[Scene]) -> None:
    visit = visiting(new_page, stage, words.LONG)
    page = visit.page
    width, height = SIZES[-1]
    found: list[str] = []
    for scene in part:
        page.set_viewport_size({"width": width, "height": height})
        scene.show(visit)
        visit.wait_until_still()
        found += problems(page, scene, words.LONG)
        for lang in LANGUAGES:
            page.set_viewport_size({"width": width, "height": height})
            other = visit.switch_language(lang)
            if BEGIN_ANEW.search(page.url):
                scene.show(other)
            other.wait_until_still()
            found += problems(page, scene, lang)
        visit.set_language("en")
    assert not found, "\n".join(found)
