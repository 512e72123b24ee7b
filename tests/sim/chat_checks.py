"""What is said at tables, and what is left of it when somebody asks to be forgotten."""

from typing import TYPE_CHECKING

from pytlik.server.table.table_anonymization import without_name_and_text
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder

if TYPE_CHECKING:
    from tests.sim.server_promises import ServerPromises


def check_stored_chat_lines(promises: "ServerPromises", old: Table | None, table: Table) -> None:
    """Lines are numbered without a gap, and none changes once it was said, unless whoever said
    it has asked to be forgotten. Then it stays so."""
    lines = promises.lines[table.id]
    for line in table.talk:
        key = table.id, line.number
        if line.number <= len(lines):
            said = lines[line.number - 1][1]
            speaker = old.speakers.get(line.number) if old else None
            if (
                line != said
                and line == without_name_and_text(said)
                and speaker in promises.asked_to_forget
            ):
                promises.taken_back.add(key)
            kept = line == (without_name_and_text(said) if key in promises.taken_back else said)
        else:
            kept = line.number == len(lines) + 1
            if line.text is not None:  # everything that people write is different
                again = any(line.text == said.text for _, said in lines)
                promises.check(not again, f"at {table.id} somebody said twice: {line.text}")
            lines.append((promises.world.loop.time(), line))
        promises.check(kept, f"at {table.id} line {line.number} is another than it was")


def check_name_gone_from_circle(promises: "ServerPromises", id: str, holder: Holder) -> None:
    """Somebody is told that their name is gone, and has not chosen another meanwhile."""
    circle = promises.circles.get(id)
    member = circle.member_of(holder) if circle else None
    promises.check(
        member is None or not member.name, f"{id} still knows the name of member {member}"
    )


def check_person_forgotten(promises: "ServerPromises", holder: Holder, asked: Table) -> None:
    """Somebody is told that what there was of them at a table, when they asked, is gone."""
    promises.checked["who asks for it is forgotten"] += 1
    table = promises.tables.get(asked.id)
    if table is None:
        return
    for line in table.talk:
        # Unless they went on on another device meanwhile, whose it is now.
        if asked.speakers.get(line.number) == holder != table.speakers.get(line.number):
            gone = line == without_name_and_text(line) or line.number in table.speakers
            promises.check(gone, f"{table.id} still has line {line.number}")
    for match, before in enumerate(asked.past_holders):
        for seat, sitter in enumerate(before):
            if sitter == holder and table.past_holders[match][seat] is None:
                name = table.past[match][seat].name
                promises.check(not name, f"{table.id} still knows who sat at {seat}: {name}")
    versions = range(len(promises.versions[asked.id]), 0, -1)
    since = [promises.documents[asked.id, version] for version in versions]
    since = since[: since.index(asked) + 1]
    promises.check(
        any(not any(each.chairs[seat].name for seat in each.held_by(holder)) for each in since),
        f"{table.id} still knows the name of {holder}",
    )
    then = table.past_holders[: len(asked.past_holders)]
    known = {sitter for match in then for sitter in match}
    left = holder in known or holder in (
        speaker for number, speaker in table.speakers.items() if number in asked.speakers
    )
    promises.check(not left, f"{table.id} still knows whose lines or matches are {holder}'s")
