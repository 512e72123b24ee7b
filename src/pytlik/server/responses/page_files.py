"""The page as it was built, in memory: one shell for all its addresses, and the files it loads.

The shell is index.html with some things filled in: the path of the server (`data-base`), the
visitor's language and where its texts are, what the preview of a link shows, and the files that a
table's page is going to need. The manifest, which names the installed page, has keys of the
catalogues in braces, and is sent in the visitor's language too.
"""

import gzip
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
from litestar import Request, Response

from pytlik.i18n import Catalogue, catalogue, pick_language

AnyRequest = Request[Any, Any, Any]

STATIC_FOLDER = Path(__file__).parent.parent / "static"

MANIFEST_PATH = "/manifest.webmanifest"
TABLE_PAGE_PREFIX = "t"
PAGE_PREFIXES = (
    TABLE_PAGE_PREFIX,
    "screen",
    "replay",
    "learn",
    "practice",
    "daily",
    "rules",
    "settings",
    "mine",
    "circle",
    "tables",
    "companion",
)
"""What the paths of the page begin with; the page itself knows the rest."""

PAGE_PATH_PATTERN = re.compile(rf"/(({'|'.join(PAGE_PREFIXES)})(/.*)?)?", re.DOTALL)
FILE_PATH_PATTERN = re.compile(r"/(assets/.*|[^/]+\.[^/]+)", re.DOTALL)
"""Files at the root have a dot in their name, and nothing else there does."""

CACHE_FOREVER = "public, max-age=31536000, immutable"
"""For files whose name changes with their content."""
CACHE_BUT_REVALIDATE = "no-cache"

PRELOADS_FILE = "preloads.json"
"""The files of a table's page, by its phase and game. `vite build` writes it for us."""

ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""The shorter one first. `vite build` has put the compressed files beside the others."""

MEDIA_TYPE_BY_SUFFIX = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}

# The page loads style sheets with CORS, and what is preloaded in another way would be loaded twice.
PRELOAD_ATTRIBUTES = {
    ".js": 'rel="modulepreload" fetchpriority="low"',
    ".css": 'rel="preload" as="style" fetchpriority="low" crossorigin',
}

NOT_BUILT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Pytlik</title>
</head>
<body>
<h1>Pytlik</h1>
<p>The page was not built here: <code>make setup</code> builds it.</p>
<p>Programs play by the server's <a href="./schema/openapi.json">interface</a>.</p>
</body>
</html>
"""


@dataclass(frozen=True)
class PageFile:
    body: bytes
    media_type: str
    cache: str
    compressed: Mapping[str, bytes] = field(default_factory=dict)
    """The compressed bodies, by encoding."""
    varies: str = "accept-encoding"
    """Which headers of the request the answer depends on."""

    @property
    def etag(self) -> str:
        return sha256(self.body).hexdigest()[:20]


class Page:
    def __init__(self, folder: Path, base_path: str) -> None:
        index = folder / "index.html"
        self.built = index.exists()
        files = dict(read_files(folder))
        preloads = files.pop(f"/{PRELOADS_FILE}", None)
        self._preloads: dict[str, dict[str, list[str]]] = (
            msgspec.json.decode(preloads.body) if preloads else {}
        )
        self.files = {path: file for path, file in files.items() if path != "/index.html"}
        html = index.read_text("utf-8") if self.built else NOT_BUILT
        # Addresses can have any depth, so nothing in the shell can be relative.
        self._html = html.replace('="./', f'="{escape(base_path)}/')
        self._base_path = base_path
        self.shell = cache(self._shell)
        self.manifest = cache(self._manifest)

    def _shell(self, translate: Catalogue, game: str | None = None, phase: str = "") -> PageFile:
        """The answer to every address. A table's says which game it invites to, and what to load
        for its phase."""
        title = translate(f"preview.{game}") if game else "Pytlik"
        description = translate("preview.invitation" if game else "preview.site")
        head = "".join(
            [
                f"<title>{escape(title)}</title>",
                f'<meta name="description" content="{escape(description)}">',
                f'<meta property="og:title" content="{escape(title)}">',
                f'<meta property="og:description" content="{escape(description)}">',
                '<meta property="og:type" content="website">',
                *(
                    f'<link rel="modulepreload" href="{escape(self._base_path + path)}">'
                    for path in self.files
                    if path.startswith(f"/assets/texts-{translate.lang}-")
                ),
            ]
        )
        root = f'<html lang="{translate.lang}" data-base="{escape(self._base_path)}">'
        html = re.sub(r"<title>.*?</title>", lambda _: head, self._html, count=1)
        html = re.sub(r"<html[^>]*>", lambda _: root, html, count=1)
        # After the shell's own files, without which nothing is shown.
        preloads = "".join(
            f'<link {PRELOAD_ATTRIBUTES[path.suffix]} href="{escape(f"{self._base_path}/{path}")}">'
            for path in self._table_files(game, phase)
        )
        html = html.replace("</head>", f"{preloads}</head>", 1)
        return make_translated_file(html, MEDIA_TYPE_BY_SUFFIX[".html"])

    def _manifest(self, translate: Catalogue) -> PageFile:
        template = self.files[MANIFEST_PATH].body.decode()
        text = re.sub(r'"\{([a-z.]+)\}"', lambda key: json.dumps(translate(key[1])), template)
        return make_translated_file(text, MEDIA_TYPE_BY_SUFFIX[".webmanifest"])

    def _table_files(self, game: str | None, phase: str) -> Iterable[PurePosixPath]:
        """The files that a table's page loads."""
        by_game = self._preloads.get(phase, {})
        return map(PurePosixPath, by_game.get(game, ()) if game else ())


