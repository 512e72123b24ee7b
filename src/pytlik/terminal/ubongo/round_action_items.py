"""What can be done in a round of Ubongo, with keys and clicks."""

from pytlik.terminal.screens.base_app import BaseApp
from pytlik.terminal.ubongo.piece_controls import PieceControls
from pytlik.terminal.widgets.dialogs import Dialog
from pytlik.terminal.widgets.key_bar import BarItem
from pytlik.ubongo.messages import GiveUp
from pytlik.ubongo.view import View


def round_action_items(view: View, controls: PieceControls, app: BaseApp) -> list[BarItem]:
    """The items, most important first."""
    translate = app.translate
    if view.choices.ready:
        key = "page.ubongo.readyNext" if view.round else "page.ubongo.ready"
        return [BarItem("Enter", translate(key), controls.confirm, strong=True)]
    if not view.choices.solve or controls.held is None:
        return []
    is_placed = controls.held.chosen in controls.placed
    lay = BarItem("Enter", translate("terminal.key.lay"), controls.confirm, strong=True)
    lift = BarItem("⌫", translate("page.ubongo.takeOff"), controls.lift)
    return [
        lift if is_placed else lay,
        BarItem("q", translate("terminal.key.left"), lambda: controls.turn(-1)),
        BarItem("e", translate("terminal.key.right"), lambda: controls.turn(1)),
        BarItem("f", translate("terminal.key.flip"), controls.flip),
        BarItem("g", translate("page.ubongo.giveUp"), lambda: confirm_give_up(app)),
    ]


def confirm_give_up(app: BaseApp) -> None:
    translate = app.translate

    def give_up() -> None:
        app.close_dialog()
        app.act(GiveUp())

    items = [
        BarItem("g", translate("page.ubongo.giveUp.yes"), give_up, strong=True),
        BarItem("Esc", translate("page.ubongo.giveUp.no"), app.close_dialog),
    ]
    title, text = translate("page.ubongo.giveUp.title"), translate("page.ubongo.giveUp.what")
    app.open_dialog(Dialog(title, text, items))
