"""The hosting page: its configurations are tried in nginx and Apache, where they are installed."""

from __future__ import annotations

import gzip
import http.client
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from labs.site_server import POLICY
from tests.docs.conftest import ROOT

PAGES = [ROOT / "docs" / language / "hosting" / "index.md" for language in ("ja", "ko", "en")]
NGINX, APACHE = (
    shutil.which(name, path="/usr/sbin:/usr/local/sbin:/usr/local/bin:/usr/bin")
    for name in ("nginx", "apache2")
)
NEVER_AGAIN = "public, max-age=31536000, immutable"


def fence(language: str, page: Path = PAGES[0]) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(found) == 1
    return str(found[0])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parts[-3])
def test_every_page_gives_the_policy_that_the_site_is_tested_with(page: Path) -> None:
    assert fence("text", page) == POLICY + "\n"
    assert page.read_text("utf-8").count(POLICY) == 3


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def www(site: Path) -> Iterator[Path]:
    """A place for sites, with this one in `gpu-labs/`, that a server's own user may read."""
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(site, Path(name, "gpu-labs"))
        for private in (Path(name), Path(name, "gpu-labs")):
            private.chmod(0o755)
        yield Path(name)


@contextmanager
def running(command: list[str], port: int) -> Iterator[int]:
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None, server.stdout and server.stdout.read()
            time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        server.communicate()


def nginx(www: Path, folder: Path) -> tuple[list[str], int]:
    port = free_port()
    site = fence("nginx").replace("listen 80;", f"listen 127.0.0.1:{port};").replace("/srv/www", str(www))
    own = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ include /etc/nginx/mime.types; access_log off; {own}\n{site} }}",
        "utf-8",
    )
    return [str(NGINX), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")], port


def apache(www: Path, folder: Path) -> tuple[list[str], int]:
    port = free_port()
    modules = ("mpm_event", "alias", "authz_core", "deflate", "dir", "filter", "headers", "mime")
    load = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in modules)
    (folder / "apache.conf").write_text(
        f"{load}\nServerName 127.0.0.1\nListen 127.0.0.1:{port}\nPidFile {folder}/pid\nErrorLog {folder}/error.log\n"
        f"TypesConfig /etc/mime.types\nDocumentRoot {www}\nUser nobody\nGroup nogroup\n"
        + fence("apache").replace("/srv/www", str(www)),
        "utf-8",
    )
    return [str(APACHE), "-X", "-f", str(folder / "apache.conf")], port


def ask(port: int, path: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


@pytest.mark.parametrize(
    "server",
    [
        pytest.param(nginx, marks=pytest.mark.skipif(NGINX is None, reason="nginx is not installed")),
        pytest.param(apache, marks=pytest.mark.skipif(APACHE is None, reason="Apache is not installed")),
    ],
)
def test_the_configuration_does_what_the_page_says(
    server: Callable[[Path, Path], tuple[list[str], int]], www: Path, tmp_path: Path
) -> None:
    with running(*server(www, tmp_path)) as port:
        for path, status, kind in [
            ("/gpu-labs/", 200, "text/html"),
            ("/gpu-labs/ko/labs/", 200, "text/html"),
            ("/gpu-labs/en/no-such-page/", 404, "text/html"),
            ("/gpu-labs/assets/site/site.js", 200, "javascript"),
            ("/gpu-labs/assets/site/mark.svg", 200, "image/svg+xml"),
        ]:
            found, headers, body = ask(port, path)
            assert (found, headers["content-security-policy"]) == (status, POLICY), path
            assert kind in headers["content-type"], path
            assert headers["x-content-type-options"] == "nosniff", path
            assert headers["cache-control"] == "no-cache", path
            if status == 404:
                body = gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body
                assert body == (www / "gpu-labs" / "404.html").read_bytes()
        search = next((www / "gpu-labs" / "assets" / "search").glob("*.pf_meta"))
        assert ask(port, f"/gpu-labs/assets/search/{search.name}")[1]["cache-control"] == NEVER_AGAIN
        for runtime in (www / "gpu-labs" / "assets" / "labs" / "runtime").rglob("*.wasm"):
            headers = ask(port, "/" + runtime.relative_to(www).as_posix())[1]
            assert (headers["content-type"], headers["cache-control"]) == ("application/wasm", NEVER_AGAIN)
            assert headers["content-encoding"] == "gzip"
