"""Removes a person's name and words from a table. Pure functions; the match itself stays as it is,
because its events contain no names.

A removed name is empty, and is shown as "Player 2".
"""

from msgspec.structs import replace

from pytlik.matchfile import Player
from pytlik.protocol.messages import Line
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder


def remove_names_and_words_of(table: Table, holder: Holder) -> Table:
    """Remove all names that somebody has used at a table, and what they have written. They keep
    their seat.

    Older servers didn't store who wrote a line or played a past match. There, what was written from
    the seat that they hold now is removed, and so is the name that they have there."""
    seats = table.held_by(holder)
    names = {table.chairs[seat].name for seat in seats}

    def is_theirs(line: Line) -> bool:
        if line.number in table.speakers:
            return table.speakers[line.number] == holder
        return line.name in names if line.change else line.seat in seats

    def was_them(match: int, seat: int, player: Player) -> bool:
        known = table.past_holders[match : match + 1]
        return known[0][seat] == holder if known and known[0] else player.name in names

    return without_names(
        replace(
            table,
            talk=tuple(
                without_name_and_text(line) if is_theirs(line) else line for line in table.talk
            ),
            speakers={
                number: speaker for number, speaker in table.speakers.items() if speaker != holder
            },
            past=tuple(
                tuple(
                    replace(player, name="") if was_them(match, seat, player) else player
                    for seat, player in enumerate(players)
                )
                for match, players in enumerate(table.past)
            ),
            past_holders=tuple(
                tuple(None if each == holder else each for each in match)
                for match in table.past_holders
            ),
        ),
        seats,
    )


def without_name_and_text(line: Line) -> Line:
    """A line without what somebody wrote, and without their name."""
    return replace(
        line,
        text=None if line.text is None else "",
        name=None if line.name is None else "",
    )


def without_names(table: Table, seats: tuple[int, ...]) -> Table:
    return replace(
        table,
        chairs=tuple(
            replace(chair, name="") if seat in seats else chair
            for seat, chair in enumerate(table.chairs)
        ),
    )


def remove_name_from_table(table: Table, name: str) -> Table:
    """Remove a name wherever it appears at a table, whoever used it."""
    named = tuple(seat for seat, chair in enumerate(table.chairs) if chair.name == name)
    return without_names(
        replace(
            table,
            talk=tuple(
                replace(line, name="") if line.name == name else line for line in table.talk
            ),
            past=tuple(
                tuple(
                    replace(player, name="") if player.name == name else player
                    for player in players
                )
                for players in table.past
            ),
        ),
        named,
    )
