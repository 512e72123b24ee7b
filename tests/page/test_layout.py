"""Nothing is cut off, covered or outside of the window, on any screen, even in long languages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from pytlik.i18n import catalogue, languages
from tests.page import page_texts
from tests.page.conftest import NewPage
from tests.page.scenes import SCENES, Scene, start_visit
from tests.page.table_setup import NAMES, TableSetup

WINDOW_SIZES = ((360, 640), (390, 844), (768, 1024), (1440, 900))

PHONE_ON_ITS_SIDE = (844, 390)
"""Checked for games: people hold a phone like this, or have it lying on the table."""

TABLE_GROUPS = {"unikat", "ubongo", "companion"}

MIN_TOUCH_PX = 44

FIND_PROBLEMS_JS = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")


def total_text_length(lang: str) -> int:
    """The total length of the page's texts."""
    translate = catalogue(lang)
    return sum(
        len(text)
        for key in translate
        if key.startswith("page.")
        for text in translate.templates(key)
    )


LANGUAGES_BY_LENGTH = sorted(
    (lang for lang in languages() if lang != "en"), key=total_text_length, reverse=True
)
"""Longest first."""

LANGUAGES_AT_ALL_SIZES = LANGUAGES_BY_LENGTH[:2]
"""The other languages only have to fit where there's least room: a made-up one that is longer than
all of them is checked in all sizes."""

PAGES_WITH_OWN_TEXTS = re.compile(r"/(replay|learn|practice|daily|rules)/?")
"""Pages that load texts of their own: in another language, they're shown again from the start."""

SCENES_PER_PAGE = 8
"""This many scenes share a page: reusing an open one is faster than opening a new one."""

SCENE_PARTS = [
    SCENES[start : start + SCENES_PER_PAGE] for start in range(0, len(SCENES), SCENES_PER_PAGE)
]


def sizes_of(scene: Scene, lang: str) -> list[tuple[int, int]]:
    sizes = [PHONE_ON_ITS_SIDE] if scene.group in TABLE_GROUPS else []
    return [
        *sizes,
        *(
            WINDOW_SIZES
            if lang in (page_texts.LONG_LANGUAGE, *LANGUAGES_AT_ALL_SIZES)
            else WINDOW_SIZES[:1]
        ),
    ]


def find_problems(page: Page, scene: Scene, lang: str) -> Iterator[str]:
    for width, height in sizes_of(scene, lang):
        page.set_viewport_size({"width": width, "height": height})
        arguments = {"still": scene.fills_window, "names": NAMES, "touch": MIN_TOUCH_PX}
        for problem in page.evaluate(LASTING_PROBLEMS_JS, arguments):
            yield f"{scene.name} in {lang} at {width} x {height}: {problem}"


MAX_FRAMES = 30

LASTING_PROBLEMS_JS = f"""async (asked) => {{
  let found = [];
  for (let frames = 0; frames < {MAX_FRAMES}; frames++) {{
    await new Promise((done) => requestAnimationFrame(done));
    found = ({FIND_PROBLEMS_JS})(asked);
    if (!found.length) break;
  }}
  return found;
}}"""
"""What is still wrong once everything has adjusted to the new window size. Frames are counted
instead of time: a browser that is stalled draws none."""


@pytest.mark.every_page
@pytest.mark.parametrize("part", SCENE_PARTS, ids=lambda part: f"from-{part[0].name}")
def test_everything_fits(new_page: NewPage, table_setup: TableSetup, part: list[Scene]) -> None:
    visit = start_visit(new_page, table_setup, page_texts.LONG_LANGUAGE)
    page = visit.page
    width, height = WINDOW_SIZES[-1]
    found: list[str] = []
    for scene in part:
        page.set_viewport_size({"width": width, "height": height})
        scene.show(visit)
        visit.wait_until_still()
        found += find_problems(page, scene, page_texts.LONG_LANGUAGE)
        for lang in LANGUAGES_BY_LENGTH:
            page.set_viewport_size({"width": width, "height": height})
            other = visit.switch_language(lang)
            if PAGES_WITH_OWN_TEXTS.search(page.url):
                scene.show(other)
            other.wait_until_still()
            found += find_problems(page, scene, lang)
        visit.set_language("en")
    assert not found, "\n".join(found)
