"""The companion for people who have the box, each state reached by the steps that lead to it."""

from playwright.sync_api import expect

from tests.page.table_setup import NAMES
from tests.page.visit import Visit, register_scene, wait_for_heading


def start_companion(visit: Visit, game: str, players: int) -> None:
    """Start a new game with named players."""
    visit.open("/companion")
    wait_for_heading(visit, visit.translate("page.companion.title"))
    for each in ("unikat", "ubongo"):
        visit.page.evaluate(f"localStorage.removeItem('pytlik.companion.{each}')")
    visit.page.evaluate("(names) => localStorage.setItem('pytlik.pass.names', names)", "[]")
    visit.open(f"/companion/{game}")
    # There are already as many fields as the game needs players.
    expect(visit.field("page.pass.player", n=1)).to_be_visible()
    for number in range(1, players + 1):
        field = visit.field("page.pass.player", n=number)
        if not field.count():
            visit.press("page.pass.add")
        field.fill(NAMES[number - 1])
    visit.press("page.pass.begin")


def press_steps(visit: Visit, *steps: str | int) -> None:
    """Press buttons by their keys; a number stands for the player who calls."""
    for step in steps:
        if isinstance(step, str):
            visit.press(f"page.companion.{step}")
        else:
            visit.main().get_by_role("button", name=NAMES[step]).click()


def enter_tiles_left(visit: Visit, *rows: tuple[int, ...]) -> None:
    """Enter how many tiles each player had left, round by round."""
    for left in rows:
        press_steps(visit, "over")
        for name, tiles in zip(NAMES, left, strict=False):
            group = visit.page.get_by_role("group", name=name, exact=True)
            group.get_by_role("radio", name=str(tiles), exact=True).check()
        press_steps(visit, "write")


UBONGO_STEPS: dict[str, tuple[str | int, ...]] = {
    "draw": (),
    "ready": ("draw",),
    # The sand is paused, so that it's the same in every picture.
    "solving": ("draw", "turn", 2, "pause"),
    "nobody": ("draw", "turn", "close"),
    "over": ("draw", "turn", 2, 0, 3, 1),
    "setup": ("anew",),
}

UNIKAT_TILES_LEFT: dict[str, tuple[tuple[int, ...], ...]] = {
    "going": ((0, 6, 10, 3), (4, 2, 0, 1)),
    "end": ((0, 6, 10), (4, 2, 0), (3, 0, 5)),
}


def add_ubongo_scene(name: str) -> None:
    def show(visit: Visit) -> None:
        start_companion(visit, "ubongo", 4)
        press_steps(visit, *UBONGO_STEPS[name])

    show.__name__ = f"companion_ubongo_{name}"
    register_scene(show)


def add_unikat_scene(name: str) -> None:
    def show(visit: Visit) -> None:
        start_companion(visit, "unikat", len(UNIKAT_TILES_LEFT[name][0]))
        enter_tiles_left(visit, *UNIKAT_TILES_LEFT[name])

    show.__name__ = f"companion_unikat_{name}"
    register_scene(show)


@register_scene
def companion(visit: Visit) -> None:
    """With a game in progress."""
    start_companion(visit, "unikat", 2)
    visit.open("/companion")
    visit.expect_text("page.companion.open", whole=False)


for each in UBONGO_STEPS:
    add_ubongo_scene(each)


@register_scene
def companion_ubongo_end(visit: Visit) -> None:
    start_companion(visit, "ubongo", 4)
    for number in range(9):
        # Whatever is drawn, the player who is always first wins.
        others = range(2 + number % 2, 4) if number < 4 else ()
        press_steps(visit, "draw", "turn", 1, *others, "close")
        press_steps(visit, "result" if number == 8 else "next")
    won = visit.page.get_by_role("heading", level=2)
    expect(won).to_have_text(visit.translate("page.ubongo.end.one", name=NAMES[1]))


for each in UNIKAT_TILES_LEFT:
    add_unikat_scene(each)


@register_scene
def companion_unikat_entry(visit: Visit) -> None:
    start_companion(visit, "unikat", 4)
    press_steps(visit, "over")
    visit.wait_for("button", "page.companion.write")


@register_scene
def companion_unikat_setup(visit: Visit) -> None:
    start_companion(visit, "unikat", 3)
    press_steps(visit, "anew")
    visit.wait_for("button", "page.companion.return")
