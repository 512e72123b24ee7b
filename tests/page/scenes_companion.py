"""The companion for people who have the box, each state made by the steps that lead to it."""

from playwright.sync_api import expect

from tests.page.stage import NAMES
from tests.page.visit import Visit, scene, wait_for_heading


def start_companion(visit: Visit, game: str, players: int) -> None:
    """A new game of people who have names."""
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


def do_steps(visit: Visit, *steps: str | int) -> None:
    """Buttons by their keys, and calls by the number of whoever calls."""
    for step in steps:
        if isinstance(step, str):
            visit.press(f"page.companion.{step}")
        else:
            visit.main().get_by_role("button", name=NAMES[step]).click()


def enter_tiles_left(visit: Visit, *rows: tuple[int, ...]) -> None:
    """How many tiles each had left, round by round."""
    for left in rows:
        do_steps(visit, "over")
        for name, tiles in zip(NAMES, left, strict=False):
            group = visit.page.get_by_role("group", name=name, exact=True)
            group.get_by_role("radio", name=str(tiles), exact=True).check()
        do_steps(visit, "write")


UBONGO: dict[str, tuple[str | int, ...]] = {
    "draw": (),
    "ready": ("draw",),
    # The sand stands still, so that it is the same in every picture.
    "solving": ("draw", "turn", 2, "pause"),
    "nobody": ("draw", "turn", "close"),
    "over": ("draw", "turn", 2, 0, 3, 1),
    "setup": ("anew",),
}

UNIKAT: dict[str, tuple[tuple[int, ...], ...]] = {
    "going": ((0, 6, 10, 3), (4, 2, 0, 1)),
    "end": ((0, 6, 10), (4, 2, 0), (3, 0, 5)),
}


def ubongo(name: str) -> None:
    def show(visit: Visit) -> None:
        start_companion(visit, "ubongo", 4)
        do_steps(visit, *UBONGO[name])

    show.__name__ = f"companion_ubongo_{name}"
    scene(show)


def unikat(name: str) -> None:
    def show(visit: Visit) -> None:
        start_companion(visit, "unikat", len(UNIKAT[name][0]))
        enter_tiles_left(visit, *UNIKAT[name])

    show.__name__ = f"companion_unikat_{name}"
    scene(show)


@scene
def companion(visit: Visit) -> None:
    """With a game that goes on."""
    start_companion(visit, "unikat", 2)
    visit.open("/companion")
    visit.sees("page.companion.open", whole=False)


for each in UBONGO:
    ubongo(each)


@scene
def companion_ubongo_end(visit: Visit) -> None:
    start_companion(visit, "ubongo", 4)
    for number in range(9):
        # Whatever is drawn, who is always the first has won.
        others = range(2 + number % 2, 4) if number < 4 else ()
        do_steps(visit, "draw", "turn", 1, *others, "close")
        do_steps(visit, "result" if number == 8 else "next")
    won = visit.page.get_by_role("heading", level=2)
    expect(won).to_have_text(visit.translate("page.ubongo.end.one", name=NAMES[1]))


for each in UNIKAT:
    unikat(each)


@scene
def companion_unikat_entry(visit: Visit) -> None:
    start_companion(visit, "unikat", 4)
    do_steps(visit, "over")
    visit.wait_for("button", "page.companion.write")


@scene
def companion_unikat_setup(visit: Visit) -> None:
    start_companion(visit, "unikat", 3)
    do_steps(visit, "anew")
    visit.wait_for("button", "page.companion.return")
