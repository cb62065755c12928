// @ts-check
// The page for missing addresses: keeps the language whose part of the site was asked for, and, in a site that does not
// know its own address, leads home and loads the look from where this script was found.
(() => {
  const page = document.documentElement;
  if (page.dataset.glRoot) return; // A folder further up has the script too: the nearest one counts.
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const root = new URL("../../", script.src);
  page.dataset.glRoot = root.pathname;

  /** @param {string} address from the site's root, whatever the page took for that */
  const inSite = (address) => new URL(address.replace(/^\//, ""), root).href;
  for (const template of document.querySelectorAll("template")) {
    const parts = /** @type {DocumentFragment} */ (document.importNode(template.content, true));
    for (const link of parts.querySelectorAll("link")) link.href = inSite(link.getAttribute("href") ?? "");
    for (const other of parts.querySelectorAll("script")) other.src = inSite(other.getAttribute("src") ?? "");
    document.head.append(parts);
  }

  const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-path]")]);
  const path = location.pathname.slice(root.pathname.length);
  const wanted = sections.find(({ dataset }) => dataset.path && path.startsWith(dataset.path)) ?? sections[0];
  for (const section of sections) {
    section.hidden = section !== wanted;
    const home = section.querySelector("a");
    if (home) home.href = inSite(section.dataset.path ?? "");
  }
  if (!wanted) return;
  page.lang = wanted.lang;
  document.title = wanted.querySelector("h1")?.textContent ?? document.title;
})();
