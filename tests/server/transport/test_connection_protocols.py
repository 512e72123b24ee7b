"""Connections that send too much, too little or too slowly, or don't read: in virtual time, with a
transport that only records what is done with it."""

import weakref
from collections.abc import Iterator

import pytest
from websockets.frames import Frame, Opcode

from pytlik.server.transport.http_protocol import (
    BODY_SECONDS,
    HEAD_SECONDS,
    MAX_FRAMING_BYTES,
    MAX_HEAD_BYTES,
    MAX_HEAD_LINES,
    PARSED_AT_ONCE_BYTES,
    SILENCE_SECONDS,
)
from pytlik.server.transport.stalled_writes import STALL_SECONDS
from pytlik.server.transport.websocket_protocol import (
    CONTROL_SECONDS,
    MAX_BYTES_AFTER_CLOSE,
    MAX_CONTROL_FRAMES,
    PARSE_CHUNK_BYTES,
)
from tests.server.simulated_connection import WEBSOCKET_HANDSHAKE, ServerEnd

READ_SIZE_BYTES = 256 * 1024
"""How much an event loop reads from a connection at once."""


@pytest.fixture
def server_end() -> Iterator[ServerEnd]:
    end = ServerEnd()
    yield end
    for task in end.loop.tasks:
        task.close()


def make_frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


def close_code_in(written: bytearray) -> int:
    """The code of the close frame at the end of what was written."""
    at = written.rindex(bytes([0x80 | Opcode.CLOSE]))
    return int.from_bytes(written[at + 2 : at + 4])


# ------------------------------------------------------------------------------- control frames


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
def test_a_flood_of_control_frames_ends_the_connection(
    server_end: ServerEnd, opcode: Opcode
) -> None:
    server_end.open_websocket()
    for _ in range(MAX_CONTROL_FRAMES):
        server_end.feed_data(make_frame(opcode))
    assert not server_end.transport.closed
    server_end.feed_data(make_frame(opcode))
    assert server_end.transport.closed
    assert close_code_in(server_end.transport.written) == 1008
    message = server_end.run(server_end.protocol.receive())
    assert (message["type"], message["code"]) == ("websocket.disconnect", 1008)


