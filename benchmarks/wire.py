"""The built site as a good host serves it, and what went over the wire.

Answers are compressed with gzip, files with a hash or a version in their address are kept for ever, all others
are asked for again with their tag. The log counts bodies as they are sent; heads and the network's own cost are
not counted.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from checks.weight import GZIP_LEVEL
from labs.site_server import HOST, SiteHandler, SiteServer

FOR_EVER = re.compile(r"/runtime/pyodide-[\d.]+/|/runtime/python-[0-9a-f]+\.zip$")


@dataclass(slots=True)
class Wire:
    """A running server: its address, and each answer so far as (path, bytes)."""

    url: str
    log: list[tuple[str, int]] = field(default_factory=list)

    def answers(self, since: int) -> list[tuple[str, int]]:
        """The answers from the `since`-th on."""
        return self.log[since:]


@contextlib.contextmanager
def served(site: Path) -> Iterator[Wire]:
    """Serves that folder on a free port of 127.0.0.1."""
    wire = Wire("")
    answers: dict[Path, tuple[bytes, str]] = {}

    class Handler(SiteHandler):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments, directory=str(site))  # type: ignore[arg-type]

        def do_GET(self) -> None:  # noqa: N802 (the base class's name)
            file = Path(self.translate_path(self.path.partition("?")[0]))
            file = file / "index.html" if file.is_dir() else file
            if not file.is_file():
                self.send_error(404)
                return
            if file not in answers:
                body = gzip.compress(file.read_bytes(), GZIP_LEVEL, mtime=0)
                answers[file] = body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            body, tag = answers[file]
            known = self.headers.get("If-None-Match") == tag
            wire.log.append((self.path, 0 if known else len(body)))
            self.send_response(304 if known else 200)
            self.send_header("ETag", tag)
            if not known:
                self.send_header("Content-Type", self.guess_type(file))
                self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if not known:
                self.wfile.write(body)

        def send_header(self, keyword: str, value: str) -> None:
            if keyword == "Cache-Control" and FOR_EVER.search(self.path):
                value = "public, max-age=31536000, immutable"
            super().send_header(keyword, value)

    server = SiteServer((HOST, 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    wire.url = f"http://{HOST}:{server.server_port}/"
    try:
        yield wire
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
