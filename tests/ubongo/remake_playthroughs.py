"""Golden playthroughs: whole matches of Ubongo, as text that a person can follow.

    python tests/ubongo/remake_playthroughs.py

plays them again and rewrites the files. Run it after an intended change of the rules, and read the
diff before you commit it. An unintended change fails test_playthroughs.py. The cards are those of
ubongo-deck.json, which never changes. For one match, the stored events are kept as well.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import msgspec

from pytlik.chance import Stream, from_text
from pytlik.game import Illegal, Ready, Seat
from pytlik.ubongo.messages import (
    Action,
    CardSolved,
    DeckShuffled,
    Event,
    GemTaken,
    GiveUp,
    Lift,
    MatchEnded,
    MatchOpened,
    PieceLifted,
    PiecePlaced,
    Place,
    RoundBegan,
)
from pytlik.ubongo.model import Deck, Options, Phase, State
from pytlik.ubongo.rules import apply
from pytlik.ubongo.view import view
from tests.ubongo.drawn_cards import draw_card, find_places, find_solution
from tests.ubongo.event_lines import describe_event, format_gems
from tests.ubongo.scripted_table import ScriptedTable, open_table

PLAYTHROUGH_FOLDER = Path(__file__).parents[1] / "playthroughs"
DECK = msgspec.json.decode((PLAYTHROUGH_FOLDER / "ubongo-deck.json").read_bytes(), type=Deck)
STORED_PLAYTHROUGH = "ubongo-3-second-chance"


class Playthrough(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that determines a match."""

    about: str
    habits: tuple[str, ...]
    """How each seat plays: the mean number of seconds between moves, or `never` to give up."""
    deciding: tuple[str, ...] = ()
    """How the seats play in a deciding round, if it's different."""
    options: Options = Options()


PLAYTHROUGHS = {
    "ubongo-2": Playthrough(
        about="two players, as the rules have it",
        habits=("6", "7"),
    ),
    "ubongo-3-second-chance": Playthrough(
        about="three slow players with a short timer",
        habits=("15", "14", "16"),
        options=Options(seconds=30),
    ),
    "ubongo-4-handicap": Playthrough(
        about="four players, each with the side that suits them",
        habits=("9", "5", "4", "8"),
        options=Options(handicap=(3, 4, 5, 3)),
    ),
    "ubongo-3-same-puzzle": Playthrough(
        about="three players with the same puzzle and no timer; one of them always gives up",
        habits=("5", "never", "5"),
        options=Options(same_puzzle=True, seconds=None, pieces=4),
    ),
    "ubongo-2-deciding-round": Playthrough(
        about="nobody solves anything until the deciding round",
        habits=("never", "never"),
        deciding=("9", "8"),
        options=Options(seconds=None),
    ),
    "ubongo-3-shared": Playthrough(
        about="nobody solves anything; one gives up in the deciding round, and two share",
        habits=("never", "never", "never"),
        deciding=("999", "never", "999"),
        options=Options(seconds=30, patience=120),
    ),
}


def play_playthrough(name: str) -> list[Event]:
    playthrough = PLAYTHROUGHS[name]
    chance = from_text(name)
    players = len(playthrough.habits)
    table = open_table(
        players=players, options=playthrough.options, cards=DECK, chance=chance, at=0
    )
    streams = [chance.stream(f"habits of seat {seat}") for seat in range(players)]
    moves_at = {seat: 1000 + 500 * seat for seat in range(players)}
    while table.state.phase is not Phase.OVER:
        seat = min(moves_at, key=lambda seat: moves_at[seat])
        now = moves_at[seat]
        table.let_time_pass(now, upto=False)
        deciding = playthrough.deciding if table.state.deciding else ()
        habit = (deciding or playthrough.habits)[seat]
        waits = _move(table, seat, habit, streams[seat], now)
        moves_at[seat] = now + waits
    return table.events


