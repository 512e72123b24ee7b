"""Draw the icons of the installed page from public/icon.svg: python web/make_icons.py

A browser draws them, as it will show them. In `maskable` icons the background reaches the edge and
the motif is in the middle, because systems cut them into any shape.
"""

import re
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent / "public"
SOURCE = FOLDER / "icon.svg"
CHROMIUM = shutil.which("chromium")

PLAIN = {"icon-192.png": 192, "icon-512.png": 512}
FULL = {"icon-180.png": 180, "icon-maskable-512.png": 512}
"""Without rounded corners: systems round these themselves."""
DOT = '<circle cx="98" cy="98" r="28" fill="#ffd257" stroke="#1d1a15" stroke-width="6"/>'
SAFE = 0.8
"""The part of a maskable icon that is visible in any shape."""


def full(svg: str) -> str:
    """The motif smaller, on a background without corners."""
    svg = re.sub(r' rx="28"', "", svg, count=1)
    shift = 64 * (1 - SAFE)
    return re.sub(r"<g ", f'<g transform="translate({shift} {shift}) scale({SAFE})" ', svg, count=1)


def marked(svg: str) -> str:
    """With a dot, for a tab where it's the player's turn."""
    return svg.replace("</svg>", f"  {DOT}\n</svg>")


def main() -> None:
    plain = SOURCE.read_text("utf-8")
    (FOLDER / "icon-turn.svg").write_text(marked(plain), "utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        for icons, svg in ((PLAIN, plain), (FULL, full(plain))):
            for name, size in icons.items():
                page.set_viewport_size({"width": size, "height": size})
                page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{svg}")
                page.screenshot(path=FOLDER / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
