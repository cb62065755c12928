"""A page of `dev.py serve` shows a new build by itself, under the policy that the site is published with."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tools import live_server
from tools.live_server import LiveSite


def test_an_open_page_reloads_once_its_language_is_built_again(page: Page, tmp_path: Path) -> None:
    html = "<html><head><link rel='icon' href='data:,'></head><body><h1>{}</h1></body></html>"
    file = tmp_path / "ja" / "index.html"
    file.parent.mkdir()
    file.write_text(html.format("before"), "utf-8")
    live = LiveSite(tmp_path, "ja")
    server = live_server.start(live, 20_000)
    with page.expect_response(lambda response: live_server.BUILT in response.url):
        page.goto(f"http://127.0.0.1:{server.server_port}/")
    file.write_text(html.format("after"), "utf-8")
    live.built("ja")
    expect(page.get_by_role("heading")).to_have_text("after")
    server.shutdown()
    server.server_close()
