"""What is happening in a match of Unikat, in one short line."""

from collections.abc import Sequence

from pytlik.i18n import Catalogue
from pytlik.terminal.unikat.chain import earns_bonus
from pytlik.terminal.unikat.planned_turn import PlannedTurn
from pytlik.terminal.unikat.round_end import describe_winners
from pytlik.text.layout import join_names
from pytlik.unikat.model import Phase
from pytlik.unikat.view import View


def status_line(view: View, turn: PlannedTurn, names: Sequence[str], translate: Catalogue) -> str:
    if view.phase is Phase.OVER:
        if view.outcome is not None:
            return describe_winners(view.outcome.winners, view.seat, names, translate)
        if view.ready and not view.choices.ready:
            waiting_for = [seat for seat in range(view.players) if seat not in view.ready]
            return translate(
                "page.unikat.over.waiting", names=join_names(waiting_for, names, translate)
            )
        return translate("page.unikat.status.over")
    if view.to_move != view.seat:
        doing = {Phase.BONUS: "doubles", Phase.DRAW: "draws"}.get(view.phase, "thinks")
        return translate(f"page.unikat.status.{doing}", name=names[view.to_move])
    return own_status_line(view, turn, translate)


def own_status_line(view: View, turn: PlannedTurn, translate: Catalogue) -> str:
    """What the person can do next in their turn."""
    can = view.choices
    if can.draw:
        return translate("page.unikat.status.draw")
    if turn.take is not None:
        return translate(f"page.unikat.status.{'sure' if turn.chosen else 'give'}")
    if turn.chosen is not None:
        places = turn.places(view)
        if places:
            return (
                translate("page.unikat.status.place")
                + "  "
                + translate("page.unikat.places", n=len(places))
            )
        only_swap = can.swap and not turn.chain
        return translate(f"page.unikat.status.{'onlySwap' if only_swap else 'nowhere'}")
    if turn.chain:
        earned = earns_bonus(view, turn.chain)
        return translate(f"page.unikat.status.{'earned' if earned else 'chain'}")
    if can.decline:
        return translate("page.unikat.status.bonus")
    if can.pass_:
        return translate("page.unikat.status.pass")
    return translate(f"page.unikat.status.{'act' if can.lay else 'swap'}")
