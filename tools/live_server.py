"""The server of `dev.py serve`: each language from its own folder, in pages that reload themselves when built again.

The script that does so is added to a page when it is served, and comes from here, which the site's policy allows:
built pages don't know of it.
"""

from __future__ import annotations

import threading
from pathlib import Path
from urllib.parse import unquote, urlsplit

from labs import site_server
from tools import paths
from tools.process import Failure, say
from tools.site import LANGUAGES

SCRIPT, BUILT = "/-/reload.js", "/-/built"
TAG = f'<script type="module" src="{SCRIPT}"></script>'


class LiveSite:
    """The languages as they were built last, each in a folder of its own.

    The files that all languages share lie with the `lead`, the one that is built first.
    """

    def __init__(self, folder: Path, lead: str) -> None:
        self.folder = folder
        self.lead = lead
        self.opened = lead
        """The language of the page that was asked for last."""
        self._builds = dict.fromkeys(LANGUAGES, 0)

    def built(self, *languages: str) -> None:
        """Has open pages of these languages reload."""
        for language in languages:
            self._builds[language] += 1

    def build_of(self, path: str) -> int:
        """Changes with each build of the page at that path of the address."""
        return self._builds[self.language_of(path)]

    def language_of(self, path: str) -> str:
        """The language of what is at that path: the first is at the root, the others in folders of their names."""
        top = unquote(path).lstrip("/").partition("/")[0]
        return top if top in LANGUAGES[1:] else LANGUAGES[0]

    def folder_of(self, path: str) -> Path:
        """Where what is at that path lies."""
        if path.startswith("/assets/"):
            return self.folder / ("search" if path.startswith("/assets/search/") else self.lead)
        return self.folder / self.language_of(path)


class LiveHandler(site_server.SiteHandler):
    """Serves a `LiveSite`, and the script by which its pages reload."""

    site: LiveSite

    def translate_path(self, path: str) -> str:
        """The file behind a path, below the folder of its language."""
        self.directory = str(self.site.folder_of(path))
        return super().translate_path(path)

    def do_GET(self) -> None:  # noqa: N802 (the base class's name)
        """Answers with a page that reloads itself, with what it does so by, or with a file."""
        path = urlsplit(self.path).path
        if path == SCRIPT:
            self._answer((paths.ROOT / "tools" / "reload.js").read_bytes(), "text/javascript")
        elif path.startswith(BUILT):
            self._answer(str(self.site.build_of(path.removeprefix(BUILT))).encode(), "text/plain")
        elif path == "/" and self.site.lead != LANGUAGES[0]:
            self.send_response(302)
            self.send_header("Location", f"/{self.site.lead}/")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            file = Path(self.translate_path(self.path))
            page = file / "index.html" if path.endswith("/") else file
            if page.suffix == ".html" and page.is_file():
                self.site.opened = self.site.language_of(path)
                self._answer_page(page)
            else:
                super().do_GET()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers for a page that is missing, which may be there after the next build, with one that reloads itself."""
        folders = (Path(self.directory), self.site.folder / self.site.lead)
        page = next((folder / "404.html" for folder in folders if (folder / "404.html").is_file()), None)
        if code != 404 or page is None:
            super().send_error(code, message, explain)
        else:
            self._answer_page(page, status=404)

    def _answer_page(self, page: Path, status: int = 200) -> None:
        html = page.read_text("utf-8").replace("</head>", f"{TAG}</head>", 1)
        self._answer(html.encode(), "text/html; charset=utf-8", status)

    def _answer(self, body: bytes, content_type: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def start(site: LiveSite, first_port: int) -> site_server.SiteServer:
    """Serves from a thread of its own, on the first free port from that one on."""
    handler = type("LiveHandlerOfSite", (LiveHandler,), {"site": site})
    try:
        server = site_server.on_free_port(site.folder, first_port, handler=handler)
    except site_server.NoFreePortError as error:
        raise Failure(
            f"No port from {error.first} to {error.last} is free: give another with --port."
        ) from None
    if server.server_port != first_port:
        say(f"Port {first_port} is taken, so the site is on the next free one, {server.server_port}.")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
