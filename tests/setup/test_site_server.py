"""The site is served as a plain web server would, on a free port, and built only after a change."""

from __future__ import annotations

import http.client
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import dev
from labs import site_server

ONE_BUILD = ["pack.mjs", "pack-editor.mjs", "mkdocs"]
"""The programs of a build, in order."""


@pytest.fixture
def site(project: Path) -> Path:
    for name, text in {
        "index.html": "<p>start",
        "404.html": "<p>nothing here",
        "ko/index.html": "<p>ko",
        "a.mjs": "export {}",
        "b.wasm": "",
    }.items():
        path = dev.SITE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (project / "secret.txt").write_text("secret", "utf-8")
    return dev.SITE


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


def test_a_taken_port_gives_way_to_the_next_free_one(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(dev.serve_on_free_port(20_000)) as first, running(dev.serve_on_free_port(first)) as second:
        assert first < second < first + 50
        assert (
            f"Port {first} is taken, so the site is on the next free one, {second}."
            in capsys.readouterr().out
        )
        assert get(second, "/")[0] == 200


def test_no_free_port_at_all_is_a_sentence(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(directory: Path, port: int) -> site_server.SiteServer:
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(site_server, "site_server", taken)
    with pytest.raises(dev.Failure, match=r"No port from 8000 to 8049 is free: give another with --port\."):
        dev.serve_on_free_port(8000)


class TestBuilding:
    @pytest.fixture
    def builds(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The programs that a build starts; the last of them writes the new site."""
        programs: list[str] = []

        def pretend(command: dev.Command, **environment: str) -> int:
            programs.append(str(command[2] if command[1] == "-m" else command[1]))
            if "mkdocs" in programs[-1]:
                for_folder = "--no-directory-urls" in command
                fresh = dev.CACHE / ("site-folder" if for_folder else "site")
                fresh.mkdir()
                (fresh / "index.html").write_text("<p>new", "utf-8")
            return 0

        monkeypatch.setattr(dev, "run", pretend)
        monkeypatch.setattr(dev, "find_node", lambda: dev.Node("node", "npm"))
        return programs

    def test_the_runtime_is_packed_before_the_pages_are_made(self, builds: list[str]) -> None:
        dev.build()
        assert [Path(program).name for program in builds] == ONE_BUILD
        assert (dev.SITE / "index.html").read_text("utf-8") == "<p>new"
        assert not (dev.SITE / "404.html").exists()

    def test_the_site_for_a_folder_is_another_one(self, builds: list[str]) -> None:
        dev.build(for_folder=True)
        assert (dev.FOLDER_SITE / "index.html").read_text("utf-8") == "<p>new"
        assert (dev.SITE / "index.html").read_text("utf-8") == "<p>start"
        assert dev.ensure_site(for_folder=True) == dev.FOLDER_SITE
        assert len(builds) == len(ONE_BUILD)

    def test_it_is_built_again_only_after_a_change(self, builds: list[str], project: Path) -> None:
        dev.ensure_site()
        dev.ensure_site()
        assert len(builds) == len(ONE_BUILD)
        (project / "docs").mkdir()
        (project / "docs" / "index.md").write_text("# New", "utf-8")
        dev.ensure_site()
        assert len(builds) == 2 * len(ONE_BUILD)

    def test_a_failed_build_leaves_the_last_site(
        self, builds: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(dev, "run", lambda command: 1)
        with pytest.raises(dev.Failure, match="mend it and build again"):
            dev.build()
        assert (dev.SITE / "index.html").read_text("utf-8") == "<p>start"

    def test_a_warning_of_mkdocs_fails_the_build(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """With the real MkDocs: its option --quiet, for one, would make its option --strict do nothing."""
        run = dev.run
        monkeypatch.setattr(dev, "VENV_PYTHON", Path(sys.executable))
        monkeypatch.setattr(dev, "find_node", lambda: dev.Node("node", "npm"))
        monkeypatch.setattr(dev, "run", lambda command: 0 if command[0] == "node" else run(command))
        (project / "mkdocs.yml").write_text("site_name: Site\n", "utf-8")
        (project / "docs").mkdir()
        page = project / "docs" / "index.md"
        page.write_text("# Page\n", "utf-8")
        dev.build()
        page.write_text("# Page\n\n[a missing page](missing.md)\n", "utf-8")
        with pytest.raises(dev.Failure, match="mend it and build again"):
            dev.build()
        assert "missing.md" in capfd.readouterr().err

    def test_tests_and_caches_are_no_part_of_the_site(self, project: Path) -> None:
        before = dev.site_digest()
        for folder in ("tests", ".cache", ".pytest_cache", "docs/__pycache__"):
            (project / folder).mkdir(parents=True, exist_ok=True)
            (project / folder / "file").write_text("x", "utf-8")
        assert dev.site_digest() == before

    @pytest.mark.parametrize("option", dev.SITE_OPTIONS)
    def test_what_the_build_takes_from_the_environment_counts(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, option: str
    ) -> None:
        monkeypatch.delenv(option, raising=False)
        before = dev.site_digest()
        monkeypatch.setenv(option, "meta")
        assert dev.site_digest() != before

    def test_it_takes_nothing_else(self) -> None:
        settings = (dev.ROOT / "mkdocs.yml").read_text("utf-8")
        assert tuple(re.findall(r"!ENV \[(\w+)", settings)) == ("SITE_URL", "SITE_URL", "SITE_POLICY")
