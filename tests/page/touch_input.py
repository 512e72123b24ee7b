"""A finger on the screen: touches sent through Chromium's debugger, as Playwright only has taps."""

from playwright.sync_api import Page

Point = tuple[float, float]

DRAG_STEPS = 4


class Finger:
    def __init__(self, page: Page) -> None:
        self._devtools = page.context.new_cdp_session(page)

    def drag(self, start: Point, end: Point) -> None:
        self.touch("touchStart", start)
        for step in range(1, DRAG_STEPS + 1):
            part = step / DRAG_STEPS
            x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            self.touch("touchMove", (x, y))
        self.touch("touchEnd")

    def tap_with_second_finger(self, held: Point, point: Point) -> None:
        """Tap with a second finger while this one stays where it is."""
        self._send("touchStart", {0: held, 1: point})
        self._send("touchEnd", {1: point})

    def touch(self, kind: str, *points: Point) -> None:
        self._send(kind, dict(enumerate(points)))

    def _send(self, kind: str, points: dict[int, Point]) -> None:
        """Send the fingers that a touch changes; without points, all are lifted."""
        touched = [{"x": x, "y": y, "id": number} for number, (x, y) in points.items()]
        event = {"type": kind, "touchPoints": touched}
        self._devtools.send("Input.dispatchTouchEvent", event)
