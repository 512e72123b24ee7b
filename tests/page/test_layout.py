"""Nothing is cut off, covered or pushed out of the window, on any screen, in long languages too."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from pytlik.i18n import languages
from tests.page import words
from tests.page.conftest import NewPage
from tests.page.scenes import GROUPS, SCENES, Scene, visiting
from tests.page.stage import NAMES, Stage

SIZES = ((360, 640), (390, 844), (768, 1024), (1440, 900))

TOUCH = 44

CHECK = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")

LANGUAGES = [lang for lang in ("de", "uk") if lang in languages()]


def problems(page: Page, scene: Scene) -> Iterator[str]:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        asked = {"still": scene.still, "names": NAMES, "touch": TOUCH}
        for problem in page.evaluate(LASTING, asked):
            yield f"{scene.name} at {width} x {height}: {problem}"


LASTING = f"""async (asked) => {{
  let found = [];
  for (let tries = 0; tries < 8; tries++) {{
    await new Promise((done) => setTimeout(done, 20 * tries));
    found = ({CHECK})(asked);
    if (!found.length) break;
  }}
  return found;
}}"""
"""What still is wrong when everything had time to follow the new size of the window."""


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(
    "lang", [words.LONG, *(pytest.param(lang, marks=pytest.mark.slow) for lang in LANGUAGES)]
)
def test_everything_fits(new_page: NewPage, stage: Stage, lang: str, group: str) -> None:
    here = visiting(new_page, stage, lang)
    found: list[str] = []
    for scene in SCENES:
        if scene.group == group:
            here.page.set_viewport_size({"width": SIZES[-1][0], "height": SIZES[-1][1]})
            scene.show(here)
            here.settle()
            found += problems(here.page, scene)
    assert not found, "\n".join(found)
