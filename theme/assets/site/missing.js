// @ts-check
// The page for missing addresses: keeps the language whose part of the site was asked for.

const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-path]")]);
const wanted = sections
  .filter((section) => location.pathname.startsWith(new URL(section.dataset.path ?? "", location.href).pathname))
  .sort((a, b) => (b.dataset.path ?? "").length - (a.dataset.path ?? "").length)[0] ?? sections[0];

for (const section of sections) section.hidden = section !== wanted;
if (wanted) {
  document.documentElement.lang = wanted.lang;
  document.title = wanted.querySelector("h1")?.textContent ?? document.title;
}
