"""A finger on the screen: touches as Chromium's debugger sends them; Playwright has only taps."""

from playwright.sync_api import Page

Point = tuple[float, float]

STEPS = 4


class Finger:
    def __init__(self, page: Page) -> None:
        self._devtools = page.context.new_cdp_session(page)

    def drag(self, start: Point, end: Point) -> None:
        self.touch("touchStart", start)
        for step in range(1, STEPS + 1):
            part = step / STEPS
            x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            self.touch("touchMove", (x, y))
        self.touch("touchEnd")

    def touch(self, kind: str, *points: Point) -> None:
        asked = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        self._devtools.send("Input.dispatchTouchEvent", asked)
