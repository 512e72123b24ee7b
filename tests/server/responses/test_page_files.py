"""The page: its addresses, what they answer, and how it's encoded."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from pytlik.i18n import catalogue
from pytlik.server.responses.page_files import PAGE_PREFIXES, is_page_or_file_path
from tests.server.http_site import Site, status_and_reason

WEB_FOLDER = Path(__file__).parents[3] / "web"
ROUTER_SOURCE = WEB_FOLDER / "src" / "app" / "router.svelte.ts"
MANIFEST = WEB_FOLDER / "public" / "manifest.webmanifest"

HTML_HEADERS = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}

INDEX_HTML = """\
<!doctype html>
<html lang="en" data-base="">
  <head>
    <title>Pytlik</title>
    <link rel="icon" href="./icon.svg" />
    <script type="module" crossorigin src="./assets/main-abc.js"></script>
  </head>
  <body></body>
</html>
"""

SCRIPT_BYTES = b"console.log('hello');"


@pytest.fixture
def page_folder(tmp_path: Path) -> Path:
    """A page as `vite build` leaves it."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX_HTML)
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "sw.js").write_bytes(SCRIPT_BYTES)
    (folder / "manifest.webmanifest").write_bytes(MANIFEST.read_bytes())
    script = folder / "assets" / "main-abc.js"
    script.write_bytes(SCRIPT_BYTES)
    Path(f"{script}.br").write_bytes(b"as brotli")
    Path(f"{script}.gz").write_bytes(gzip.compress(SCRIPT_BYTES))
    return folder


@pytest.fixture
def site(make_site: Any, page_folder: Path) -> Site:
    new_site: Site = make_site(folder=page_folder)
    return new_site


@pytest.mark.parametrize("path", ["/", "/t/abcdefghjk", "/replay/abcdefghjk/2", "/learn/unikat",
                                  "/daily/ubongo", "/settings", "/mine/", "/t"])  # fmt: skip
def test_every_address_answers_with_the_shell(site: Site, path: str) -> None:
    answer = site.browser().get(path, headers=HTML_HEADERS)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert '<html lang="en" data-base="">' in answer.text
    assert 'src="/assets/main-abc.js"' in answer.text
    assert 'href="/icon.svg"' in answer.text


def test_server_and_page_know_the_same_addresses() -> None:
    prefixes = set(re.findall(r"case '(\w+)':", ROUTER_SOURCE.read_text()))
    assert prefixes
    assert prefixes == set(PAGE_PREFIXES)


def test_shell_contains_the_base_path(make_site: Any, page_folder: Path) -> None:
    ola = make_site(folder=page_folder, base_path="/games").browser()
    for path in ("/games", "/games/", "/games/t/abcdefghjk"):
        text = ola.get(path, headers=HTML_HEADERS).text
        assert 'data-base="/games"' in text
        assert 'src="/games/assets/main-abc.js"' in text
    assert ola.get("/games/assets/main-abc.js").content == SCRIPT_BYTES
    assert ola.get("/games/sw.js/").content == SCRIPT_BYTES
    assert ola.get("/sw.js").status_code == 404


