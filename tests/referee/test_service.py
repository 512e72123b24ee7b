"""Lines in, lines out."""

import json
import subprocess
import sys
from io import BufferedWriter, BytesIO
from typing import Any

import pytest

from pytlik.referee import answer, main
from tests.referee.referee_client import EXAMPLE_FIELDS, EXAMPLE_REQUESTS, reply_to


def test_each_line_is_answered_until_the_end() -> None:
    lines = [
        json.dumps({**request, "id": n}).encode() for n, request in enumerate(EXAMPLE_REQUESTS)
    ]
    lines.insert(3, b"")
    lines.insert(5, b"nonsense \xff")
    sink = BytesIO()
    assert main(BytesIO(b"\n".join(lines)), sink) == 0
    answers = sink.getvalue().splitlines()
    assert len(answers) == len(lines)
    assert answers == [answer(line) for line in lines]
    labels = [json.loads(line).get("id") for line in answers]
    assert labels == [0, 1, 2, None, 3, None, *range(4, len(EXAMPLE_REQUESTS))]


def test_referee_runs_as_a_program() -> None:
    deal = {"do": "deal", "game": "unikat", "players": 2, "seed": "x"}
    lines = b'{"do": "count", "id": 1\r\n' + json.dumps(deal).encode() + b"\r\n"
    command = [sys.executable, "-m", "pytlik.referee"]
    run = subprocess.run(command, input=lines, capture_output=True, check=True, timeout=60)
    assert run.stderr == b""
    first, second = run.stdout.splitlines()
    assert json.loads(first)["error"]["reason"] == "bad_request"
    assert json.loads(second)["position"]["game"] == "unikat"


def test_an_answer_comes_before_the_next_line_is_read() -> None:
    pipe = BytesIO()

    class Source(BytesIO):
        def __next__(self) -> bytes:
            answer_counts.append(len(pipe.getvalue().splitlines()))
            return super().__next__()

    answer_counts: list[int] = []
    main(Source(b"{}\n" * 3), BufferedWriter(pipe))
    assert answer_counts == [0, 1, 2, 3]


@pytest.mark.parametrize("request_", EXAMPLE_REQUESTS, ids=EXAMPLE_FIELDS)
def test_every_request_has_an_answer(request_: dict[str, Any]) -> None:
    reply = reply_to(json.dumps(request_))
    assert "error" not in reply
    assert reply_to(json.dumps(request_).encode()) == reply


REQUEST_IDS = [
    "7", '"seven"', "null", "[]", '{"a": [1, {"b": null}]}', "1e400", "-0.0", '"\\u00e9\\n"',
    '"žluťoučký"', "true", "9" * 400, "[1,\r\t 2]",
]  # fmt: skip


@pytest.mark.parametrize("label", REQUEST_IDS)
@pytest.mark.parametrize("rest", ['"do": "pieces"', '"do": "nothing"', '"more": 1'])
def test_id_comes_back_as_it_was_written(label: str, rest: str) -> None:
    raw = answer(f'{{{rest}, "id": {label}}}').decode()
    in_one_line = label.replace("\r\t ", "").replace(": ", ":").replace(", ", ",")
    assert raw.startswith(f'{{"id":{in_one_line},')
    json.loads(raw)