def test_flooding_client_that_reads_nothing_is_cut_off(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    for _ in range(MAX_CONTROL_FRAMES + 1):
        server_end.feed_data(make_frame(Opcode.PING))
    server_end.loop.pass_seconds(STALL_SECONDS - 1)
    assert not server_end.transport.aborted
    server_end.loop.pass_seconds(1)
    assert server_end.transport.aborted


def test_endless_fragments_count_as_a_flood(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    server_end.feed_data(make_frame(Opcode.TEXT, fin=False))
    for _ in range(MAX_CONTROL_FRAMES + 1):
        server_end.feed_data(make_frame(Opcode.CONT, fin=False))
    assert close_code_in(server_end.transport.written) == 1008
    assert len(server_end.protocol.frames) <= MAX_CONTROL_FRAMES + 2


def test_slower_pings_are_allowed(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    gap = 1.01 * CONTROL_SECONDS / MAX_CONTROL_FRAMES
    for _ in range(10 * MAX_CONTROL_FRAMES):
        server_end.loop.now += gap
        server_end.feed_data(make_frame(Opcode.PING))
    assert not server_end.transport.closed


def test_only_a_little_of_a_sudden_flood_is_parsed(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    ping = make_frame(Opcode.PING, b"x" * 125)
    server_end.feed_data(ping * (READ_SIZE_BYTES // len(ping)))
    assert close_code_in(server_end.transport.written) == 1008
    most = (MAX_CONTROL_FRAMES + 1 + PARSE_CHUNK_BYTES // 6) * (len(ping) - 4)
    assert len(server_end.transport.written) <= most
    assert not server_end.protocol._unparsed


def test_nothing_is_read_from_a_client_that_does_not_read(server_end: ServerEnd) -> None:
    """Otherwise it could make us buffer answers. Here, each ping comes late enough to be
    allowed."""
    server_end.open_websocket()
    server_end.transport.unread = 65_500
    ping = make_frame(Opcode.PING, b"x" * 100)
    server_end.feed_data(ping)
    assert server_end.transport.paused
    written = len(server_end.transport.written)
    for _ in range(10):  # what was already on its way
        server_end.loop.now += 1
        server_end.feed_data(ping)
    assert len(server_end.transport.written) == written
    assert server_end.transport.paused
    server_end.transport.read_all()
    assert len(server_end.transport.written) == written + 10 * 102
    assert not server_end.transport.paused


def test_a_client_that_reads_nothing_is_cut_off(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    server_end.transport.unread = 65_500
    server_end.feed_data(make_frame(Opcode.PING, b"x" * 100))
    server_end.loop.pass_seconds(STALL_SECONDS - 1)
    assert not server_end.transport.aborted
    server_end.loop.pass_seconds(1)
    assert server_end.transport.aborted


def test_client_that_reads_slowly_is_not_cut_off(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    server_end.protocol.stop_keepalive()
    server_end.transport.unread = 65_500
    server_end.feed_data(make_frame(Opcode.PING, b"x" * 100))
    for left in (60_000, 40_000, 1):
        server_end.transport.unread = left
        server_end.loop.pass_seconds(STALL_SECONDS)
    server_end.transport.unread = 0
    server_end.loop.pass_seconds(2 * STALL_SECONDS)
    assert not server_end.transport.aborted


def test_client_that_stops_reading_is_cut_off(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    server_end.protocol.stop_keepalive()
    server_end.transport.unread = 65_500
    server_end.feed_data(make_frame(Opcode.PING, b"x" * 100))
    server_end.transport.unread = 60_000
    server_end.loop.pass_seconds(STALL_SECONDS)
    assert not server_end.transport.aborted
    server_end.loop.pass_seconds(STALL_SECONDS)
    assert server_end.transport.aborted


def test_client_that_keeps_reading_is_not_cut_off_while_more_is_written(
    server_end: ServerEnd,
) -> None:
    """Even if as much is unread at each check as at the one before."""
    server_end.open_websocket()
    server_end.protocol.stop_keepalive()
    for _ in range(10):
        server_end.transport.unread = 65_500
        server_end.feed_data(make_frame(Opcode.PING, b"x" * 100))
        assert not server_end.protocol.writable.is_set()
        server_end.loop.pass_seconds(STALL_SECONDS / 2)
        server_end.transport.read_all()
    for left in (20_000, 25_000, 25_000):
        server_end.transport.unread = left
        server_end.loop.pass_seconds(STALL_SECONDS)
    assert not server_end.transport.aborted


def test_closed_connection_is_cut_off_if_nothing_more_is_read(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    server_end.protocol.stop_keepalive()
    server_end.transport.unread = 65_500
    server_end.feed_data(make_frame(Opcode.PING, b"x" * 100))
    server_end.transport.read_all()
    server_end.transport.unread = 10_000
    server_end.transport.close()
    server_end.loop.pass_seconds(2 * STALL_SECONDS)
    assert server_end.transport.aborted


def test_messages_wait_unparsed_until_earlier_ones_are_taken(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    text = make_frame(Opcode.TEXT, b"{}")
    number = READ_SIZE_BYTES // len(text)
    server_end.feed_data(text * number)
    assert server_end.transport.paused
    assert len(server_end.protocol.queue) <= PARSE_CHUNK_BYTES // len(text) + 1
    taken = 0
    while not server_end.protocol.queue.empty():
        assert server_end.run(server_end.protocol.receive())["text"] == "{}"
        assert len(server_end.protocol.queue) <= PARSE_CHUNK_BYTES // len(text) + 1
        taken += 1
    assert taken == number
    assert not server_end.transport.paused


def test_client_can_send_only_a_little_after_the_close(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    server_end.run(server_end.protocol.send({"type": "websocket.close", "code": 1008}))
    late = make_frame(Opcode.TEXT, b"x" * 4_000)
    for _ in range(MAX_BYTES_AFTER_CLOSE // len(late)):
        server_end.feed_data(late)
    assert not server_end.transport.closed
    server_end.feed_data(late)
    assert server_end.transport.aborted


def test_only_a_little_is_parsed_of_what_had_come_before_the_close(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    frame = make_frame(Opcode.TEXT, b"")
    server_end.feed_data(frame * (READ_SIZE_BYTES // len(frame)))
    server_end.run(server_end.protocol.send({"type": "websocket.close", "code": 1008}))
    server_end.feed_data(frame)
    assert server_end.transport.aborted
    assert len(server_end.protocol.queue) <= MAX_BYTES_AFTER_CLOSE // len(frame)


def test_client_that_does_not_answer_the_close_is_cut_off(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    server_end.protocol.stop_keepalive()
    server_end.protocol.on_task_complete(None)
    server_end.loop.pass_seconds(STALL_SECONDS - 1)
    assert not server_end.transport.aborted
    server_end.loop.pass_seconds(1)
    assert server_end.transport.aborted


# ----------------------------------------------------------------------------------------- heads


def test_a_head_has_a_maximum_size(server_end: ServerEnd) -> None:
    server_end.feed_data(b"GET / HTTP/1.1\r\nhost: pytlik.test\r\nx: ")
    for _ in range(MAX_HEAD_BYTES // 1_000):
        server_end.feed_data(b"x" * 1_000)
    assert not server_end.transport.closed
    server_end.feed_data(b"x" * 1_000)
    assert server_end.transport.closed
    assert server_end.transport.written.startswith(b"HTTP/1.1 431 ")
    assert not server_end.request_count()


def test_a_long_address_is_part_of_the_head(server_end: ServerEnd) -> None:
    server_end.feed_data(b"GET /")
    server_end.feed_data(b"x" * MAX_HEAD_BYTES)
    assert server_end.transport.written.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    "lines",
    [
        b"x: y\r\n" * (MAX_HEAD_LINES + 1),
        b"x: " + b"y" * MAX_HEAD_BYTES + b"\r\n",
    ],
    ids=["many", "long"],
)
def test_large_head_sent_at_once_is_refused(server_end: ServerEnd, lines: bytes) -> None:
    server_end.feed_data(b"GET / HTTP/1.1\r\n" + lines + b"\r\n")
    assert server_end.transport.closed
    assert server_end.transport.written.startswith(b"HTTP/1.1 431 ")
    assert not server_end.request_count()


def test_refusal_is_not_written_into_another_answer(server_end: ServerEnd) -> None:
    server_end.feed_data(b"GET / HTTP/1.1\r\nhost: pytlik.test\r\n\r\n")
    server_end.feed_data(b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * (MAX_HEAD_LINES + 1) + b"\r\n")
    assert server_end.transport.closed
    assert not server_end.transport.written


def test_the_body_does_not_count_as_head(server_end: ServerEnd) -> None:
    body = b"x" * (2 * MAX_HEAD_BYTES)
    head = b"POST / HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % len(body)
    server_end.feed_data(head + body)
    assert not server_end.transport.closed
    assert server_end.request_count() == 1


CHUNKED_HEAD = b"POST / HTTP/1.1\r\nhost: pytlik.test\r\ntransfer-encoding: chunked\r\n\r\n"


def test_endless_trailer_ends_the_connection(server_end: ServerEnd) -> None:
    server_end.feed_data(CHUNKED_HEAD + b"0\r\nx: ")
    for _ in range(MAX_FRAMING_BYTES // 1_000):
        assert not server_end.transport.closed
        server_end.feed_data(b"a" * 1_000)
    server_end.feed_data(b"a" * 1_000)
    assert server_end.transport.closed


@pytest.mark.parametrize("trailers", [b"x-forwarded-for: 1.2.3.4\r\n", b"a:\r\n" * 5_000])
def test_trailers_are_refused(server_end: ServerEnd, trailers: bytes) -> None:
    server_end.feed_data(CHUNKED_HEAD + b"0\r\n" + trailers + b"\r\n")
    assert server_end.transport.closed
    assert b"x-forwarded-for" not in dict(server_end.protocol.scope["headers"])


def test_chunks_of_one_byte_end_the_connection(server_end: ServerEnd) -> None:
    server_end.feed_data(CHUNKED_HEAD)
    server_end.feed_data(b"1\r\nx\r\n" * MAX_FRAMING_BYTES)
    assert server_end.transport.closed


def test_chunks_of_usual_length_are_allowed(server_end: ServerEnd) -> None:
    server_end.feed_data(CHUNKED_HEAD + (b"100\r\n" + b"x" * 256 + b"\r\n") * 500 + b"0\r\n\r\n")
    assert not server_end.transport.closed
    assert server_end.request_count() == 1


# ---------------------------------------------------------------------------------------- silence


def test_silent_connection_is_closed(server_end: ServerEnd) -> None:
    server_end.loop.pass_seconds(HEAD_SECONDS - 1)
    assert not server_end.transport.closed
    server_end.loop.pass_seconds(1)
    assert server_end.transport.closed
    assert not server_end.transport.written


def test_trickling_head_times_out(server_end: ServerEnd) -> None:
    for byte in b"GET / HTT":
        server_end.feed_data(bytes([byte]))
        server_end.loop.pass_seconds(1)
    server_end.loop.pass_seconds(1)
    assert server_end.transport.closed
    assert server_end.transport.written.startswith(b"HTTP/1.1 408 ")


def test_empty_lines_do_not_keep_a_connection_open(server_end: ServerEnd) -> None:
    server_end.feed_data(b"GET / HTTP/1.1\r\n\r\n")
    server_end.answer_request()
    for _ in range(9):
        server_end.feed_data(b"\r\n")
        server_end.loop.pass_seconds(1)
    assert not server_end.transport.closed
    server_end.loop.pass_seconds(1)
    assert server_end.transport.closed


def test_silence_in_the_middle_of_a_body_ends_the_connection(server_end: ServerEnd) -> None:
    server_end.feed_data(b"POST / HTTP/1.1\r\ncontent-length: 10\r\n\r\nx")
    server_end.loop.pass_seconds(SILENCE_SECONDS - 1)
    server_end.feed_data(b"x")
    server_end.loop.pass_seconds(SILENCE_SECONDS - 1)
    assert not server_end.transport.closed
    server_end.loop.pass_seconds(1)
    assert server_end.transport.closed


def test_trickling_body_times_out(server_end: ServerEnd) -> None:
    server_end.feed_data(b"POST / HTTP/1.1\r\ncontent-length: 1000\r\n\r\n")
    for _ in range(int(BODY_SECONDS) - 1):
        server_end.feed_data(b"x")
        server_end.loop.pass_seconds(1)
    assert not server_end.transport.closed
    server_end.loop.pass_seconds(1)
    assert server_end.transport.closed


def test_client_is_not_cut_off_while_the_server_is_slow(server_end: ServerEnd) -> None:
    server_end.feed_data(b"POST / HTTP/1.1\r\ncontent-length: 2\r\n\r\nx")
    server_end.protocol.flow.pause_reading()
    server_end.loop.pass_seconds(10 * SILENCE_SECONDS)
    assert not server_end.transport.closed
    server_end.protocol.flow.resume_reading()
    server_end.feed_data(b"x")
    server_end.loop.pass_seconds(10 * SILENCE_SECONDS)  # waiting for the answer
    assert not server_end.transport.closed
    server_end.answer_request()
    server_end.loop.pass_seconds(4)
    assert not server_end.transport.closed
    server_end.loop.pass_seconds(1)
    assert server_end.transport.closed, "uvicorn's own timeout of idle connections"


def test_an_open_socket_is_not_a_slow_request(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    server_end.protocol.stop_keepalive()
    server_end.loop.pass_seconds(10 * BODY_SECONDS)
    assert not server_end.transport.closed


@pytest.mark.parametrize("line", [b"x: " + b"x" * 9_000, b"content-length: 5"])
def test_handshake_that_only_the_websocket_parser_refuses_is_answered(
    server_end: ServerEnd, line: bytes
) -> None:
    """A real attack: such connections stayed open for ever, and no limit counted them."""
    server_end.begin_websocket(WEBSOCKET_HANDSHAKE.removesuffix(b"\r\n") + line + b"\r\n\r\n")
    assert server_end.transport.closed
    assert server_end.transport.written.startswith(b"HTTP/1.1 400 ")


def test_open_socket_releases_its_request(server_end: ServerEnd) -> None:
    """At once, not only at the next garbage collection."""
    http = weakref.ref(server_end.protocol)
    server_end.open_websocket()
    assert http() is None
    assert not server_end.protocol.scope
    assert not {"request", "response"} & vars(server_end.protocol).keys()


def test_websocket_is_passed_on_with_its_path_and_whole_head(server_end: ServerEnd) -> None:
    passed: list[tuple[bytes, bytes]] = []

    def pass_on(_: object, path: bytes, head: bytes) -> bool:
        passed.append((path, head))
        return True

    server_end.protocol._pass_on = pass_on
    handshake = WEBSOCKET_HANDSHAKE.replace(b"/socket ", b"/socket?seat=1 ")
    server_end.feed_data(handshake)
    assert passed == [(b"/api/tables/x/socket", handshake)]
    assert server_end.transport.closed


def test_unread_answer_is_not_kept(server_end: ServerEnd) -> None:
    server_end.feed_data(b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n")
    server_end.transport.unread = 0
    server_end.answer_request(b"x" * 100_000)
    assert server_end.transport.closed
    server_end.loop.pass_seconds(STALL_SECONDS)
    assert server_end.transport.aborted


def test_connection_lost_while_paused_is_disconnected(server_end: ServerEnd) -> None:
    server_end.open_websocket()
    server_end.transport.unread = 65_500
    server_end.feed_data(make_frame(Opcode.PING, b"x" * 100))
    assert server_end.transport.paused
    server_end.transport.closed = True
    server_end.protocol.connection_lost(OSError())
    assert server_end.run(server_end.protocol.receive())["type"] == "websocket.disconnect"
    assert server_end.transport.paused, "reading doesn't resume on a lost connection"


def test_thousands_of_requests_at_once_wait_unparsed(server_end: ServerEnd) -> None:
    """A real attack: 60 connections took 4 GB, and parsing held up everyone for 0.1 s."""
    request = b"GET / HTTP/1.1\r\nhost: pytlik.test\r\n\r\n"
    number = READ_SIZE_BYTES // len(request)
    server_end.feed_data(request * number)
    assert server_end.transport.paused
    for answered in range(number):
        assert len(server_end.protocol.pipeline) <= 1 + PARSED_AT_ONCE_BYTES / len(request)
        assert server_end.request_count() == answered + 1, "one after the other"
        server_end.answer_request()
    assert not server_end.transport.paused
