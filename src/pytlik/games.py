"""The games there are, one entry each."""

from pytlik.game import Game
from pytlik.ubongo import cards, hourglass
from pytlik.ubongo import messages as ubongo_messages
from pytlik.ubongo import model as ubongo_model
from pytlik.ubongo import rounds as ubongo_rounds
from pytlik.ubongo import rules as ubongo_rules
from pytlik.ubongo import view as ubongo_view
from pytlik.unikat import messages as unikat_messages
from pytlik.unikat import model as unikat_model
from pytlik.unikat import rounds as unikat_rounds
from pytlik.unikat import rules as unikat_rules
from pytlik.unikat import view as unikat_view

UNIKAT = Game(
    name="unikat",
    players=unikat_rules.PLAYERS,
    options=unikat_model.Options,
    action=unikat_messages.Action,
    event=unikat_messages.Event,
    open=unikat_rules.open_match,
    decide=unikat_rules.decide,
    apply=unikat_rules.apply,
    cause=unikat_rules.cause,
    outcome=unikat_rounds.outcome,
    deadline=unikat_rules.deadline,
    awaited=unikat_rules.awaited,
    view=unikat_view.view,
    open_view=unikat_view.open_view,
    mask=unikat_view.mask,
    round_begins=unikat_messages.RoundDealt,
    forgotten=unikat_messages.IN_TURNS,
)

UBONGO = Game(
    name="ubongo",
    players=ubongo_rules.PLAYERS,
    options=ubongo_model.Options,
    action=ubongo_messages.Action,
    event=ubongo_messages.Event,
    open=lambda opening, options, chance, now: ubongo_rules.open_match(
        opening, options, chance, now, deck=cards.all_sides()
    ),
    decide=ubongo_rules.decide,
    apply=ubongo_rules.apply,
    cause=ubongo_rules.cause,
    outcome=ubongo_rounds.outcome,
    deadline=hourglass.deadline,
    awaited=ubongo_rules.awaited,
    view=ubongo_view.view,
    open_view=ubongo_view.open_view,
    mask=ubongo_view.mask,
    round_begins=ubongo_messages.RoundBegan,
    forgotten=(ubongo_messages.PiecePlaced, ubongo_messages.PieceLifted),
    delay_credit=hourglass.delay_credit,
)

GAMES = {game.name: game for game in (UNIKAT, UBONGO)}
