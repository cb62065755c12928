// @ts-check
// Before the first paint: the reader's choice of colours, and whether to offer the page in a language that the reader prefers.
(() => {
  const root = document.documentElement;
  /** @param {string} name */
  const kept = (name) => {
    try {
      return localStorage.getItem(`gpulab.${name}`);
    } catch {
      return null; // Storage is forbidden here (a sandboxed frame): the system's scheme it is.
    }
  };
  const scheme = kept("scheme");
  if (scheme === "light" || scheme === "dark") root.dataset.glScheme = scheme;

  const written = new Set([...document.querySelectorAll("link[hreflang]")].map((link) => link.getAttribute("hreflang")));
  const preferred = navigator.languages.map((tag) => tag.split("-")[0] ?? "").find((language) => written.has(language));
  if (preferred && preferred !== root.lang && !kept("language-offer")) root.dataset.glOffer = preferred;
})();
