"""Takes pictures of every page in every state, for people to look at.

    python tests/page/screenshots.py [NAME ...] [--languages de uk] [--sizes phone] [--looks dark]

With names: only of scenes whose names start with them. The pictures, contact sheets and a page
with all of them are in build/shots.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import Browser, Page, sync_playwright

from pytlik.i18n import languages
from tests.page import page_texts
from tests.page.browser import FLAGS, find_chromium
from tests.page.scenes import SCENES, Scene, Visit, start_visit
from tests.page.table_setup import TableSetup
from tests.server.server_process import ServerProcess

SCREENSHOT_FOLDER = Path(__file__).parents[2] / "build" / "shots"

WINDOW_SIZES = {
    "small": (360, 640),
    "phone": (390, 844),
    "tablet": (768, 1024),
    "desk": (1440, 900),
    "screen": (1920, 1080),
    "flat": (844, 390),
}

COLOUR_SCHEMES: dict[str, Any] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "contrast": {"color_scheme": "light", "contrast": "more"},
}

SHOTS_PER_SHEET = 12

SHEET_STYLE = """
body { margin: 12px; background: #777; font: 14px sans-serif; color: #fff }
figure { display: inline-block; margin: 6px; vertical-align: top }
img { display: block; max-height: 520px; max-width: 832px }
"""


def take_screenshots(
    visit: Visit, scene: Scene, sizes: list[str], looks: list[str], lang: str
) -> Iterator[Path]:
    page = visit.page
    for size in sizes:
        width, height = WINDOW_SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        for look in looks:
            page.emulate_media(**COLOUR_SCHEMES[look])
            visit.wait_until_still()
            path = SCREENSHOT_FOLDER / f"{scene.name}.{size}.{lang}.{look}.png"
            page.screenshot(path=path, full_page=not scene.fills_window)
            yield path
    page.emulate_media(**COLOUR_SCHEMES["light"])


def contact_sheet_html(paths: list[Path]) -> str:
    figures = (
        f'<figure><img src="{escape(path.name)}">{escape(path.stem)}</figure>' for path in paths
    )
    return f"<!doctype html><meta charset=utf-8><style>{SHEET_STYLE}</style>{''.join(figures)}"


def save_contact_sheets(page: Page, paths: list[Path]) -> None:
    """Put pictures of one size, language and look together, so that differences stand out."""
    kinds: dict[str, list[Path]] = {}
    for path in paths:
        kinds.setdefault(path.stem.partition(".")[2], []).append(path)
    for kind, alike in kinds.items():
        for start in range(0, len(alike), SHOTS_PER_SHEET):
            document = SCREENSHOT_FOLDER / f"sheet.{kind}.{start // SHOTS_PER_SHEET + 1}.html"
            document.write_text(contact_sheet_html(alike[start : start + SHOTS_PER_SHEET]))
            page.goto(document.as_uri())
            page.screenshot(path=document.with_suffix(".png"), full_page=True)
            document.unlink()


def page_opener(browser: Browser, address: str) -> Any:
    """Open pages as the tests do, but whatever the console says is no mistake here."""

    def make(path: str | None = "/", *, may_say: str = "", **more: Any) -> Page:
        return browser.new_context(base_url=address, **more).new_page()

    return make


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--languages", nargs="+", default=["de", "uk", "en"],
                        choices=[*languages(), page_texts.LONG_LANGUAGE])  # fmt: skip
    parser.add_argument("--sizes", nargs="+", default=["phone", "desk"], choices=WINDOW_SIZES)
    parser.add_argument("--looks", nargs="+", default=["light"], choices=COLOUR_SCHEMES)
    parser.add_argument("names", nargs="*", default=[""], metavar="NAME")
    args = parser.parse_args()
    shutil.rmtree(SCREENSHOT_FOLDER, ignore_errors=True)
    SCREENSHOT_FOLDER.mkdir(parents=True)
    wanted = [scene for scene in SCENES if scene.name.startswith(tuple(args.names))]
    paths: list[Path] = []
    with (
        tempfile.TemporaryDirectory() as scratch,
        ServerProcess(str(Path(scratch, "shots.db"))) as server,
        TableSetup(server) as table_setup,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS)) as browser,
    ):
        for lang in args.languages:
            visit = start_visit(page_opener(browser, server.address), table_setup, lang)
            for scene in wanted:
                scene.show(visit)
                paths += take_screenshots(visit, scene, args.sizes, args.looks, lang)
            visit.page.context.close()
        save_contact_sheets(browser.new_page(viewport={"width": 1900, "height": 900}), paths)
    (SCREENSHOT_FOLDER / "index.html").write_text(contact_sheet_html(paths))
    print(f"{len(paths)} pictures: {SCREENSHOT_FOLDER / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
