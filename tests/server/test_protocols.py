"""Connections that send too much, too little or too slowly, or don't read: in virtual time, with a
transport that only records what is done with it."""

import weakref
from collections.abc import Iterator

import pytest
from websockets.frames import Frame, Opcode

from pytlik.server.http_protocol import (
    BODY_SECONDS,
    HEAD_BYTES,
    HEAD_LINES,
    HEAD_SECONDS,
    SILENCE_SECONDS,
)
from pytlik.server.stalled_writes import STALL_SECONDS
from pytlik.server.websocket_protocol import (
    AFTER_CLOSE_BYTES,
    CONTROL_FRAMES,
    CONTROL_SECONDS,
    PARSED_BYTES,
)
from tests.server.simulated_connection import End

ONE_READ = 256 * 1024
"""How much an event loop reads from a connection at once."""


@pytest.fixture
def end() -> Iterator[End]:
    made = End()
    yield made
    for work in made.loop.tasks:
        work.close()


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


def close_code(written: bytearray) -> int:
    """The code of the close frame at the end of what was written."""
    at = written.rindex(bytes([0x80 | Opcode.CLOSE]))
    return int.from_bytes(written[at + 2 : at + 4])


# ------------------------------------------------------------------------------- control frames


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
def test_a_flood_of_control_frames_ends_the_connection(end: End, opcode: Opcode) -> None:
    end.opens_socket()
    for _ in range(CONTROL_FRAMES):
        end.says(frame(opcode))
    assert not end.transport.closed
    end.says(frame(opcode))
    assert end.transport.closed
    assert close_code(end.transport.written) == 1008
    told = end.run(end.protocol.receive())
    assert (told["type"], told["code"]) == ("websocket.disconnect", 1008)


def test_fragments_without_end_are_a_flood_too(end: End) -> None:
    end.opens_socket()
    end.says(frame(Opcode.TEXT, fin=False))
    for _ in range(CONTROL_FRAMES + 1):
        end.says(frame(Opcode.CONT, fin=False))
    assert close_code(end.transport.written) == 1008
    assert len(end.protocol.frames) <= CONTROL_FRAMES + 2


def test_the_same_number_of_pings_over_more_time_is_fine(end: End) -> None:
    end.opens_socket()
    gap = 1.01 * CONTROL_SECONDS / CONTROL_FRAMES
    for _ in range(10 * CONTROL_FRAMES):
        end.loop.now += gap
        end.says(frame(Opcode.PING))
    assert not end.transport.closed


