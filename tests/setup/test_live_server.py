"""The server of `dev.py serve`: languages from folders of their own, and pages that reload once they are built again."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from labs import site_server
from labs.library import LANGUAGES
from tools import live_server, site
from tools.live_server import LiveSite
from tools.process import Failure

Serve = Callable[..., int]
PAGE = "<html><head><title>{}</title></head><body></body></html>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Japanese, at the root, and Korean as they were built."""
    for name, text in {
        "ja/index.html": PAGE.format("ja"),
        "ja/404.html": PAGE.format("nothing here"),
        "ja/assets/site.css": "ja",
        "ko/ko/labs/index.html": PAGE.format("ko"),
        "ko/assets/site.css": "ko",
        "search/assets/search/entry.json": "{}",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves a site from a port on, or the next free one, until the test ends, and says which it is."""
    servers = []

    def start(live: LiveSite, first_port: int = 20_000) -> int:
        servers.append(live_server.start(live, first_port))
        return servers[-1].server_port

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def get(port: int, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, answer.getheader("Location") or body


@pytest.mark.parametrize(
    ("path", "status", "title"),
    [
        ("/", 200, "ja"),
        ("/ko/labs/", 200, "ko"),
        ("/no/", 404, "nothing here"),
        ("/ko/no/", 404, "nothing here"),
    ],
)
def test_a_page_comes_from_the_folder_of_its_language(
    serve: Serve, folder: Path, path: str, status: int, title: str
) -> None:
    answer = get(serve(LiveSite(folder, "ja")), path)
    assert answer[0] == status
    assert title in answer[1]


@pytest.mark.parametrize("lead", ["ja", "ko"])
def test_what_languages_share_comes_from_the_lead_and_search_from_its_own(
    serve: Serve, folder: Path, lead: str
) -> None:
    port = serve(LiveSite(folder, lead))
    assert get(port, "/assets/site.css") == (200, lead)
    assert get(port, "/assets/search/entry.json") == (200, "{}")


def test_a_page_gets_the_script_that_reloads_it_and_its_file_does_not_have_it(
    serve: Serve, folder: Path
) -> None:
    port = serve(LiveSite(folder, "ja"))
    assert get(port, "/")[1].count(live_server.TAG) == 1
    assert live_server.TAG not in (folder / "ja" / "index.html").read_text("utf-8")
    assert "location.reload()" in get(port, live_server.SCRIPT)[1]
    assert "'self'" in site_server.POLICY.partition("script-src")[2]


@pytest.mark.parametrize("path", ["/no/", "/ko/no/", "/en/"])
def test_the_answer_for_a_page_that_is_not_built_yet_reloads_too(
    serve: Serve, folder: Path, path: str
) -> None:
    assert get(serve(LiveSite(folder, "ja")), path)[1].count(live_server.TAG) == 1


def test_a_build_concerns_the_pages_of_its_language_only(serve: Serve, folder: Path) -> None:
    live = LiveSite(folder, "ja")
    port = serve(live)
    pages = ("/", "/labs/", "/ko/labs/")
    before = [get(port, live_server.BUILT + page) for page in pages]
    live.built("ko")
    after = [get(port, live_server.BUILT + page) for page in pages]
    assert [now == then for now, then in zip(after, before, strict=True)] == [True, True, False]


def test_the_language_of_the_page_opened_last_is_known(serve: Serve, folder: Path) -> None:
    live = LiveSite(folder, "ja")
    port = serve(live)
    get(port, "/ko/labs/")
    get(port, "/assets/site.css")
    assert live.opened == "ko"


def test_where_another_language_leads_the_root_leads_there(serve: Serve, folder: Path) -> None:
    assert get(serve(LiveSite(folder, "ko")), "/") == (302, "/ko/")


def test_a_taken_port_gives_way_to_the_next_free_one(
    serve: Serve, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = serve(LiveSite(folder, "ja"))
    second = serve(LiveSite(folder, "ja"), first)
    assert first < second < first + 50
    assert f"Port {first} is taken, so the site is on the next free one, {second}." in capsys.readouterr().out
    assert get(second, "/")[0] == 200


def test_no_free_port_at_all_is_a_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(*_: object, **__: object) -> site_server.SiteServer:
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(site_server, "site_server", taken)
    with pytest.raises(Failure, match=r"No port from 8000 to 8049 is free: give another with --port\."):
        live_server.start(LiveSite(folder, "ja"), 8000)


def test_its_languages_are_those_of_the_sentences() -> None:
    assert sorted(site.LANGUAGES) == sorted(LANGUAGES)
