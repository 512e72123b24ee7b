"""The text format of bus messages."""

import json

import pytest

from pytlik.bus_messages import (
    MAX_PAYLOAD_BYTES,
    BusMessage,
    format_bus_message,
    parse_bus_messages,
)
from pytlik.store import Append
from pytlik.store.postgres_group_commit import bus_messages_for

LONG_EVENT = ('"' + "ä" * 100 + '"').encode()
SHORT_EVENTS = (b'{"a":"x y"}', '"\\nä"'.encode())


def test_bus_messages_round_trip() -> None:
    lines = [format_bus_message("m.1", 7, SHORT_EVENTS), format_bus_message("t", 3)]
    first, second = parse_bus_messages("\n".join(lines))
    assert (first.id, first.seq_or_version, json.loads(first.events)) == (
        "m.1",
        7,
        [{"a": "x y"}, "\nä"],
    )
    assert second == BusMessage("t", 3)


def test_events_in_an_unknown_format_are_ignored() -> None:
    assert list(parse_bus_messages('m.1 7 {"events":[]}')) == [BusMessage("m.1", 7)]


def test_events_that_do_not_fit_are_left_out() -> None:
    whole = format_bus_message("m.1", 7, SHORT_EVENTS)
    size = len(whole.encode()) + 1
    assert format_bus_message("m.1", 7, SHORT_EVENTS, max_bytes=size + 1) == whole
    assert format_bus_message("m.1", 7, SHORT_EVENTS, max_bytes=size - 1) == "m.1 7"


@pytest.mark.parametrize("events", [1, 3, 40])
def test_a_batch_fits_into_one_notification(events: int) -> None:
    appends = [
        Append(match=f"match-{n}.1", seq=n, events=(LONG_EVENT,) * events) for n in range(64)
    ]
    payload = "\n".join(bus_messages_for(appends))
    assert len(payload.encode()) <= MAX_PAYLOAD_BYTES
    found = list(parse_bus_messages(payload))
    assert [(each.id, each.seq_or_version) for each in found] == [
        (append.match, append.seq + events) for append in appends
    ]
    if events < 40:
        assert found[0].events, "the first has its events"
