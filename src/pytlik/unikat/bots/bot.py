"""The type of bots, and how a bot acts outside its turn."""

from collections.abc import Callable

from pytlik.chance import Stream
from pytlik.game import Budget, Illegal, Ready, Reason
from pytlik.unikat.messages import Action, TurnAction
from pytlik.unikat.model import Phase
from pytlik.unikat.view import View

Bot = Callable[[View, Stream, Budget], Action]
TurnBot = Callable[[View, Stream, Budget], TurnAction]
"""A bot that is only asked to act on its own turn."""

DEFAULT_BUDGET = Budget()


def make_match_bot(bot: TurnBot) -> Bot:
    """Extend a bot for turns to a whole match: it's always ready for the next round, and refuses to
    act out of turn."""

    def choose(view: View, stream: Stream, budget: Budget = DEFAULT_BUDGET) -> Action:
        choices = view.choices
        if choices.ready:
            return Ready()
        if not (choices.lay or choices.swap or choices.draw or choices.decline or choices.pass_):
            raise nothing_to_do(view)
        return bot(view, stream, budget)

    return choose


def nothing_to_do(view: View) -> Illegal:
    """The refusal if a bot is asked to act when it can't."""
    over = view.phase is Phase.OVER
    return Illegal(Reason.WRONG_PHASE if over else Reason.NOT_YOUR_TURN)