def _move(table: ScriptedTable, seat: Seat, habit: str, stream: Stream, now: int) -> int:
    """Let a seat act if it can. Returns the milliseconds until its next move."""
    may = view(table.state, seat).choices
    lag = 30 + 60 * seat
    if may.ready:
        table.act(seat, Ready(), at=now)
    elif may.solve:
        action = GiveUp() if habit == "never" else _choose_action(table.state, seat, stream)
        try:
            table.act(seat, action, at=now, lag=lag)
        except Illegal:
            return 100  # too late: wait for the second chance
    else:
        return 1000
    return 2000 if habit == "never" else int(habit) * 500 + stream.below(int(habit) * 1000)


def _choose_action(state: State, seat: Seat, stream: Stream) -> Action:
    """Lift a misplaced piece, or place the next one: mostly right, now and then at random."""
    deal, placed = state.deals[seat], state.placed[seat]
    solved = find_solution(deal)
    for piece, cells in placed.items():
        if cells != solved[piece]:
            return Lift(piece)
    piece = stream.choice([piece for piece in solved if piece not in placed])
    taken = {cell for cells in placed.values() for cell in cells}
    room = [cells for cells in find_places(deal, piece) if taken.isdisjoint(cells)]
    return Place(piece, stream.choice(room) if stream.below(4) == 0 else solved[piece])


# --------------------------------------------------------------------------------------- the file


def describe_playthrough(name: str) -> str:
    playthrough = PLAYTHROUGHS[name]
    events = play_playthrough(name)
    head = [playthrough.about, msgspec.json.encode(playthrough.options).decode(), ""]
    state: State | None = None
    lines = []
    for event in events:
        state = apply(state, event)
        words = [line for line in _describe_event(event, state) if line]
        for number, line in enumerate(words):
            time = f"{event.at / 1000:9.3f}" if number == 0 else " " * 9
            lines.append(f"{time}  {line}")
    return "\n".join([*head, *lines]) + "\n"


def _describe_event(event: Event, state: State) -> list[str]:
    """An event in words, with further lines for its details."""
    match event:
        case MatchOpened(players=players):
            return [f"{players} players sit down"]
        case DeckShuffled():
            numbers = " ".join(str(card.id) for card in state.cards)
            return [f"the cards are mixed: {numbers}"]
        case RoundBegan(deals=deals):
            return [
                describe_event(event, 0),
                *(
                    f"  seat {seat}: card {deal.card}, {deal.colour}, pieces {[*deal.pieces]}"
                    for seat, deal in deals.items()
                ),
            ]
        case PiecePlaced(seat=seat, piece=piece, cells=cells):
            where = " ".join(f"{cell.q},{cell.r}" for cell in cells)
            return [f"seat {seat} places {piece} on {where}"]
        case PieceLifted(seat=seat, piece=piece):
            return [f"seat {seat} lifts {piece}"]
        case CardSolved(seat=seat):
            card = draw_card(state.deals[seat].area, state.placed[seat])
            return [describe_event(event, 0), *(f"    {row}" for row in card.splitlines())]
        case GemTaken(seat=seat):
            return [f"seat {seat} takes {describe_event(event, 0)}"]
        case MatchEnded():
            held = [
                f"  seat {seat}: {format_gems(has)}" for seat, has in enumerate(state.books.held)
            ]
            return [describe_event(event, 0), *held]
        case _:
            return [describe_event(event, 0)]


def encode_events(events: list[Event]) -> str:
    return "".join(msgspec.json.encode(event).decode() + "\n" for event in events)


def main() -> None:
    for name in PLAYTHROUGHS:
        (PLAYTHROUGH_FOLDER / f"{name}.txt").write_text(
            describe_playthrough(name), encoding="utf-8"
        )
    (PLAYTHROUGH_FOLDER / f"{STORED_PLAYTHROUGH}.jsonl").write_text(
        encode_events(play_playthrough(STORED_PLAYTHROUGH)), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
