"""The web page: its shell at every address, and its files."""

from contextlib import suppress

from litestar import Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from pytlik.game import Refusal
from pytlik.server.responses.page_files import (
    PAGE_PREFIXES,
    TABLE_PAGE_PREFIX,
    Page,
    find_page_file,
    page_file_response,
    shell_for_request,
    strip_base_path,
)
from pytlik.server.routes.dependencies import AnyRequest, TheGate, TheLobby
from pytlik.store import Unavailable

PAGE_PATHS = [f"/{first}{rest}" for first in PAGE_PREFIXES for rest in ("", "/{rest:path}")]

ASSET_PATH = "/assets/{name:str}"


def router(page: Page) -> Router:
    handlers = [show_page, show_table_page]
    if page.files:
        # One route for all assets: with one for each, a server would take a fifth longer to start.
        paths = {ASSET_PATH if path.startswith("/assets/") else path for path in page.files}
        handlers.append(get(sorted(paths), include_in_schema=False)(send_file))
    return Router("/", route_handlers=handlers)


@get(["/", *(path for path in PAGE_PATHS if path != f"/{TABLE_PAGE_PREFIX}/{{rest:path}}")],
     include_in_schema=False)  # fmt: skip
async def show_page(request: AnyRequest) -> Response[bytes]:
    return page_file_response(request, shell_for_request(request))


@get(f"/{TABLE_PAGE_PREFIX}/{{table:str}}", include_in_schema=False)
async def show_table_page(
    request: AnyRequest, table: FromPath[str], lobby: TheLobby, gate: TheGate
) -> Response[bytes]:
    """The page of a table. The shell says which game is played, unless the server is private: chat
    programs show that in the preview of a link, and browsers load the game's code and the table's
    state at once. Nobody needs a token for this."""
    game, phase, asks_next = None, "", ""
    if not gate.settings.passphrase:
        with suppress(Refusal, Unavailable):
            found = (await lobby.get(table)).table
            game, phase, asks_next = found.game, found.phase, f"/api/tables/{found.id}"
    shell = shell_for_request(request, game, phase)
    return page_file_response(request, shell, asks_next=asks_next)


async def send_file(request: AnyRequest, gate: TheGate) -> Response[bytes]:
    path = strip_base_path(request.scope["path"], gate.settings.base_path)
    try:
        file = find_page_file(request, path)
    except KeyError:
        raise NotFoundException from None
    return page_file_response(request, file)