def test_only_a_little_of_a_sudden_flood_is_parsed(end: End) -> None:
    end.opens_socket()
    ping = frame(Opcode.PING, b"x" * 125)
    end.says(ping * (ONE_READ // len(ping)))
    assert close_code(end.transport.written) == 1008
    most = (CONTROL_FRAMES + 1 + PARSED_BYTES // 6) * (len(ping) - 4)
    assert len(end.transport.written) <= most
    assert not end.protocol._unparsed


def test_nothing_is_read_from_a_client_that_does_not_read(end: End) -> None:
    """So they can't make us store answers. Here, each ping comes late enough to be allowed."""
    end.opens_socket()
    end.transport.unread = 65_500
    ping = frame(Opcode.PING, b"x" * 100)
    end.says(ping)
    assert end.transport.paused
    written = len(end.transport.written)
    for _ in range(10):  # what was already on its way
        end.loop.now += 1
        end.says(ping)
    assert len(end.transport.written) == written
    assert end.transport.paused
    end.transport.read_all()
    assert len(end.transport.written) == written + 10 * 102
    assert not end.transport.paused


def test_a_client_that_reads_nothing_is_cut_off(end: End) -> None:
    end.opens_socket()
    end.transport.unread = 65_500
    end.says(frame(Opcode.PING, b"x" * 100))
    end.loop.pass_seconds(STALL_SECONDS - 1)
    assert not end.transport.aborted
    end.loop.pass_seconds(1)
    assert end.transport.aborted


def test_a_client_that_reads_slowly_is_waited_for(end: End) -> None:
    end.opens_socket()
    end.protocol.stop_keepalive()
    end.transport.unread = 65_500
    end.says(frame(Opcode.PING, b"x" * 100))
    for left in (60_000, 40_000, 1):
        end.transport.unread = left
        end.loop.pass_seconds(STALL_SECONDS)
    end.transport.unread = 0
    end.loop.pass_seconds(2 * STALL_SECONDS)
    assert not end.transport.aborted


def test_messages_wait_unparsed_until_the_last_was_taken(end: End) -> None:
    end.opens_socket()
    text = frame(Opcode.TEXT, b"{}")
    number = ONE_READ // len(text)
    end.says(text * number)
    assert end.transport.paused
    assert len(end.protocol.queue) <= PARSED_BYTES // len(text) + 1
    taken = 0
    while not end.protocol.queue.empty():
        assert end.run(end.protocol.receive())["text"] == "{}"
        assert len(end.protocol.queue) <= PARSED_BYTES // len(text) + 1
        taken += 1
    assert taken == number
    assert not end.transport.paused


def test_after_the_close_a_client_can_send_only_a_little(end: End) -> None:
    end.opens_socket()
    end.run(end.protocol.send({"type": "websocket.close", "code": 1008}))
    late = frame(Opcode.TEXT, b"x" * 4_000)
    for _ in range(AFTER_CLOSE_BYTES // len(late)):
        end.says(late)
    assert not end.transport.closed
    end.says(late)
    assert end.transport.aborted


# ----------------------------------------------------------------------------------------- heads


def test_a_head_has_a_maximum_size(end: End) -> None:
    end.says(b"GET / HTTP/1.1\r\nhost: pytlik.test\r\nx: ")
    for _ in range(HEAD_BYTES // 1_000):
        end.says(b"x" * 1_000)
    assert not end.transport.closed
    end.says(b"x" * 1_000)
    assert end.transport.closed
    assert end.transport.written.startswith(b"HTTP/1.1 431 ")
    assert not end.request_count()


def test_a_long_address_is_part_of_the_head(end: End) -> None:
    end.says(b"GET /")
    end.says(b"x" * HEAD_BYTES)
    assert end.transport.written.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    "lines",
    [
        b"x: y\r\n" * (HEAD_LINES + 1),
        b"x: " + b"y" * HEAD_BYTES + b"\r\n",
    ],
    ids=["many", "long"],
)
def test_a_large_head_that_comes_at_once(end: End, lines: bytes) -> None:
    end.says(b"GET / HTTP/1.1\r\n" + lines + b"\r\n")
    assert end.transport.closed
    assert end.transport.written.startswith(b"HTTP/1.1 431 ")
    assert not end.request_count()


def test_the_body_does_not_count_as_head(end: End) -> None:
    body = b"x" * (2 * HEAD_BYTES)
    head = b"POST / HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % len(body)
    end.says(head + body)
    assert not end.transport.closed
    assert end.request_count() == 1


# ---------------------------------------------------------------------------------------- silence


def test_a_connection_that_never_says_anything_is_closed(end: End) -> None:
    end.loop.pass_seconds(HEAD_SECONDS - 1)
    assert not end.transport.closed
    end.loop.pass_seconds(1)
    assert end.transport.closed
    assert not end.transport.written


def test_a_head_that_trickles_is_not_waited_for(end: End) -> None:
    for byte in b"GET / HTT":
        end.says(bytes([byte]))
        end.loop.pass_seconds(1)
    end.loop.pass_seconds(1)
    assert end.transport.closed
    assert end.transport.written.startswith(b"HTTP/1.1 408 ")


def test_empty_lines_between_requests_keep_nothing_open(end: End) -> None:
    end.says(b"GET / HTTP/1.1\r\n\r\n")
    end.answers()
    for _ in range(9):
        end.says(b"\r\n")
        end.loop.pass_seconds(1)
    assert not end.transport.closed
    end.loop.pass_seconds(1)
    assert end.transport.closed


def test_silence_in_the_middle_of_a_body_ends_the_connection(end: End) -> None:
    end.says(b"POST / HTTP/1.1\r\ncontent-length: 10\r\n\r\nx")
    end.loop.pass_seconds(SILENCE_SECONDS - 1)
    end.says(b"x")
    end.loop.pass_seconds(SILENCE_SECONDS - 1)
    assert not end.transport.closed
    end.loop.pass_seconds(1)
    assert end.transport.closed


def test_a_body_that_trickles_is_not_waited_for_either(end: End) -> None:
    end.says(b"POST / HTTP/1.1\r\ncontent-length: 1000\r\n\r\n")
    for _ in range(int(BODY_SECONDS) - 1):
        end.says(b"x")
        end.loop.pass_seconds(1)
    assert not end.transport.closed
    end.loop.pass_seconds(1)
    assert end.transport.closed


def test_no_client_is_cut_off_while_the_server_takes_its_time(end: End) -> None:
    end.says(b"POST / HTTP/1.1\r\ncontent-length: 2\r\n\r\nx")
    end.protocol.flow.pause_reading()
    end.loop.pass_seconds(10 * SILENCE_SECONDS)
    assert not end.transport.closed
    end.protocol.flow.resume_reading()
    end.says(b"x")
    end.loop.pass_seconds(10 * SILENCE_SECONDS)  # waiting for the answer
    assert not end.transport.closed
    end.answers()
    end.loop.pass_seconds(4)
    assert not end.transport.closed
    end.loop.pass_seconds(1)
    assert end.transport.closed, "uvicorn's own patience with idle connections"


def test_an_open_socket_is_not_a_slow_request(end: End) -> None:
    end.opens_socket()
    end.protocol.stop_keepalive()
    end.loop.pass_seconds(10 * BODY_SECONDS)
    assert not end.transport.closed


def test_an_open_socket_keeps_nothing_of_its_request(end: End) -> None:
    """Not even until the next search for cycles."""
    http = weakref.ref(end.protocol)
    end.opens_socket()
    assert http() is None
    assert not end.protocol.scope
    assert not {"request", "response"} & vars(end.protocol).keys()


def test_an_answer_that_nobody_reads_is_not_kept(end: End) -> None:
    end.says(b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n")
    end.transport.unread = 0
    end.answers(b"x" * 100_000)
    assert end.transport.closed
    end.loop.pass_seconds(STALL_SECONDS)
    assert end.transport.aborted


def test_a_connection_lost_while_nothing_was_read_from_it_is_gone(end: End) -> None:
    end.opens_socket()
    end.transport.unread = 65_500
    end.says(frame(Opcode.PING, b"x" * 100))
    assert end.transport.paused
    end.transport.closed = True
    end.protocol.connection_lost(OSError())
    assert end.run(end.protocol.receive())["type"] == "websocket.disconnect"
    assert end.transport.paused, "nobody goes on reading from a connection that is gone"