def read_files(folder: Path) -> list[tuple[str, PageFile]]:
    """The files by their paths, each with its compressed forms."""
    files = []
    for path in sorted(folder.rglob("*")):
        if path.is_dir() or path.suffix in ENCODINGS.values():
            continue
        name = path.relative_to(folder).as_posix()
        beside = {kind: path.with_name(path.name + end) for kind, end in ENCODINGS.items()}
        file = PageFile(
            path.read_bytes(),
            MEDIA_TYPE_BY_SUFFIX.get(path.suffix, "application/octet-stream"),
            CACHE_FOREVER if name.startswith("assets/") else CACHE_BUT_REVALIDATE,
            {kind: other.read_bytes() for kind, other in beside.items() if other.exists()},
        )
        files.append((f"/{name}", file))
    return files


def make_translated_file(text: str, media_type: str) -> PageFile:
    body = text.encode()
    smaller = {"gzip": gzip.compress(body, mtime=0)}
    return PageFile(
        body, media_type, CACHE_BUT_REVALIDATE, smaller, "accept-encoding, accept-language"
    )


def shell_for_request(request: AnyRequest, game: str | None = None, phase: str = "") -> PageFile:
    page: Page = request.app.state.page
    translate = catalogue(pick_language(request.headers.get("accept-language", "")))
    return page.shell(translate, game, phase)


def find_page_file(request: AnyRequest, path: str) -> PageFile:
    """A file of the page. The manifest is in the language that the page asks for, or the one that
    the browser prefers."""
    page: Page = request.app.state.page
    if path != MANIFEST_PATH:
        return page.files[path]
    chosen = request.query_params.get("lang", "")
    preferred = request.headers.get("accept-language", "")
    return page.manifest(catalogue(pick_language(f"{chosen},{preferred}")))


def page_file_response(
    request: AnyRequest, file: PageFile, status: int = 200, asks_next: str = ""
) -> Response[bytes]:
    """The file in the shortest form that the browser accepts, or 304 if it hasn't changed. The
    browser fetches `asks_next`, a path of the API that the page will ask for, while the page's
    script loads."""
    encoding = choose_encoding(file, request.headers.get("accept-encoding", ""))
    # Each form has different bytes, and so a different tag.
    tag = f'"{file.etag}-{encoding}"' if encoding else f'"{file.etag}"'
    headers = {"cache-control": file.cache, "etag": tag, "vary": file.varies}
    if asks_next:
        path = f"{request.app.state.settings.base_path}{asks_next}"
        headers["link"] = f"<{path}>; rel=preload; as=fetch; crossorigin=anonymous"
    known = request.headers.get("if-none-match", "").replace("W/", "").replace(" ", "").split(",")
    if status == 200 and tag in known:
        return Response(b"", status_code=304, headers=headers)
    if encoding:
        headers["content-encoding"] = encoding
    body = file.compressed.get(encoding, file.body)
    return Response(body, status_code=status, headers=headers, media_type=file.media_type)


def choose_encoding(file: PageFile, accept_encoding: str) -> str:
    """The first of our encodings that the browser accepts, or "" to send the file as it is."""
    read = set()
    for part in accept_encoding.lower().split(","):
        name, _, quality = part.replace(" ", "").partition(";")
        if quality.rstrip("0.") != "q=":
            read.add(name)
    return next((kind for kind in ENCODINGS if kind in read and kind in file.compressed), "")


def is_browser_asking_for_page(request: AnyRequest) -> bool:
    """Whether a browser asks for a page that doesn't exist. Programs get the reason as a code."""
    path = strip_base_path(request.scope["path"], request.app.state.settings.base_path)
    return (
        request.method == "GET"
        and "text/html" in request.headers.get("accept", "")
        and not re.match("/(api|schema)(/|$)", path)
    )


def strip_base_path(path: str, base_path: str) -> str:
    """A path without the prefix at which the proxy serves us."""
    return path.removeprefix(base_path) or "/"


def is_file_path(path: str) -> bool:
    return FILE_PATH_PATTERN.fullmatch(path) is not None


def is_page_or_file_path(path: str) -> bool:
    """Whether this is the page or one of its files. A private server shows both to everyone,
    because the page asks for the passphrase."""
    return is_file_path(path) or PAGE_PATH_PATTERN.fullmatch(path) is not None