def test_unknown_path_is_html_for_browsers_and_json_for_programs(site: Site) -> None:
    ola = site.browser()
    lost = ola.get("/nowhere/at/all", headers=HTML_HEADERS)
    assert (lost.status_code, lost.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "main-abc.js" in lost.text
    headers = {**HTML_HEADERS, "if-none-match": lost.headers["etag"]}
    assert ola.get("/nowhere/at/all", headers=headers).status_code == 404
    for path in ("/nowhere", "/assets/gone.js", "/gone.svg", "/sw.js/x"):
        assert status_and_reason(ola.get(path)) == (404, "not_found")
    for path in ("/api", "/api/nowhere", "/schema/nowhere", "/api/tables/abcdefghjk"):
        assert ola.get(path, headers=HTML_HEADERS).headers["content-type"] == "application/json"
    assert status_and_reason(ola.post("/nowhere", {}, headers=HTML_HEADERS)) == (404, "not_found")


@pytest.mark.parametrize(
    ("path", "kind", "cache"),
    [
        ("/assets/main-abc.js", "text/javascript; charset=utf-8", "immutable"),
        ("/sw.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
        ("/icon.svg", "image/svg+xml", "no-cache"),
    ],
)
def test_files_have_their_type_and_cache_policy(
    site: Site, path: str, kind: str, cache: str
) -> None:
    answer = site.browser().get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == kind
    assert answer.headers["cache-control"].endswith(cache)
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("query", "preferred", "lang"),
    [
        ("", "uk-UA, uk;q=0.9", "uk"),
        ("?lang=de", "uk", "de"),
        ("?lang=tlh", "pl", "pl"),
        ("", "", "en"),
    ],
)
def test_manifest_is_in_the_visitors_language(
    site: Site, query: str, preferred: str, lang: str
) -> None:
    answer = site.browser().get(
        f"/manifest.webmanifest{query}", headers={"accept-language": preferred}
    )
    assert answer.headers["vary"] == "accept-encoding, accept-language"
    assert answer.headers["content-encoding"] == "gzip"
    manifest, translate = answer.json(), catalogue(lang)
    assert manifest["lang"] == translate("language.locale")
    assert manifest["name"] == translate("manifest.name")
    assert manifest["short_name"] == "Pytlik"
    assert manifest["description"] == translate("manifest.description")
    assert {shortcut["url"]: shortcut["name"] for shortcut in manifest["shortcuts"]} == {
        "./daily/unikat": translate("page.daily.unikat"),
        "./daily/ubongo": translate("page.daily.ubongo"),
        "./mine": translate("page.mine.title"),
    }


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("br;q=0.0", None),
        ("identity", None),
        ("", None),
    ],
)
def test_file_is_sent_in_the_shortest_accepted_encoding(
    site: Site, accepted: str, encoding: str | None
) -> None:
    answer = site.browser().get("/assets/main-abc.js", headers={"accept-encoding": accepted})
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "accept-encoding"
    # The client has unpacked gzip, and left alone what it can't unpack.
    assert answer.content == (b"as brotli" if encoding == "br" else SCRIPT_BYTES)


@pytest.mark.parametrize("path", ["/", "/assets/main-abc.js", "/t/abcdefghjk"])
def test_unchanged_files_are_not_sent_again(site: Site, path: str) -> None:
    ola = site.browser()
    tag = ola.get(path).headers["etag"]
    for etags in (tag, f'"other", W/{tag}'):
        again = ola.get(path, headers={"if-none-match": etags})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    plain = ola.get(path, headers={"accept-encoding": "identity"}).headers["etag"]
    assert plain != tag
    assert ola.get(path, headers={"if-none-match": plain}).status_code == 200


def test_invitation_names_the_game_and_sets_no_cookie(site: Site) -> None:
    ola = site.browser()
    table = ola.create_table("ubongo")
    ola.sit_down(table, "Aleksandra")
    id = table.rpartition("/")[2]
    preview = site.browser(origin=None).get(f"/t/{id}", headers={"accept": "*/*"})
    assert 'property="og:title" content="Come and play Ubongo"' in preview.text
    assert "set-cookie" not in preview.headers
    assert "Aleksandra" not in preview.text
    nobody = site.browser().get("/t/abcdefghjk").text
    assert 'property="og:title" content="Pytlik"' in nobody


def test_table_preloads_the_files_of_its_game(make_site: Any, page_folder: Path) -> None:
    listed = {
        "lobby": {"unikat": ["assets/Lobby.js"], "ubongo": []},
        "playing": {"unikat": ["assets/Table.css", "assets/Table.js"], "ubongo": []},
        "over": {"unikat": ["assets/End.js"], "ubongo": []},
    }
    (page_folder / "preloads.json").write_text(json.dumps(listed))
    site: Site = make_site(folder=page_folder)
    ola = site.browser()

    def find_preloads(id: str) -> list[str]:
        text = ola.get(f"/t/{id}", headers=HTML_HEADERS).text
        return re.findall(r'<link rel="(?:module)?preload".*?>', text)

    table = ola.create_table("unikat", chairs=2)
    id = table.rpartition("/")[2]
    assert find_preloads(id) == [
        '<link rel="modulepreload" fetchpriority="low" href="/assets/Lobby.js">'
    ]
    for name in ("Ola", "Max"):
        ola.sit_down(table, name)
    ola.start_match(table)
    assert find_preloads(id) == [
        '<link rel="preload" as="style" fetchpriority="low" crossorigin href="/assets/Table.css">',
        '<link rel="modulepreload" fetchpriority="low" href="/assets/Table.js">',
    ]
    site.finish_match(id, 1)
    assert find_preloads(id) == [
        '<link rel="modulepreload" fetchpriority="low" href="/assets/End.js">'
    ]
    assert find_preloads(ola.create_table("ubongo").rpartition("/")[2]) == []
    assert find_preloads("abcdefghjk") == []
    assert ola.get("/preloads.json").status_code == 404


