"""What can be done in a turn of Unikat, with keys and clicks."""

from pytlik.i18n import Catalogue
from pytlik.terminal.unikat.planned_turn import PlannedTurn
from pytlik.terminal.unikat.turn_controls import TurnControls
from pytlik.terminal.widgets.key_bar import BarItem
from pytlik.text.unikat.table import RACK_LETTERS
from pytlik.unikat.messages import BAG
from pytlik.unikat.view import View


def turn_action_items(view: View, controls: TurnControls, translate: Catalogue) -> list[BarItem]:
    """The items, most important first."""
    turn, can = controls.turn, view.choices
    items: list[BarItem] = []
    if turn.chain:
        is_last = len(turn.chain) == len(view.hand)
        text = translate("page.unikat.layLast" if is_last else "page.unikat.lay", n=len(turn.chain))
        items.append(BarItem("l", text, controls.lay, strong=True))
    if turn.swap_or_draw_action(view) is not None:
        items.append(
            BarItem(
                "Enter", describe_swap_or_draw(view, turn, translate), controls.confirm, strong=True
            )
        )
    elif turn.marked is not None:
        strong = not turn.chain
        items.append(
            BarItem("Enter", translate("terminal.key.put"), controls.confirm, strong=strong)
        )
    if (can.lay or can.swap) and turn.chosen is None:
        strong = turn == PlannedTurn()
        items.append(BarItem(format_rack_keys(view), translate("terminal.key.tile"), strong=strong))
    if turn != PlannedTurn() and not can.draw:
        items.append(BarItem("⌫", translate("page.unikat.takeBack"), controls.undo))
    if can.swap and turn.take is None and not turn.chain:
        items.append(BarItem("s", translate("terminal.key.swap"), controls.swap))
    if can.decline and not turn.chain:
        items.append(BarItem("n", translate("page.unikat.decline"), controls.decline))
    if can.pass_:
        items.append(BarItem("p", translate("page.unikat.pass"), controls.pass_turn, strong=True))
    if can.ready:
        items.append(
            BarItem("Enter", translate("page.unikat.ready"), controls.confirm, strong=True)
        )
    return items


def format_rack_keys(view: View) -> str:
    """The keys of the rack's tiles."""
    last = RACK_LETTERS[len(view.hand) - 1]
    return "a" if last == "a" else f"a–{last}"


def describe_swap_or_draw(view: View, turn: PlannedTurn, translate: Catalogue) -> str:
    is_bag = turn.take == BAG
    if view.choices.draw:
        return translate("page.coach.drawBag" if is_bag else "page.unikat.status.draw")
    return translate("page.unikat.swapBag" if is_bag else "page.unikat.swapOpen")
