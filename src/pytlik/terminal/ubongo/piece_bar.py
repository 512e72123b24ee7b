"""What can be done in a round of Ubongo, with keys and clicks."""

from pytlik.terminal.screens.base_app import BaseApp
from pytlik.terminal.ubongo.piece_controls import PieceControls
from pytlik.terminal.widgets.bar import BarItem
from pytlik.terminal.widgets.dialogs import Dialog
from pytlik.ubongo.messages import GiveUp
from pytlik.ubongo.view import View


def piece_items(view: View, controls: PieceControls, app: BaseApp) -> list[BarItem]:
    """The most important first."""
    say = app.say
    if view.choices.ready:
        key = "page.ubongo.readyNext" if view.round else "page.ubongo.ready"
        return [BarItem("Enter", say(key), controls.confirm, strong=True)]
    if not view.choices.solve or controls.held is None:
        return []
    is_placed = controls.held.chosen in controls.placed
    lay = BarItem("Enter", say("terminal.key.lay"), controls.confirm, strong=True)
    lift = BarItem("⌫", say("page.ubongo.takeOff"), controls.lift)
    return [
        lift if is_placed else lay,
        BarItem("q", say("terminal.key.left"), lambda: controls.turn(-1)),
        BarItem("e", say("terminal.key.right"), lambda: controls.turn(1)),
        BarItem("f", say("terminal.key.flip"), controls.flip),
        BarItem("g", say("page.ubongo.giveUp"), lambda: ask_give_up(app)),
    ]


def ask_give_up(app: BaseApp) -> None:
    say = app.say

    def give_up() -> None:
        app.close_dialog()
        app.act(GiveUp())

    items = [
        BarItem("g", say("page.ubongo.giveUp.yes"), give_up, strong=True),
        BarItem("Esc", say("page.ubongo.giveUp.no"), app.close_dialog),
    ]
    title, text = say("page.ubongo.giveUp.title"), say("page.ubongo.giveUp.what")
    app.open_dialog(Dialog(title, text, items))