def test_shell_preloads_the_texts_in_the_visitors_language(
    make_site: Any, page_folder: Path
) -> None:
    for lang in ("de", "en"):
        (page_folder / "assets" / f"texts-{lang}-abc.js").write_bytes(SCRIPT_BYTES)
    ola = make_site(folder=page_folder, base_path="/games").browser()
    text = ola.get("/games/", headers={**HTML_HEADERS, "accept-language": "de"}).text
    assert re.findall(r'<link rel="modulepreload".*?>', text) == [
        '<link rel="modulepreload" href="/games/assets/texts-de-abc.js">'
    ]


def test_table_is_preloaded_with_its_page(make_site: Any, page_folder: Path) -> None:
    def preload_link(browser: Any, id: str) -> str | None:
        found: str | None = browser.get(f"/t/{id}", headers=HTML_HEADERS).headers.get("link")
        return found

    ola = make_site(folder=page_folder).browser()
    id = ola.create_table("unikat").rpartition("/")[2]
    assert preload_link(ola, id) == (
        f"</api/tables/{id}>; rel=preload; as=fetch; crossorigin=anonymous"
    )
    assert preload_link(ola, "abcdefghjk") is None
    assert "link" not in ola.get("/", headers=HTML_HEADERS).headers
    private: Site = make_site(folder=page_folder, passphrase="open sesame")
    inside = private.browser()
    inside.post("/api/enter", {"passphrase": "open sesame"})
    assert preload_link(inside, inside.create_table("unikat").rpartition("/")[2]) is None


def test_private_server_shows_only_the_page(make_site: Any, page_folder: Path) -> None:
    private: Site = make_site(folder=page_folder, passphrase="open sesame")
    inside = private.browser()
    inside.post("/api/enter", {"passphrase": "open sesame"})
    table = inside.create_table("ubongo")
    id = table.rpartition("/")[2]
    stranger = private.browser()
    for path in ("/", f"/t/{id}", "/assets/main-abc.js", "/sw.js", "/manifest.webmanifest",
                 "/icon.svg", "/settings"):  # fmt: skip
        answer = stranger.get(path, headers=HTML_HEADERS)
        assert answer.status_code == 200
        assert "Come and play" not in answer.text
    for path in (table, "/api/tables", "/schema/openapi.json", "/metrics", "/health"):
        assert status_and_reason(stranger.get(path, headers=HTML_HEADERS)) == (
            401,
            "passphrase_needed",
        )


def test_whole_class_can_open_the_page(make_site: Any, page_folder: Path) -> None:
    ola = make_site(folder=page_folder, limit_scale=0.01).browser()
    for _ in range(20):
        assert ola.get("/assets/main-abc.js").status_code == 200
    statuses = [ola.get("/").status_code for _ in range(5)]
    assert (statuses[0], statuses[-1]) == (200, 429)


@pytest.mark.parametrize("path", ["", "//", "//t", "/api", "/api/t", "/apis", "/schema/x.json",
                                  "/schema", "/tx", "/metrics", "/x/sw.js", "t"])  # fmt: skip
def test_other_paths_are_neither_page_nor_files(path: str) -> None:
    assert not is_page_or_file_path(path)


def test_first_page_explains_a_missing_build(make_site: Any, tmp_path: Path) -> None:
    ola = make_site(folder=tmp_path / "nothing", base_path="/games").browser()
    answer = ola.get("/games/")
    assert answer.status_code == 200
    assert "make setup" in answer.text
    assert "/games/schema/openapi.json" in answer.text
