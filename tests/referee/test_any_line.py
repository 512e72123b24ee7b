"""Every line gets an answer, whatever it contains."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.referee.referee_client import EXAMPLE_REQUESTS, reason_of, reply_to, shared_cases

POSITIONS = [case["position"] for case in shared_cases("unikat") if case["count"] < 1000]
VALID_REQUESTS = [
    *EXAMPLE_REQUESTS,
    *({"do": "count", "position": position} for position in POSITIONS[:6]),
    *(
        {"do": "apply", "position": c["position"], "action": c["action"]}
        for c in shared_cases("unikat")[:6]
    ),
]

KNOWN_WORDS = ["0000", "1111", "2222", "bag", "ruby", "lay", "swap", "draw", "over", "bonus"]
random_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.sampled_from(KNOWN_WORDS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def mutate_value(data: st.DataObject, value: Any, depth: int = 0) -> Any:
    """The value with something in it changed, removed, repeated or replaced."""
    if depth and data.draw(st.integers(0, 5)) == 0:
        return data.draw(random_json)
    if isinstance(value, dict) and value:
        key = data.draw(st.sampled_from(sorted(value)))
        match data.draw(st.integers(0, 6)):
            case 0:
                return {name: item for name, item in value.items() if name != key}
            case 1:
                return {**value, data.draw(st.text(max_size=5)): data.draw(random_json)}
            case _:
                return {**value, key: mutate_value(data, value[key], depth + 1)}
    if isinstance(value, list) and value:
        at = data.draw(st.integers(0, len(value) - 1))
        match data.draw(st.integers(0, 4)):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return [*value, value[at]]
            case 2:
                return value[::-1]
            case _:
                return [*value[:at], mutate_value(data, value[at], depth + 1), *value[at + 1 :]]
    if isinstance(value, int):
        return data.draw(st.integers(value - 2, value + 2) | random_json)
    return data.draw(random_json)


def check_any_reply(line: str | bytes) -> None:
    reply = reply_to(line)
    if "error" in reply:
        reason_of(reply)


@given(st.data())
def test_mutated_requests(data: st.DataObject) -> None:
    request: Any = data.draw(st.sampled_from(VALID_REQUESTS))
    for _ in range(data.draw(st.integers(1, 3))):
        request = mutate_value(data, request)
    check_any_reply(json.dumps(request))


@given(st.data())
def test_mutated_lines(data: st.DataObject) -> None:
    line = json.dumps(data.draw(st.sampled_from(VALID_REQUESTS))).encode()
    at = data.draw(st.integers(0, len(line)))
    until = data.draw(st.integers(at, min(len(line), at + 4)))
    check_any_reply(line[:at] + data.draw(st.binary(max_size=3)) + line[until:])


@given(st.binary(max_size=40) | st.text(max_size=40))
def test_random_lines(line: bytes | str) -> None:
    check_any_reply(line)
