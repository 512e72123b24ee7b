"""The API matches its own description, whatever is sent to it."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from pytlik.server.app import ROUTERS
from tests.server.dailies.test_unikat_daily import TODAY, puzzles_of_day
from tests.server.http_site import Site

# We test that it answers at all; a failing example is small enough without shrinking.
FEW_EXAMPLES = settings(
    max_examples=4,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    database=None,
)

OPERATIONS_WITHOUT_INPUT = {
    "DELETE /api/me",
    "DELETE /api/tables/{table}",
    "DELETE /api/tables/{table}/removals",
    "GET /api/circles",
    "GET /api/circles/{circle}",
    "GET /api/lan",
    "GET /api/load",
    "GET /api/mine",
    "GET /api/notifications",
    "GET /api/tables/{table}",
    "GET /healthz",
    "GET /readyz",
    "POST /api/cookie",
    "POST /api/cookie/renewal",
    "POST /api/tables/{table}/again",
    "POST /api/tables/{table}/chairs",
    "POST /api/tables/{table}/rematch",
    "POST /api/tables/{table}/skip",
    "POST /api/tokens",
}
"""Operations without any input that could be malformed."""


def list_operations(described: dict[str, Any]) -> list[Any]:
    found: Any = schemathesis.openapi.from_dict(described).get_all_operations()
    return [operation.ok() for operation in found]


def test_every_route_is_described(site: Site) -> None:
    described = site.browser().get("/schema/openapi.json").json()
    routes = {
        (method.lower(), route.path.replace(":str", "").replace(":int", ""))
        for router in ROUTERS
        for route in router.routes
        for method in getattr(route, "methods", ())
        if method != "OPTIONS"
    }
    hidden = {("get", "/health"), ("get", "/metrics")}
    operations = {(method, path) for path, item in described["paths"].items() for method in item}
    assert operations == routes - hidden
    for path, item in described["paths"].items():
        for operation in item.values():
            if path.startswith("/api"):
                assert {"400", "403", "404", "409", "429", "503"} <= set(operation["responses"])


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_request_gets_a_described_answer(site: Site, mode: GenerationMode) -> None:
    async def find_puzzles(*_: Any) -> Any:
        return puzzles_of_day(TODAY)

    # Any other day would be searched for, which takes seconds.
    site.app.state.unikat_daily.compute = find_puzzles
    ola = site.browser()
    table = ola.create_table()
    ola.sit_down(table)
    ola.sit_down(table)
    running = ola.create_table()
    ola.sit_down(running)
    ola.sit_down(running)
    ola.start_match(running)
    real = [path.rpartition("/")[2] for path in (table, running)]

    tested: set[str] = set()
    described = list_operations(ola.get("/schema/openapi.json").json())
    for operation in described:
        try:
            cases = operation.as_strategy(generation_mode=mode)
        except schemathesis.errors.SchemathesisError:
            continue

        @FEW_EXAMPLES
        @given(case=cases, name=st.sampled_from([*real, None]), seat=st.integers(-1, 4))
        def ask(case: Any, name: str | None, seat: int) -> None:
            if name is not None and "table" in (case.path_parameters or {}):
                case.path_parameters["table"] = name
                for number in {"seat", "number"} & case.path_parameters.keys():
                    case.path_parameters[number] = seat
            sent = case.as_transport_kwargs(base_url="http://pytlik.test")
            kinds = {key: sent[key] for key in ("json", "params") if key in sent}
            if "data" in sent:
                kinds["content"] = sent["data"]
            headers = {"content-type": "application/json"} if "content" in kinds else {}
            answer = ola.ask(sent["method"], sent["url"], headers=headers, **kinds)
            tested.add(case.operation.label)
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400:
                assert answer.json()["error"]["reason"]
                expected = set(case.operation.definition.raw["responses"]) | {"405"}
                assert str(answer.status_code) in expected

        try:
            ask()
        except Exception as error:
            if "Unsatisfiable" in type(error).__name__:
                continue  # nothing sent to it can be wrong
            raise
    untested = {operation.label for operation in described} - tested
    assert untested == (OPERATIONS_WITHOUT_INPUT if mode is GenerationMode.NEGATIVE else set())
