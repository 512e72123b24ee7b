"""Checks of chat, and of what is left of it after someone asks to be forgotten."""

from typing import TYPE_CHECKING

from pytlik.server.table.table_anonymization import without_name_and_text
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder

if TYPE_CHECKING:
    from tests.sim.server_promises import ServerPromises


def check_stored_chat_lines(promises: "ServerPromises", old: Table | None, table: Table) -> None:
    """Lines are numbered without gaps, and a line never changes, unless its author asks to be
    forgotten. Then it stays without name and text."""
    lines = promises.chat_lines[table.id]
    for line in table.talk:
        key = table.id, line.number
        if line.number <= len(lines):
            said = lines[line.number - 1][1]
            speaker = old.speakers.get(line.number) if old else None
            if (
                line != said
                and line == without_name_and_text(said)
                and speaker in promises.asked_to_be_forgotten
            ):
                promises.retracted_lines.add(key)
            kept = line == (
                without_name_and_text(said) if key in promises.retracted_lines else said
            )
        else:
            kept = line.number == len(lines) + 1
            if line.text is not None:  # everything that people write here is different
                is_repeated = any(line.text == said.text for _, said in lines)
                promises.check(
                    not is_repeated, f"at {table.id} someone has said twice: {line.text}"
                )
            lines.append((promises.world.loop.time(), line))
        promises.check(kept, f"at {table.id} line {line.number} has changed or is out of order")


def check_name_gone_from_circle(promises: "ServerPromises", id: str, holder: Holder) -> None:
    """Someone was told that their name is gone, and hasn't chosen a new one since."""
    circle = promises.circles.get(id)
    member = circle.member_of(holder) if circle else None
    promises.check(
        member is None or not member.name, f"{id} still knows the name of member {member}"
    )


def check_person_forgotten(promises: "ServerPromises", holder: Holder, asked: Table) -> None:
    """Someone was told that they're forgotten: everything that a table knew of them when they asked
    is gone."""
    promises.checked["people are forgotten when they ask"] += 1
    table = promises.tables.get(asked.id)
    if table is None:
        return
    for line in table.talk:
        # It may belong to another device by now, if they moved to one in the meantime.
        if asked.speakers.get(line.number) == holder != table.speakers.get(line.number):
            gone = line == without_name_and_text(line) or line.number in table.speakers
            promises.check(gone, f"{table.id} still has line {line.number}")
    for match, before in enumerate(asked.past_holders):
        for seat, sitter in enumerate(before):
            if sitter == holder and table.past_holders[match][seat] is None:
                name = table.past[match][seat].name
                promises.check(not name, f"{table.id} still knows who had seat {seat}: {name}")
    versions = range(len(promises.version_times[asked.id]), 0, -1)
    versions_since = [promises.table_versions[asked.id, version] for version in versions]
    versions_since = versions_since[: versions_since.index(asked) + 1]
    promises.check(
        any(
            not any(each.chairs[seat].name for seat in each.held_by(holder))
            for each in versions_since
        ),
        f"{table.id} still knows the name of {holder}",
    )
    past_holders = table.past_holders[: len(asked.past_holders)]
    known = {sitter for match in past_holders for sitter in match}
    left = holder in known or holder in (
        speaker for number, speaker in table.speakers.items() if number in asked.speakers
    )
    promises.check(not left, f"{table.id} still knows which lines or matches are those of {holder}")
