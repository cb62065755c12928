"""`gpulab serve`: the built site, on this machine only."""

from __future__ import annotations

import http.client
import re
import socket
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from labs.cli import main
from labs.commands.serve import open_server
from labs.commands.terminal import InputError, Terminal
from labs.library import builtin_library
from labs.site_server import HOST
from tests.some import some

TERMINAL = Terminal(builtin_library(), builtin_library().messages["en"])


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A built site of three files."""
    (tmp_path / "index.html").write_text("<p>日本</p>", "utf-8")
    (tmp_path / "worker.js").write_text("1", "utf-8")
    (tmp_path / "runtime.wasm").write_bytes(b"\0asm")
    return tmp_path


@pytest.fixture
def server(site: Path) -> Iterator[ThreadingHTTPServer]:
    """The site, served on a free port."""
    with open_server(site, 0, TERMINAL) as opened:
        thread = threading.Thread(target=opened.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield opened
        opened.shutdown()
        thread.join()


def taken_words(port: int) -> str:
    """A pattern for what is said about a port that can't be had."""
    return re.escape(TERMINAL.messages.text("cli.port-taken", port=str(port)))


def get(server: ThreadingHTTPServer, path: str) -> tuple[int, str | None, bytes]:
    connection = http.client.HTTPConnection(HOST, server.server_address[1], timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    found = answer.status, answer.getheader("Content-Type"), answer.read()
    connection.close()
    return found


def test_the_site_is_served(server: ThreadingHTTPServer) -> None:
    assert get(server, "/") == (200, "text/html; charset=utf-8", "<p>日本</p>".encode())


@pytest.mark.parametrize(
    ("path", "kind"), [("/worker.js", "text/javascript"), ("/runtime.wasm", "application/wasm")]
)
def test_browsers_run_a_file_only_under_its_type(server: ThreadingHTTPServer, path: str, kind: str) -> None:
    assert get(server, path)[:2] == (200, kind)


@pytest.mark.parametrize("path", ["/nothing", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"])
def test_nothing_outside_the_folder_is_served(server: ThreadingHTTPServer, path: str) -> None:
    assert get(server, path)[0] == 404


def test_nobody_else_on_the_network_can_read_it(server: ThreadingHTTPServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_no_line_is_written_per_request(
    server: ThreadingHTTPServer, capfd: pytest.CaptureFixture[str]
) -> None:
    get(server, "/")
    assert capfd.readouterr() == ("", "")


def test_a_taken_port_is_said(site: Path) -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=taken_words(port)):
            open_server(site, port, TERMINAL)


def test_without_a_port_the_first_free_one_is_taken(site: Path) -> None:
    with open_server(site, None, TERMINAL) as first, open_server(site, None, TERMINAL) as second:
        assert second.server_address[1] > first.server_address[1] >= 8000


def test_a_folder_without_a_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--site", str(tmp_path), "--lang", "en"]) == 2
    said = TERMINAL.messages.text("cli.no-site", path=str(tmp_path))
    assert capsys.readouterr().err == said + "\n"


def test_serve_tells_the_address_and_ends_on_an_interrupt(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: ThreadingHTTPServer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadingHTTPServer, "serve_forever", interrupted)
    assert main(["serve", "--site", str(site), "--lang", "en"]) == 0
    assert "http://127.0.0.1:" in capsys.readouterr().out


@pytest.mark.parametrize("path", ["/%00", "/a%00b", "/worker.js%00"])
def test_a_path_that_no_file_can_have_is_a_missing_page(
    server: ThreadingHTTPServer, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert get(server, path)[0] == 404
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("port", ["-1", "65536", "99999999999999999999"])
def test_a_port_that_there_is_not(site: Path, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    for language, messages in some(builtin_library().messages.items()):
        assert main(["serve", "--site", str(site), "--port", port, "--lang", language]) == 2
        said = messages.text("cli.port-range", port=port, last="65535")
        assert capsys.readouterr().err == said + "\n"
