"""The site is served as a plain web server would, on a free port."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from labs import site_server
from tools import paths


@pytest.fixture
def site(project: Path) -> Path:
    for name, text in {
        "index.html": "<p>start",
        "404.html": "<p>nothing here",
        "ko/index.html": "<p>ko",
        "a.mjs": "export {}",
        "b.wasm": "",
    }.items():
        path = paths.SITE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (project / "secret.txt").write_text("secret", "utf-8")
    return paths.SITE


@contextmanager
def running(server: site_server.SiteServer) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


def get(port: int, path: str) -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, (answer.getheader("Content-Type") or "").partition(";")[0], body


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/", (200, "text/html", "<p>start")),
        ("/ko/", (200, "text/html", "<p>ko")),
        ("/a.mjs", (200, "text/javascript", "export {}")),
        ("/b.wasm", (200, "application/wasm", "")),
        ("/no/such/page/", (404, "text/html", "<p>nothing here")),
        ("/../secret.txt", (404, "text/html", "<p>nothing here")),
        ("/%2e%2e/secret.txt", (404, "text/html", "<p>nothing here")),
    ],
)
def test_pages_have_their_types_and_a_missing_one_is_the_404_page(
    site: Path, path: str, answer: tuple[int, str, str]
) -> None:
    with running(site_server.site_server(site, 0)) as port:
        assert get(port, path) == answer


def test_under_a_path_the_site_is_there_and_nowhere_else(site: Path) -> None:
    with running(site_server.site_server(site, 0, prefix="/docs/labs/")) as port:
        assert get(port, "/docs/labs/ko/")[::2] == (200, "<p>ko")
        assert get(port, "/ko/")[0] == 404
        assert get(port, "/")[0] == 404
