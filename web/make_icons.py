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

ROUNDED_ICON_SIZES = {"icon-192.png": 192, "icon-512.png": 512}
MASKABLE_ICON_SIZES = {"icon-180.png": 180, "icon-maskable-512.png": 512}
"""Without rounded corners: systems round these themselves."""
TURN_DOT = '<circle cx="98" cy="98" r="28" fill="#ffd257" stroke="#1d1a15" stroke-width="6"/>'
MASK_SAFE_SCALE = 0.8
"""The part of a maskable icon that is visible in any shape."""


def make_maskable(svg: str) -> str:
    """Shrink the motif, and let the background reach the edge."""
    svg = re.sub(r' rx="28"', "", svg, count=1)
    shift = 64 * (1 - MASK_SAFE_SCALE)
    return re.sub(
        r"<g ", f'<g transform="translate({shift} {shift}) scale({MASK_SAFE_SCALE})" ', svg, count=1
    )


def add_turn_dot(svg: str) -> str:
    """Add a dot, for a tab where it's the player's turn."""
    return svg.replace("</svg>", f"  {TURN_DOT}\n</svg>")


def main() -> None:
    plain = SOURCE.read_text("utf-8")
    (FOLDER / "icon-turn.svg").write_text(add_turn_dot(plain), "utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        for icons, svg in (
            (ROUNDED_ICON_SIZES, plain),
            (MASKABLE_ICON_SIZES, make_maskable(plain)),
        ):
            for name, size in icons.items():
                page.set_viewport_size({"width": size, "height": size})
                page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{svg}")
                page.screenshot(path=FOLDER / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
