"""A tab in which Python runs already, for tests that don't ask how it starts: that takes seconds, each time."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

# What another page of the site would show in the place of this one, with its address, scripts and styles: the document
# stays, and so does its worker. What readers leave behind goes.
SHOW = """async (address) => {
  localStorage.clear();
  sessionStorage.clear();
  const text = await (await fetch(address)).text();
  const page = new DOMParser().parseFromString(text, "text/html");
  // A relative address means another file once the page's own has changed.
  const sheets = "link[rel=stylesheet]";
  globalThis.sheetsHere ??= new Set([...document.querySelectorAll(sheets)].map((link) => link.href));
  document.querySelector("link[rel=icon]")?.remove();
  history.replaceState(null, "", address);
  document.documentElement.lang = page.documentElement.lang;
  document.title = page.title;
  for (const { attributes, media } of page.querySelectorAll(sheets)) {
    const href = new URL(attributes.href.value, address).href;
    if (sheetsHere.has(href)) continue;
    sheetsHere.add(href);
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href, media }));
  }
  document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
  scrollTo(0, 0);
  const scripts = [...page.querySelectorAll("script[type=module]")].map((script) => script.getAttribute("src"));
  await Promise.all(scripts.map((source) => import(new URL(source, address).href)));
}"""


class WarmTab:
    """One tab, kept from test to test. Around `main`, it stays the page that was opened first."""

    def __init__(self, new_page: Callable[[list[str]], Page]) -> None:
        self.complaints: list[str] = []
        """What the browser complained about since this was last cleared."""
        self._new_page = new_page
        self._page: Page | None = None

    def show(self, address: str) -> Page:
        """The tab with the page of that address in it, as first seen."""
        if self._page is None:
            self._page = self._new_page(self.complaints)
            size = self._page.viewport_size
            assert size is not None
            self._size = size
            self._page.goto(address)
        else:
            self._page.mouse.move(0, 0)
            self._page.set_viewport_size(self._size)
            self._page.evaluate(SHOW, address)
        return self._page

    def close(self) -> None:
        """Has the next page start in a new tab, with a Python of its own."""
        if self._page is not None:
            self._page.context.close()
            self._page = None
